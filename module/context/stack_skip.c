// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Finds where the event's own frames begin: behind the tracer's. Pure. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "stack_skip.h"

/* At most so many frames of the unwinder come before those of this module. */
#define WALK_FRAMES	4

/* Name prefixes of functions between an event and a probe */
static const char * const machinery[] = {
	"0x",	/* trampolines of ftrace and kprobes have no name */
	"aggr_", "arch_ftrace_", "arch_rethook_", "asm_exc_int3", "asm_int3", "brk_handler",
	"call_break_hook", "do_debug_exception", "do_el1_brk64", "do_int3", "el1_brk64",
	"el1_dbg", "el1h_64_sync", "exc_int3", "ftrace_", "kprobe_", "kprobes_", "kretprobe_",
	"opt_pre_handler", "optimized_callback", "optprobe_template_", "post_kprobe_handler",
	"pre_handler_kretprobe", "rethook_", "trampoline_", "__kprobe", "__kretprobe_",
	"__rethook_", "__ftrace_",
};

/*
 * Tracepoints that the module probes (tests/infra/style/test_style compares). Their callers are
 * inline, but a compiler may emit a function: trace_kmalloc() in Debian's 6.12 for arm64.
 * A prefix "trace_" would not do, because other functions have it, too.
 */
static const char * const tracepoints[] = {
	"block_bio_frontmerge", "block_bio_remap", "block_getrq", "block_rq_complete",
	"block_rq_issue", "call_function_entry", "call_function_exit",
	"call_function_single_entry", "call_function_single_exit", "cpu_idle",
	"inet_sock_set_state", "irq_handler_entry", "irq_handler_exit", "irq_work_entry",
	"irq_work_exit", "kfree", "kmalloc", "kmem_cache_alloc", "kmem_cache_free",
	"local_timer_entry", "local_timer_exit", "module_free", "module_load",
	"reschedule_entry", "reschedule_exit", "sched_migrate_task", "sched_pi_setprio",
	"sched_process_exec", "sched_process_exit", "sched_process_fork", "sched_switch",
	"sched_wakeup_new", "sched_waking", "signal_generate", "softirq_entry", "softirq_exit",
	"sys_enter", "sys_exit", "task_newtask", "task_rename", "tasklet_entry", "tasklet_exit",
	"tcp_retransmit_skb", "timer_expire_entry", "timer_expire_exit",
};

/* Name prefixes of perf's functions that lead from a trace event to this module */
static const char * const perf_machinery[] = {
	"__perf_event_overflow", "do_perf_trace_", "perf_event_overflow", "perf_swevent_",
	"perf_syscall_", "perf_tp_event", "perf_trace_", "uprobe_perf_", "__uprobe_perf_",
	"user_event_perf",
};

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/**
 * etw_stack_names_tracepoint() - whether a function calls probes of a tracepoint
 * @name: name of a kernel function
 *
 * Such are __traceiter_NAME, and trace_NAME or a clone made by the compiler (.constprop.0,
 * .isra.0, .part.0), and perf's functions between a trace event and an overflow handler.
 */
bool etw_stack_names_tracepoint(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(perf_machinery); i++)
		if (begins(name, perf_machinery[i]))
			return true;
	if (begins(name, "__traceiter_") || begins(name, "__do_trace_") ||
	    begins(name, "trace_call__"))
		return true;
	if (!begins(name, "trace_"))
		return false;
	name += strlen("trace_");
	for (i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		char after = begins(name, tracepoints[i]) ? name[strlen(tracepoints[i])] : '_';

		if (!after || after == '.')
			return true;
	}
	return false;
}

/**
 * etw_stack_names_machinery() - whether a function calls probes
 * @name: name of a kernel function
 */
bool etw_stack_names_machinery(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(machinery); i++)
		if (begins(name, machinery[i]))
			return true;
	return etw_stack_names_tracepoint(name);
}

/**
 * etw_stack_skip_tracer() - count the tracer's frames
 * @frames: innermost first
 * @nr: number of frames
 * @rules: classification of addresses
 *
 * Return: number of first frames that belong to the unwinder, the module or the callers of
 * its probes; @nr if there are no others.
 */
u32 etw_stack_skip_tracer(const unsigned long *frames, u32 nr,
			  const struct etw_stack_rules *rules)
{
	u32 i = 0, first = 0;

	while (first < nr && first < WALK_FRAMES && !rules->is_own(frames[first], rules->data))
		first++;
	if (first < nr && first < WALK_FRAMES)
		i = first;
	while (i < nr && (rules->is_own(frames[i], rules->data) ||
			  rules->is_machinery(frames[i], rules->data)))
		i++;
	return i;
}

/**
 * etw_stack_skip_to() - count the frames of an interrupt
 * @frames: innermost first
 * @nr: number of frames
 * @address: the interrupted instruction
 *
 * Return: number of frames before @address; @nr if it is not in @frames.
 */
u32 etw_stack_skip_to(const unsigned long *frames, u32 nr, unsigned long address)
{
	u32 i = 0;

	while (i < nr && frames[i] != address)
		i++;
	return i;
}
