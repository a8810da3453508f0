# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The etw authors
# shellcheck shell=sh
# For scripts to read in: ftrace beside a session, for the same events.
T=/sys/kernel/tracing

# ftrace_begin KB: nothing yet, into buffers of so much for each CPU. Its text is sorted by time,
# and by default each CPU has its own: what a thread did on two of them stood in any order.
ftrace_begin() {
	echo nop >$T/current_tracer
	echo mono >$T/trace_clock
	echo 0 >$T/tracing_on
	echo 0 >$T/options/record-cmd
	echo "$1" >$T/buffer_size_kb
}

# ftrace_sleeps: records the stack of each D on kernels with RT locks, because sched_switch reports
# a wait for such a lock as D, too
ftrace_sleeps() {
	case $(uname -v) in
	*PREEMPT_RT*) echo 'stacktrace if prev_state == 2' >$T/events/sched/sched_switch/trigger ;;
	esac
}

# ftrace_around COMMAND: /tmp/inner.sh, which runs it with ftrace on; what it says is said.txt.
# It is run within the session only, so each of ftrace's events must be in both.
ftrace_around() {
	cat >/tmp/inner.sh <<-END
		echo 1 >$T/tracing_on
		$1 >/out/said.txt
		status=\$?
		echo 0 >$T/tracing_on
		[ \$status = 0 ] || tail -n 1 /out/said.txt
		exit \$status
	END
}

# ftrace_end: what it has goes to ftrace.txt, what each CPU's buffer says to stats.txt, in /out
ftrace_end() {
	for cpu in "$T"/per_cpu/cpu*; do
		echo "${cpu##*/}"
		cat "$cpu/stats"
	done >/out/stats.txt
	grep -v '^#' $T/trace >/out/ftrace.txt
}
