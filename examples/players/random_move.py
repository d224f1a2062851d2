#!/usr/bin/env python3
"""A player that draws any legal move.

    kolibri match nim --player 'exec:python3 examples/players/random_move.py'
"""

import json
import random
import sys


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "Random move"})
    elif message["type"] == "start":
        print("playing", message["role"], file=sys.stderr)  # shown by -v
        say({"type": "ready"})
    elif message["type"] == "play":
        move = random.choice(message["legal"])
        say({"type": "move", "turn": message["turn"], "move": move})
    elif message["type"] == "quit":
        break
