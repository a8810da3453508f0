// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The copy of /proc/kallsyms that a trace carries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "libetl/text.h"
#include "libetl/trace.h"
#include "symbols.h"
#ifdef ETW_HAVE_ZLIB
#include <zlib.h>
#endif

/* Ten times what large kernels have */
#define MOST_TEXT	(256u << 20)
/* Two readings of a clock that may be set, in 100 ns */
#define TOLERANCE	30000000

static void start_over(struct kallsyms_copy *copy)
{
	free(copy->bytes);
	*copy = (struct kallsyms_copy){ };
}

void kallsyms_note(struct kallsyms_copy *copy, const struct etl_record *record)
{
	struct etw_kallsyms head;
	uint8_t *bigger;
	size_t bytes;

	if (!etl_is_ours(record) || record->id != ETW_LINUX_EVENT_KALLSYMS || record->version ||
	    record->payload_size < sizeof(head))
		return;
	memcpy(&head, record->payload, sizeof(head));
	bytes = record->payload_size - sizeof(head);
	/* of merged traces, the last one that is whole */
	if (!head.part)
		start_over(copy);
	if (head.part != copy->next || head.size > MOST_TEXT || head.packed > MOST_TEXT ||
	    copy->size + bytes > head.packed)
		return;
	if (!head.part)
		copy->bytes = malloc(head.packed ? head.packed : 1);
	bigger = copy->bytes;
	if (!bigger || (head.part && head.parts != copy->parts))
		return;
	memcpy(bigger + copy->size, record->payload + sizeof(head), bytes);
	copy->size += bytes;
	copy->next++;
	copy->parts = head.parts;
	copy->method = head.method;
	copy->plain = head.size;
}

static char *unpack(const struct kallsyms_copy *copy)
{
	char *text = malloc(copy->plain + 1);
	bool good = false;

	if (!text)
		return NULL;
	if (copy->method == ETW_KALLSYMS_PLAIN && copy->plain == copy->size) {
		memcpy(text, copy->bytes, copy->size);
		good = true;
	}
#ifdef ETW_HAVE_ZLIB
	if (copy->method == ETW_KALLSYMS_ZLIB) {
		uLongf size = copy->plain;

		good = uncompress((Bytef *)text, &size, copy->bytes, copy->size) == Z_OK &&
		       size == copy->plain;
	}
#endif
	if (good)
		return text;
	free(text);
	return NULL;
}

char *kallsyms_text(struct kallsyms_copy *copy, size_t *size)
{
	char *text = NULL;

	if (copy->bytes && copy->next && copy->next == copy->parts)
		text = unpack(copy);
	*size = text ? copy->plain : 0;
	start_over(copy);
	return text;
}

uint8_t *kallsyms_pack(const char *text, size_t size, size_t *packed, uint32_t *method)
{
	uint8_t *bytes;

#ifdef ETW_HAVE_ZLIB
	uLongf room = compressBound(size);

	bytes = malloc(room);
	if (bytes && compress2(bytes, &room, (const Bytef *)text, size, 6) == Z_OK) {
		*packed = room;
		*method = ETW_KALLSYMS_ZLIB;
		return bytes;
	}
	free(bytes);
#endif
	bytes = malloc(size ? size : 1);
	if (bytes)
		memcpy(bytes, text, size);
	*packed = size;
	*method = ETW_KALLSYMS_PLAIN;
	return bytes;
}

bool trace_is_of_this_boot(const struct trace *trace)
{
	struct timespec now, up;
	uint64_t boot;

	if (clock_gettime(CLOCK_REALTIME, &now) || clock_gettime(CLOCK_BOOTTIME, &up))
		return false;
	boot = FILETIME_OF_UNIX + (now.tv_sec - up.tv_sec) * 10000000ULL +
	       (now.tv_nsec - up.tv_nsec) / 100;
	return trace->log.boot_time - boot + TOLERANCE < 2 * TOLERANCE;
}
