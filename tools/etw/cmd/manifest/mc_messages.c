// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: numbers of messages, and the message table. */
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/messages.h"
#include "mc_template.h"

#define BLOCK_SIZE	12
#define FLAG_UNICODE	1
/* A message's length has 16 bits */
#define LONGEST		0xFFFC

/* Names of what all providers have whose text is another one */
static const struct {
	const char *name;
	const char *text;
} common[] = {
	{ "win:LogAlways", "Log Always" }, { "win:Informational", "Information" },
	{ "win:DC_Start", "DCStart" }, { "win:DC_Stop", "DCStop" },
	{ "win:ResponseTime", "Response Time" }, { "win:WDIContext", "WDI Context" },
	{ "win:WDIDiag", "WDI Diag" }, { "win:AuditFailure", "Audit Failure" },
	{ "win:AuditSuccess", "Audit Success" }, { "win:CorrelationHint", "Correlation Hint" },
	{ "win:EventlogClassic", "Classic" },
};

static int add(struct mc_template *template, uint32_t id, const char *text)
{
	struct mc_message *message;

	if (!array_grow((void **)&template->messages, &template->room, template->nr_messages + 1,
			sizeof(*message)))
		return no_memory();
	message = &template->messages[template->nr_messages++];
	*message = (struct mc_message){ id, text };
	return 0;
}

/* Elements with the same text in the string table share a message. */
int mc_message_of(struct mc_template *template, const struct xml_node *node,
		  enum mc_message_kind kind, uint32_t number, uint32_t *id)
{
	const char *text = xml_attribute(node, "message");
	const size_t count = template->references.count;
	size_t i;

	*id = WEVT_NONE;
	if (!text)
		return 0;
	i = map_add(&template->references, map_mix(MAP_MIX, text, strlen(text)));
	if (i == MAP_NONE)
		return no_memory();
	if (i < count) {
		*id = template->messages[i].id;
		return 0;
	}
	if (kind == MESSAGE_VALUE || kind == MESSAGE_BIT || kind == MESSAGE_CHANNEL)
		number = ++template->next[kind == MESSAGE_VALUE ? 0 : kind == MESSAGE_BIT ? 1 : 2];
	*id = (uint32_t)kind << 28 | template->index << 24 | number;
	return add(template, *id, manifest_string(template->manifest, text));
}

/* The first provider that has it gives the number, as for elements of manifests. */
int mc_common_message(struct mc_template *template, const char *name, enum mc_message_kind kind,
		      uint32_t number, uint32_t *id)
{
	const char *text = name + strlen("win:");
	const size_t count = template->references.count;
	size_t i;

	*id = (uint32_t)kind << 28 | template->index << 24 | number;
	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!strcmp(common[i].name, name))
			text = common[i].text;
	i = map_add(&template->references, map_mix(MAP_MIX, name, strlen(name)));
	if (i == MAP_NONE)
		return no_memory();
	if (i < count) {
		*id = template->messages[i].id;
		return 0;
	}
	return add(template, *id, text);
}

static int compare(const void *a, const void *b)
{
	const struct mc_message *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int put_message(struct blob *blob, const struct mc_message *message)
{
	const size_t at = blob->size;
	uint16_t length;

	if (mc_put16(blob, 0) || mc_put16(blob, FLAG_UNICODE) ||
	    mc_put_wide(blob, message->text, strlen(message->text), NULL) ||
	    mc_put16(blob, '\r') || mc_put16(blob, '\n') || mc_put16(blob, 0) || mc_align(blob))
		return -1;
	if (blob->size - at > LONGEST) {
		failed("message 0x%08x: longer than 32 KB", message->id);
		return -1;
	}
	length = blob->size - at;
	memcpy(blob->bytes + at, &length, sizeof(length));
	return 0;
}

/* Blocks of numbers in a row, then the messages */
int mc_put_messages(FILE *to, struct mc_template *template)
{
	const struct mc_message *message = template->messages;
	const size_t count = template->nr_messages;
	struct blob blob = { };
	uint32_t blocks = 0;
	size_t i;
	int err = 0;

	if (count)
		qsort(template->messages, count, sizeof(*message), compare);
	for (i = 0; i < count; i++)
		blocks += !i || message[i].id != message[i - 1].id + 1;
	if (mc_put32(&blob, blocks) || !blob_add(&blob, NULL, (size_t)BLOCK_SIZE * blocks))
		err = -1;
	for (i = 0, blocks = 0; !err && i < count; i++) {
		if (!i || message[i].id != message[i - 1].id + 1) {
			mc_set32(&blob, 4 + BLOCK_SIZE * blocks, message[i].id);
			mc_set32(&blob, 4 + BLOCK_SIZE * blocks++ + 8, blob.size);
		}
		mc_set32(&blob, 4 + BLOCK_SIZE * (blocks - 1) + 4, message[i].id);
		err = put_message(&blob, &message[i]);
	}
	if (!err)
		fwrite(blob.bytes, 1, blob.size, to);
	free(blob.bytes);
	return err;
}
