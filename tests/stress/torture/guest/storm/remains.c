// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: what the module leaves behind: nodes, threads, probes, memory without an owner. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "storm.h"

#define KPROBES	"/sys/kernel/debug/kprobes/list"
#define LEAKS	"/sys/kernel/debug/kmemleak"

static char tracepoints[4096] = "probes";	/* and each that the module has a probe for */

/**
 * learn_probes() - which tracepoints it can have probes on: a function call_NAME each
 *
 * The module is loaded.
 */
void learn_probes(void)
{
	size_t n = strlen(tracepoints);
	char name[128];
	FILE *file;

	if (strchr(tracepoints, ' '))
		return;
	file = popen("sed -n 's/^.* call_\\([a-z0-9_]*\\)\t.etw.$/ \\1/p' /proc/kallsyms", "r");
	while (file && fgets(name, sizeof(name), file) && n + strlen(name) < sizeof(tracepoints)) {
		name[strcspn(name, "\n")] = 0;
		n += snprintf(tracepoints + n, sizeof(tracepoints) - n, "%s", name);
	}
	if (file)
		pclose(file);
	if (!strstr(tracepoints, " sched_switch") || !strstr(tracepoints, " sched_waking"))
		storm_fail("the module has no probe of sched_switch, it seems:%s", tracepoints + 6);
}

static void check_probes(const char *command)
{
	char logged[256] = "";
	FILE *file = popen(command, "r");

	while (file && fgets(logged, sizeof(logged), file))
		if (strstr(logged, ": 0\n"))
			add(C_PROBES_SEEN, 1);
		else if (strstr(logged, ": "))
			storm_fail("a tracepoint has a probe: %.*s", (int)strcspn(logged, "\n"),
				   logged);
	if (file)
		pclose(file);
}

/**
 * check_remains() - after an unload: nothing that bears our name
 * @n: the round, from 0 on
 */
void check_remains(unsigned int n)
{
	struct dirent *entry;
	DIR *dir = opendir("/dev/etw");

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			storm_fail("/dev/etw/%s is left", entry->d_name);
	if (dir)
		closedir(dir);
	if (!system("grep etw /proc/vmallocinfo"))
		storm_fail("vmallocinfo names etw");
	/* a worker keeps the name of the last workqueue that it served, also of one that is gone */
	if (!system("grep -h etw /proc/[0-9]*/comm | grep -v ^kworker/"))
		storm_fail("a thread is left");
	if (!system("grep etw /proc/misc /proc/devices /proc/modules"))
		storm_fail("a device is left");
	if (!system("ls /sys/class/etw /sys/kernel/debug/etw_torture 2>/dev/null"))
		storm_fail("a class or a directory is left");
	/* no other code here has any */
	if (!system("grep . " KPROBES " 2>/dev/null"))
		storm_fail("a kprobe is left");
	/* kernels without /proc/kcore don't show them; it takes a second to find them */
	if ((options.round || n % 16 == 0) && !access("/proc/kcore", R_OK))
		check_probes("probes sched_switch sched_waking");
}

/* Functions of a module that is gone have no name: no other module comes and goes here. */
static void check_leaks(void)
{
	if (access(LEAKS, W_OK)) {
		printf("storm: THIS KERNEL HAS NO KMEMLEAK: leaks are not found\n");
		return;
	}
	/* an object counts when it is some seconds old, and has not changed between two scans */
	if (system("sleep 6; echo scan >" LEAKS " && echo scan >" LEAKS)) {
		printf("storm: KMEMLEAK HAS STOPPED for want of memory: leaks are not found\n");
		return;
	}
	if (!system("grep -E -B 18 -A 4 '\\] (0x[0-9a-f]+$|.*\\[etw)' " LEAKS))
		storm_fail("memory without an owner is left");
	else
		printf("storm: kmemleak knows of nothing\n");
}

/** check_last_remains() - after the last unload: what takes longer to find */
void check_last_remains(void)
{
	unsigned long long before = storm->counts[C_PROBES_SEEN];

	if (access("/proc/kcore", R_OK))
		printf("storm: THIS KERNEL HAS NO /proc/kcore: tracepoints are not checked\n");
	else
		check_probes(tracepoints);
	/* sched_switch and sched_waking at least, which are everywhere */
	if (!access("/proc/kcore", R_OK) && storm->counts[C_PROBES_SEEN] < before + 2)
		storm_fail("tracepoints cannot be found");
	if (access(KPROBES, R_OK))
		printf("storm: THIS KERNEL DOES NOT LIST ITS KPROBES\n");
	printf("storm: %llu tracepoints without probes at the end\n",
	       storm->counts[C_PROBES_SEEN] - before);
	check_leaks();
	fflush(stdout);
}
