/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Messages of programs: found in objects, and written as a TMF file. */
#ifndef ETW_TMF_TRACE_POINTS_H
#define ETW_TMF_TRACE_POINTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "libetl/text.h"
#include "libetw/include/etw_wpp_format.h"

/**
 * struct wpp_entry - a trace point, as an object describes it
 * @guid: of the messages of its file
 * @number: message number
 * @line: where it is
 * @level: TRACE_LEVEL_*
 * @flags: its flags
 * @types: ETW_WPP_*, 4 bits for each argument
 * @string: by enum etw_wpp_string
 */
struct wpp_entry {
	struct etw_guid guid;
	uint32_t number;
	uint32_t line;
	uint32_t level;
	uint32_t flags;
	uint64_t types;
	char *string[ETW_WPP_NR_STRINGS];
};

/**
 * struct wpp_list - trace points of one or more objects
 * @entries: them
 * @count: how many
 * @room: how many fit
 */
struct wpp_list {
	struct wpp_entry *entries;
	size_t count;
	size_t room;
};

/* object.c: adds an object's trace points. Return: 0, or -1 after a message */
int wpp_read_object(const char *name, struct wpp_list *list);
/* Whether this tool was built with what reads objects */
bool wpp_can_read(void);

/* Room for what became of a format */
#define TMF_FORMAT	8192

/**
 * struct tmf_format - a format of printf in TMF's words
 * @text: with %10!d! in it, not quoted
 * @count: arguments
 * @item: their types
 * @wrong: what is wrong, in words; empty: nothing
 */
struct tmf_format {
	char text[TMF_FORMAT];
	unsigned int count;
	const char *item[ETW_WPP_ARGUMENTS];
	char wrong[160];
};

/* printf_format.c. Return: false when @format->wrong says why it can't be */
bool tmf_format_make(const char *printf_format, uint64_t types, struct tmf_format *format);
/* write.c: sorts the list. Return: 0, or -1 after a message */
int tmf_write(struct wpp_list *list, const char *const *objects, FILE *to);

#endif /* ETW_TMF_TRACE_POINTS_H */
