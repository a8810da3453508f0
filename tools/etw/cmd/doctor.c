// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw doctor: what is missing on this machine, and how to get it. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "etw_unwind.h"
#include "control/control_calls.h"
#include "control/counter.h"
#include "common/verb_options.h"
#include "etw.h"
#include "probes/probe_leftovers.h"
#include "unwind/unwind_table.h"

/* Characters of a finding or its fix: paths are cut */
#define FINDING		1024

static const char help[] =
	"doctor [--fix] [--json]\n\n"
	"Looks for what tracing needs on this machine, and prints how to get what is missing.\n"
	"Exit status: 0 when recording will work, 1 otherwise.\n\n";

static const struct verb_option options[] = {
	{ 'F', 0, "fix", NULL,
	  "remove the probes that an etw has left behind that was killed" },
	{ .code = OPTION_JSON, .help = "what was found as JSON" },
	{ }
};

static int missing;
/* NULL: as text */
static json_t *findings;

/* @kind: good, note, MISSING; @fix: NULL: nothing has to be done */
static void print_finding(const char *kind, const char *what, const char *fix)
{
	if (findings) {
		json_array_append_new(findings, json_pack("{s:s, s:s, s:s?}", "kind",
			strcmp(kind, "MISSING") ? kind : "missing", "what", what, "fix", fix));
		return;
	}
	printf("%-8s %s\n", kind, what);
	if (fix)
		printf("         fix: %s\n", fix);
}

static void good(const char *format, ...)
{
	char what[FINDING];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	print_finding("good", what, NULL);
}

/* @fatal: recording can't work without it */
static void bad(bool fatal, const char *what, const char *format, ...)
{
	char fix[FINDING];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(fix, sizeof(fix), format, arguments);
	va_end(arguments);
	print_finding(fatal ? "MISSING" : "note", what, fix);
	missing += fatal;
}

static bool read_line(const char *path, char *to, size_t room)
{
	FILE *file = fopen(path, "re");
	bool got = file && fgets(to, room, file);

	if (file)
		fclose(file);
	if (got)
		to[strcspn(to, "\n")] = 0;
	return got;
}

static void check_module(void)
{
	if (!access("/sys/module/etw", F_OK))
		good("the module is loaded");
	else
		bad(true, "the module etw is not loaded",
		    "modprobe etw, or insmod etw.ko from the build tree, as root; if this machine may "
		    "load no module: etw record --no-module, which needs perf");
}

static void check_node(void)
{
	int fd = open(ETW_CONTROL_NODE, O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		good("%s opens: you may control sessions", ETW_CONTROL_NODE);
		close(fd);
	} else if (errno == ENOENT) {
		bad(true, ETW_CONTROL_NODE " is not there",
		    "load the module; /dev must be a devtmpfs (mount -t devtmpfs dev /dev)");
	} else if (errno == EACCES || errno == EPERM) {
		bad(true, ETW_CONTROL_NODE " may not be opened",
		    "run as root, or give the tool CAP_PERFMON and the node to your group");
	} else {
		bad(true, ETW_CONTROL_NODE " does not open", "%s", strerror(errno));
	}
}

static void check_lockdown(void)
{
	char line[128];

	if (!read_line("/sys/kernel/security/lockdown", line, sizeof(line)))
		return;
	if (strstr(line, "[confidentiality]"))
		bad(true, "the kernel is locked down (confidentiality)",
		    "boot without lockdown=confidentiality");
	else
		good("no kernel lockdown against tracing: %s", line);
}

/* The running kernel does not contain its configuration: look where distributions keep it. */
static void check_config(const char *release)
{
	char path[300], line[256];
	bool tracepoints = false, modules = false;
	FILE *file;

	snprintf(path, sizeof(path), "/boot/config-%s", release);
	file = fopen(path, "re");
	if (!file) {
		snprintf(path, sizeof(path), "/lib/modules/%s/build/.config", release);
		file = fopen(path, "re");
	}
	if (!file) {
		bad(false, "the kernel's configuration is not to be found",
		    "see that it has CONFIG_TRACEPOINTS=y and CONFIG_MODULES=y");
		return;
	}
	while (fgets(line, sizeof(line), file)) {
		tracepoints |= !strcmp(line, "CONFIG_TRACEPOINTS=y\n");
		modules |= !strcmp(line, "CONFIG_MODULES=y\n");
	}
	fclose(file);
	if (tracepoints && modules)
		good("the kernel has tracepoints and modules");
	if (!tracepoints)
		bad(true, "the kernel has no tracepoints", "a kernel with CONFIG_TRACEPOINTS=y");
	if (!modules)
		bad(true, "the kernel has no modules", "a kernel with CONFIG_MODULES=y");
}

static void check_headers(const char *release)
{
	char path[300];

	snprintf(path, sizeof(path), "/lib/modules/%s/build/Makefile", release);
	if (!access(path, R_OK))
		good("kernel headers for building the module are there");
	else
		bad(false, "no kernel headers: the module can't be built here",
		    "install linux-headers-%s (kernel-devel-%s)", release, release);
}

static void check_clock(void)
{
	char line[64];

	if (!read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", line,
		       sizeof(line)))
		return;
	if (!strcmp(line, "tsc") || !strcmp(line, "arch_sys_counter") ||
	    !strcmp(line, "kvm-clock"))
		good("clock source %s", line);
	else
		bad(false, "the clock source is slow",
		    "it is %s; see the kernel log for why tsc was given up", line);
}

static void check_counters(void)
{
	struct counter counter;
	enum counter_answer answer = COUNTER_UNKNOWN;

	if (counter_generic("cycles", &counter))
		answer = counter_try(&counter);
	if (answer == COUNTER_YES)
		good("the processor's counters can be had ('etw list counters')");
	else if (answer == COUNTER_NO)
		bad(false, "no counters of the processor: cycles can't be counted",
		    "a virtual machine must be given a PMU; software counters are there");
}

/* Without a row, the call changes nothing. Return: the module knows it, or is not there to ask */
static bool module_takes_tables(void)
{
	int fd = open(ETW_CONTROL_NODE, O_RDWR | O_CLOEXEC);
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct etw_unwind_table none = { .size = sizeof(none), .fd = file };
	bool known = fd < 0 || !ioctl(fd, ETW_IOC_UNWIND_TABLE, &none) || errno != ENOTTY;

	close(file);
	if (fd >= 0)
		close(fd);
	return known;
}

/* Whether programs without frame pointers, as most distributions have them, get whole stacks */
static void check_unwinding(void)
{
	struct unwind_table table;
	const char *why = unwind_table_read("/proc/self/exe", &table);
	char line[256];

	unwind_table_free(&table);
	if (why)
		bad(false, "no unwind tables: programs without frame pointers have short stacks",
		    "%s (build it with libelf-dev installed)", why);
	else if (!module_takes_tables())
		bad(false, "the module takes no unwind tables: programs without frame pointers have "
		    "short stacks", "load the module of this version");
	else if (!read_line("/proc/1/maps", line, sizeof(line)))
		bad(false, "only your own programs get unwind tables", "record as root: the files of "
		    "other users' programs take CAP_SYS_PTRACE and CAP_SYS_ADMIN");
	else
		good("programs without frame pointers have whole stacks ('etw record --stackwalk')");
}

static const char *plural(unsigned int count)
{
	return count == 1 ? "" : "s";
}

static void check_probes(bool fix)
{
	struct probe_leftovers left;
	char what[256];

	probes_leftovers(&left, fix);
	if (left.removed)
		good("%u probe%s of ended etw processes removed", left.removed,
		     plural(left.removed));
	if (left.recorded)
		good("%u probe%s of ended etw processes recorded by a session", left.recorded,
		     plural(left.recorded));
	if (!left.count)
		return;
	snprintf(what, sizeof(what), "%u probe%s of ended etw processes: %s%s", left.count,
		 plural(left.count), left.first, left.count > 1 ? ", ..." : "");
	if (fix)
		bad(false, what, "%s: run 'etw doctor --fix' as root", strerror(left.err));
	else
		bad(false, what, "etw doctor --fix, which leaves those that a session records");
}

/* Return: 0, or an exit code after a message */
static int print_json(const struct utsname *uts)
{
	json_t *all = json_pack("{s:b, s:s, s:s, s:o}", "ready", !missing, "kernel", uts->release,
				"machine", uts->machine, "findings", findings);
	int err = json_dumpf(all, stdout, JSON_INDENT(1));

	putchar('\n');
	json_decref(all);
	return err ? failed("%s", strerror(ENOMEM)) : 0;
}

static int doctor(int argc, char **argv)
{
	struct utsname uts;
	bool fix = false;
	int c;

	while ((c = next_verb_option(&verb_doctor, argc, argv)) != -1) {
		if (c == 'F')
			fix = true;
		else if (c == OPTION_JSON)
			findings = findings ?: json_array();
		else
			return c == OPTION_HELP ? print_help(&verb_doctor) : EXIT_USAGE;
	}
	if (optind != argc)
		return usage_error(&verb_doctor, "doctor: no argument is needed");
	uname(&uts);
	if (!findings)
		printf("kernel   %s %s\n", uts.release, uts.machine);
	check_module();
	check_node();
	check_lockdown();
	check_config(uts.release);
	check_headers(uts.release);
	check_clock();
	check_counters();
	check_unwinding();
	check_probes(fix);
	if (findings && print_json(&uts))
		return EXIT_FAILED;
	return missing ? EXIT_FAILED : EXIT_OK;
}

const struct verb verb_doctor = {
	.name = "doctor", .summary = "report what this machine lacks",
	.help = help, .options = options, .run = doctor,
};
