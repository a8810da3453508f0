/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The node of a session's stream. */
#ifndef ETW_SESSION_NODE_H
#define ETW_SESSION_NODE_H

#include <stdint.h>

/* Without blocking reads. Return: a descriptor, or -1 after a message */
int session_node_open(uint32_t id);

#endif /* ETW_SESSION_NODE_H */
