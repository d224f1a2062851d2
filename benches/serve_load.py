#!/usr/bin/env python3
"""How `kolibri serve` bears many matches: moves refused, the time from a move to its view, memory.

usage: serve_load.py KOLIBRI SECONDS [IDLE [BUSY]]

Starts the program with matches in a folder of its own. IDLE matches (200) with a person who watches and does nothing stay open, while
BUSY matches (20) of connect four are played for SECONDS by a person, whose moves are drawn at random, against a machine that thinks half
a second. A time runs from sending a move to having read the view in which it is played.
"""

import asyncio
import base64
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

GAME = "connect-four"
MACHINE = {"role": "yellow", "kind": "machine", "player": "auto:time=0.5"}


class Socket:
    """A WebSocket of a match, for text messages."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, address, made, key):
        host, port = address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 24)
        nonce = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /api/v1/matches/{made}/socket?key={key} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {nonce}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.splitlines()[0]:
            raise ConnectionError(head.decode())
        return cls(reader, writer)

    def send(self, message):
        self._frame(1, json.dumps(message).encode())

    def _frame(self, kind, body):
        length = len(body)
        size = bytes([0x80 | length]) if length < 126 else b"\xfe" + struct.pack(">H", length)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(body))
        self.writer.write(bytes([0x80 | kind]) + size + mask + masked)

    async def receive(self):
        """The next message; pings are answered."""
        text = b""
        while True:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length >= 126:
                form = ">H" if length == 126 else ">Q"
                (length,) = struct.unpack(form, await self.reader.readexactly(struct.calcsize(form)))
            body = await self.reader.readexactly(length)
            kind = first & 0x0F
            if kind == 8:
                raise ConnectionError("the server closes the connection")
            if kind == 9:
                self._frame(10, body)
            if kind in (0, 1):
                text += body
                if first & 0x80:
                    return json.loads(text)


def begin(address, players):
    body = json.dumps({"game": GAME, "players": players, "delay": 0, "seed": 1}).encode()
    made = json.load(urllib.request.urlopen(f"http://{address}/api/v1/matches", body))
    return made["id"], made["key"]


def memory(pid):
    """What the program has in memory, in MiB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def watch(socket):
    while True:
        await socket.receive()


async def play(address, until, tally):
    """Plays one match after the other on one connection."""
    socket = await Socket.open(address, *await asyncio.to_thread(begin, address, [MACHINE]))
    sent = None
    while time.monotonic() < until or sent:
        message = await socket.receive()
        if message["type"] == "refused":
            tally["refused"].append(message["message"])
            sent = None
        if message["type"] != "view":
            continue
        if sent and message["ply"] > sent[0]:
            tally["times"].append(time.monotonic() - sent[1])
            sent = None
        if message["is_over"]:
            tally["ended"] += 1
            socket.send({"type": "restart"})
        elif "red" in message["moves"] and not sent and time.monotonic() < until:
            mv = random.choice(message["moves"]["red"])["move"]
            sent = (message["ply"], time.monotonic())
            socket.send({"type": "play", "role": "red", "move": mv, "ply": message["ply"]})


async def measure(address, pid, seconds, idle, busy):
    print(f"{memory(pid):8.1f} MiB at first")
    matches = [await asyncio.to_thread(begin, address, []) for _ in range(idle)]
    with_matches = memory(pid)
    print(f"{with_matches:8.1f} MiB with {idle} matches")
    sockets = [await Socket.open(address, *made) for made in matches]
    for socket in sockets:
        await socket.receive()
    print(f"{memory(pid):8.1f} MiB with {idle} connections that watch them")
    watchers = [asyncio.create_task(watch(socket)) for socket in sockets]
    tally = {"times": [], "refused": [], "ended": 0}
    until = time.monotonic() + seconds
    await asyncio.gather(*(play(address, until, tally) for _ in range(busy)))
    print(f"{memory(pid):8.1f} MiB with {busy} matches against machines, after {seconds} s")
    lost = [watcher for watcher in watchers if watcher.done()]
    times = sorted(tally["times"])
    print(f"{len(times)} moves, {len(tally['refused'])} refused, {tally['ended']} matches ended, {len(lost)} watchers lost")
    for name, share in (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("worst", 1)):
        print(f"{name:8}{1000 * times[min(len(times) - 1, int(len(times) * share))]:.1f} ms")
    print(*tally["refused"][:5], sep="\n", end="")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, seconds, idle, busy = [*sys.argv[1:], *["200", "20"][len(sys.argv) - 3 :]][:4]
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        listen = [program, "serve", "--listen", "127.0.0.1:0"]
        place = {**os.environ, "XDG_STATE_HOME": folder}
        with subprocess.Popen(listen, env=place, stdout=subprocess.PIPE, text=True) as server:
            try:
                address = server.stdout.readline().strip().removeprefix("http://").rstrip("/")
                asyncio.run(measure(address, server.pid, float(seconds), int(idle), int(busy)))
            finally:
                server.terminate()


main()
