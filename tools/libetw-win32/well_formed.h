/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Whether the payload of a kernel event has all that its class and version require. */
#ifndef LIBETW_WELL_FORMED_H
#define LIBETW_WELL_FORMED_H

#include "libetw/include/evntcons.h"

struct fields;

/*
 * @fields: room, because it is large. Return: true also for events that are no kernel events, or of
 * which no layout is known
 */
BOOL is_well_formed(const EVENT_RECORD *event, struct fields *fields);

#endif /* LIBETW_WELL_FORMED_H */
