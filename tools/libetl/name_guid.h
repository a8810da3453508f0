/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* GUIDs of providers that are known by name: the hash (SHA-1) of EventSource and TraceLogging. */
#ifndef LIBETL_NAME_GUID_H
#define LIBETL_NAME_GUID_H

#include "etw_format.h"

/* UTF-16 units of a name that count */
#define GUID_NAME	256

struct etw_guid guid_of_name(const char *name);

#endif /* LIBETL_NAME_GUID_H */
