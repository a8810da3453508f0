/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Session nodes in /dev/etw. */
#ifndef ETW_NODES_H
#define ETW_NODES_H

#include <linux/types.h>

struct etw_session;

int etw_nodes_init(void);
void etw_nodes_exit(void);
u32 etw_node_number(void);
int etw_node_add(struct etw_session *session);
void etw_node_remove(struct etw_session *session);

#endif /* ETW_NODES_H */
