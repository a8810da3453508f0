// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A binary template: its providers and the lists of each. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "libetl/messages.h"
#include "wevt.h"

bool wevt_wrong(const struct wevt *wevt, const struct wevt_part *part, size_t at,
		const char *format, ...)
{
	char text[256];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	failed("%s: offset 0x%zx: %s", wevt->name, part->base + at, text);
	return false;
}

bool wevt_inside(const struct wevt *wevt, uint64_t at, uint64_t count, size_t size,
		 const char *what)
{
	const uint64_t all = wevt->template.size;

	if (at <= all && count <= (all - at) / size)
		return true;
	return wevt_wrong(wevt, &wevt->template, at < all ? at : all,
			  "%s: behind the end of the template (0x%llx)", what,
			  (unsigned long long)all);
}

bool wevt_step(struct wevt *wevt, uint64_t steps)
{
	if (steps > wevt->steps) {
		failed("%s: the template names its parts too often", wevt->name);
		return false;
	}
	wevt->steps -= steps;
	return true;
}

/* Return: bytes of UTF-16 before a terminator */
static size_t wide_length(const uint8_t *text, size_t most)
{
	size_t bytes = 0;

	while (bytes + 2 <= most && get16(text + bytes))
		bytes += 2;
	return bytes;
}

bool wevt_text(const struct wevt *wevt, uint32_t at, const uint8_t **text, size_t *bytes)
{
	uint32_t size;

	if (!wevt_inside(wevt, at, 1, 4, "a name"))
		return false;
	size = get32(wevt->template.bytes + at);
	if (size < 4)
		return wevt_wrong(wevt, &wevt->template, at, "a name of %u bytes", size);
	if (!wevt_inside(wevt, at, 1, size, "a name"))
		return false;
	*text = wevt->template.bytes + at + 4;
	*bytes = wide_length(*text, size - 4);
	return true;
}

/* The name of the provider is a text without its size */
static bool read_private(struct wevt *wevt, uint32_t at)
{
	const uint8_t *bytes = wevt->template.bytes;
	uint32_t size, name;

	if (!wevt_inside(wevt, at, 1, LIST_HEAD + PRIVATE_ENTRY, "PRVA"))
		return false;
	size = get32(bytes + at + 4);
	name = get32(bytes + at + LIST_HEAD + 4);
	if (!get32(bytes + at + 8))
		return true;
	if (!wevt_inside(wevt, at, 1, size ? size : 1, "PRVA") ||
	    !wevt_inside(wevt, name, 1, 2, "the name of the provider"))
		return false;
	wevt->provider_name = bytes + name;
	wevt->provider_bytes = wide_length(bytes + name, wevt->template.size - name);
	return wevt_step(wevt, wevt->provider_bytes);
}

static bool read_list(struct wevt *wevt, uint32_t at, bool names)
{
	const uint8_t *bytes = wevt->template.bytes + at;

	if (!wevt_inside(wevt, at, 1, LIST_HEAD, "a list of the provider"))
		return false;
	if (!names)
		return memcmp(bytes, "EVNT", 4) || wevt_events(wevt, at);
	if (!memcmp(bytes, "CHAN", 4))
		wevt->channels = at;
	if (!memcmp(bytes, "PRVA", 4))
		return read_private(wevt, at);
	return memcmp(bytes, "MAPS", 4) || wevt_maps(wevt, at);
}

/* Names of the provider and of its lists come before the events, wherever their lists are. */
static bool read_lists(struct wevt *wevt, uint32_t at, uint32_t count)
{
	const uint8_t *bytes = wevt->template.bytes + at + WEVT_HEAD;
	uint32_t pass, i;

	if (!wevt_step(wevt, 2 * (uint64_t)count))
		return false;
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < count; i++)
			if (!read_list(wevt, get32(bytes + WEVT_ENTRY * i + 4), !pass))
				return false;
	return true;
}

static bool read_provider(struct wevt *wevt, const uint8_t *entry)
{
	const uint32_t at = get32(entry + sizeof(wevt->provider));
	uint32_t count;

	if (!wevt_step(wevt, 1) || !wevt_inside(wevt, at, 1, WEVT_HEAD, "a provider"))
		return false;
	if (memcmp(wevt->template.bytes + at, "WEVT", 4))
		return wevt_wrong(wevt, &wevt->template, at, "no provider: WEVT is missing");
	count = get32(wevt->template.bytes + at + 12);
	if (!wevt_inside(wevt, at + (uint64_t)WEVT_HEAD, count, WEVT_ENTRY,
			 "the lists of a provider"))
		return false;
	memcpy(&wevt->provider, entry, sizeof(wevt->provider));
	wevt->channels = 0;
	wevt->provider_name = NULL;
	if (!wevt_message(wevt, get32(wevt->template.bytes + at + 8), &wevt->provider_name,
			  &wevt->provider_bytes))
		return false;
	return read_lists(wevt, at, count);
}

static bool read_template(struct wevt *wevt)
{
	const uint8_t *bytes = wevt->template.bytes;
	uint32_t i, count;

	if (wevt->template.size < CRIM_HEAD || memcmp(bytes, "CRIM", 4))
		return wevt_wrong(wevt, &wevt->template, 0, "no template: CRIM is missing");
	if (get32(bytes + 4) < CRIM_HEAD || get32(bytes + 4) > wevt->template.size)
		return wevt_wrong(wevt, &wevt->template, 4,
				  "a template of %u bytes, but there are %zu", get32(bytes + 4),
				  wevt->template.size);
	wevt->template.size = get32(bytes + 4);
	count = get32(bytes + 12);
	if (!wevt_inside(wevt, CRIM_HEAD, count, CRIM_ENTRY, "the list of providers"))
		return false;
	for (i = 0; i < count; i++)
		if (!read_provider(wevt, bytes + CRIM_HEAD + (size_t)CRIM_ENTRY * i))
			return false;
	return true;
}

/* Only regular files: a pipe would be waited for */
static FILE *open_file(const char *name, size_t *size)
{
	struct stat file;

	if (stat(name, &file) || !S_ISREG(file.st_mode))
		return NULL;
	*size = file.st_size;
	return fopen(name, "rbe");
}

bool wevt_is_one(const char *name)
{
	size_t size;
	FILE *from = open_file(name, &size);
	char begin[4] = "";
	bool is;

	if (!from)
		return false;
	is = fread(begin, 1, sizeof(begin), from) == sizeof(begin) &&
	     (!memcmp(begin, "CRIM", 4) || !memcmp(begin, "MZ", 2));
	fclose(from);
	return is;
}

/* Return: the file, or NULL after a message */
static uint8_t *load(const char *name, size_t *size)
{
	FILE *from = open_file(name, size);
	uint8_t *bytes = NULL;

	if (!from) {
		failed("%s: %s", name, strerror(errno));
		return NULL;
	}
	if (*size > WEVT_FILE)
		failed("%s: longer than %u MB", name, WEVT_FILE >> 20);
	else
		bytes = malloc(*size + 1);
	if (!bytes && *size <= WEVT_FILE)
		no_memory();
	if (bytes)
		*size = fread(bytes, 1, *size, from);
	fclose(from);
	return bytes;
}

bool wevt_read_bytes(struct event_infos *infos, const char *name, const uint8_t *bytes,
		     size_t size)
{
	struct wevt wevt = {
		.name = name, .infos = infos, .steps = WEVT_STEPS, .file = { bytes, size, 0 },
	};

	wevt.template = wevt.file;
	if (size >= 2 && !memcmp(bytes, "MZ", 2) && !wevt_open_pe(&wevt))
		return false;
	return read_template(&wevt);
}

bool wevt_read(struct event_infos *infos, const char *name)
{
	size_t size;
	uint8_t *bytes = load(name, &size);
	bool done = bytes && wevt_read_bytes(infos, name, bytes, size);

	free(bytes);
	return done;
}
