// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Libraries that are loaded only when they are needed. */
#include "library.h"
#ifdef ETW_HAVE_DLOPEN
#include <dlfcn.h>
#include <string.h>

bool library_load(const char *name, const struct library_function *functions, size_t count,
		  void *to)
{
	void *library = dlopen(name, RTLD_NOW), *found;
	size_t i;

	if (!library)
		return false;
	for (i = 0; i < count; i++) {
		found = dlsym(library, functions[i].name);
		if (!found)
			return false;
		memcpy((char *)to + functions[i].at, &found, sizeof(found));
	}
	return true;
}
#endif
