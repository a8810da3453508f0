/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Makes TRACE_EVENT_INFO of an event's layout: the form in which TDH returns names and types. */
#ifndef ETW_EVENT_DESCRIBE_H
#define ETW_EVENT_DESCRIBE_H

#include "reader.h"

/* Bytes that any description needs at most */
#define EVENT_DESCRIPTION	8192

/*
 * The names and types of the fields of such a record. The description ends before the first field
 * that has no type of TDH, and before fields that a payload may lack.
 * Return: bytes at @to; 0: the record's layout is unknown
 */
size_t event_describe(const struct etl_record *record, uint8_t to[EVENT_DESCRIPTION]);

#endif /* ETW_EVENT_DESCRIBE_H */
