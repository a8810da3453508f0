// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of a binary template: TRACE_EVENT_INFO. */
#include <stdlib.h>
#include <string.h>
#include "libetl/messages.h"
#include "wevt.h"

#define INFO_SIZE	0x70
#define INFO_DESCRIPTOR	0x20
#define DESCRIPTOR_SIZE	16
#define INFO_PROVIDER	0x34
#define INFO_CHANNEL	0x3C
#define INFO_TASK	0x44
#define INFO_OPCODE	0x48
#define INFO_MESSAGE	0x4C

/* Offsets in an event */
#define AT_CHANNEL	3
#define AT_MESSAGE	16
#define AT_TEMPLATE	20
#define AT_OPCODE	24
#define AT_TASK		32

/* @entry: of the list that has the name, with its offset at @name; 0: none */
static bool put_name(struct wevt *wevt, uint32_t entry, size_t name, struct blob *blob,
		     size_t place)
{
	const uint8_t *text;
	size_t bytes;

	if (!entry)
		return true;
	if (!wevt_inside(wevt, entry, 1, name + 4, "the name of an event") ||
	    !wevt_text(wevt, get32(wevt->template.bytes + entry + name), &text, &bytes) ||
	    !wevt_step(wevt, bytes))
		return false;
	return blob_wide(blob, text, bytes, place);
}

static bool put_channel(struct wevt *wevt, uint8_t channel, struct blob *blob)
{
	const uint8_t *list = wevt->template.bytes + wevt->channels;
	uint32_t i, count;

	if (!channel || !wevt->channels)
		return true;
	count = get32(list + 8);
	if (!wevt_inside(wevt, wevt->channels + LIST_HEAD, count, CHANNEL_ENTRY, "the channels"))
		return false;
	for (i = 0; i < count && get32(list + LIST_HEAD + CHANNEL_ENTRY * (size_t)i) != channel;)
		i++;
	if (!wevt_step(wevt, i))
		return false;
	return i == count || put_name(wevt, wevt->channels + LIST_HEAD + CHANNEL_ENTRY * i, 4, blob,
				      INFO_CHANNEL);
}

static bool put_texts(struct wevt *wevt, const uint8_t *event, struct blob *blob)
{
	const uint8_t *text;
	size_t bytes;

	if (wevt->provider_name && wevt->provider_bytes &&
	    !blob_wide(blob, wevt->provider_name, wevt->provider_bytes, INFO_PROVIDER))
		return false;
	if (!wevt_step(wevt, wevt->provider_bytes) ||
	    !put_channel(wevt, event[AT_CHANNEL], blob) ||
	    !put_name(wevt, get32(event + AT_TASK), 24, blob, INFO_TASK) ||
	    !put_name(wevt, get32(event + AT_OPCODE), 8, blob, INFO_OPCODE) ||
	    !wevt_message(wevt, get32(event + AT_MESSAGE), &text, &bytes))
		return false;
	return !bytes || blob_wide(blob, text, bytes, INFO_MESSAGE);
}

static bool put_event(struct wevt *wevt, const uint8_t *event, struct blob *blob)
{
	const uint32_t template = get32(event + AT_TEMPLATE);

	blob->size = 0;
	if (!wevt_step(wevt, INFO_SIZE) || !blob_add(blob, NULL, INFO_SIZE))
		return false;
	memcpy(blob->bytes, &wevt->provider, sizeof(wevt->provider));
	memcpy(blob->bytes + INFO_DESCRIPTOR, event, DESCRIPTOR_SIZE);
	return (!template || wevt_fields(wevt, template, blob)) && put_texts(wevt, event, blob);
}

bool wevt_events(struct wevt *wevt, uint32_t at)
{
	const uint8_t *bytes = wevt->template.bytes + at;
	const uint32_t count = get32(bytes + 8);
	struct blob blob = { };
	bool done = true;
	uint32_t i;

	if (!wevt_inside(wevt, at + (uint64_t)EVENTS_HEAD, count, EVENT_ENTRY, "the events"))
		return false;
	for (i = 0; done && i < count && !wevt->infos->ignored; i++) {
		done = put_event(wevt, bytes + EVENTS_HEAD + EVENT_ENTRY * (size_t)i, &blob);
		if (done && event_infos_describe(wevt->infos, blob.bytes, blob.size))
			done = no_memory() >= 0;
	}
	/* the rest has no room either */
	wevt->infos->ignored += done ? count - i : 0;
	free(blob.bytes);
	return done;
}
