"""A bot that goes wrong in the way that its argument names. It imports nothing of ours."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
from typing import Any

way = sys.argv[1]
questions = itertools.count()
CHILD = "import sys, threading; fifo = open(sys.argv[1], 'w'); print(); threading.Event().wait()"


def say(**message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(asked: dict[str, Any], moves: list[str]) -> None:
    is_asked_again = next(questions) > 0
    if way in ("hang", "hang-deaf") or (way == "hang-later" and is_asked_again):
        threading.Event().wait()
    elif way == "die":
        sys.stderr.write("\x1b[31mmy engine\x07 is broken\n")
        sys.exit(3)
    elif way == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif way == "close-stdout":
        os.close(1)
        threading.Event().wait()
    elif way == "rubbish":
        sys.stdout.write("I think \x1b[2J I shall drive.\n")
        sys.stdout.flush()
    elif way == "bytes":
        os.write(1, b"\xff\xfe\n")
    elif way == "flood":
        while True:
            os.write(1, b"x" * 65536)
    elif way == "long-line":
        say(type="move", id=asked["id"], move=moves[0], padding="x" * 70000)
    elif way == "illegal":
        say(type="move", id=asked["id"], move="ext")
    elif way == "no-move":
        say(type="move", id=asked["id"], move="full throttle")
    elif way == "wrong-id":
        say(type="move", id=asked["id"] + 1, move=moves[0])
    elif way == "ready-again":
        say(type="ready", protocol=1)
    elif way == "other-type":
        say(type="greeting", text="hello")
    elif way == "environment":
        say(type="error", id=asked["id"], text=os.environ.get("PYTHONPATH", "none"))
    elif way == "error":
        say(type="error", id=asked["id"], text="no \x00 idea")
    else:
        if way == "noisy-stderr":
            sys.stderr.write("thinking... " * 50000)
        move = random.choice(moves) if way == "random" else moves[0]
        say(type="move", id=asked["id"], move=move)
        if way == "twice":
            say(type="move", id=asked["id"], move=move)


def main() -> None:
    if way == "die-at-once":
        sys.exit("no licence")
    if way == "hang-deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if way == "child":
        command = [sys.executable, "-c", CHILD, sys.argv[2]]
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":
            if way == "mute":
                continue
            say(type="ready", protocol=2 if way == "other-version" else 1)
        elif told["type"] == "choose":
            answer(told, told["table"]["hand"]["legal_moves"])
        elif told["type"] == "bye":
            if way == "babble":
                sys.stdout.write("Good night!\n")
        elif way == "strict":
            sys.exit(f"what is {told['type']}?")
    if way == "stay":
        threading.Event().wait()
    if way == "bad-end":
        sys.exit(7)


main()
