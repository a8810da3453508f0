// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The options that say where symbols are, of all verbs that name addresses. */
#include "common/verb_options.h"
#include "symbols.h"

bool symbol_option_take(int code, const char *text, struct symbol_options *where)
{
	if (code == OPTION_SYSROOT)
		where->sysroot = text;
	else if (code == OPTION_KALLSYMS)
		where->kallsyms = text;
	else
		return false;
	return true;
}
