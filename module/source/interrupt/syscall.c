// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* System calls: enter 0x0F33 with its function, exit 0x0F34. */
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>
#include <trace/events/syscalls.h>
#include "compat.h"
#include "source/kernel_address.h"
#include "source/probe.h"
#include "source/source.h"
#include "source/write.h"

/* Probes run in the calling task, at the entry or exit of a system call. */

/*
 * Functions by system call number, read from the kernel's table when the source is switched
 * on. Only their addresses are used; nothing here calls them. 0 if the table's symbol cannot
 * be looked up (no CONFIG_KALLSYMS_ALL).
 */
static unsigned long functions[NR_syscalls];
static unsigned long compat_functions[NR_syscalls];

static void read_table(const char *symbol, unsigned long *to)
{
	const unsigned long *table = (const unsigned long *)etw_kernel_address(symbol);
	u32 i;

	if (!table || to[0])
		return;
	for (i = 0; i < NR_syscalls; i++)
		if (copy_from_kernel_nofault(&to[i], &table[i], sizeof(to[i])))
			return;
}

static int prepare(struct etw_source *source)
{
	read_table(ETW_SYSTEM_CALLS, functions);
	if (IS_ENABLED(CONFIG_COMPAT))
		read_table(ETW_SYSTEM_CALLS_32, compat_functions);
	return 0;
}

/**
 * struct call - a system call's function
 * @address: real address
 * @number: substitute for sessions that may not see addresses
 */
struct call {
	u64 address;
	u64 number;
};

static __always_inline struct call call_of(long id)
{
	struct call call = { .number = ETW_SYSCALL_IMAGE + 16 * (u64)id };
	const unsigned long *table = functions;

	if (unlikely((unsigned long)id >= NR_syscalls))
		return (struct call){ };
	if (IS_ENABLED(CONFIG_COMPAT) && unlikely(in_compat_syscall())) {
		call.number += ETW_SYSCALL_IMAGE_COMPAT - ETW_SYSCALL_IMAGE;
		table = compat_functions;
	}
	call.address = table[id];
	if (unlikely(!call.address))
		call.address = call.number;
	return call;
}

static __always_inline void write_event(const struct etw_source *source, u16 hook_id, u64 payload,
					u64 hidden, u32 size)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	struct etw_small_event event = {
		.hook_id = hook_id, .version = PERFINFO_SYSCALL_VERSION, .size = size,
	};
	const struct etw_listener *listener, *end;
	struct etw_moment moment = etw_moment_of_event();

	if (unlikely(!listeners))
		return;
	end = listeners->listener + listeners->count;
	for (listener = listeners->listener; listener != end; listener++) {
		event.word0 = listener->sink->addresses ? payload : hidden;
		etw_write_current(listeners, listener, &event, &moment);
	}
}

ETW_PROBE(sys_enter, TP_PROTO(struct pt_regs *regs, long id), TP_ARGS(regs, id))
{
	const struct call call = call_of(id);

	write_event(source, PERFINFO_LOG_TYPE_SYSCALL_ENTER, call.address, call.number,
		    sizeof(u64));
}

/* 0, or the negative errno (kernel-events.rst 5.9) */
ETW_PROBE(sys_exit, TP_PROTO(struct pt_regs *regs, long ret), TP_ARGS(regs, ret))
{
	u32 status = IS_ERR_VALUE((unsigned long)ret) ? (u32)ret : 0;

	write_event(source, PERFINFO_LOG_TYPE_SYSCALL_EXIT, status, status, sizeof(status));
}

ETW_SOURCE(ETW_ORDER_ANY, syscall) = {
	.name = "system call",
	.groups = ETW_GROUPS(PERF_SYSCALL),
	.hooks = ETW_HOOKS(PERFINFO_LOG_TYPE_SYSCALL_ENTER, PERFINFO_LOG_TYPE_SYSCALL_EXIT),
	.points = ETW_POINTS({ .probe = &probe_sys_enter },
			     { .probe = &probe_sys_exit }),
	.prepare = prepare,
};
