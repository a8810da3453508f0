/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Lengths of time as options spell them. */
#ifndef ETW_TIME_SPAN_H
#define ETW_TIME_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/* 250us, 20ms, 3s, 2m, 1h. Return: false: it is none, or 0, or longer than 292 years */
bool time_span_parse(const char *text, uint64_t *ns);

#endif /* ETW_TIME_SPAN_H */
