/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The options that select events, which the verbs that read traces share. */
#ifndef ETW_FILTER_OPTIONS_H
#define ETW_FILTER_OPTIONS_H

#include "libetl/event_filter.h"
#include "verb_options.h"

/* Rows of a verb's table */
#define FILTER_OPTIONS \
	{ .code = OPTION_RANGE }, { .code = OPTION_PID }, { .code = OPTION_TID }, \
	{ .code = OPTION_PROCESS }, { .code = OPTION_CONTAINER }, { .code = OPTION_CPU }

/* Whether @code is of one of these options */
bool is_filter_option(int code);
/* Takes one of these options. Return: EXIT_OK, or another exit code after a message */
int filter_option_take(const struct verb *verb, int code, const char *text,
		       struct event_filter *filter);

#endif /* ETW_FILTER_OPTIONS_H */
