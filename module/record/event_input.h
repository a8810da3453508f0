/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Checks of TraceEvent's arguments: pure; shared with libetw and tests. */
#ifndef ETW_EVENT_INPUT_H
#define ETW_EVENT_INPUT_H

#include "etw_abi.h"
#include "etw_provider.h"

/**
 * struct etw_event_rules - rules that depend on the logger and the caller
 * @version: ETW_RULES_*
 * @instance: the header is a struct event_instance_guid_header
 * @private_logger: the private logger, where NO_HEADER has a meaning
 * @self_contained: write(), which allows no pointers
 */
struct etw_event_rules {
	__u32 version;
	int instance;
	int private_logger;
	int self_contained;
};

/**
 * struct etw_event_shape - kind and sizes of a checked header
 * @header: bytes of the header
 * @valid: flags and size are those of a header; also set if the event is refused
 *	for another reason
 * @given: bytes of the header and its data
 * @wnode: a WNODE_HEADER, to be logged whole
 * @mof_fields: number of fields behind the header, with USE_MOF_PTR
 */
struct etw_event_shape {
	__u32 header;
	int valid;
	__u32 given;
	int wnode;
	__u32 mof_fields;
};

/*
 * Checks in the order of format.rst 5.3: flags, Size, handle, options.
 * Return: 0 or an errno of struct etw_trace_event.
 */
int etw_event_check(const struct event_trace_header *header, __u64 session_handle,
		    const struct etw_event_rules *rules, struct etw_event_shape *shape);

/* The logger id in a handle, or -EBADF: 0, 0xFFFF, or the private logger's bit */
int etw_handle_logger(__u64 session_handle);

/* A GUID that consumers take for the system's own (format.rst 3.12, and ours) */
int etw_guid_is_reserved(const struct etw_guid *guid);

#endif /* ETW_EVENT_INPUT_H */
