/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Events and messages through /dev/etw/provider, with errors in words. */
#ifndef ETW_PROVIDER_DEVICE_H
#define ETW_PROVIDER_DEVICE_H

#include "etw_provider.h"

#define ETW_PROVIDER_NODE	"/dev/etw/provider"

/* Prints what went wrong. Return: a descriptor, or -errno */
int provider_open(void);
/* Return: 0 or -errno */
int provider_event(int fd, uint32_t id, const struct event_trace_header *event);
int provider_message(int fd, uint32_t id, uint16_t number, const struct etw_guid *guid,
		     const void *data, size_t size);
/* In words, with the name that Windows has for it. Return: EXIT_FAILED */
int provider_failed(uint32_t id, int err);
/* Whether others may go through where this one was lost */
bool provider_lost(int err);

#endif /* ETW_PROVIDER_DEVICE_H */
