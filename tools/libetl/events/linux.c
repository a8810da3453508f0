// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Events of the module's own provider. */
#include "libetl/cursor.h"
#include "libetl/event_names.h"
#include "events.h"

static const struct form anchor[] = {
	F_U("Qpc", 8), F_TIME("FileTime"), F_U("Monotonic", 8), F_U("MonotonicRaw", 8),
	F_U("BootTime", 8), F_U("Uncertainty", 8), F_NAMED("Reason", 4, anchor_reason_name),
	F_SKIP(4), F_END
};

static const struct form loss[] = {
	F_U("Processor", 4), F_NAMED("Cause", 4, loss_cause_name), F_U("Count", 8),
	F_U("Total", 8), F_U("First", 8), F_U("Last", 8), F_END
};

static const struct form flushed[] = { F_U("Time", 8), F_END };

static const struct form kallsyms[] = {
	F_U("Part", 4), F_U("Parts", 4), F_U("Method", 4), F_U("PackedSize", 4), F_U("Size", 8),
	F_CALL(skip_rest), F_END
};

static const struct form cgroup[] = { F_U("ProcessId", 4), F_SKIP(4), F_UTF16("Path"), F_END };

#define OURS(bytes)	.has = EVENT_HAS_NO_CLASS, .ours = { 0, 1 << ETL_EVENT, EXACTLY(bytes) }

const struct etl_event events_linux[] = {
	{ EVENT(ETW_LINUX_EVENT_ANCHOR, "Linux/Anchor", { 0, 0, anchor }),
	  OURS(sizeof(struct etw_anchor)) },
	{ EVENT(ETW_LINUX_EVENT_LOSS, "Linux/Loss", { 0, 0, loss }),
	  OURS(sizeof(struct etw_loss)) },
	{ EVENT(ETW_LINUX_EVENT_KALLSYMS, "Linux/Kallsyms", { 0, 0, kallsyms }) },
	{ EVENT(ETW_LINUX_EVENT_FLUSHED, "Linux/Flushed", { 0, 0, flushed }),
	  OURS(sizeof(struct etw_flushed)) },
	{ EVENT(ETW_LINUX_EVENT_CGROUP, "Linux/Cgroup", { 0, 0, cgroup }) },
	{ }
};
