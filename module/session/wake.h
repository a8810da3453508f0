/* SPDX-License-Identifier: GPL-2.0 */
/* A buffer became full: its session's readers are woken, and its pool is looked at. */
#ifndef ETW_WAKE_H
#define ETW_WAKE_H

#include <linux/irq_work.h>

struct etw_ring;
struct etw_session;

/**
 * struct etw_wake - the wakeup of one CPU's ring
 * @work: queued by whoever completes a buffer
 * @session: whose readers
 * @ring: which may be short of buffers then
 *
 * Each ring has its own: one for all would be pending for as long as the CPU that queued
 * it can't run it, and wakeups of the others' would come to nothing.
 */
struct etw_wake {
	struct irq_work work;
	struct etw_session *session;
	struct etw_ring *ring;
};

int etw_wake_init(struct etw_session *session);
void etw_wake_sync(struct etw_session *session);
void etw_wake_free(struct etw_session *session);

#endif /* ETW_WAKE_H */
