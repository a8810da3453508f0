# SPDX-License-Identifier: GPL-2.0
# why threads wait: switches, wakeups, disk, with stacks; interrupts, page faults
events PROC_THREAD+LOADER?+CSWITCH+DISPATCHER+DPC?+INTERRUPT?+DISK_IO?+DISK_IO_INIT?+HARD_FAULTS?
stackwalk CSwitch+ReadyThread+DiskReadInit+DiskWriteInit+DiskFlushInit
buffer-size 256
flush-timer 1
