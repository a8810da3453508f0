/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a thread waited for, by the functions in its stack. */
#ifndef ETW_STAT_WAIT_REASON_H
#define ETW_STAT_WAIT_REASON_H

#include "call_tree.h"

#define WAIT_FUTEX	"futex"

/*
 * By the kernel part of the stack that ends in @node of @tree, @frames of it.
 * Return: NULL: the functions do not show it
 */
const char *wait_reason_of(const struct call_tree *tree, uint32_t node, uint32_t frames);
/* Whether a function of the stack contains @part in its name; @frames: of the inner ones */
bool wait_stack_has(const struct call_tree *tree, uint32_t node, uint32_t frames,
		    const char *part);
/*
 * The function that called into the C library to wait: the innermost one of the user part, above
 * @frames of the kernel, that is not the library's. Return: "" if there is none
 */
const char *wait_caller_of(const struct call_tree *tree, uint32_t node, uint32_t frames);

#endif /* ETW_STAT_WAIT_REASON_H */
