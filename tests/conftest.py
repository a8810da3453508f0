# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Lets pytest run the tests that need this machine only: "pytest tests/unit".

Each executable test_NAME is one item: pytest starts it in the project's folder, as tests/run does,
and reads the checks that it prints (KTAP). The item fails if the test fails, prints a check "not
ok", or prints no check. It is skipped if the test skips all its checks. A failure shows what the
test printed. Tests in virtual machines are not collected: tests/run prepares their kernels.
"""
import os
import re
import subprocess
import tempfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECK = re.compile(r"^(ok|not ok) \d+ (.*)$", re.M)


def head_of(path, name):
    """The words of "# NAME: WORDS" in the first lines of a test."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = "".join(file.readlines()[:20])
    found = re.search(r"^# %s: (.*)$" % name, text, re.M)
    return found.group(1).split() if found else []


class Failed(Exception):
    """A test that did not pass; the text says which checks failed."""


class Program(pytest.Item):
    """A test: one process."""

    def runtest(self):
        limit = (head_of(self.path, "timeout") or ["600"])[0]
        # to a file: a program that the test leaves behind keeps a pipe open
        with tempfile.TemporaryFile() as log:
            with subprocess.Popen(["timeout", "-k", "10", limit, self.path], cwd=ROOT, stdout=log,
                                  stdin=subprocess.DEVNULL, stderr=log) as process:
                try:
                    status = process.wait()
                except BaseException:
                    # Ctrl-C: timeout has a process group of its own, and ends the test with it
                    process.terminate()
                    raise
            log.seek(0)
            text = log.read().decode(errors="replace")
        self.add_report_section("call", "KTAP", text)
        if status == 124:
            raise Failed("it did not end within %s seconds" % limit)
        checks = CHECK.findall(text)
        failed = [name for result, name in checks if result == "not ok"]
        if failed or status or not checks:
            raise Failed("\n".join(["exit status %d, %d checks" % (status, len(checks))] +
                                   ["not ok: " + name for name in failed]))
        skipped = [name for _, name in checks if " # SKIP" in name]
        if len(skipped) == len(checks):
            pytest.skip(skipped[0])

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, Failed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, None, os.path.relpath(self.path, ROOT)


class Test(pytest.File):
    """The file of a test."""

    def collect(self):
        yield Program.from_parent(self, name=self.path.name)


def pytest_collect_file(file_path, parent):
    """A test that needs nothing but the tools of this machine."""
    if (re.fullmatch(r"test_\w+", file_path.name) and os.access(file_path, os.X_OK) and
            set(head_of(file_path, "needs")) <= {"host"}):
        return Test.from_parent(parent, path=file_path)
    return None
