/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a call that failed must leave as it was; what the kernel said meanwhile. */
#ifndef ETW_TEST_FAILNTH_STATE_H
#define ETW_TEST_FAILNTH_STATE_H

#include "tests/lib/guest/sessions.h"
#include "inject.h"

static int control = -1;
static __u32 bystander;		/* a session that nothing happens to */
static __u32 watched;		/* one that must keep its configuration when a call fails; or 0 */

/**
 * struct state - what can be seen of the module
 * @loggers: LIST
 * @names: nodes, devices, module
 * @probes: kprobes that are registered
 * @statistics: of the bystander
 * @settings: of the watched session, as QUERY returns them
 */
struct state {
	__u64 loggers;
	char names[4096];
	int probes;
	struct etw_statistics statistics;
	struct {
		struct wmi_logger_information info;
		__u8 rest[1024];
	} settings;
};

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_ours(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "etw", 3) || !strncmp(entry->d_name, "session", 7) ||
	       !strcmp(entry->d_name, "control") || !strcmp(entry->d_name, "provider");
}

static void add_names(struct state *state, const char *directory)
{
	size_t used = strlen(state->names);
	struct dirent **list;
	int i, n = scandir(directory, &list, is_ours, by_name);

	for (i = 0; i < n; i++) {
		used += snprintf(state->names + used, sizeof(state->names) - used, "%s/%s ",
				 directory, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

static void add_line(struct state *state, const char *file)
{
	size_t used = strlen(state->names);
	FILE *stream = fopen(file, "r");
	char line[256];

	while (stream && fgets(line, sizeof(line), stream))
		if (strstr(line, "etw"))
			used += snprintf(state->names + used, sizeof(state->names) - used, "%s: %.20s ",
					 file, line);
	if (stream)
		fclose(stream);
}

static int count_lines(const char *file)
{
	FILE *stream = fopen(file, "r");
	int c, lines = 0;

	if (!stream)
		die(file);
	while ((c = getc(stream)) != EOF)
		lines += c == '\n';
	fclose(stream);
	return lines;
}

/* Without what moves */
static void take_settings(struct state *state)
{
	struct wmi_logger_information *info = &state->settings.info;
	struct etw_control c = {
		.size = sizeof(c), .logger_id = watched, .information = (unsigned long)info,
		.information_size = sizeof(state->settings),
	};

	if (ioctl(control, ETW_IOC_QUERY, &c))
		die("QUERY");
	info->number_of_buffers = info->free_buffers = info->events_lost = 0;
	info->buffers_written = info->log_buffers_lost = info->sequence_number = 0;
}

static void take_state(struct state *state)
{
	memset(state, 0, sizeof(*state));
	add_names(state, "/dev");
	add_names(state, "/dev/etw");
	add_names(state, "/sys/class");
	add_names(state, "/sys/class/etw");
	add_names(state, "/sys/class/misc");
	add_names(state, "/sys/module");
	add_line(state, "/proc/devices");
	add_line(state, "/proc/misc");
	state->probes = count_lines(DEBUG "kprobes/list");
	if (control < 0)
		return;
	state->loggers = list_sessions(control);
	if (bystander)
		session_statistics(control, bystander, &state->statistics);
	if (watched)
		take_settings(state);
}

/* Return: 0, or 1 after it printed what is different. */
static int changed(const struct state *before, const char *when)
{
	struct state now;

	take_state(&now);
	if (now.loggers != before->loggers)
		printf("# %s: LIST 0x%llx, before 0x%llx\n", when,
		       (unsigned long long)now.loggers, (unsigned long long)before->loggers);
	else if (strcmp(now.names, before->names))
		printf("# %s: now   %s\n# before %s\n", when, now.names, before->names);
	else if (now.probes != before->probes)
		printf("# %s: %d kprobes, before %d\n", when, now.probes, before->probes);
	else if (memcmp(&now.statistics, &before->statistics, sizeof(now.statistics)))
		printf("# %s: the statistics of another session changed\n", when);
	else if (memcmp(&now.settings, &before->settings, sizeof(now.settings)))
		printf("# %s: QUERY says something else\n", when);
	else
		return 0;
	return 1;
}

static int is_complaint(const char *text)
{
	static const char *const words[] = {
		"WARNING: ", "BUG", "KASAN: ", "UBSAN: ", "ODEBUG: ", "Oops", "refcount_t: ",
		"suspicious RCU", "corruption", "general protection", "circular locking",
		"sleeping function", "kmemleak: ",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(text, words[i]))
			return 1;
	return 0;
}

/**
 * struct talk - what the kernel said
 * @etw: lines of the module
 * @site: of the last failure that was reported with its stack, or empty
 * @last: the module's last line
 */
struct talk {
	int etw;
	char site[96];
	char last[160];
};

/*
 * Complaints are shown as the console would: while say_failures() is on it
 * does not, and tests/infra/vm/run looks for them.
 */
static void read_messages(struct talk *talk, int show)
{
	char record[8192], *text, *end;
	unsigned long long stamp;
	int logged = 1;
	ssize_t n;

	memset(talk, 0, sizeof(*talk));
	while ((n = read(kmsg, record, sizeof(record) - 1)) > 0 || errno == EPIPE) {
		if (n <= 0)
			continue;	/* overrun: go on with what is there */
		record[n] = 0;
		text = strchr(record, ';');
		if (!text || sscanf(record, "%*u,%*u,%llu", &stamp) != 1)
			continue;
		end = strchr(++text, '\n');
		if (end)
			*end = 0;
		if (strstr(text, "FAULT_INJECTION: forcing a failure"))
			logged = 0;
		else if (!logged && etw_site(text, talk->site, sizeof(talk->site)))
			logged = 1;
		if (!strncmp(text, "etw: ", 5)) {
			talk->etw++;
			snprintf(talk->last, sizeof(talk->last), "%s", text);
		}
		if (show && is_complaint(text))
			printf("[%5llu.%06llu] %s\n", stamp / 1000000, stamp % 1000000, text);
	}
}

/*
 * What kmemleak has found since it was cleared. While the module is loaded, so
 * that its functions have names; those of one that was unloaded are numbers.
 *
 * Return: objects that etw.ko allocated.
 */
static int leaks(void)
{
	static char line[512];
	int objects = 0, ours = 0, kernel = 0, i;
	FILE *file;

	if (access(DEBUG "kmemleak", W_OK)) {
		skip("leaks # NO KMEMLEAK IN THIS KERNEL");
		return 0;
	}
	for (i = 0; i < 2; i++) {
		sleep(6);	/* it waits 5 s before it calls an object lost */
		put(DEBUG "kmemleak", "scan");
	}
	file = fopen(DEBUG "kmemleak", "r");
	if (!file)
		die("kmemleak");
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "unreferenced", 12)) {
			objects++;
			kernel = 0;
		}
		/* 6.1 forgets the name of a class that it could not register */
		kernel |= !!strstr(line, " __class_register+");
		ours += !kernel && (strstr(line, " [etw]") || strstr(line, "] 0xffffffff"));
		/* not as tests/infra/vm/run knows it: the kernel's own are no finding */
		if (objects < 8)
			printf("# leak: %s", strncmp(line, "unreferenced ", 13) ? line : line + 13);
	}
	fclose(file);
	printf("# kmemleak reports %d objects\n", objects);
	return ours;
}

#endif /* ETW_TEST_FAILNTH_STATE_H */
