# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For scripts to read in: ftrace beside a session, for the same events.
T=/sys/kernel/tracing

# ftrace_begin KB: nothing yet, into buffers of so much for each CPU
ftrace_begin() {
	echo nop >$T/current_tracer
	echo 0 >$T/tracing_on
	echo 0 >$T/options/record-cmd
	echo "$1" >$T/buffer_size_kb
}

# ftrace_end: what it has goes to ftrace.txt, what each CPU's buffer says to stats.txt, in /out
ftrace_end() {
	for cpu in "$T"/per_cpu/cpu*; do
		echo "${cpu##*/}"
		cat "$cpu/stats"
	done >/out/stats.txt
	grep -v '^#' $T/trace >/out/ftrace.txt
}
