/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TRACE_EVENT_INFO: offsets, and the numbers in it. */
#ifndef ETW_EVENT_INFO_FORM_H
#define ETW_EVENT_INFO_FORM_H

/* Opcodes of the class of GROUP_METADATA */
#define OPCODE_EVENT_INFO	32
#define OPCODE_MAP_INFO		33

/* Offsets in TRACE_EVENT_INFO */
#define INFO_CLASS		0x10	/* of MOF: the class of the event */
#define INFO_ID			0x20
#define INFO_VERSION		0x22
#define INFO_LEVEL		0x24
#define INFO_OPCODE		0x25
#define INFO_KEYWORDS		0x28
#define INFO_SOURCE		0x30	/* where the description is from */
#define INFO_PROVIDER_NAME	0x34
#define INFO_TASK_NAME		0x44
#define INFO_OPCODE_NAME	0x48
#define INFO_COUNT		0x64
#define INFO_TOP		0x68
#define INFO_PROPERTIES		0x70
#define PROPERTY_SIZE		24

/* Other sources: WPP, TraceLogging */
#define SOURCE_MANIFEST		0
#define SOURCE_MOF		1

/* How a value is best shown: TDH's numbers; TraceLogging has others */
enum tdh_out_type {
	TDH_OUT_NULL = 0,
	TDH_OUT_STRING = 1,
	TDH_OUT_DATETIME = 2,
	TDH_OUT_BYTE = 3,
	TDH_OUT_UNSIGNED_BYTE = 4,
	TDH_OUT_GUID = 14,
	TDH_OUT_HEX8 = 16,
	TDH_OUT_HEX16 = 17,
	TDH_OUT_HEX32 = 18,
	TDH_OUT_HEX64 = 19,
	TDH_OUT_PORT = 22,
	TDH_OUT_IPV4 = 23,
	TDH_OUT_IPV6 = 24,
};

#endif /* ETW_EVENT_INFO_FORM_H */
