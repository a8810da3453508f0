/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A writer wakes the flush thread when a buffer is full: private_flush.c. */
#ifndef ETW_SHIM_IRQ_WORK_H
#define ETW_SHIM_IRQ_WORK_H

#include <linux/types.h>

/**
 * struct irq_work - how the flush thread is woken
 * @queued: grows with each call; a futex
 * @asleep: the flush thread waits, or is about to
 */
struct irq_work {
	u32 queued;
	u32 asleep;
};

/* Context: any thread, any signal handler */
void irq_work_queue(struct irq_work *work);

#endif /* ETW_SHIM_IRQ_WORK_H */
