// SPDX-License-Identifier: GPL-2.0
/* Names of events, those of xperf, to EnableFlags. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "control.h"
#include "etw.h"
#include "etw_hooks.h"

struct event_flag {
	const char *name;
	uint32_t flags;
	const char *what;
};

static const struct event_flag known[] = {
	{ "PROC_THREAD", PERF_PROC_THREAD, "processes and threads: start, end, rundown" },
	{ "PROCESS", EVENT_TRACE_FLAG_PROCESS, "processes alone" },
	{ "THREAD", EVENT_TRACE_FLAG_THREAD, "threads alone" },
	{ "CSWITCH", EVENT_TRACE_FLAG_CSWITCH, "context switches" },
	{ "DISPATCHER", EVENT_TRACE_FLAG_DISPATCHER, "threads made ready to run" },
};

/* What Windows has and this module has not yet */
static const char *const later[] = {
	"LOADER", "PROFILE", "PMC_PROFILE", "COMPACT_CSWITCH", "DPC", "INTERRUPT", "SYSCALL",
	"PRIORITY", "SPINLOCK", "SYNC_OBJECTS", "AFFINITY", "KQUEUE", "TIMER", "IPI",
	"CLOCKINT", "WORKER_THREAD", "ANTI_STARVATION", "LOAD_BALANCER", "DISK_IO",
	"DISK_IO_INIT", "FILE_IO", "FILE_IO_INIT", "FILENAME", "SPLIT_IO", "DRIVERS",
	"HARD_FAULTS", "ALL_FAULTS", "MEMORY", "MEMINFO", "MEMINFO_WS", "VIRT_ALLOC", "VAMAP",
	"POOL", "NETWORKTRACE", "REGISTRY", "ALPC", "POWER", "PROC_IDLE", "CC", "OB_HANDLE",
	"OB_OBJECT", "PERF_COUNTER", "PROCESS_COUNTERS", "DBGPRINT", "LBR", "CPU_CONFIG",
};

#define KNOWN	(sizeof(known) / sizeof(known[0]))
#define LATER	(sizeof(later) / sizeof(later[0]))

static void tell_known(void)
{
	size_t i;

	fprintf(stderr, "etw: the events are:");
	for (i = 0; i < KNOWN; i++)
		fprintf(stderr, " %s", known[i].name);
	fprintf(stderr, " ('etw list events' explains them)\n");
}

static bool parse_one(const char *name, uint32_t *flags)
{
	size_t i;

	for (i = 0; i < KNOWN; i++) {
		if (strcasecmp(known[i].name, name))
			continue;
		*flags |= known[i].flags;
		return true;
	}
	for (i = 0; i < LATER; i++) {
		if (strcasecmp(later[i], name))
			continue;
		failed("event %s: Windows has it, this module does not yet", later[i]);
		tell_known();
		return false;
	}
	/* A number stands for EnableFlags themselves. */
	if (!strncmp(name, "0x", 2)) {
		char *end;
		unsigned long value = strtoul(name, &end, 16);

		if (end > name + 2 && !*end && value <= UINT32_MAX) {
			*flags |= value;
			return true;
		}
	}
	failed("there is no event '%s'", name);
	tell_known();
	return false;
}

bool events_parse(const char *text, uint32_t *flags)
{
	char *copy = strdup(text), *name, *rest = copy;
	bool good = copy;

	*flags = 0;
	while (good && (name = strsep(&rest, "+")))
		good = parse_one(name, flags);
	free(copy);
	return good;
}

void events_list(void)
{
	size_t i;

	for (i = 0; i < KNOWN; i++)
		printf("%-12s 0x%08x  %s\n", known[i].name, known[i].flags, known[i].what);
}

void events_text(uint32_t flags, char *to, uint32_t room)
{
	size_t i;
	int n = 0;

	to[0] = 0;
	for (i = 0; i < KNOWN && n < (int)room; i++) {
		if ((flags & known[i].flags) != known[i].flags)
			continue;
		flags &= ~known[i].flags;
		n += snprintf(to + n, room - n, "%s%s", n ? "+" : "", known[i].name);
	}
	if ((flags || !n) && n < (int)room)
		snprintf(to + n, room - n, "%s0x%x", n ? "+" : "", flags);
}

bool clock_parse(const char *text, uint32_t *clock)
{
	static const char *const name[] = {
		[ETW_CLOCK_QPC] = "qpc", [ETW_CLOCK_SYSTEM] = "system", [ETW_CLOCK_CYCLE] = "cycle",
	};
	uint32_t i;

	for (i = ETW_CLOCK_QPC; i <= ETW_CLOCK_CYCLE; i++) {
		if (strcasecmp(text, name[i]))
			continue;
		*clock = i;
		return true;
	}
	return false;
}
