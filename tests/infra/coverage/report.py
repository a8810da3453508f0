#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Add up what gcov says of all runs: a table per file, the lines never executed.

report.py [--list FILE [--some]] [--least PERCENT] BUILD RUN...

BUILD is the directory with the objects and their .gcno, a RUN one with the
.gcda that a VM brought back, below the objects' absolute path. A source may be
compiled more than once (etw.ko, the suites, inline functions): a line is
executed when it was in any of them. Its function is what the source says: gcov knows
none for what a macro made the body of.

With --list every line that was not executed must stand in FILE, which
tests/infra/coverage/uncovered explains, unless --some says that these are not all
runs; an entry for which there is no line is a finding in any case: none in the source,
which is all that test_uncovered looks for, or no code. The last line is for programs: what
was executed, of how many lines, how many findings.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

# the tests themselves
NOT_OURS = re.compile(r"\.mod\.c$")
# the defined function, in the text at the margin before a brace: of probes, their tracepoint
PROBE = re.compile(r"^ETW_PROBE\((\w+)", re.M)
NAME = re.compile(r"(?<!\w)(?!__)(\w+)\(")


class Line:
    """What is known of one line: how often it ran, in which functions."""

    def __init__(self):
        self.count = 0
        self.functions = set()


def notes(build):
    """Map the path of every object that still has a source, without ending, to its notes."""
    found = {}
    for directory, _, names in os.walk(build):
        for name in names:
            if name.endswith(".gcno"):
                stem = os.path.join(directory, name[:-len(".gcno")])
                if os.path.exists(f"{stem}.c"):
                    found[stem] = f"{stem}.gcno"
    return found


def gcov(directory, names):
    """Yield what gcov says of each source of these objects."""
    text = subprocess.run(["gcov", "--json-format", "--stdout", *names], cwd=directory,
                          check=True, capture_output=True, text=True)
    for complaint in sorted(set(text.stderr.splitlines())):
        if not re.search("cannot open data file|no functions found", complaint):
            print(f"# gcov: {complaint}", file=sys.stderr)
    for line in text.stdout.splitlines():
        if line.startswith("{"):
            yield from json.loads(line)["files"]


def add(sources, module, data, objects):
    """Add what one run executed, or with no data what there is to execute."""
    with tempfile.TemporaryDirectory() as work:
        names = []
        for number, (stem, path) in enumerate(sorted(objects.items())):
            name = f"{number}-{os.path.basename(stem)}"
            counts = f"{data}{stem}.gcda"
            if data and not os.path.exists(counts):
                continue
            os.symlink(path, f"{work}/{name}.gcno")
            if data:
                os.symlink(os.path.abspath(counts), f"{work}/{name}.gcda")
            names.append(f"{name}.gcno")
        for file in gcov(work, names) if names else ():
            path = os.path.normpath(file["file"])
            if not path.startswith(module + "/") or NOT_OURS.search(path):
                continue
            lines = sources[os.path.relpath(path, module)]
            for entry in file["lines"]:
                line = lines[entry["line_number"]]
                line.count += entry["count"]
                line.functions.add(entry.get("function_name", "?"))
        return len(names)


def is_executed(line):
    return line.count > 0


def read_list(name):
    """Return {(file, function, text): reason} of a list of lines."""
    reasons, reason, fresh = {}, "", True
    with open(name, encoding="utf-8") as lines:
        for text in lines:
            text = text.rstrip()
            if not text or text.startswith("#"):
                continue
            if not text[0].isspace():
                reason = text if fresh else f"{reason} {text}"
                fresh = False
                continue
            fresh = True
            match = re.fullmatch(r"(?:module/)?([^:]+):([^:]*): (.*)", text.strip())
            if not match or not reason:
                sys.exit(f"report.py: {name}: not understood: {text}")
            reasons[match.groups()] = reason
    return reasons


def text_of(module, file):
    with open(os.path.join(module, file), encoding="utf-8") as lines:
        return [""] + [line.strip() for line in lines]


def owners(module, file):
    """Return the function that each line of a source is of, its head or its body, or ""."""
    names, head, name = [""], "", ""
    with open(os.path.join(module, file), encoding="utf-8") as lines:
        for text in lines:
            if text.startswith("{"):
                match = PROBE.search(head)
                name = f"probe_{match[1]}" if match else (NAME.search(head) or [""] * 2)[1]
                height = head.count("\n")
                names[len(names) - height:] = [name] * height
            elif text.startswith("}"):
                head = name = ""
            elif not name:
                # blank lines, comments and directives are between two heads
                head = "" if text.startswith(("\n", "/", " *", "#")) else head + text
            names.append(name)
    return names


def is_there(module, file, function, text):
    """Whether the function is there, with the line in it."""
    if not os.path.exists(os.path.join(module, file)):
        return False
    lines = zip(owners(module, file), text_of(module, file))
    return any(owner == function and text in ("*", line) for owner, line in lines)


def reason_of(reasons, file, line, text):
    """Return the key of the entry that covers a line."""
    for function in sorted(line.functions):
        for key in ((file, function, text), (file, function, "*")):
            if key in reasons:
                return key
    return None


def table(sources):
    """Print the lines of each file; return what is executed and all of it."""
    done = total = 0
    print(f"{'file':34} {'lines':>6} {'executed':>9} {'percent':>8}")
    for file, lines in sorted(sources.items()):
        ran = sum(map(is_executed, lines.values()))
        print(f"{file:34} {len(lines):6} {ran:9} {100 * ran / len(lines):8.1f}")
        done += ran
        total += len(lines)
    print(f"{'all':34} {total:6} {done:9} {100 * done / total:8.1f}")
    return done, total


def list_missed(sources, module, reasons):
    """Print every line that did not run; return how many lack a reason, and the used entries."""
    unknown, used, seen = 0, set(), set()
    for file, lines in sorted(sources.items()):
        texts, names = text_of(module, file), owners(module, file)
        for number, line in sorted(lines.items()):
            if names[number]:
                line.functions.add(names[number])
                line.functions.discard("?")
            key = reason_of(reasons, file, line, texts[number])
            used.add(key)
            if is_executed(line):
                continue
            seen.add(key)
            functions = "/".join(sorted(line.functions))
            print(f"module/{file}:{number}: {functions}: {texts[number]}"
                  f"{'' if key else '   <- no reason'}")
            unknown += not key
    for key in sorted(set(reasons) & used - seen):
        print(f"# executed now: module/{key[0]}:{key[1]}: {key[2]}")
    return unknown, used


def main():
    """Print all of it; exit with 1 when there are findings."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list")
    parser.add_argument("--some", action="store_true")
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("build")
    parser.add_argument("runs", nargs="+")
    options = parser.parse_args()

    build = os.path.abspath(options.build)
    module = os.path.join(build, "module")
    # the suites are made of the sources that they test
    ours = (module + "/", os.path.join(build, "tests", "kunit") + "/")
    objects = {s: p for s, p in notes(build).items() if s.startswith(ours)}
    sources = collections.defaultdict(lambda: collections.defaultdict(Line))
    findings = 0
    if not add(sources, module, "", objects):
        sys.exit(f"report.py: no notes in {build}: was it built with GCOV_PROFILE=y?")
    for run in options.runs:
        if not add(sources, module, run, objects):
            print(f"# nothing was brought back: {run}")
            findings += 1

    done, total = table(sources)
    print()
    reasons = read_list(options.list) if options.list else {}
    unknown, used = list_missed(sources, module, reasons)
    if options.list:
        for key in sorted(set(reasons) - used):
            gone = not is_there(module, *key)
            print(f"# no such {'line' if gone else 'code'}: module/{key[0]}:{key[1]}: {key[2]}")
            findings += 1
        if unknown:
            print(f"# {unknown} lines were not executed and have no reason in {options.list}")
            findings += 0 if options.some else unknown
    percent = 100 * done / total
    if percent < options.least:
        print(f"# {percent:.1f} % of the lines: less than {options.least:.0f} %")
        findings += 1
    print(f"executed={done} lines={total} percent={percent:.1f} findings={findings}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
