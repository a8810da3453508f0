#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# The judge's sessions, and that they leave nothing behind.
insmod /w/etw.ko || exit 1
export DOTNET_EnableDiagnostics=0 DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_ROOT=/dotnet
export DOTNET_TieredPGO=0 TMPDIR=/tmp HOME=/tmp
bad=0
# check NAME COMMAND...
check() {
	name=$1
	shift
	if "$@"; then echo "ok - $name"; else echo "not ok - $name"; bad=1; fi
}
# shellcheck disable=SC2317 # called by check
no_writer() { ! pidof etw-writer; }
mkdir -p /tmp/sessions
/usr/local/bin/etw-dotnet /dotnet/dotnet /judge/judge.dll sessions /tmp/sessions || bad=1
for file in /tmp/sessions/*.etl; do
	check "${file##*/} is a good file" etw check "$file"
done
check 'no session is left' sh -c '! ls /dev/etw/session* 2>/dev/null'
check 'no writer is left' no_writer
check 'the module can be removed' rmmod etw
exit $bad
