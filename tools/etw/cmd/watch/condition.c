// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Conditions of etw watch, as options spell them. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <strings.h>
#include "common/time_span.h"
#include "control/hooks.h"
#include "libetl/text.h"
#include "etw.h"
#include "condition.h"

static const char *parse_time(struct condition *condition, const char *value)
{
	return value && time_span_parse(value, &condition->ns) ? NULL :
	       "a time with us, ms, s, m or h behind is needed: wait:50ms";
}

/* GUID, GUID:ID, GUID:NAME */
static const char *parse_provider(struct condition *condition, const char *value)
{
	size_t length = strcspn(value, ":");
	char guid[GUID_TEXT];

	if (length >= sizeof(guid))
		return "a GUID is too long";
	memcpy(guid, value, length);
	guid[length] = 0;
	if (!text_to_guid(guid, &condition->guid))
		return "neither an event of 'etw list hooks' nor a GUID";
	condition->kind = CONDITION_PROVIDER;
	condition->match = "";
	if (!value[length])
		return NULL;
	value += length + 1;
	condition->has_id = parse_number(value, 0, UINT16_MAX, &condition->id);
	if (!condition->has_id)
		condition->match = value;
	return *value ? NULL : "an event id or an event name is missing behind the GUID";
}

static const char *parse_event(struct condition *condition, const char *value)
{
	if (!value || !*value)
		return "an event is needed: event:Process/Start, or event:GUID";
	if (hook_parse(value, &condition->hook))
		return NULL;
	return parse_provider(condition, value);
}

static const char *parse_mark(struct condition *condition, const char *value)
{
	condition->match = value ? value : "";
	return NULL;
}

static const char *parse_lost(struct condition *condition, const char *value)
{
	(void)condition;
	return value ? "lost has no value" : NULL;
}

/* A number, SEGV or SIGSEGV */
static const char *parse_signal(struct condition *condition, const char *value)
{
	const char *name;
	uint32_t i;

	if (!value || parse_number(value, 1, SIGRTMAX, &condition->signal))
		return NULL;
	if (!strncasecmp(value, "SIG", 3))
		value += 3;
	for (i = 1; i < (uint32_t)SIGRTMIN; i++) {
		name = sigabbrev_np(i);
		if (!name || strcasecmp(name, value))
			continue;
		condition->signal = i;
		return NULL;
	}
	return "no such signal";
}

static const struct {
	const char *name;
	enum condition_kind kind;
	const char *(*parse)(struct condition *condition, const char *value);
} kinds[] = {
	{ "wait", CONDITION_WAIT, parse_time },
	{ "ready", CONDITION_READY, parse_time },
	{ "run", CONDITION_RUN, parse_time },
	{ "event", CONDITION_EVENT, parse_event },
	{ "mark", CONDITION_MARK, parse_mark },
	{ "lost", CONDITION_LOST, parse_lost },
	{ "signal", CONDITION_SIGNAL, parse_signal },
};

const char *condition_parse(const char *text, struct condition *condition)
{
	size_t i, length = strcspn(text, ":");
	const char *value = text[length] ? text + length + 1 : NULL;

	memset(condition, 0, sizeof(*condition));
	condition->text = text;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i].name) != length || strncmp(kinds[i].name, text, length))
			continue;
		condition->kind = kinds[i].kind;
		return kinds[i].parse(condition, value);
	}
	return "a condition is wait:T, ready:T, run:T, event:NAME, mark, mark:TEXT, lost, signal "
	       "or signal:NAME";
}
