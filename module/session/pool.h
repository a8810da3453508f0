/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Adds, moves and frees buffers between the minimum and the maximum. */
#ifndef ETW_POOL_H
#define ETW_POOL_H

#include <linux/types.h>

struct etw_reader_buffer;
struct etw_ring;
struct etw_session;
struct work_struct;
struct workqueue_struct;

extern struct workqueue_struct *etw_urgent_wq;

int etw_pool_workers_init(void);
void etw_pool_workers_exit(void);
void etw_pool_work(struct work_struct *work);
bool etw_pool_is_low(const struct etw_ring *ring);
void etw_pool_kick(struct etw_session *session);
void etw_pool_age(struct etw_session *session);
bool etw_pool_add(struct etw_session *session, struct etw_ring *ring);
void etw_pool_release(struct etw_session *session, struct etw_ring *ring,
		      const struct etw_reader_buffer *held);
void etw_pool_add_share(struct etw_session *session);
void etw_pool_set_maximum(struct etw_session *session, u32 maximum);

#endif /* ETW_POOL_H */
