# SPDX-License-Identifier: GPL-2.0
# cycles and instructions of each thread: counters in every context switch
events PROC_THREAD+LOADER?+CSWITCH
counters cycles,instructions@CSWITCH
buffer-size 256
