#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# In a Debian that has booted with the packages: whether the recorder is there.
exec >/tests 2>&1
tell() { # NAME COMMAND...
	what=$1
	shift
	if "$@"; then echo "ok - $what"; else echo "not ok - $what"; fi
}
systemctl --no-pager status etw-flight@latency
tell 'a recorder starts at boot' systemctl is-active etw-flight@latency
tell 'nothing has failed' [ "$(systemctl --failed --quiet --no-legend)" = '' ]
etw status flight-latency
tell 'with what its profile says, and kernel addresses' [ "$(etw status flight-latency |
	grep -c 'running, buffering, .*DISPATCHER\|256 buffers of 256 KB\|kernel addresses shown')" = 3 ]
tell 'a copy can be had' etw snapshot --raw -q flight-latency -o /copy.etl
tell 'which is whole' etw check --ours /copy.etl
