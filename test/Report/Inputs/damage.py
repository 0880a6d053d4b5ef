#!/usr/bin/env python3
"""Damages a record in many ways: `tapefree report` says in one line what is wrong, or lists what it can; it never crashes.

  damage.py TAPEFREE RECORD SCRATCH
"""
import random
import subprocess
import sys

tool, record, scratch = sys.argv[1:]
whole = open(record, "rb").read()
chance = random.Random(4)


def report(text, what):
    with open(scratch, "wb") as out:
        out.write(text)
    for extra in ([], ["--html", scratch + ".html"]):
        done = subprocess.run([tool, "report", scratch, *extra], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20)
        said = done.stderr.decode().splitlines()
        problems = [line for line in said if "note:" not in line]
        if done.returncode not in (0, 1) or len(problems) != done.returncode:
            sys.exit(f"{what}: exit status {done.returncode}\n{said}")
    return done.returncode


for at in sorted(chance.sample(range(4, len(whole) - 5), 40)):
    # A record that ends behind one of its remarks looks whole.
    if report(whole[:at], f"the first {at} bytes") != 1 and not whole[:at].rstrip().endswith(b"\n..."):
        sys.exit(f"accepted: the first {at} bytes")
for _ in range(60):
    text = bytearray(whole)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(text))
        kind = chance.randrange(3)
        if kind == 0:
            text[at] = chance.randrange(256)
        elif kind == 1:
            text[at] = ord(chance.choice("'\"[]{}:-#&*!|>%@`,\n\t\\"))
        else:
            del text[at:at + chance.randint(1, 40)]
    report(bytes(text), "a damaged record")
report(b"--- " + b"[" * 20000 + b"\n...\n", "deep nesting")
report(b"--- !Missed\nPass: tapefree\nArgs: " + b"[" * 20000 + b"\n...\n", "deep nesting inside")
report(b"---" + bytes(range(256)) * 40 + b"\n...\n", "all bytes")
print("every damage was survived")
