#!/usr/bin/env python3
"""How long players of the General Game Playing protocol take for their answers, and how many are late.

usage: match_server.py ANSWERS PLAY_CLOCK HOST:PORT...

Holds matches of connect four with each player, one after the other with each, until ANSWERS messages PLAY are answered in all. Moves of
the other role are drawn at random. A time runs from before the connection to the last byte of the reply.
"""

import asyncio
import random
import sys
import time
from pathlib import Path

ROLES = ("red", "yellow")
COLUMNS = "abcdefg"
ROWS = 6
START_CLOCK = 2
RULES = " ".join(
    line.split(";")[0]
    for line in (Path(__file__).parent.parent / "games/connect-four.kif").read_text().splitlines()
)


class Tally:
    def __init__(self, wanted):
        self.wanted = wanted
        self.times = []
        self.faults = []

    def is_complete(self):
        return len(self.times) >= self.wanted

    def print(self, clock):
        times = sorted(self.times)
        late = sum(taken > clock for taken in times)
        print(f"{len(times)} answers, {late} late, {sum(taken > 0.05 for taken in times)} after more than 50 ms")
        for name, share in (("median", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("worst", 1)):
            print(f"{name:8}{times[min(len(times) - 1, int(len(times) * share))]:.3f} s")
        print(f"{len(self.faults)} faults", *self.faults[:10], sep="\n")


async def ask(address, text):
    host, port = address.rsplit(":", 1)
    begin = time.monotonic()
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
    reply = await reader.read()
    taken = time.monotonic() - begin
    writer.close()
    return reply.decode().partition("\r\n\r\n")[2], taken


def makes_a_line(board, column):
    """Whether the disc that fell last in a column makes four in a line."""
    row = len(board[column]) - 1
    who = board[column][row]

    def run(right, up):
        length, c, r = 0, column + right, row + up
        while 0 <= c < len(board) and 0 <= r < len(board[c]) and board[c][r] == who:
            length, c, r = length + 1, c + right, r + up
        return length

    return any(run(right, up) + run(-right, -up) >= 3 for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)))


async def play(address, match, role, clock, tally):
    reply, taken = await ask(address, f"( START {match} {ROLES[role]} ({RULES} ) {START_CLOCK} {clock})")
    if reply != "ready" or taken > START_CLOCK:
        tally.faults.append(f"{match}: {reply!r} to START after {taken:.3f} s")
    board, turn, last, is_over = [[] for _ in COLUMNS], 0, "NIL", False
    while not is_over and not tally.is_complete():
        reply, taken = await ask(address, f"( PLAY {match} {last} )")
        tally.times.append(taken)
        legal = {f"(drop {name})": column for column, name in enumerate(COLUMNS) if len(board[column]) < ROWS}
        move = reply if turn == role else random.choice(list(legal))
        if move not in legal or (turn != role and reply != "noop"):
            tally.faults.append(f"{match}: {reply!r} is not legal")
            break
        board[legal[move]].append(turn)
        last = f"({move} noop )" if turn == 0 else f"(noop {move} )"
        turn = 1 - turn
        is_over = makes_a_line(board, legal[move]) or all(len(column) == ROWS for column in board)
    await ask(address, f"( STOP {match} {last} )")


async def play_on(address, clock, tally):
    number = 0
    while not tally.is_complete():
        try:
            await play(address, f"{address.rsplit(':', 1)[1]}.{number}", number % 2, clock, tally)
        except OSError as why:
            tally.faults.append(f"{address}: {why}")
            await asyncio.sleep(1)
        number += 1


async def main(wanted, clock, *addresses):
    tally = Tally(int(wanted))
    await asyncio.gather(*(play_on(address, int(clock), tally) for address in addresses))
    tally.print(int(clock))


if len(sys.argv) < 4:
    sys.exit(__doc__.strip())
asyncio.run(main(*sys.argv[1:]))
