/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The summary of a trace. */
#ifndef ETW_STAT_SUMMARY_H
#define ETW_STAT_SUMMARY_H

#include <jansson.h>
#include "report.h"

#define SUMMARY_NAME	(3 * 256 + 1)

/* Of the session, in UTF-8; "" if the trace does not contain it */
void summary_name(const struct trace *trace, char to[SUMMARY_NAME]);
/* In ns: of a file that was not closed, to the last event */
int64_t summary_duration(const struct trace *trace, const struct statistics *statistics);
/* It ran, and is no idle thread */
bool summary_has_thread(const struct statistics *statistics, const struct thread_time *time);
/* Return: the exit status */
int stat_summary(const struct trace *trace, const struct statistics *statistics,
		 const struct stat_options *wanted);
/* summary_json.c: all of it, owned by the caller; what has no memory is missing */
json_t *summary_object(const struct trace *trace, const struct statistics *statistics);
/* Return: the exit status */
int summary_json(const struct trace *trace, const struct statistics *statistics);
/* summary_csv.c: a line for each number and text of it. Return: the exit status */
int summary_csv(const struct trace *trace, const struct statistics *statistics);

#endif /* ETW_STAT_SUMMARY_H */
