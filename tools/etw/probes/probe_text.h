/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The spelling of --probe and --uprobe, which is that of tracefs and of perf probe. */
#ifndef ETW_PROBES_PROBE_TEXT_H
#define ETW_PROBES_PROBE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include "import/probe_group.h"

#define PROBE_EVENT_NAME	64
#define PROBE_PLACE		1024
#define PROBE_ARGUMENTS		2048

/**
 * struct probe_text - a probe as it was typed
 * @type: "p", "r", or "r" with the number of instances
 * @event: its name; "": none was given
 * @place: FUNCTION[+OFFSET], FILE:FUNCTION[+OFFSET] or FILE:SOURCE:LINE, without %return
 * @arguments: separated by single blanks
 */
struct probe_text {
	char type[8];
	char event[PROBE_EVENT_NAME];
	char place[PROBE_PLACE];
	char arguments[PROBE_ARGUMENTS];
};

/* Return: NULL, or what is wrong */
const char *probe_text_parse(struct probe_text *probe, enum probe_kind kind, const char *text);
/* Whether it is the LINE of a place */
bool probe_text_is_line(const char *text);
/* The name of the event: the given one, or that of the function */
void probe_text_event(const struct probe_text *probe, char to[PROBE_EVENT_NAME]);
/* An identifier of any text: other characters become underscores */
void probe_identifier(const char *text, size_t length, char *to, size_t room);

#endif /* ETW_PROBES_PROBE_TEXT_H */
