#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Number the checks that the programs of one test print: KTAP, the kernel's test format.

Programs, scripts and guests print a line for each check, at the margin:

    ok - NAME
    not ok - NAME # DETAIL
    skip - NAME # REASON

A NAME is the same in every run, so that a check has a history. What differs between runs (figures,
times, seeds, errors) is the DETAIL. Other lines are left as they are; KTAP allows them. The process
that a user or tests/run started does the numbering: for shell tests lib.sh, which runs this file
as a filter, for Python tests as_test().
"""
import os
import re
import signal
import sys

CHECK = re.compile(rb'(ok|not ok|skip) (?:[0-9]+ )?(?:- )?(.*)')
PLAIN = re.compile(rb'(ok|not ok|skip) - |(not )?ok [0-9]+ ')
# a test that runs a test: the lines of the outer test count
OTHER = re.compile(rb'KTAP version [0-9]+$|1\.\.[0-9]+$')


def number(lines, out):
    """Write the lines with their checks numbered; return how many checks failed."""
    count = failed = 0
    # the reader of the output may have read enough
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    out.write(b'KTAP version 1\n')
    for line in lines:
        line = line.rstrip(b'\n')
        if OTHER.match(line):
            continue
        if PLAIN.match(line):
            result, text = CHECK.match(line).groups()
            count += 1
            failed += result == b'not ok'
            if result == b'skip':
                name, _, reason = text.partition(b' # ')
                result, text = b'ok', name + b' # SKIP ' + reason
            line = b'%s %d %s' % (result, count, text)
        out.write(line + b'\n')
        out.flush()
    out.write(b'1..%d\n' % count)
    out.flush()
    return failed


def as_test():
    """Let a child go on as the test; this process numbers the child's checks, and ends with it."""
    test = os.path.basename(sys.argv[0]).startswith('test_')
    if not test or 'ETW_CHECKS_OF' in os.environ:
        return
    os.environ['ETW_CHECKS_OF'] = os.path.abspath(sys.argv[0])
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        os.dup2(writer, 1)
        os.close(writer)
        return
    os.close(writer)
    # 'timeout' kills what survives SIGTERM only as long as this process lives
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    failed = number(os.fdopen(reader, 'rb'), sys.stdout.buffer)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os._exit(status if status > 0 else 128 - status if status else failed != 0)


if __name__ == '__main__':
    sys.exit(number(sys.stdin.buffer, sys.stdout.buffer) != 0)
