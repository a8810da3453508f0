// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Functions of libbabeltrace2, which reads CTF. */
#include "ctf_library.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <stdbool.h>
#include <stddef.h>
#include "libetl/library.h"

#define LIBRARY	"libbabeltrace2.so.0"

const struct ctf_library *ctf_library(void)
{
#define CTF_FUNCTION(name)	{ "bt_" #name, offsetof(struct ctf_library, name) },
	static const struct library_function functions[] = { CTF_CALLS(CTF_FUNCTION) };
	static struct ctf_library ctf;
	static bool loaded;

	if (!loaded)
		loaded = library_load(LIBRARY, functions, sizeof(functions) / sizeof(functions[0]),
				      &ctf);
	return loaded ? &ctf : NULL;
}

#endif
