# SPDX-License-Identifier: GPL-2.0
# what ran, and when it began and ended; costs next to nothing, for hours
events PROC_THREAD+LOADER?
buffer-size 64
flush-timer 10
