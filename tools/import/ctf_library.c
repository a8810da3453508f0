// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Functions of libbabeltrace2, which reads CTF. */
#include "ctf_library.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LIBRARY	"libbabeltrace2.so.0"

const struct ctf_library *ctf_library(void)
{
#define CTF_FUNCTION(name)	{ "bt_" #name, offsetof(struct ctf_library, name) },
	static const struct {
		const char *name;
		size_t at;
	} functions[] = { CTF_CALLS(CTF_FUNCTION) };
	static struct ctf_library ctf;
	static bool loaded;
	void *library, *found;
	size_t i;

	if (loaded)
		return &ctf;
	library = dlopen(LIBRARY, RTLD_NOW);
	if (!library)
		return NULL;
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		found = dlsym(library, functions[i].name);
		if (!found)
			return NULL;
		memcpy((char *)&ctf + functions[i].at, &found, sizeof(found));
	}
	loaded = true;
	return &ctf;
}

#endif
