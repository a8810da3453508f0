/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Class GUIDs of kernel events, and the hook ids that they stand for. */
#ifndef ETW_GUIDS_H
#define ETW_GUIDS_H

#include "etw_hooks.h"
#include "reader.h"

/* Classes without a group get one that no hook id has. */
#define GROUP_IMAGE_ID		0xF0
#define GROUP_SYSTEM_CONFIG_EX	0xF1
#define GROUP_METADATA		0xF2
#define METADATA_GUID { 0xbbccf6c1, 0x6cd1, 0x48c4, \
	{ 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71 } }

/* hook_of() a record without a kernel header */
bool hook_of_class(const struct etl_record *record, uint16_t *hook_id);
/*
 * Kernel events have a hook id, or a class and an opcode that mean the same.
 * Return: false when @record is neither
 */
static inline bool hook_of(const struct etl_record *record, uint16_t *hook_id)
{
	*hook_id = record->hook_id;
	return etl_has_hook(record) || hook_of_class(record, hook_id);
}

/* A context switch with all its fields, whichever of the kernel's headers it has */
static inline bool is_context_swap(const struct etl_record *record)
{
	return record->hook_id == PERFINFO_LOG_TYPE_CONTEXTSWAP && etl_has_hook(record) &&
	       record->payload_size >= sizeof(struct wmi_contextswap);
}

/* The class of the hook id, as consumers see it; NULL: none */
const struct etw_guid *guid_of_hook(uint16_t hook_id);
/* Of 'etw log' when nothing else is said: its data is a string */
#define ETW_LOG_GUID { 0x2f0c6d3b, 0x8e51, 0x4f0e, \
	{ 0x9d, 0x47, 0x31, 0xb6, 0x05, 0xce, 0x7a, 0x12 } }
/* Provider of names of functions, which PerfView reads; see events/universal.c */
#define UNIVERSAL_SYSTEM_GUID { 0x8c107b6c, 0x79f8, 0x5231, \
	{ 0x4d, 0xe6, 0x2a, 0x0e, 0x20, 0xa3, 0xf5, 0x62 } }
enum universal_system_id {
	UNIVERSAL_PROCESS_MAPPING = 3,
	UNIVERSAL_PROCESS_SYMBOL = 4,
	UNIVERSAL_MAPPING_METADATA = 5,
};

/* Whether the record is an event of that provider */
bool is_universal_system(const struct etl_record *record);
/* Class of the events that all others of a group come under */
extern const struct etw_guid system_trace_guid;

#endif /* ETW_GUIDS_H */
