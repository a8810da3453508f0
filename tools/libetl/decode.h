/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Payloads of known events to named fields. */
#ifndef ETW_DECODE_H
#define ETW_DECODE_H

#include "fields.h"
#include "reader.h"

struct form;

/*
 * Adds the payload's fields; for an unknown event, or an unknown version of
 * one, its bytes in hexadecimal. @fields->truncated: the payload was too short.
 */
void decode_payload(const struct etl_record *record, struct fields *fields);

/* The layout of a text that 'etw log' wrote without a GUID; NULL: the record is none */
const struct form *decode_log_text(const struct etl_record *record);

/**
 * struct process_record - offsets in the payload of 0301..0304 and 0327
 * @sid: the SID itself, 0: none
 * @sid_size: bytes
 * @image: 8 bit, @image_size bytes without the terminator
 * @strings: offsets of command line, package, application id
 * @sizes: bytes of them without terminators
 * @end: after the last of them
 */
struct process_record {
	uint32_t sid;
	uint32_t sid_size;
	uint32_t image;
	uint32_t image_size;
	uint32_t strings[3];
	uint32_t sizes[3];
	uint32_t end;
};

/* Return: false when a part does not fit into the payload */
bool parse_process(const uint8_t *payload, uint32_t size, struct process_record *process);

#endif /* ETW_DECODE_H */
