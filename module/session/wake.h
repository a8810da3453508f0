/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* When a buffer is full: wakes the session's readers and checks its pool. */
#ifndef ETW_WAKE_H
#define ETW_WAKE_H

#include <linux/irq_work.h>

struct etw_ring;
struct etw_session;
struct work_struct;

/**
 * struct etw_wake - the wakeup of one CPU's ring
 * @work: queued by the writer that completes a buffer
 * @session: session of the readers
 * @ring: may be short of buffers then
 *
 * Each ring has a separate one: a shared one would stay pending while the CPU that queued
 * it can't run it, and wakeups of other CPUs would be lost meanwhile.
 */
struct etw_wake {
	struct irq_work work;
	struct etw_session *session;
	struct etw_ring *ring;
};

void etw_wake_in_interrupt(struct irq_work *work);
void etw_wake_in_worker(struct work_struct *work);
void etw_wake_sync(struct etw_session *session);
void etw_wake_free(struct etw_session *session);

#endif /* ETW_WAKE_H */
