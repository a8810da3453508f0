/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What an errno is called. */
#ifndef ETW_TEST_ERRORS_H
#define ETW_TEST_ERRORS_H

#include <string.h>

static inline const char *error_name(int err)
{
	return err ? strerrorname_np(err) : "success";
}

#endif /* ETW_TEST_ERRORS_H */
