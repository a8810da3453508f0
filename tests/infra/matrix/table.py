#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""Put results of the matrix into results.csv, and make Documentation/reference/matrix.rst.

table.py [FILE...]: files of a line each, as tests/infra/matrix/cell writes them; a cell
that is in results.csv already is replaced.
"""
import csv
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, 'results.csv')
PAGE = os.path.join(HERE, '..', '..', '..', 'Documentation', 'reference', 'matrix.rst')

FIELDS = ['target', 'cpus', 'release', 'seconds', 'events', 'lost', 'torture_attempted',
          'torture_lost', 'result', 'commit']
KERNELS = ['6.1', '6.12', 'trixie', 'backports']
ARCHES = ['x86_64', 'arm64']
CPUS = ['1', '2', '4', '8']

HEAD = """.. SPDX-License-Identifier: GPL-2.0
.. Copyright (C) 2026 The etw authors
.. made by tests/infra/matrix/table.py out of tests/infra/matrix/results.csv

======
Matrix
======

``make matrix`` builds the module with ``W=1 -Werror`` for each of these kernels. It runs
``tests/infra/matrix/guest/smoke.sh`` on each number of CPUs, in QEMU without KVM. A cell is ok when

* the file of a short recording (context switches, ready threads, processes and threads) passes
  ``etw check``, and contains events of every CPU;
* the file contains processes that were started on every CPU, with image, arguments and exit status;
* the counts of events and of lost events in the file equal those of the session, also for a session
  that is too small and runs at the same time;
* ``etw_torture`` writes for three seconds from tasks, softirqs, interrupts and, on x86_64, NMIs,
  and each of its records is read or counted as lost;
* the module unloads, and the kernel has reported nothing.

6.1 and 6.12 are the kernels of Debian 12, trixie is that of Debian 13, backports is the newest
kernel that Debian has for it. Debian 13's gcc compiles the modules for the latter two, in a chroot.
The modules for backports have their assertions on (ETW_DEBUG), and that kernel runs with
preempt=full, because from 7.0 on tracepoints leave preemption to probes. None of these kernels has
KUnit: tests/unit/kunit runs the suites on other kernels. QEMU runs all CPUs of x86_64-backports in
one thread, because parallel emulation fails on code that 7.3 patches in its boot.

A cell contains the seconds of the whole run with the boot. It then contains, in thousands, the
events of the recording and the records of the torture. A row ends with the commit of its cells.

"""


def rows():
    with open(RESULTS, encoding='ascii', newline='') as file:
        return {(r['target'], r['cpus']): r for r in csv.DictReader(file)}


def order(key):
    target, cpus = key
    arch, kernel = target.split('-', 1)
    return KERNELS.index(kernel), ARCHES.index(arch), CPUS.index(cpus)


def cell(result):
    if not result:
        return 'not run'
    if result['result'] != 'ok':
        return f'**{result["result"]}**'
    return f'ok, {result["seconds"]} s, {int(result["events"]) // 1000} k, ' \
           f'{int(result["torture_attempted"]) // 1000} k'


def every(mine, field):
    return ' '.join(sorted({r[field] for r in mine if r and r[field]})) or '-'


def grid(lines):
    """A simple table of reStructuredText."""
    widths = [max(len(line[n]) for line in lines) for n in range(len(lines[0]))]
    rule = '  '.join('=' * width for width in widths)

    def text(line):
        return '  '.join(part.ljust(width) for part, width in zip(line, widths)).rstrip()
    return '\n'.join([rule, text(lines[0]), rule, *map(text, lines[1:]), rule])


def page(results):
    lines = [['kernel', 'release', '1 CPU', *(f'{n} CPUs' for n in CPUS[1:]), 'commit']]
    for kernel in KERNELS:
        for arch in ARCHES:
            target = f'{arch}-{kernel}'
            mine = [results.get((target, cpus)) for cpus in CPUS]
            lines.append([target, every(mine, 'release'), *map(cell, mine),
                          every(mine, 'commit')])
    return f'{HEAD}{grid(lines)}\n'


def main():
    results = rows() if os.path.exists(RESULTS) else {}
    for name in sys.argv[1:]:
        with open(name, encoding='ascii', newline='') as file:
            for row in csv.DictReader(file, FIELDS):
                results[row['target'], row['cpus']] = row
    with open(RESULTS, 'w', encoding='ascii', newline='') as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator='\n')
        writer.writeheader()
        writer.writerows(results[key] for key in sorted(results, key=order))
    with open(PAGE, 'w', encoding='ascii') as file:
        file.write(page(results))


if __name__ == '__main__':
    main()
