// SPDX-License-Identifier: GPL-2.0
/* Names of events, those of xperf, to group masks and back; names of clocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "../../../module/config/config.h"
#include "../etw.h"
#include "group_masks.h"

/* @what: NULL: Windows has it, and this module has it not yet */
struct event {
	const char *name;
	uint32_t group;
	const char *what;
};

/* Names of several bits stand before those of one, so that the text is short. */
static const struct event events[] = {
	{ "PROC_THREAD", PERF_PROC_THREAD, "processes and threads: start, end, rundown" },
	{ "PROCESS", PERF_PROCESS, "processes alone" },
	{ "THREAD", PERF_THREAD, "threads alone" },
	{ "CSWITCH", PERF_CONTEXT_SWITCH, "context switches" },
	{ "DISPATCHER", PERF_DISPATCHER, "threads made ready to run" },
	{ "LOADER", PERF_LOADER, "programs, libraries, modules: load, unload, rundown" },
	{ "PROFILE", PERF_PROFILE, "what runs, sampled; -F, --interval" },
	{ "PMC_PROFILE", PERF_PMC_PROFILE, "samples by counters; --sample" },
	{ "COMPACT_CSWITCH", 0x20000100, NULL },
	{ "DPC", PERF_DPC, "softirqs, tasklets, timers" },
	{ "DPC_QUEUE", 0x20040000, NULL },
	{ "INTERRUPT", PERF_INTERRUPT, "interrupts" },
	{ "SYSCALL", PERF_SYSCALL, "system calls" },
	{ "PRIORITY", PERF_PRIORITY, "priorities that change; boosts" },
	{ "AFFINITY", 0x20001000, NULL },
	{ "SPINLOCK", 0x20010000, NULL },
	{ "SYNC_OBJECTS", 0x20020000, NULL },
	{ "KQUEUE", 0x21000000, NULL },
	{ "TIMER", 0x40020000, NULL },
	{ "CLOCKINT", 0x40040000, NULL },
	{ "LOAD_BALANCER", 0x40080000, NULL },
	{ "IPI", 0x40400000, NULL },
	{ "WORKER_THREAD", 0x48000000, NULL },
	{ "ANTI_STARVATION", 0x40000001, NULL },
	{ "PROC_IDLE", 0x40008000, NULL },
	{ "CPU_CONFIG", 0x40010000, NULL },
	{ "POWER", 0x80008000, NULL },
	{ "DISK_IO", PERF_DISK_IO | PERF_FILENAME, "I/O of disks; names of files" },
	{ "FILENAME", PERF_FILENAME, "names of the files that are opened" },
	{ "DISK_IO_INIT", PERF_DISK_IO_INIT, "who asks for them, when" },
	{ "FILE_IO", PERF_FILE_IO, "ends of file operations" },
	{ "FILE_IO_INIT", PERF_FILE_IO_INIT | PERF_FILENAME, "file operations; names of files" },
	{ "SPLIT_IO", 0x00200000, NULL },
	{ "DRIVERS", 0x20000010, NULL },
	{ "HARD_FAULTS", PERF_HARD_FAULTS, "page faults that wait for a disk" },
	{ "ALL_FAULTS", PERF_ALL_FAULTS, "page faults, access violations" },
	{ "MEMORY", 0x20000001, NULL },
	{ "MEMINFO", 0x20080000, NULL },
	{ "MEMINFO_WS", 0x20800000, NULL },
	{ "VIRT_ALLOC", PERF_VIRTUAL_ALLOC, "memory that programs get and give back" },
	{ "VAMAP", 0x00008000, NULL },
	{ "POOL", PERF_POOL, "kernel memory allocated and freed; --pool-tags" },
	{ "FOOTPRINT", 0x20000008, NULL },
	{ "REFSET", 0x20000020, NULL },
	{ "SESSION", 0x20400000, NULL },
	{ "CC", 0x80020000, NULL },
	{ "NETWORKTRACE", PERF_NETWORK, "TCP and UDP: data, connections" },
	{ "REGISTRY", 0x00020000, NULL },
	{ "ALPC", 0x00100000, NULL },
	{ "OB_HANDLE", 0x80000040, NULL },
	{ "OB_OBJECT", 0x80000080, NULL },
	{ "DBGPRINT", 0x00040000, NULL },
	{ "PROCESS_COUNTERS", PERF_PROCESS_COUNTERS, "what processes have used, as they end; rundown" },
	{ "PERF_COUNTER", PERF_PROCESS_COUNTERS, "the same, as xperf calls it" },
};

#define EVENTS	(sizeof(events) / sizeof(events[0]))

static void tell_known(void)
{
	size_t i;

	fprintf(stderr, "etw: the events are:");
	for (i = 0; i < EVENTS; i++)
		if (events[i].what)
			fprintf(stderr, " %s", events[i].name);
	fprintf(stderr, " ('etw list events' explains them)\n");
}

static const struct event *find(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < EVENTS; i++)
		if (!strncasecmp(events[i].name, name, length) && !events[i].name[length])
			return &events[i];
	return NULL;
}

void masks_add(struct perfinfo_groupmask *masks, const struct perfinfo_groupmask *more,
	       unsigned int first)
{
	unsigned int i;

	for (i = first; i < ETW_MASKS; i++)
		masks->masks[i] |= more->masks[i];
}

static void add(uint32_t group, struct perfinfo_groupmask *masks)
{
	masks->masks[PERF_MASK_INDEX(group)] |= PERF_MASK_BITS(group);
}

/* A number is a group mask value; one without an index, EnableFlags. */
static bool parse_mask(const char *text, struct perfinfo_groupmask *masks)
{
	struct perfinfo_groupmask more;
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 16);
	if (strncasecmp(text, "0x", 2) || end == text + 2 || *end || value > UINT32_MAX)
		return false;
	if (PERF_MASK_INDEX(value)) {
		add(value, masks);
		return true;
	}
	etw_config_masks(value, &more);
	masks_add(masks, &more, 0);
	return true;
}

/* What was left out of the events that were asked for */
static char lacking[512];

static void append(char *to, size_t room, const char *what)
{
	size_t used = strlen(to);

	snprintf(to + used, room - used, "%s%s", used ? "+" : "", what);
}

/* Of a group, what the module lacks is left out, and said. */
static void add_group(const char *members, struct perfinfo_groupmask *masks)
{
	char *copy = strdup(members), *member, *rest = copy;
	const struct event *event;

	while (copy && (member = strsep(&rest, "+"))) {
		event = find(member, strlen(member));
		if (event && event->what)
			add(event->group, masks);
		else
			append(lacking, sizeof(lacking), member);
	}
	free(copy);
}

static bool parse_one(const char *name, struct perfinfo_groupmask *masks)
{
	size_t length = strlen(name);
	bool optional = length && name[length - 1] == '?';
	const char *members = event_group(name);
	const struct event *event = find(name, length - optional);

	if (event && event->what)
		add(event->group, masks);
	else if (event && optional)
		append(lacking, sizeof(lacking), event->name);
	else if (event)
		return !failed("event %s: Windows has it, this module does not yet", event->name);
	else if (members)
		add_group(members, masks);
	else if (!parse_mask(name, masks))
		return !failed("there is no event '%s'", name);
	return true;
}

static bool is_empty(const struct perfinfo_groupmask *masks)
{
	static const struct perfinfo_groupmask none;

	return !memcmp(masks, &none, sizeof(none));
}

bool events_parse(const char *text, struct perfinfo_groupmask *masks)
{
	char *copy = strdup(text), *name, *rest = copy;
	bool good = copy;

	memset(masks, 0, sizeof(*masks));
	lacking[0] = 0;
	while (good && (name = strsep(&rest, "+")))
		good = parse_one(name, masks);
	free(copy);
	if (good && is_empty(masks)) {
		failed("events '%s': none of them is there", text);
		good = false;
	}
	if (good && lacking[0])
		fprintf(stderr, "etw: events without %s, which this module does not have yet\n",
			lacking);
	if (!good)
		tell_known();
	return good;
}

/* Bit by bit, through the kernel's own table of what EnableFlags stand for */
bool events_flags(const struct perfinfo_groupmask *masks, uint32_t *flags)
{
	struct perfinfo_groupmask said;
	uint32_t bit, i;

	*flags = 0;
	for (bit = 1; bit < EVENT_TRACE_FLAG_ENABLE_RESERVE; bit <<= 1) {
		etw_config_masks(bit, &said);
		for (i = 0; i < ETW_MASKS; i++)
			if (said.masks[i] & masks->masks[i])
				*flags |= bit;
	}
	etw_config_masks(*flags, &said);
	return !memcmp(&said, masks, sizeof(said));
}

void events_list(void)
{
	size_t i;

	for (i = 0; i < EVENTS; i++)
		if (events[i].what)
			printf("%-12s 0x%08x  %s\n", events[i].name, events[i].group,
			       events[i].what);
}

void events_text(const struct perfinfo_groupmask *masks, char *to, size_t room)
{
	struct perfinfo_groupmask left = *masks;
	uint32_t i, bits, *mask;
	char number[16];

	to[0] = 0;
	for (i = 0; i < EVENTS; i++) {
		bits = PERF_MASK_BITS(events[i].group);
		mask = &left.masks[PERF_MASK_INDEX(events[i].group)];
		if ((*mask & bits) != bits)
			continue;
		*mask &= ~bits;
		append(to, room, events[i].name);
	}
	for (i = 0; i < ETW_MASKS; i++) {
		if (!left.masks[i])
			continue;
		snprintf(number, sizeof(number), "0x%x", left.masks[i] | i << 29);
		append(to, room, number);
	}
	if (!to[0])
		snprintf(to, room, "none");
}

void events_flags_text(uint32_t flags, char *to, size_t room)
{
	struct perfinfo_groupmask masks;

	etw_config_masks(flags & (EVENT_TRACE_FLAG_ENABLE_RESERVE - 1), &masks);
	events_text(&masks, to, room);
}

bool clock_parse(const char *text, uint32_t *clock)
{
	static const struct {
		const char *name;
		uint32_t clock;
	} names[] = {
		{ "qpc", ETW_CLOCK_QPC }, { "system", ETW_CLOCK_SYSTEM },
		{ "cycle", ETW_CLOCK_CYCLE },
		/* xperf and logman */
		{ "PerfCounter", ETW_CLOCK_QPC }, { "perf", ETW_CLOCK_QPC },
		{ "SystemTime", ETW_CLOCK_SYSTEM },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(text, names[i].name))
			continue;
		*clock = names[i].clock;
		return true;
	}
	return false;
}
