// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Maps of a binary template: EVENT_MAP_INFO. */
#include <string.h>
#include <stdlib.h>
#include "libetl/messages.h"
#include "wevt.h"

#define FLAG_VALUES	1
#define FLAG_BITS	2
/* EVENT_MAP_INFO: the head, and where it has the number of entries */
#define INFO_HEAD	16
#define INFO_FLAG	4
#define INFO_COUNT	8
#define INFO_ENTRY	8

/* Entries without a message have no name and are left out. Return: false after a message */
static bool put_entries(struct wevt *wevt, uint32_t at, uint32_t count, struct blob *blob)
{
	const uint8_t *entry = wevt->template.bytes + at + MAP_HEAD, *text;
	const size_t head = blob->base;
	uint32_t i, used = 0;
	size_t place, bytes;

	if (!blob_add(blob, NULL, (size_t)INFO_ENTRY * count))
		return false;
	for (i = 0; i < count; i++, entry += MAP_ENTRY) {
		if (!wevt_message(wevt, get32(entry + 4), &text, &bytes))
			return false;
		if (!bytes)
			continue;
		place = head + INFO_HEAD + (size_t)INFO_ENTRY * used++;
		memcpy(blob->bytes + place + 4, entry, 4);
		if (!blob_wide(blob, text, bytes, place))
			return false;
	}
	memcpy(blob->bytes + head + INFO_COUNT, &used, sizeof(used));
	return true;
}

static bool put_map(struct wevt *wevt, uint32_t at, struct blob *blob)
{
	const uint8_t *bytes = wevt->template.bytes + at, *name;
	uint32_t count, flag;
	size_t length;

	if (!wevt_inside(wevt, at, 1, MAP_HEAD, "a map"))
		return false;
	if (memcmp(bytes + 1, "MAP", 3) || (*bytes != 'V' && *bytes != 'B'))
		return wevt_wrong(wevt, &wevt->template, at, "no map: VMAP and BMAP are missing");
	count = get32(bytes + 16);
	flag = *bytes == 'B' ? FLAG_BITS : FLAG_VALUES;
	if (!wevt_inside(wevt, at + (uint64_t)MAP_HEAD, count, MAP_ENTRY, "the entries of a map") ||
	    !wevt_text(wevt, get32(bytes + 8), &name, &length) ||
	    !wevt_step(wevt, (uint64_t)count * MAP_ENTRY + length))
		return false;
	blob->size = 0;
	blob->base = sizeof(wevt->provider);
	if (!blob_add(blob, &wevt->provider, sizeof(wevt->provider)) ||
	    !blob_add(blob, NULL, INFO_HEAD))
		return false;
	memcpy(blob->bytes + blob->base + INFO_FLAG, &flag, sizeof(flag));
	return put_entries(wevt, at, count, blob) && blob_wide(blob, name, length, blob->base);
}

bool wevt_maps(struct wevt *wevt, uint32_t at)
{
	const uint8_t *bytes = wevt->template.bytes + at;
	const uint32_t count = get32(bytes + 8);
	struct blob blob = { };
	bool done = true;
	uint32_t i;

	/* without messages, there are no names */
	if (!wevt->messages.size)
		return true;
	if (!wevt_inside(wevt, at + (uint64_t)LIST_HEAD, count, 4, "the list of maps"))
		return false;
	for (i = 0; done && i < count && !wevt->infos->ignored; i++) {
		done = wevt_step(wevt, 1) &&
		       put_map(wevt, get32(bytes + LIST_HEAD + 4 * (size_t)i), &blob);
		if (done && event_infos_name(wevt->infos, blob.bytes, blob.size))
			done = no_memory() >= 0;
	}
	free(blob.bytes);
	return done;
}
