# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Check what clocks.sh recorded: check_clocks.py TARGET DIRECTORY ETW."""
import json
import os
import subprocess
import sys

from etwtest import checks, stream

SWITCH, READY, SYSCALLS = 0x0524, 0x0532, (0x0F33, 0x0F34)

target, directory, etw = sys.argv[1:4]


def report(good, name, why=""):
    checks.check(good, f"{target}: {name}", why)


def path(name):
    return os.path.join(directory, name + ".etl")


def is_valid(name):
    result = subprocess.run([etw, "check", path(name)], capture_output=True, text=True)
    report(result.returncode == 0, f"{name}: a valid file",
           result.stdout.strip().splitlines()[-1].split(": ", 1)[1])


def anchors(name):
    """The anchors in order, as the fields of struct etw_anchor."""
    lines = subprocess.run([etw, "dump", "--json", path(name)], capture_output=True,
                           text=True, check=True).stdout.splitlines()
    events = [json.loads(line) for line in lines if '"Linux/Anchor"' in line]
    return [event.get("fields", event) for event in events]


def frequency(name):
    with open(path(name), "rb") as file:
        file.seek(0x48 + 0x20 + 0x100)
        return int.from_bytes(file.read(8), "little")


def advance(a, b, field):
    return int(b[field]) - int(a[field])


def events_of(name):
    """{CPU: {hook id: [(stamp, payload)]}} of all events, in the order of the file."""
    with open(path(name), "rb") as file:
        found = {}
        for buffer in stream.buffers(file.read())[1:]:
            for record in stream.records(buffer):
                found.setdefault(record.cpu, {}).setdefault(record.hook, []).append(
                    (record.time, bytes(record.payload)))
        return found


def common(a, b, cpu, hooks):
    """Events of a CPU in the period that both sessions recorded: a list for each session."""
    ours = [sorted(e for hook in hooks for e in s[cpu].get(hook, ())) for s in (a, b)]
    if not all(ours):
        return [], []
    first, last = max(o[0][0] for o in ours), min(o[-1][0] for o in ours)
    return [[e for e in o if first <= e[0] <= last] for o in ours]


def check_sharing():
    """Sessions with the same clock have the same stamp of an event: the clock is read once."""
    one, two, stacks = map(events_of, ("one", "two", "stacks"))
    for name, other, hooks in (("switches", two, (SWITCH,)),
                               ("switches of a session with stacks", stacks, (SWITCH,)),
                               ("wakeups and system calls", two, (READY, *SYSCALLS))):
        total = apart = 0
        for cpu in set(one) & set(other):
            a, b = common(one, other, cpu, hooks)
            total += len(a)
            apart += len(set(a) ^ set(b))
        # an interrupt between the records of two sessions may come before the second record
        allowed = 0 if hooks == (SWITCH,) else total // 20
        report(total > 50 and apart <= allowed, f"{name} have one stamp in all sessions",
               f"{total} events, {apart} stamps that only one has")


def check_step():
    found = anchors("step")
    steps = [i for i, a in enumerate(found) if a["Reason"] == "clock-step"]
    report(len(steps) == 1, "one anchor records the step of the wall clock",
           str([a["Reason"] for a in found]))
    if not steps:
        return
    a, b = found[steps[0] - 1], found[steps[0]]
    wall = advance(a, b, "FileTime") / 1e7 - advance(a, b, "BootTime") / 1e9
    report(3590 < wall < 3610, "the anchors show how far it went", f"{wall:.3f} s")
    qpc = advance(a, b, "Qpc") / frequency("step")
    report(abs(qpc - advance(a, b, "MonotonicRaw") / 1e9) < 0.1,
           "clock 1 did not step", f"{qpc:.3f} s")


def check_suspend():
    found = anchors("suspend")
    a, b = found[0], found[-1]
    slept = advance(a, b, "BootTime") - advance(a, b, "Monotonic")
    report(slept > 2e9, "the machine slept", f"{slept / 1e9:.3f} s")
    qpc = advance(a, b, "Qpc") / frequency("suspend")
    boot = advance(a, b, "BootTime") / 1e9
    report(abs(qpc - boot) < 0.2, "clock 1 went on meanwhile", f"{qpc:.3f} of {boot:.3f} s")


with open(os.path.join(directory, "status")) as lines:
    status = dict(line.split() for line in lines)
for clock in ("qpc", "system"):
    report(status.get(clock) == "0", f"{clock}: recorded")
    is_valid(clock)
unstable = os.path.join(directory, "unstable")
if target.startswith("a") or (os.path.exists(unstable) and os.path.getsize(unstable)):
    with open(os.path.join(directory, "cycle.err")) as text:
        report(status.get("cycle") != "0", "clock 3 is refused", text.read().strip()[-100:])
else:
    report(status.get("cycle") == "0", "cycle: recorded")
    is_valid("cycle")
check_sharing()
is_valid("step")
check_step()
if status.get("slept") == "0":
    is_valid("suspend")
    check_suspend()
else:
    checks.skip(f"{target}: suspend", "the machine can't sleep")
