// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw record --no-module: perf records, and the recording is imported. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cmd/import.h"
#include "control/group_masks.h"
#include "libetl/output_file.h"
#include "linux_events/linux_events.h"
#include "record_child.h"
#include "record_perf.h"
#include "unwind/needed_files.h"

#define MOST_WORDS	2048
/* 100 ns */
#define SECOND		10000000u

static const struct {
	uint32_t group;
	const char *events;
} groups[] = {
	{ PERF_PROFILE, NULL },		/* with its frequency */
	{ PERF_CONTEXT_SWITCH, "sched:sched_switch" },
	{ PERF_DISPATCHER, "sched:sched_waking,sched:sched_wakeup_new" },
	{ PERF_LOAD_BALANCER, "sched:sched_migrate_task" },
	{ PERF_ALL_FAULTS, "page-faults/period=1/" },
	{ PERF_HARD_FAULTS, "major-faults/period=1/" },
	{ PERF_SYSCALL, "raw_syscalls:sys_enter,raw_syscalls:sys_exit" },
	{ PERF_DISK_IO, "block:block_rq_complete" },
	{ PERF_DISK_IO_INIT, "block:block_rq_issue" },
	{ PERF_INTERRUPT, "irq:irq_handler_entry,irq:irq_handler_exit" },
	{ PERF_DPC, "irq:softirq_entry,irq:softirq_exit" },
	/* perf records these in any case */
	{ PERF_PROCESS, "" }, { PERF_THREAD, "" }, { PERF_LOADER, "" },
};

/**
 * struct perf_command - how perf is run
 * @words: its arguments
 * @count: number of them
 * @events: value of -e
 * @data: the file that it writes
 * @pids: value of -p
 * @seconds: of a recording without a command
 * @rest: groups that perf does not record
 */
struct perf_command {
	char *words[MOST_WORDS + 1];
	size_t count;
	char events[1024];
	char data[4096];
	char pids[16 * ETW_MAX_PIDS];
	char seconds[32];
	struct perfinfo_groupmask rest;
};

static void add_word(struct perf_command *perf, const char *word)
{
	if (perf->count < MOST_WORDS)
		perf->words[perf->count++] = (char *)word;
}

static void add_events(struct perf_command *perf, const char *events)
{
	size_t used = strlen(perf->events);

	if (events[0])
		snprintf(perf->events + used, sizeof(perf->events) - used, "%s%s",
			 used ? "," : "", events);
}

/* Takes the group out of the masks. Return: whether it was there */
static bool take_group(struct perfinfo_groupmask *masks, uint32_t group)
{
	uint32_t *mask = &masks->masks[PERF_MASK_INDEX(group)];
	uint32_t bits = PERF_MASK_BITS(group);

	if ((*mask & bits) != bits)
		return false;
	*mask &= ~bits;
	return true;
}

static void choose_events(const struct session_options *options, struct perf_command *perf)
{
	uint32_t timer = options->counting.timer ? options->counting.timer :
			 ETW_DEFAULT_TIMER_INTERVAL;
	char text[512];
	size_t i;

	perf->rest = options->request.masks;
	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (!take_group(&perf->rest, groups[i].group))
			continue;
		snprintf(text, sizeof(text), "cpu-clock/freq=%u/", SECOND / timer);
		add_events(perf, groups[i].events ? groups[i].events : text);
	}
	/* processes alone: an event that never comes */
	if (!perf->events[0])
		add_events(perf, "dummy");
}

static void add_linux_events(const struct session_options *options, struct perf_command *perf)
{
	const struct linux_events *events = options->request.linux_events;
	uint32_t i;

	for (i = 0; events && i < events->count; i++) {
		add_word(perf, "-e");
		add_word(perf, events->events[i].format->name);
	}
}

/* --syscalls has one of its own, for what the reader leaves out as well */
static bool has_conditions(const struct session_options *options)
{
	const struct linux_events *events = options->request.linux_events;
	uint32_t i;

	for (i = 0; events && i < events->count; i++)
		if (events->events[i].given && events->events[i].nr_tests)
			return true;
	return false;
}

static void warn_of_rest(const struct session_options *options, const struct perf_command *perf)
{
	static const struct perfinfo_groupmask none;
	char text[512];

	if (memcmp(&perf->rest, &none, sizeof(none))) {
		events_text(&perf->rest, text, sizeof(text));
		warn("record: --no-module: %s: not recorded, because perf has no such events",
		     text);
	}
	if (options->counting.nr_counters || options->counting.nr_samples)
		warn("record: --no-module: counters and --sample: not recorded");
	if (has_conditions(options))
		warn("record: --no-module: --filter: all events are recorded");
}

static void choose_processes(const struct session_options *options, struct perf_command *perf)
{
	const struct etw_items *items = &options->request.items;
	size_t used = 0;
	uint32_t i;

	if (!etw_items_have(items, ETW_ITEM_PIDS)) {
		add_word(perf, "-a");
		return;
	}
	for (i = 0; i < items->nr_pids; i++)
		used += snprintf(perf->pids + used, sizeof(perf->pids) - used, "%s%u",
				 i ? "," : "", items->pids[i]);
	add_word(perf, "-p");
	add_word(perf, perf->pids);
}

static void make_command(const struct session_options *options, char **command,
			 struct perf_command *perf)
{
	choose_events(options, perf);
	snprintf(perf->data, sizeof(perf->data), "%s.perf.data", options->file);
	add_word(perf, "perf");
	add_word(perf, "record");
	add_word(perf, "-q");
	add_word(perf, "-k");
	add_word(perf, "CLOCK_MONOTONIC");
	/* otherwise perf names the files of samples only, not those in other stacks */
	add_word(perf, "--buildid-all");
	/* perf would copy all these files to ~/.debug */
	add_word(perf, "-N");
	if (etw_items_have(&options->request.items, ETW_ITEM_STACKWALK_FILTER))
		add_word(perf, "-g");
	/* addresses of faults */
	if (strstr(perf->events, "faults"))
		add_word(perf, "-d");
	add_word(perf, "-e");
	add_word(perf, perf->events);
	add_linux_events(options, perf);
	add_word(perf, "-o");
	add_word(perf, perf->data);
	choose_processes(options, perf);
	if (command || options->duration_ms)
		add_word(perf, "--");
	if (!command && options->duration_ms) {
		snprintf(perf->seconds, sizeof(perf->seconds), "%u.%03u",
			 options->duration_ms / 1000, options->duration_ms % 1000);
		add_word(perf, "sleep");
		add_word(perf, perf->seconds);
	}
	while (command && *command)
		add_word(perf, *command++);
	perf->words[perf->count] = NULL;
}

/* As a shell reads it */
static void print_word(const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "%+,-./:=@_";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\'", stdout);
		putchar(*word);
	}
	putchar('\'');
}

static int print_command(const struct perf_command *perf)
{
	size_t i;

	for (i = 0; i < perf->count; i++) {
		print_word(perf->words[i]);
		putchar(i + 1 < perf->count ? ' ' : '\n');
	}
	return EXIT_OK;
}

/* As a shell has it. perf ends by SIGINT when a recording is ended. */
static int exit_code(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return WTERMSIG(status) == SIGINT ? EXIT_OK : 128 + WTERMSIG(status);
}

/* perf -q does not report a command that cannot be run. Return: as a shell, or EXIT_OK */
static int check_program(const char *name)
{
	int err = needed_files_error(name);

	if (!err)
		return EXIT_OK;
	failed("%s: %s", name, strerror(err));
	return err == ENOENT ? 127 : 126;
}

/*
 * A file that exists is used only if it is a regular file of this user, because another owner
 * could read the recording. Return: a descriptor, or -1
 */
static int open_data(const char *data, struct stat *st)
{
	int flags = O_WRONLY | O_CLOEXEC, fd = open(data, flags | O_CREAT | O_EXCL, 0600);

	if (fd < 0 && errno == EEXIST)
		fd = open(data, flags | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 || fstat(fd, st))
		return fd;
	if (S_ISREG(st->st_mode) && st->st_uid == geteuid())
		return fd;
	close(fd);
	errno = EEXIST;
	return -1;
}

/*
 * Of two recordings into one file, the second one ends here; otherwise perf would overwrite the
 * first. The lock ends with the tool, so an empty file of a killed recording is used again.
 * @lock: out: descriptor that holds the lock
 */
static int make_data(const char *data, int *lock)
{
	struct stat st = { };
	int fd = open_data(data, &st);

	if (fd < 0)
		return failed("record: --no-module: %s: %s", data, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB) || fstat(fd, &st) || !st.st_nlink) {
		close(fd);
		return failed("record: --no-module: another recording writes %s", data);
	}
	if (st.st_size) {
		close(fd);
		return failed("record: --no-module: %s exists: another recording writes it, or "
			      "it was not imported ('etw import %s -o OUT' reads it; then remove "
			      "it)", data, data);
	}
	*lock = fd;
	return EXIT_OK;
}

/* A file of that name is kept as the module's recordings keep it. */
static int import_data(const struct session_options *options, const char *data)
{
	char *path = output_path(options->file), *kept = NULL;
	int code = path ? 0 : -ENOMEM;

	if (path && output_is_replaced(path))
		code = output_keep(path, &kept);
	if (code)
		code = failed("record: %s: it can't be kept as %s.old: %s", options->file,
			      options->file, strerror(-code));
	else
		code = import_recording(data, options->file, false, options->quiet);
	if (code && kept && output_restore(path, kept))
		warn("%s: the previous file stays in %s", path, kept);
	free(kept);
	free(path);
	return code;
}

static int record_to(const char *data, const struct session_options *options,
		     const struct perf_command *perf)
{
	struct stat st = { };
	int status, code;

	/* a second SIGINT, from the terminal, changes nothing */
	status = record_child((char **)perf->words, SIGINT);
	if (stat(data, &st) || !st.st_size) {
		unlink(data);
		return status < 0 ? EXIT_FAILED :
		       failed("record: --no-module: perf has recorded nothing (%sDebian: apt-get "
			      "install linux-perf; sysctl kernel.perf_event_paranoid)",
			      geteuid() ? "run as root; " : "");
	}
	if (status < 0)
		return EXIT_FAILED;
	code = import_data(options, data);
	if (code) {
		warn("record: --no-module: the recording of perf stays: %s ('etw import %s -o OUT' "
		     "reads it)", data, data);
		return code;
	}
	unlink(data);
	return exit_code(status);
}

static int record_and_import(const struct session_options *options, char **command,
			     const struct perf_command *perf)
{
	int lock = -1, code = command ? check_program(command[0]) : EXIT_OK;

	if (code == EXIT_OK)
		code = make_data(perf->data, &lock);
	if (code != EXIT_OK)
		return code;
	code = record_to(perf->data, options, perf);
	close(lock);
	return code;
}

bool perf_may_record(const struct session_options *options)
{
	struct perf_command *perf = calloc(1, sizeof(*perf));
	char *command[] = { "true", NULL };
	bool may;

	if (!perf)
		return true;
	make_command(options, command, perf);
	may = !record_child(perf->words, SIGINT);
	unlink(perf->data);
	free(perf);
	return may;
}

int record_by_perf(const struct session_options *options, char **command)
{
	struct perf_command *perf;
	int code;

	if (!strcmp(options->file, "-") || options->target != EVENT_TRACE_REAL_TIME_MODE)
		return option_error(options, "--no-module: one file, without --mode, --flight, "
				    "--max-file and standard output");
	if (options->finalize)
		return option_error(options, "--no-module and --finalize are mutually exclusive");
	if (providers_only(options))
		return option_error(options, "--no-module: events of programs need the module");
	perf = calloc(1, sizeof(*perf));
	if (!perf)
		return failed("%s", strerror(ENOMEM));
	make_command(options, command, perf);
	warn_of_rest(options, perf);
	if (perf->count == MOST_WORDS)
		code = option_error(options, "--no-module: too many words in the command");
	else
		code = options->dry_run ? print_command(perf) :
					  record_and_import(options, command, perf);
	free(perf);
	return code;
}
