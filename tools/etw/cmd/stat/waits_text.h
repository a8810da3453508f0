/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Single waits, as text and as rows of a table. */
#ifndef ETW_STAT_WAITS_TEXT_H
#define ETW_STAT_WAITS_TEXT_H

#include "sheet.h"
#include "waits.h"

/* @order: indexes of waits; the first @shown of @count are printed */
void waits_print(const struct waits *waits, const uint32_t *order, size_t shown, size_t count);
void waits_fill(const struct waits *waits, const uint32_t *order, size_t count,
		struct sheet *sheet);

#endif /* ETW_STAT_WAITS_TEXT_H */
