#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
"""The stream of all groups that tests/infra/matrix/guest/newest.sh left: every probe was called.

newest.py FILE: a check for each tracepoint, and function probe, that has an event.
"""
import sys
from collections import Counter

from etwtest import processes
from etwtest import stream

# Each line's events come from probes of one source
CAME = {
    'sched_switch': (0x0524,),
    'sched_waking': (0x0532,),
    'sched_process_fork, _exec, _exit': (0x0301, 0x0302, 0x0501, 0x0502),
    'task_rename': (0x0548,),
    'images, module_load, module_free': (0x030A, 0x1402),
    'irq_handler_entry, _exit': (0x0F43,),
    'softirq_entry, timer_expire_entry': (0x0F44, 0x0F45),
    'sys_enter, sys_exit': (0x0F33, 0x0F34),
    'inet_sock_set_state': (0x060C, 0x060D, 0x060F),
    'functions of TCP and UDP': (0x060A, 0x060B, 0x080A, 0x080B),
    'sched_pi_setprio': (0x0530,),
    'functions of priorities': (0x0531, 0x0534),
    'kmalloc, kfree': (0x0E20, 0x0E22),
    'system calls of memory': (0x0262, 0x0263),
    'handle_mm_fault': (0x020A, 0x020B, 0x020C),
    'functions of files': (0x0440, 0x0441, 0x0443, 0x0444, 0x044C),
    'exit_itimers': (0x0320,),
}


def main():
    seen = Counter(r.hook for r in stream.load(sys.argv[1]).records)
    for name, hooks in CAME.items():
        processes.check(f'{name}: there are events',
                        [f'no {hook:04X}' for hook in hooks if not seen[hook]],
                        f'{sum(seen[h] for h in hooks)} events')
    sys.exit(bool(processes.checks.failures))


if __name__ == '__main__':
    main()
