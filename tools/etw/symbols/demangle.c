// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of C++ and Rust functions as people read them. */
#include <stdlib.h>
#include <string.h>
#include "demangle.h"

#ifdef ETW_HAVE_DEMANGLE
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>

/*
 * Bytes of a name with its zero. Each back reference of a mangled name can double the name, so a
 * symbol of a few hundred bytes would otherwise fill the memory.
 */
#define LONGEST	65536u
#define STYLE	(DMGL_PARAMS | DMGL_ANSI)

/**
 * struct text - a name while it is decoded
 * @at: its bytes, LONGEST of them
 * @size: bytes so far
 * @full: where to go on if the name is too long, because the decoder has no other way to stop
 */
struct text {
	char *at;
	size_t size;
	jmp_buf full;
};

static void take(const char *part, size_t bytes, void *context)
{
	struct text *text = context;

	if (bytes >= LONGEST - text->size)
		longjmp(text->full, 1);
	memcpy(text->at + text->size, part, bytes);
	text->size += bytes;
}

/* Names of early Rust look like those of C++. */
static bool decode(const char *name, struct text *text)
{
	if (setjmp(text->full))
		return false;
	if (rust_demangle_callback(name, STYLE, take, text))
		return true;
	text->size = 0;
	return cplus_demangle_v3_callback(name, STYLE, take, text);
}

/* Other prefixes are those of other languages, and may begin a name of C. */
char *symbol_demangle(const char *name)
{
	struct text text = { };
	char *found;

	if (strncmp(name, "_Z", 2) && strncmp(name, "_R", 2))
		return NULL;
	text.at = malloc(LONGEST);
	if (!text.at)
		return NULL;
	found = decode(name, &text) ? strndup(text.at, text.size) : NULL;
	free(text.at);
	return found;
}
#else
char *symbol_demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif
