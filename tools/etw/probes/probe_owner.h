/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which process made the probes in tracefs, and how they are removed. */
#ifndef ETW_PROBES_PROBE_OWNER_H
#define ETW_PROBES_PROBE_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include "import/probe_group.h"

/* The part of a group's name that says that this process made it. Return: false: no /proc */
bool probe_owner_self(struct probe_group *group);
/* Whether the process that made the group runs */
bool probe_owner_lives(const struct probe_group *group);

/*
 * Calls @found for each probe of etw in tracefs: its group, and "GROUP:EVENT". A probe may be
 * removed by @found.
 */
void probes_walk(void (*found)(void *context, const struct probe_group *group, const char *event),
		 void *context);
/* Removes a probe. Return: 0 or an error number; EBUSY: a session records it */
int probe_remove(const struct probe_group *group, const char *event);
/* The file of tracefs that probes of the kind are written to */
const char *probe_file(enum probe_kind kind);

#endif /* ETW_PROBES_PROBE_OWNER_H */
