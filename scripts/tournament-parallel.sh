#!/usr/bin/env bash
# A tournament on the cores of one machine or of several, by GNU parallel: each job plays a shard.
#
#   scripts/tournament-parallel.sh cup.toml 8
#   scripts/tournament-parallel.sh cup.toml 64 --sshloginfile machines --workdir .
#
# On several machines, the folder must be shared by all of them, and kolibri must be installed on each. Further words go to parallel.
# The same command goes on where it stopped.
set -euo pipefail
plan=${1:?name the plan of the tournament}
shards=${2:?say in how many shards the games are split}
# parallel hands the words of its command to a shell once more.
quoted=$(printf '%q' "$plan")
seq "$shards" | parallel "${@:3}" --halt soon,fail=1 \
    kolibri tournament "$quoted" --shard "{}/$shards" --concurrency 1 --quiet ">" /dev/null
kolibri merge "${plan%.toml}".*-of-"$shards".games.jsonl
