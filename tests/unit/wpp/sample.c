// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * What sample.tmf describes: every kind of argument, in C11 and C++17. A trace point
 * is a line: compilers differ in the number of one that is several.
 */
#define ETW_TRACE_PROVIDER sample
#define ETW_TRACE_GUID 0x7c2a3d10, 0x1b5e, 0x4f7a, 0x91, 0x0c, 0x5a, 0x33, 0x7e, 0x1d, 0x20, 0x44
#include "etw_wpp.h"

int integers(char c, short s, int i, unsigned int u, const int *where);
int integers(char c, short s, int i, unsigned int u, const int *where)
{
	ETW_TRACE(TRACE_LEVEL_ERROR, 0x1, "%c %hd %i %u %#x %o %hhd", c, s, i, u, u, u, c);
	ETW_TRACE(5, 0x80000000, "%lld %llu %llx %llX %llo", 1LL, 2ULL, 3ULL, 4ULL, 5ULL);
	ETW_TRACE(17, 0, "%*d %-*.*d %p %p", i, i, i, i, i, (const void *)where, (void *)0);
	return i;
}

int texts(const char *text, const GUID *guid, const WCHAR *wide);
int texts(const char *text, const GUID *guid, const WCHAR *wide)
{
	struct etw_wpp_bytes dump = ETW_BYTES(text, 2);
	struct etw_wpp_text cut = ETW_TEXT(text, 1);

	ETW_TRACE(4, 0x2, "\"%s\" of 100%%\n\t%.3s %-10.*s", text, text, 4, text);
	ETW_TRACE(3, 0x2, "%pU %pU %pW %ph %s %pW", guid, *guid, wide, dump, cut, ETW_TEXT16(wide, 1));
	ETW_TRACE(TRACE_LEVEL_CRITICAL, 0x4, "%f %-8.3e %G %a", 1.0, 2.0f, 3.0, 4.0);
	ETW_TRACE(TRACE_LEVEL_NONE, 0x4, "nothing at all: \\ \001");
	return 0;
}

int many(int n);
int many(int n)
{
	ETW_TRACE(2, 1, "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n);
	return n + 1;
}

#ifndef NO_MAIN
int main(int argc, char **argv)
{
	GUID guid = { 1, 2, 3, { 4, 5, 6, 7, 8, 9, 10, 11 } };
	WCHAR wide[] = { 'w', 0 };

	ETW_TRACE_INIT();
	integers('c', 1, argc, 2, &argc);
	texts(argv[0], &guid, wide);
	many(argc);
	ETW_TRACE_CLEANUP();
	return 0;
}
#endif
