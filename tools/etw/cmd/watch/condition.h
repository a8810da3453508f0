/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Conditions of etw watch, as options spell them. */
#ifndef ETW_WATCH_CONDITION_H
#define ETW_WATCH_CONDITION_H

#include "libetl/reader.h"

enum condition_kind {
	CONDITION_WAIT,		/* a thread waits longer than @ns */
	CONDITION_READY,	/* a thread is ready, and does not run, longer than @ns */
	CONDITION_RUN,		/* a processor runs one thread longer than @ns */
	CONDITION_EVENT,	/* an event of the kernel */
	CONDITION_PROVIDER,	/* an event of a program or kernel module */
	CONDITION_MARK,		/* a mark whose text contains @match */
	CONDITION_LOST,		/* the recorder loses events */
	CONDITION_SIGNAL,	/* a process ends with a signal */
};

/**
 * struct condition - one of them
 * @text: as it was typed
 * @ns: WAIT, READY, RUN
 * @hook: EVENT
 * @guid: PROVIDER
 * @match: PROVIDER: end of the event's name, or ""; MARK
 * @id: PROVIDER: event id, valid if @has_id
 * @signal: SIGNAL: its number; 0: any
 */
struct condition {
	enum condition_kind kind;
	const char *text;
	uint64_t ns;
	uint16_t hook;
	struct etw_guid guid;
	const char *match;
	uint32_t id;
	bool has_id;
	uint32_t signal;
};

/* @text stays. Return: NULL, or in words what is wrong */
const char *condition_parse(const char *text, struct condition *condition);

#endif /* ETW_WATCH_CONDITION_H */
