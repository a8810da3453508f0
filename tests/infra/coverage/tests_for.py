#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Print the tests that execute source files; see tests/run --for.

tests_for.py FILE...

The table tests_of_files contains what tests/infra/coverage/by_test measured of the host tests. A
KUnit suite includes the files that it tests. No test in a virtual machine is measured. Also printed
are the tests of the folder for that part that no row of the table names, or all of them for a file
without a measured test. A host test that no row names counts for all files of tools/, uapi/ and
include/. A line on standard error says so. Exit status 1 if a file does not exist or has no test.
"""
import glob
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tests_of_files")
HEAD = """# SPDX-License-Identifier: GPL-2.0
# The host tests that execute each source file, for tests/run --for. Measured and written by
# tests/infra/coverage/by_test; each row: FILE: TEST...
"""
SUITES = "unit/kunit/test_suites"
# the folders of tests for the parts that have no folder of the same name; the first match counts
FOLDERS = (
    ("module/source/rundown", ("vm/source/process", "vm/source/image")),
    ("module/source/(.*)", (r"vm/source/\1",)),
    ("module/source", ("vm/source",)),
    ("module/context/(perf|counters)", ("vm/counters",)),
    ("module/context/pebs", ("vm/pebs",)),
    ("module/context/stack", ("vm/stacks",)),
    ("module/context", ("vm/stacks", "vm/counters")),
    ("module/filter", ("vm/filters",)),
    ("module/provider/kernel", ("vm/kernel_api",)),
    ("module/provider", ("vm/provider", "vm/providers", "vm/programs")),
    ("module/record", ("vm/events",)),
    ("module/ring/clock", ("vm/clock",)),
    ("module/(ring|session)", ("vm/session",)),
    ("module/(config|control)", ("vm/abi", "vm/session")),
    ("module", ("vm/abi", "vm/session")),
    ("uapi/events", ("vm/events",)),
    ("uapi", ("vm/abi",)),
    ("include", ("vm/kernel_api", "vm/programs")),
    ("tools/libetw-win32", ("unit/libetw", "vm/libetw")),
    ("tools/libetw", ("unit/libetw", "vm/libetw")),
    ("tools/libetl", ("unit/reader",)),
    ("tools/export", ("unit/export",)),
    ("tools/etw/cmd/export", ("unit/export",)),
    ("tools/etw/cmd/report", ("unit/report",)),
    ("tools/import", ("unit/import",)),
    ("tools/manifest", ("unit/manifest", "unit/libetw")),
    ("tools/pdb", ("unit/symbols",)),
    ("tools/tmf", ("unit/wpp", "unit/libetw")),
    ("tools/etw/symbols", ("unit/symbols", "vm/symbols")),
    ("tools", ("unit/tools", "vm/tools")),
)


def read_table():
    """Return {file: set of tests}."""
    table = {}
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as rows:
            for row in rows:
                if not row.startswith("#"):
                    file, tests = row.split(":")
                    table[file] = set(tests.split())
    return table


def write_table(table):
    """Write what read_table() returns."""
    with open(TABLE, "w", encoding="utf-8") as rows:
        rows.write(HEAD)
        for file, tests in sorted(table.items()):
            rows.write("%s: %s\n" % (file, " ".join(sorted(tests))))


def tests_in(folder):
    """The tests in a folder of tests/ and below it."""
    found = glob.glob(os.path.join(ROOT, "tests", folder, "**/test_*"), recursive=True)
    return {os.path.relpath(path, os.path.join(ROOT, "tests")) for path in found
            if os.path.isfile(path) and os.access(path, os.X_OK)}


def suites_of(file):
    """The KUnit suites' test, if one of them includes a file of module/."""
    if not file.startswith("module/"):
        return set()
    line = '#include "%s"' % file[len("module/"):]
    for path in glob.glob(os.path.join(ROOT, "tests/unit/kunit/*.[ch]")):
        with open(path, encoding="utf-8") as source:
            if line in source.read().splitlines():
                return {SUITES}
    return set()


def of_folder(file):
    """The folders of tests/ for a file, and their tests."""
    if file.startswith("tests/"):
        folder = os.path.dirname(file)[len("tests/"):]
        while folder and not tests_in(folder):
            folder = os.path.dirname(folder)
        return (folder,) if folder else (), tests_in(folder) if folder else set()
    for pattern, names in FOLDERS:
        match = re.match(pattern, file[:-len(os.path.basename(file)) - 1]
                         if "(.*)" in pattern else file)
        if match:
            folders = tuple(match.expand(name) for name in names)
            tests = set().union(*map(tests_in, folders))
            if tests:
                return folders, tests
    return (), set()


def tests_for(file, table):
    """Return the tests of a file and what a user must know about them."""
    measured = table.get(file, set()) | suites_of(file)
    folders, tests = of_folder(file)
    where = " and ".join("tests/" + folder for folder in folders)
    rows = set().union({SUITES}, *table.values())
    more = tests_in("unit") - rows if file.startswith(("tools/", "uapi/", "include/")) else set()
    if more:
        where = " and ".join(filter(None, ("the unmeasured ones of tests/unit", where)))
    if not measured:
        tests |= more
        return tests, "no measured test executes it: all tests in %s" % where if tests else ""
    tests = (tests - rows) | more
    return measured | tests, \
        "not measured: %d more tests in %s" % (len(tests), where) if tests else ""


def main():
    """Print the tests of all files, each once."""
    table, found, status = read_table(), set(), 0
    for name in sys.argv[1:]:
        file = os.path.relpath(os.path.abspath(name), ROOT)
        if not os.path.isfile(os.path.join(ROOT, file)):
            print("tests/run: --for %s: there is no such file" % name, file=sys.stderr)
            status = 1
            continue
        tests, note = tests_for(file, table)
        if note:
            print("tests/run: --for %s: %s" % (file, note), file=sys.stderr)
        if not tests:
            print("tests/run: --for %s: no test is known for it" % name, file=sys.stderr)
            status = 1
        found |= tests
    for test in sorted(found):
        print("tests/" + test)
    return status


if __name__ == "__main__":
    sys.exit(main())
