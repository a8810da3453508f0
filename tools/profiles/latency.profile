# SPDX-License-Identifier: GPL-2.0
# why threads wait: switches, wakeups, interrupts, disk, page faults
events PROC_THREAD+LOADER?+CSWITCH+DISPATCHER+DPC?+INTERRUPT?+DISK_IO?+HARD_FAULTS?
buffer-size 256
flush-timer 1
