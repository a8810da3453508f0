// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of stacks. */
#include "events.h"
#include "etw_hooks.h"

static const struct form stack[] = {
	F_U("EventTimeStamp", 8), F_U("StackProcess", 4), F_U("StackThread", 4),
	F_POINTERS("Stack"), F_END
};

static const struct form stack_by_key[] = {
	F_U("EventTimeStamp", 8), F_U("StackProcess", 4), F_U("StackThread", 4),
	F_P("StackKey"), F_END
};

static const struct form stack_of_key[] = { F_P("StackKey"), F_POINTERS("Stack"), F_END };

const struct etl_event events_stack[] = {
	{ EVENT(PERFINFO_LOG_TYPE_STACKWALK, "StackWalk/Stack", { 2, 2, stack }) },
	{ EVENT(PERFINFO_LOG_TYPE_STACKTRACE_KEY_KERNEL, "StackWalk/StackKeyKernel",
		{ 2, 2, stack_by_key }) },
	{ EVENT(PERFINFO_LOG_TYPE_STACKTRACE_KEY_USER, "StackWalk/StackKeyUser",
		{ 2, 2, stack_by_key }) },
	{ EVENT(PERFINFO_LOG_TYPE_STACKTRACE_CREATE, "StackWalk/KeyCreate",
		{ 2, 2, stack_of_key }), .has = EVENT_HAS_NO_CLASS },
	{ EVENT(PERFINFO_LOG_TYPE_STACKTRACE_DELETE, "StackWalk/KeyDelete",
		{ 2, 2, stack_of_key }) },
	{ EVENT(PERFINFO_LOG_TYPE_STACKTRACE_RUNDOWN, "StackWalk/KeyRundown",
		{ 2, 2, stack_of_key }) },
	{ }
};
