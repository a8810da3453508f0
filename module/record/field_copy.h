/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* From a tracepoint's record to the data of a TraceLogging event: pure, shared with tests. */
#ifndef ETW_FIELD_COPY_H
#define ETW_FIELD_COPY_H

#include "etw_linux_events.h"

/**
 * struct etw_raw_record - the record that the kernel made of an event
 * @data: its bytes, as tracefs' format file describes them
 * @size: number of bytes, at least the fixed size for which fields and tests were checked
 */
struct etw_raw_record {
	const __u8 *data;
	__u32 size;
};

int etw_tests_pass(const struct etw_linux_event_test *tests, __u32 nr,
		   const struct etw_raw_record *raw);
__u32 etw_fields_size(const struct etw_linux_event_field *fields, __u32 nr,
		      const struct etw_raw_record *raw);
void etw_fields_copy(void *to, const struct etw_linux_event_field *fields, __u32 nr,
		     const struct etw_raw_record *raw, int addresses);

#endif /* ETW_FIELD_COPY_H */
