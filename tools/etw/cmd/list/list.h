/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw list: what it lists apart from sessions. */
#ifndef ETW_LIST_H
#define ETW_LIST_H

#include <stdbool.h>

/* The events of Linux that match, with their fields if @fields or @json. Return: exit code */
int linux_events_list(const char *glob, bool fields, bool json);

#endif /* ETW_LIST_H */
