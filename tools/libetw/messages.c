// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What libetl would say: a library says nothing, it returns errors. */
#include "libetl/messages.h"

int failed(const char *format, ...)
{
	(void)format;
	return 1;
}

void warn(const char *format, ...)
{
	(void)format;
}
