/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw_sample writes and tests/vm/kernel_api/guest/kernel_api.c expects. */
#ifndef ETW_SAMPLE_H
#define ETW_SAMPLE_H

#include <linux/types.h>
#include "etw_format.h"

/* {3c1fd7a6-0d2b-4b0e-9a35-7d1b8c4e52f0} */
#define SAMPLE_GUID { 0x3c1fd7a6, 0x0d2b, 0x4b0e, \
	{ 0x9a, 0x35, 0x7d, 0x1b, 0x8c, 0x4e, 0x52, 0xf0 } }
#define SAMPLE_MAGIC		0x53414D50U
#define SAMPLE_MAX_PATTERN	200U
#define SAMPLE_COMPONENT	0x1234ABCDU
/* of "check": number and stamp of its events */
#define SAMPLE_CHECKED		0xCC
#define SAMPLE_TIME		0x0123456789ABULL
#define SAMPLE_ACTIVITY { 0x01010101, 0x0101, 0x0101, { 1, 1, 1, 1, 1, 1, 1, 1 } }
#define SAMPLE_RELATED { 0x02020202, 0x0202, 0x0202, { 2, 2, 2, 2, 2, 2, 2, 2 } }

enum sample_context { SAMPLE_TASK, SAMPLE_SOFTIRQ, SAMPLE_HARDIRQ, SAMPLE_NMI, SAMPLE_CONTEXTS };

/* How it is written: each in turn; opcode or id of events, else message number */
enum sample_form {
	SAMPLE_EVENT,		/* data behind the header */
	SAMPLE_GUID_PTR,	/* and the GUID somewhere else */
	SAMPLE_MOF_PTR,		/* data in two places */
	SAMPLE_MESSAGE,		/* with a GUID */
	SAMPLE_COMPONENT_ID,	/* with a component id */
	SAMPLE_MODERN,		/* to all sessions, by etw_event_write() */
	SAMPLE_FORMS,
};

/**
 * struct sample_data - what every record carries, a pattern behind it
 * @magic: SAMPLE_MAGIC
 * @cpu: where it was written
 * @context: enum sample_context
 * @form: enum sample_form
 * @sequence: per CPU and context; byte i of the pattern is its sum with i
 * @length: bytes of pattern
 * @thread_id: of the task that ran there, whatever came over it
 * @process_id: its process; 4 of the kernel's threads, but for idle ones
 * @reserved: 0
 */
struct sample_data {
	__u32 magic;
	__u16 cpu;
	__u8 context;
	__u8 form;
	__u64 sequence;
	__u32 length;
	__u32 thread_id;
	__u32 process_id;
	__u32 reserved;
};

#endif /* ETW_SAMPLE_H */
