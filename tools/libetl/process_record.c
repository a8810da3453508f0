// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Where the parts of a process record of ours stand. */
#include <string.h>
#include "decode.h"
#include "etw_hooks.h"

static bool string8(const uint8_t *payload, uint32_t size, uint32_t *at, uint32_t *bytes)
{
	const uint8_t *end = memchr(payload + *at, 0, size - *at);

	if (!end)
		return false;
	*bytes = end - (payload + *at);
	return true;
}

static bool string16(const uint8_t *payload, uint32_t size, uint32_t at, uint32_t *bytes)
{
	for (*bytes = 0; size - at >= *bytes + 2; *bytes += 2)
		if (!payload[at + *bytes] && !payload[at + *bytes + 1])
			return true;
	return false;
}

bool parse_process(const uint8_t *payload, uint32_t size, struct process_record *process)
{
	uint32_t at = sizeof(struct wmi_process_information);
	int i;

	memset(process, 0, sizeof(*process));
	if (size < at + 4)
		return false;
	if (!get32(payload + at)) {
		at += 4;
	} else {
		at += 16;	/* an image of TOKEN_USER */
		if (size < at + 8 || payload[at + 1] > 15 ||
		    size - at < 8u + 4 * payload[at + 1])
			return false;
		process->sid = at;
		process->sid_size = 8 + 4 * payload[at + 1];
		at += process->sid_size;
	}
	process->image = at;
	if (at >= size || !string8(payload, size, &at, &process->image_size))
		return false;
	at += process->image_size + 1;
	for (i = 0; i < 3; i++) {
		process->strings[i] = at;
		if (!string16(payload, size, at, &process->sizes[i]))
			return false;
		at += process->sizes[i] + 2;
	}
	process->end = at;
	return true;
}
