// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* elfutils' library for DWARF, which is loaded only when it is needed. */
#include "libdw.h"
#if defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#include <stdbool.h>
#include <stddef.h>
#include "libetl/library.h"

#define FUNCTION(name)	{ "dwarf_" #name, offsetof(struct libdw, name) }

const struct libdw *libdw_load(void)
{
	static const struct library_function functions[] = {
		FUNCTION(begin), FUNCTION(end), FUNCTION(addrdie), FUNCTION(get_units),
		FUNCTION(haspc), FUNCTION(getscopes), FUNCTION(getscopes_die), FUNCTION(tag),
		FUNCTION(attr), FUNCTION(attr_integrate), FUNCTION(formstring),
		FUNCTION(getsrclines), FUNCTION(onesrcline), FUNCTION(lineaddr), FUNCTION(lineno),
		FUNCTION(linesrc), FUNCTION(lineendsequence), FUNCTION(ranges),
		FUNCTION(child), FUNCTION(siblingof), FUNCTION(formudata), FUNCTION(formref_die),
		FUNCTION(entrypc), FUNCTION(linebeginstatement), FUNCTION(getlocation_addr),
		FUNCTION(getcfi), FUNCTION(getcfi_elf), FUNCTION(cfi_end),
		FUNCTION(cfi_addrframe), FUNCTION(frame_cfa),
	};
	static struct libdw libdw;
	static bool loaded;

	if (!loaded)
		loaded = library_load(LIBDW, functions, sizeof(functions) / sizeof(functions[0]),
				      &libdw);
	return loaded ? &libdw : NULL;
}
#endif
