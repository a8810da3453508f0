// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* An event of a manifest: TRACE_EVENT_INFO. */
#include <stdio.h>
#include <string.h>
#include "manifest.h"

#define INFO_SIZE	0x70
#define INFO_DESCRIPTOR	0x20
#define INFO_PROVIDER	0x34
#define INFO_CHANNEL	0x3C
#define INFO_TASK	0x44
#define INFO_OPCODE	0x48
#define INFO_MESSAGE	0x4C

/**
 * struct event_task - task and opcode of an event
 * @task: its element, NULL: none
 * @opcode: its element, NULL: none, or one that all providers have
 * @task_value: number
 * @opcode_value: number
 */
struct event_task {
	const struct xml_node *task;
	const struct xml_node *opcode;
	uint64_t task_value;
	uint64_t opcode_value;
};

static const struct {
	const char *name;
	uint8_t value;
} opcodes[] = {
	{ "win:Info", 0 }, { "win:Start", 1 }, { "win:Stop", 2 }, { "win:DC_Start", 3 },
	{ "win:DC_Stop", 4 }, { "win:Extension", 5 }, { "win:Reply", 6 }, { "win:Resume", 7 },
	{ "win:Suspend", 8 }, { "win:Send", 9 }, { "win:Receive", 240 },
};

/* Return: whether all providers have the opcode */
static bool common_opcode(const char *name, uint64_t *value)
{
	size_t i;

	for (i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		if (!strcmp(opcodes[i].name, name)) {
			*value = opcodes[i].value;
			return true;
		}
	return false;
}

/* The opcodes of the task come before those of the provider */
static int find_opcode(const struct manifest *manifest, const struct xml_node *event,
		       struct event_task *found)
{
	const char *name = xml_attribute(event, "opcode");

	if (!name || common_opcode(name, &found->opcode_value))
		return 0;
	if (found->task)
		found->opcode = xml_find(xml_child(found->task, "opcodes"), "opcode", "name", name);
	if (!found->opcode)
		found->opcode = xml_find(manifest_list(manifest, "opcodes"), "opcode", "name",
					 name);
	if (!found->opcode)
		return manifest_wrong(manifest, event, "opcode=\"%s\": there is no such opcode",
				      name);
	return manifest_number(manifest, found->opcode, "value", 0xFF, &found->opcode_value);
}

static const char *const levels[] = {
	"win:LogAlways", "win:Critical", "win:Error", "win:Warning", "win:Informational",
	"win:Verbose",
};

static int find_level(const struct manifest *manifest, const struct xml_node *event,
		      uint64_t *level)
{
	const char *name = xml_attribute(event, "level");
	const struct xml_node *found;

	*level = 0;
	if (!name)
		return 0;
	for (; *level < sizeof(levels) / sizeof(levels[0]); (*level)++)
		if (!strcmp(levels[*level], name))
			return 0;
	found = xml_find(manifest_list(manifest, "levels"), "level", "name", name);
	if (!found)
		return manifest_wrong(manifest, event, "level=\"%s\": there is no such level", name);
	return manifest_number(manifest, found, "value", 0xFF, level);
}

static const struct {
	const char *name;
	uint64_t mask;
} keywords[] = {
	{ "win:ResponseTime", 1ull << 48 }, { "win:WDIContext", 1ull << 49 },
	{ "win:WDIDiag", 1ull << 50 }, { "win:SQM", 1ull << 51 },
	{ "win:AuditFailure", 1ull << 52 }, { "win:AuditSuccess", 1ull << 53 },
	{ "win:CorrelationHint", 1ull << 54 }, { "win:EventlogClassic", 1ull << 55 },
};

static int add_keyword(const struct manifest *manifest, const struct xml_node *event,
		       const char *name, uint64_t *mask)
{
	const struct xml_node *found;
	uint64_t value;
	size_t i;

	for (i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (!strcmp(keywords[i].name, name)) {
			*mask |= keywords[i].mask;
			return 0;
		}
	found = xml_find(manifest_list(manifest, "keywords"), "keyword", "name", name);
	if (!found)
		return manifest_wrong(manifest, event,
				      "keywords=\"%s\": there is no such keyword", name);
	if (manifest_number(manifest, found, "mask", UINT64_MAX, &value))
		return -1;
	*mask |= value;
	return 0;
}

/* Names with blanks between them */
static int find_keywords(const struct manifest *manifest, const struct xml_node *event,
			 uint64_t *mask)
{
	const char *at = xml_attribute(event, "keywords");
	char name[256];
	size_t length;

	*mask = 0;
	for (at = at ? at : ""; *at; at += length) {
		length = strspn(at, " \t\r\n");
		at += length;
		length = strcspn(at, " \t\r\n");
		if (!length)
			break;
		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		if (add_keyword(manifest, event, name, mask))
			return -1;
	}
	return 0;
}

static int find_task(const struct manifest *manifest, const struct xml_node *event,
		     struct event_task *found)
{
	const char *name = xml_attribute(event, "task");

	*found = (struct event_task){ };
	if (name && strcmp(name, "win:None")) {
		found->task = xml_find(manifest_list(manifest, "tasks"), "task", "name", name);
		if (!found->task)
			return manifest_wrong(manifest, event,
					      "task=\"%s\": there is no such task", name);
		if (manifest_number(manifest, found->task, "value", 0xFFFF, &found->task_value))
			return -1;
	}
	return find_opcode(manifest, event, found);
}

static int put_descriptor(const struct manifest *manifest, const struct xml_node *event,
			  const struct event_task *task, uint8_t channel, struct blob *blob)
{
	uint8_t *bytes = blob->bytes + INFO_DESCRIPTOR;
	const uint16_t task_value = task->task_value;
	uint64_t value, version = 0, level, mask;
	uint16_t id;

	if (manifest_number(manifest, event, "value", 0xFFFF, &value))
		return -1;
	if (xml_attribute(event, "version") &&
	    manifest_number(manifest, event, "version", 0xFF, &version))
		return -1;
	if (find_level(manifest, event, &level) || find_keywords(manifest, event, &mask))
		return -1;
	id = value;
	memcpy(blob->bytes, &manifest->guid, sizeof(manifest->guid));
	memcpy(bytes, &id, sizeof(id));
	bytes[2] = version;
	bytes[3] = channel;
	bytes[4] = level;
	bytes[5] = task->opcode_value;
	memcpy(bytes + 6, &task_value, sizeof(task_value));
	memcpy(bytes + 8, &mask, sizeof(mask));
	return 0;
}

static int put_texts(const struct manifest *manifest, const struct xml_node *event,
		     const struct event_task *task, const char *channel, struct blob *blob)
{
	const char *message = xml_attribute(event, "message");
	const char *name = task->task ? xml_attribute(task->task, "name") : NULL;
	const char *opcode = xml_attribute(event, "opcode");

	return blob_text(blob, manifest->name, INFO_PROVIDER) &&
	       (!channel || blob_text(blob, channel, INFO_CHANNEL)) &&
	       (!name || blob_text(blob, name, INFO_TASK)) &&
	       (!opcode || blob_text(blob, opcode, INFO_OPCODE)) &&
	       (!message || blob_text(blob, manifest_string(manifest, message), INFO_MESSAGE)) ?
	       0 : -1;
}

int manifest_event(const struct manifest *manifest, const struct xml_node *event,
		   struct blob *blob)
{
	const char *template = xml_attribute(event, "template");
	const struct xml_node *found = NULL;
	const char *channel;
	struct event_task task;
	uint8_t channel_value;

	if (find_task(manifest, event, &task) ||
	    manifest_channel_of(manifest, event, &channel_value, &channel))
		return -1;
	if (template) {
		found = xml_find(manifest_list(manifest, "templates"), "template", "tid",
				 template);
		if (!found)
			return manifest_wrong(manifest, event,
					      "template=\"%s\": there is no such template",
					      template);
	}
	if (!blob_add(blob, NULL, INFO_SIZE) ||
	    put_descriptor(manifest, event, &task, channel_value, blob))
		return -1;
	if (found && manifest_fields(manifest, found, blob))
		return -1;
	return put_texts(manifest, event, &task, channel, blob);
}
