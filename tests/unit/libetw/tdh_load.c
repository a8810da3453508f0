// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Beside a consumer: loads the manifest that the variable MANIFEST names, before main(). */
#include <windows.h>
#include <evntcons.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tdh.h>

__attribute__((constructor)) static void load(void)
{
	const char *name = getenv("MANIFEST");
	WCHAR wide[MAX_PATH];
	ULONG status;
	size_t i;

	for (i = 0; i <= strlen(name); i++)
		wide[i] = name[i];
	status = TdhLoadManifest(wide);
	if (!status)
		return;
	printf("TdhLoadManifest: %u\n", (unsigned int)status);
	exit(1);
}
