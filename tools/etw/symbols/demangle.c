// SPDX-License-Identifier: GPL-2.0
/* Names of C++ and Rust functions as people read them. */
#include <stdlib.h>
#include <string.h>
#include "demangle.h"

#ifdef ETW_HAVE_DEMANGLE
#include <libiberty/demangle.h>

/* Other prefixes are those of other languages, and may begin a name of C. */
char *symbol_demangle(const char *name)
{
	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	return cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
}
#else
char *symbol_demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif
