/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Hook ids as options name them. */
#ifndef ETW_TOOL_HOOKS_H
#define ETW_TOOL_HOOKS_H

#include <stdbool.h>
#include <stdint.h>
#include "common/suggestion.h"

/*
 * A number (0x524, 1316, and as dump --json writes it: 0524), the name that dump prints
 * (Thread/CSwitch), or the one by which xperf knows an event for stacks (CSwitch).
 */
bool hook_parse(const char *text, uint16_t *hook);
/* Of a name that is no event: suggestion_text() */
const char *hook_suggestion(const char *text, struct suggestion *suggestion);
void hook_names_list(void);

#endif /* ETW_TOOL_HOOKS_H */
