// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a thread waited for, by the functions in its stack. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "wait_reason.h"

/**
 * struct wait_rule - a function, and what is waited for in it
 * @reason: in words
 * @weak: functions of other rules decide if the stack has one
 * @prefix: begin of the function's name
 */
static const struct wait_rule {
	const char *reason;
	bool weak;
	const char *prefix;
} rules[] = {
	{ WAIT_FUTEX, false, "futex_" },
	{ WAIT_FUTEX, false, "do_futex" },
	{ "sleep", false, "do_nanosleep" },
	{ "sleep", false, "hrtimer_nanosleep" },
	{ "sleep", false, "msleep" },
	{ "sleep", false, "usleep_range" },
	{ "poll", false, "do_sys_poll" },
	{ "poll", false, "do_poll" },
	{ "poll", false, "do_select" },
	{ "poll", false, "core_sys_select" },
	{ "poll", false, "ep_poll" },
	{ "poll", false, "do_epoll_wait" },
	{ "pipe", false, "pipe_" },
	{ "pipe", false, "anon_pipe_" },
	{ "pipe", false, "fifo_open" },
	{ "socket", false, "sk_wait_" },
	{ "socket", false, "sk_stream_wait_" },
	{ "socket", false, "__skb_wait_for_more_packets" },
	{ "socket", false, "unix_stream_" },
	{ "socket", false, "unix_wait_for_peer" },
	{ "socket", false, "unix_dgram_" },
	{ "socket", false, "inet_csk_accept" },
	{ "socket", false, "inet_csk_wait_" },
	{ "socket", false, "tcp_" },
	{ "socket", false, "udp_" },
	{ "socket", false, "netlink_" },
	{ "socket", true, "sock_" },
	{ "child process", false, "do_wait" },
	{ "child process", false, "kernel_wait4" },
	{ "signal", false, "do_sigtimedwait" },
	{ "signal", false, "sigsuspend" },
	{ "signal", false, "do_signal_stop" },
	{ "signal", false, "ptrace_stop" },
	{ "signal", false, "__do_sys_pause" },
	{ "terminal", false, "n_tty_" },
	{ "terminal", false, "tty_" },
	{ "event", false, "eventfd_" },
	{ "event", false, "timerfd_" },
	{ "event", false, "signalfd_" },
	{ "event", false, "inotify_" },
	{ "io_uring", false, "io_cqring_wait" },
	{ "io_uring", false, "io_wq" },
	{ "io_uring", false, "io_sq_thread" },
	{ "System V IPC", false, "do_semtimedop" },
	{ "System V IPC", false, "__do_semtimedop" },
	{ "System V IPC", false, "do_msgrcv" },
	{ "System V IPC", false, "do_msgsnd" },
	{ "kernel lock", false, "__mutex_lock" },
	{ "kernel lock", false, "mutex_lock" },
	{ "kernel lock", false, "rwsem_down_" },
	{ "kernel lock", false, "__down" },
	{ "kernel lock", false, "down_" },
	{ "kernel lock", false, "__rt_mutex_" },
	{ "kernel lock", false, "rt_mutex_" },
	{ "kernel lock", false, "rtlock_" },
	{ "kernel lock", false, "percpu_rwsem_wait" },
	{ "kernel lock", false, "__ww_mutex_lock" },
	{ "file lock", false, "posix_lock_" },
	{ "file lock", false, "flock_lock" },
	{ "file lock", false, "locks_lock_" },
	{ "RCU", false, "synchronize_rcu" },
	{ "RCU", false, "synchronize_srcu" },
	{ "RCU", false, "__wait_rcu_gp" },
	{ "disk", false, "jbd2_" },
	{ "disk", false, "submit_bio_wait" },
	{ "disk", false, "blk_" },
	{ "disk", false, "__wait_on_buffer" },
	{ "disk", false, "folio_wait_" },
	{ "disk", false, "wait_on_page_" },
	{ "disk", false, "bit_wait_io" },
	{ "disk", false, "rq_qos_wait" },
	{ "disk", false, "balance_dirty_pages" },
	{ "disk", true, "io_schedule" },
	{ "memory", false, "try_to_free_pages" },
	{ "memory", false, "reclaim_throttle" },
	{ "work", true, "worker_thread" },
	{ "work", true, "kthread_worker_fn" },
	{ "work", true, "rescuer_thread" },
	{ "work", true, "smpboot_thread_fn" },
	{ "work", true, "rcu_gp_kthread" },
	{ "work", true, "kswapd" },
	{ "work", true, "kcompactd" },
	{ "work", true, "kthreadd" },
	{ "work", true, "kthread" },
	{ "kernel", true, "wait_for_completion" },
	{ "kernel", true, "__wait_for_common" },
};

/* A wait for the disk in these is one of a page fault. */
static const char *const fault_functions[] = {
	"exc_page_fault", "do_user_addr_fault", "handle_mm_fault", "do_page_fault", "do_fault",
	"do_mem_abort",
};

static const char *name_of(const struct call_tree *tree, uint32_t node)
{
	return tree->name[tree->node[node].name].text;
}

/* "module!function"; "" without the function's name */
static const char *function_of(const struct call_tree *tree, uint32_t node)
{
	const char *name = strchr(name_of(tree, node), '!');

	return name ? name + 1 : "";
}

static const struct wait_rule *rule_of(const char *function)
{
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (!strncmp(function, rules[i].prefix, strlen(rules[i].prefix)))
			return &rules[i];
	return NULL;
}

static bool is_fault(const char *function)
{
	size_t i;

	for (i = 0; i < sizeof(fault_functions) / sizeof(fault_functions[0]); i++)
		if (!strncmp(function, fault_functions[i], strlen(fault_functions[i])))
			return true;
	return false;
}

const char *wait_reason_of(const struct call_tree *tree, uint32_t node, uint32_t frames)
{
	const struct wait_rule *found = NULL, *rule;
	bool fault = false;

	for (; node && frames; node = tree->node[node].parent, frames--) {
		fault |= is_fault(function_of(tree, node));
		rule = rule_of(function_of(tree, node));
		if (rule && (!found || (found->weak && !rule->weak)))
			found = rule;
	}
	if (fault && (!found || !strcmp(found->reason, "disk")))
		return "page fault";
	return found ? found->reason : NULL;
}

bool wait_stack_has(const struct call_tree *tree, uint32_t node, uint32_t frames,
		    const char *part)
{
	for (; node && frames; node = tree->node[node].parent, frames--)
		if (strstr(function_of(tree, node), part))
			return true;
	return false;
}

/* Of a program that is linked statically, the names alone show the library. */
static bool is_library(const char *name, const char *function)
{
	static const char *const modules[] = { "libc.", "libc-", "libpthread", "ld-linux", "[vdso]" };
	static const char *const functions[] = {
		"_", "pthread_", "lll_", "futex_", "syscall", "nanosleep", "clock_nanosleep",
		"usleep", "sleep",
	};
	size_t i;

	for (i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (!strncmp(name, modules[i], strlen(modules[i])))
			return true;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strncmp(function, functions[i], strlen(functions[i])))
			return true;
	return false;
}

const char *wait_caller_of(const struct call_tree *tree, uint32_t node, uint32_t frames)
{
	for (; node && frames; node = tree->node[node].parent)
		frames--;
	for (; node; node = tree->node[node].parent)
		if (!is_library(name_of(tree, node), function_of(tree, node)))
			return name_of(tree, node);
	return "";
}
