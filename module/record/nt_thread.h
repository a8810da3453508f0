/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Linux priorities and states in Windows' terms: pure, inlined in the probe. */
#ifndef ETW_NT_THREAD_H
#define ETW_NT_THREAD_H

#include <linux/compiler.h>
#include <linux/types.h>
#include "etw_hooks.h"

/* The kernel's task states, for code that sees no kernel object */
#define ETW_TASK_INTERRUPTIBLE		0x0001
#define ETW_TASK_UNINTERRUPTIBLE	0x0002
#define ETW_TASK_SUSPENDED		0x804c	/* STOPPED, TRACED, PARKED, FROZEN */
#define ETW_TASK_DEAD			0x0080
#define ETW_TASK_NOLOAD			0x0400
#define ETW_TASK_RTLOCK_WAIT		0x1000

#define ETW_SCHED_IDLE			5

/**
 * etw_nt_priority() - 0..31
 * @prio: task->prio: -1 deadline, 0..99 real time, 100..139 nice; its low byte counts
 * @policy: task->policy
 * @idle: the idle thread
 *
 * (kernel-events.rst 9.5)
 */
static __always_inline u32 etw_nt_priority(u8 prio, unsigned int policy, bool idle)
{
	/* 16 + 14 * rt / 99 for rt 99..0, then by nice; -1 is 255 */
	static const u8 table[256] = {
		30, 29, 29, 29, 29, 29, 29, 29, 28, 28, 28, 28, 28, 28, 28, 27,
		27, 27, 27, 27, 27, 27, 26, 26, 26, 26, 26, 26, 26, 25, 25, 25,
		25, 25, 25, 25, 24, 24, 24, 24, 24, 24, 24, 23, 23, 23, 23, 23,
		23, 23, 22, 22, 22, 22, 22, 22, 22, 21, 21, 21, 21, 21, 21, 21,
		20, 20, 20, 20, 20, 20, 20, 19, 19, 19, 19, 19, 19, 19, 18, 18,
		18, 18, 18, 18, 18, 17, 17, 17, 17, 17, 17, 17, 16, 16, 16, 16,
		16, 16, 16, 16,
		15, 14, 14, 13, 13, 13, 12, 12, 12, 11, 11, 11, 10, 10, 10, 9,
		9, 9, 8, 8, 8, 7, 7, 6, 6, 6, 5, 5, 5, 4, 4, 3,
		3, 3, 2, 2, 2, 1, 1, 1,
		[140 ... 255] = 31,
	};

	if (unlikely(idle))
		return 0;
	/* by its policy, unless priority inheritance has raised it to real time */
	if (unlikely(policy == ETW_SCHED_IDLE) && table[prio] < 16)
		return 1;
	return table[prio];
}

/* Bytes 0x0C, 0x0D, 0x0E of WMI_CONTEXTSWAP */
static __always_inline u32 etw_wait_bytes(u32 reason, u32 user_mode, u32 state)
{
	return reason | user_mode << 8 | state << 16;
}

/**
 * etw_wait_state() - why and how the old thread leaves the CPU
 * @prev_state: as sched_switch gives it
 * @preempt: as sched_switch gives it
 * @idle: it is the idle thread
 * @queued: it is still on the run queue
 * @iowait: it waits for I/O
 * @kthread: it is a kernel thread
 * @kworker: it is a workqueue's worker
 *
 * (kernel-events.rst 9.4; values that need further tracepoints are left out)
 *
 * Return: OldThreadWaitReason, ThreadFlags, OldThreadState, lowest byte first.
 */
static __always_inline u32 etw_wait_state(unsigned int prev_state, bool preempt, bool idle,
					  bool queued, bool iowait, bool kthread,
					  bool kworker)
{
	if (unlikely(idle))
		return etw_wait_bytes(ETW_WAIT_EXECUTIVE, 0, ETW_THREAD_RUNNING);
	if (prev_state & ETW_TASK_DEAD)
		return etw_wait_bytes(ETW_WAIT_WR_TERMINATED, 0, ETW_THREAD_TERMINATED);
	if (preempt || !prev_state || queued)
		return etw_wait_bytes(ETW_WAIT_WR_PREEMPTED, 0, ETW_THREAD_READY);
	if (prev_state & ETW_TASK_SUSPENDED)
		return etw_wait_bytes(ETW_WAIT_SUSPENDED, 1, ETW_THREAD_WAITING);
	if (prev_state & ETW_TASK_RTLOCK_WAIT)
		return etw_wait_bytes(ETW_WAIT_WR_RESOURCE, 0, ETW_THREAD_WAITING);
	if (prev_state & ETW_TASK_UNINTERRUPTIBLE) {
		if (prev_state & ETW_TASK_NOLOAD)
			return etw_wait_bytes(ETW_WAIT_WR_QUEUE, 0, ETW_THREAD_WAITING);
		return etw_wait_bytes(iowait ? ETW_WAIT_EXECUTIVE : ETW_WAIT_WR_EXECUTIVE, 0,
				      ETW_THREAD_WAITING);
	}
	if (kthread)
		return etw_wait_bytes(kworker ? ETW_WAIT_WR_QUEUE : ETW_WAIT_EXECUTIVE, 0,
				      ETW_THREAD_WAITING);
	return etw_wait_bytes(ETW_WAIT_USER_REQUEST, 1, ETW_THREAD_WAITING);
}

#endif /* ETW_NT_THREAD_H */
