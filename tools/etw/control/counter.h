/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Counters as people name them, and what perf calls the same. */
#ifndef ETW_TOOL_COUNTER_H
#define ETW_TOOL_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "etw_extension.h"

#define COUNTER_NAME	160

/**
 * struct counter - one of them
 * @name: as typed, or as the tables spell it
 * @source: KPROFILE_SOURCE that it is for Windows; 0: none
 * @type: of the perf event
 * @flags: ETW_COUNTER_*
 * @config: of the perf event
 * @config1: likewise
 * @config2: likewise
 */
struct counter {
	char name[COUNTER_NAME];
	uint32_t source;
	uint32_t type;
	uint32_t flags;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
};

#define COUNTER_EXCLUDES (ETW_COUNTER_EXCLUDE_USER | ETW_COUNTER_EXCLUDE_KERNEL | \
			  ETW_COUNTER_EXCLUDE_HV | ETW_COUNTER_EXCLUDE_IDLE)

/* Why a text is no counter */
struct counter_error {
	char text[256];
};

/* Always false, for callers to return */
bool counter_refuse(struct counter_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * perf's names, Windows' names, rNNN, PMU/TERMS/, libpfm4's names, in this order,
 * each with modifiers behind a colon. Return: false, and @error says why
 */
bool counter_parse(const char *text, struct counter *counter, struct counter_error *error);
/* The same event counted in the same modes */
bool counter_same(const struct counter *a, const struct counter *b);
/* "hardware 0x0", "cpu 0x3c config1 0x1" */
void counter_event_text(const struct counter *counter, char *to, size_t room);

/* @note: more about it; may be NULL */
typedef void (*counter_visit)(void *context, const struct counter *counter, const char *note);

/* counter_names.c: perf's generic names and those of Windows. Return: it is one */
bool counter_generic(const char *name, struct counter *counter);
bool counter_windows(const char *name, struct counter *counter);
void counter_generic_each(counter_visit visit, void *context);
void counter_windows_each(counter_visit visit, void *context);
/* Sets the source by the event, when it is one of Windows' */
void counter_find_source(struct counter *counter);
const char *counter_type_name(uint32_t type);

/* counter_pmu.c: PMUs in sysfs */
bool counter_pmu(const char *pmu, const char *terms, struct counter *counter,
		 struct counter_error *error);
void counter_pmu_each(counter_visit visit, void *context);
bool counter_pmu_name(uint32_t type, char *to, size_t room);

/* counter_pfm.c: libpfm4 */
bool counter_pfm(const char *text, struct counter *counter, struct counter_error *error);
void counter_pfm_each(counter_visit visit, void *context);
/* Whether the tool was built with it */
bool counter_pfm_linked(void);

/* counter_text.c: those of a session's extension */
struct etw_items;
void items_counter(const struct etw_items *items, uint32_t i, struct counter *counter);
/* What a source is called there, or by Windows, or "Source4096" */
void items_source_name(const struct etw_items *items, uint32_t source, char *to, size_t room);
void put_counters(FILE *to, const struct etw_items *items);
void put_counter_names(FILE *to, const struct etw_items *items);
void put_counter_attrs(FILE *to, const struct etw_items *items);
void put_intervals(FILE *to, const struct etw_items *items);
void put_sample_sources(FILE *to, const struct etw_items *items);
/* "not user, samples only"; nothing for none */
void put_counter_flags(FILE *to, uint32_t flags);

/* counter_try.c: whether this machine counts it */
enum counter_answer { COUNTER_NO, COUNTER_YES, COUNTER_UNKNOWN };
enum counter_answer counter_try(const struct counter *counter);

/* ../list_counters.c. Return: exit code */
int counters_list(bool json);

#endif /* ETW_TOOL_COUNTER_H */
