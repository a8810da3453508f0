/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Names of events, those of xperf, to group masks and back; names of clocks. */
#ifndef ETW_GROUP_MASKS_H
#define ETW_GROUP_MASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/suggestion.h"
#include "etw_hooks.h"

/*
 * Names joined by '+'; '?' at the end of one makes it optional: without the
 * module's support it is left out, with a note. @verb: prefix of messages.
 * Return: false after a message: a name is unknown, or no name is left
 */
bool events_parse(const char *verb, const char *text, struct perfinfo_groupmask *masks);
/* Return: false when EnableFlags alone can't say it */
bool events_flags(const struct perfinfo_groupmask *masks, uint32_t *flags);
/* Adds the elements from @first on */
void masks_add(struct perfinfo_groupmask *masks, const struct perfinfo_groupmask *more,
	       unsigned int first);
void events_list(void);
void events_text(const struct perfinfo_groupmask *masks, char *to, size_t room);
/* EnableFlags that point at no extension */
void events_flags_text(uint32_t flags, char *to, size_t room);

bool clock_parse(const char *text, uint32_t *clock);

/* group_sets.c: xperf's names for several events; NULL when there is none such */
const char *event_group(const char *name);
void event_groups_list(void);
void event_groups_suggest(struct suggestion *suggestion);

#endif /* ETW_GROUP_MASKS_H */
