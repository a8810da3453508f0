// SPDX-License-Identifier: GPL-2.0
/* What the tool's code would print: a library says nothing, it returns errors. */
#include "../etw/etw.h"

int failed(const char *format, ...)
{
	(void)format;
	return EXIT_FAILED;
}

void warn(const char *format, ...)
{
	(void)format;
}
