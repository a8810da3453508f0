/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Item 8008: names of counters, out of a program's arguments. */
#ifndef ETW_TEST_COUNTER_NAMES_H
#define ETW_TEST_COUNTER_NAMES_H

#include <string.h>
#include "etw_abi.h"

/**
 * struct counter_names - the item
 * @item: how many there are, then UTF-16, each with its zero
 * @dwords: of @item; 0: no names
 */
struct counter_names {
	__u32 item[1 + ETW_MAX_COUNTER_NAMES / 2];
	__u32 dwords;
};

/* NAME,NAME,...; @text is changed. Return: 0; -1: they are too long */
static inline int name_counters(struct counter_names *names, char *text)
{
	__u16 *units = (__u16 *)&names->item[1];
	const char *name;
	__u32 used = 0;

	while ((name = strsep(&text, ","))) {
		if (used + strlen(name) + 1 > ETW_MAX_COUNTER_NAMES)
			return -1;
		do
			units[used++] = *name;
		while (*name++);
		names->item[0]++;
	}
	names->dwords = 1 + (used + 1) / 2;
	return 0;
}

#endif /* ETW_TEST_COUNTER_NAMES_H */
