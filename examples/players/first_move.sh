#!/bin/sh
# A player that takes the first legal move.
#
#   kolibri match nim --player 'exec:sh examples/players/first_move.sh'

while read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type":"hello","protocol":1,"name":"First move"}'
        ;;
    '{"type":"start"'*)
        echo '{"type":"ready"}'
        ;;
    '{"type":"play"'*)
        move=$(printf '%s\n' "$line" | sed 's/.*"legal":\["\([^"]*\)".*/\1/')
        printf '{"type":"move","move":"%s"}\n' "$move"
        ;;
    '{"type":"quit"'*)
        exit
        ;;
    esac
done
