// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Hands unwind tables to a session, once or while it records. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "etw_abi.h"
#include "libetl/map.h"
#include "mapping_watch.h"
#include "symbols/vdso_file.h"
#include "unwind_sender.h"
#include "unwind_table.h"

/*
 * Without perf, new processes are looked for four times a second, and each in its first second,
 * because it loads its libraries one after the other.
 */
#define SCAN_MS		250
#define FIRST_SCANS	4
/*
 * All processes are looked at every 10 seconds, because they load libraries and execute files
 * later, too. With perf, this finds what was mapped on a CPU that came later.
 */
#define WHOLE_SCAN	40
/* One second, if mappings were lost, because a program can map files without end. */
#define LOST_SCAN	4
/*
 * Processes and files that are remembered, because a program can make new ones without end. If a
 * session has more, old ones are looked at again, and the module replaces their tables.
 */
#define MOST_KNOWN	100000
/* Seconds that the end of a recording waits for the thread */
#define LONGEST_END	2

/**
 * struct unwind_sender - a session that gets tables
 * @control: /dev/etw/control
 * @id: logger id
 * @thread: that sends
 * @lock: of @stop
 * @stop: the thread ends
 * @wake: descriptor that can be read when @stop has changed
 * @over: no table can be sent any more
 * @counts: what was sent so far
 * @pids: processes that come first
 * @nr_pids: number of these
 * @watch: reports new mappings; NULL: processes are looked for
 * @lost: some mappings were not reported
 * @sent: files, by device, inode and change time
 * @seen: files that @watch reported since the last scan, by device, inode and generation
 * @known: processes, by id and inode in /proc
 * @scans: by index of these: how often their files were looked at
 */
struct unwind_sender {
	int control;
	uint32_t id;
	pthread_t thread;
	pthread_mutex_t lock;
	bool stop;
	int wake;
	bool over;
	struct unwind_sent counts;
	const uint32_t *pids;
	uint32_t nr_pids;
	struct mapping_watch *watch;
	bool lost;
	struct map sent;
	struct map seen;
	struct map known;
	uint8_t *scans;
};

static bool is_stopped(struct unwind_sender *sender)
{
	bool stop;

	pthread_mutex_lock(&sender->lock);
	stop = sender->stop;
	pthread_mutex_unlock(&sender->lock);
	return stop || sender->over;
}

/* The module refuses a table for what it is, or any table. */
static void send_rows(struct unwind_sender *sender, int fd, uint32_t flags,
		      const struct unwind_table *table)
{
	struct etw_unwind_table argument = {
		.size = sizeof(argument), .logger_id = sender->id, .fd = fd, .flags = flags,
		.nr_rows = table->rows, .rows = (uintptr_t)table->row,
	};

	/* the descriptor may be that of something else once the recording has ended */
	if (is_stopped(sender))
		return;
	if (!ioctl(sender->control, ETW_IOC_UNWIND_TABLE, &argument)) {
		sender->counts.tables++;
		return;
	}
	sender->counts.refused++;
	if (errno == EINVAL && argument.error_row)
		return;
	sender->over = errno != ENOMEM && errno != ENOSPC && errno != E2BIG;
	if (sender->over)
		sender->counts.error = errno;
}

static void send_table(struct unwind_sender *sender, int fd, const struct unwind_table *table)
{
	send_rows(sender, fd, 0, table);
}

/* Return: whether it is an ordinary file that was not sent before */
static bool is_new(struct unwind_sender *sender, const struct stat *file)
{
	uint64_t key = map_mix(MAP_MIX, &file->st_dev, sizeof(file->st_dev));
	size_t known;

	if (!S_ISREG(file->st_mode))
		return false;
	if (sender->sent.count >= MOST_KNOWN)
		map_free(&sender->sent);
	known = sender->sent.count;
	key = map_mix(key, &file->st_ino, sizeof(file->st_ino));
	key = map_mix(key, &file->st_ctim, sizeof(file->st_ctim));
	if (map_add(&sender->sent, key) != known)
		return false;
	sender->counts.files++;
	return true;
}

/*
 * Nothing is opened for reading before its kind is known, because to open a device may have an
 * effect. The path may lead to another file by then, so the file is opened by its descriptor.
 */
static void send_file(struct unwind_sender *sender, int known)
{
	struct unwind_table table;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", known);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	if (!unwind_table_read_open(fd, &table))
		send_table(sender, fd, &table);
	unwind_table_free(&table);
	close(fd);
}

/* @inode: number that the file must have; 0: any. Return: false: the path leads to no file */
static bool take_file(struct unwind_sender *sender, const char *path, uint64_t inode)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat file;

	if (fd < 0)
		return false;
	if (!fstat(fd, &file) && (!inode || file.st_ino == inode) && is_new(sender, &file))
		send_file(sender, fd);
	close(fd);
	return true;
}

/*
 * A link in map_files leads to the mapped file also if it was deleted or is in another mount
 * namespace. It takes CAP_SYS_ADMIN; otherwise the path leads to the file, if it is still there.
 * Once the process has ended, only the path is left; a later process may have the same file.
 */
static void take_mapping(struct unwind_sender *sender, const char *pid,
			 const struct new_mapping *mapping)
{
	char path[4096];
	int n;

	snprintf(path, sizeof(path), "/proc/%s/map_files/%" PRIx64 "-%" PRIx64, pid,
		 mapping->start, mapping->end);
	if (take_file(sender, path, 0))
		return;
	n = snprintf(path, sizeof(path), "/proc/%s/root", pid);
	snprintf(path + n, sizeof(path) - n, "%.*s", (int)strcspn(mapping->path, "\n"),
		 mapping->path);
	if (!take_file(sender, path, mapping->inode))
		take_file(sender, path + n, mapping->inode);
}

static void take_line(struct unwind_sender *sender, const char *pid, const char *line)
{
	struct new_mapping mapping = { };
	char rights[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*s %" SCNu64 " %n", &mapping.start,
		   &mapping.end, rights, &mapping.inode, &at) < 4 ||
	    rights[2] != 'x' || !mapping.inode || line[at] != '/')
		return;
	mapping.path = line + at;
	take_mapping(sender, pid, &mapping);
}

/* Most processes map the same few files, and a scan would find what is left out here. */
static void take_reported(void *context, const struct new_mapping *mapping)
{
	struct unwind_sender *sender = context;
	uint64_t key = map_mix(MAP_MIX, &mapping->device, sizeof(mapping->device));
	size_t seen = sender->seen.count;
	char pid[16];

	key = map_mix(key, &mapping->inode, sizeof(mapping->inode));
	key = map_mix(key, &mapping->generation, sizeof(mapping->generation));
	if (is_stopped(sender) || map_add(&sender->seen, key) < seen)
		return;
	snprintf(pid, sizeof(pid), "%" PRIu32, mapping->pid);
	take_mapping(sender, pid, mapping);
}

static void take_new(struct unwind_sender *sender)
{
	if (sender->watch && !mapping_watch_read(sender->watch, take_reported, sender))
		sender->lost = true;
}

static void take_process(struct unwind_sender *sender, const char *pid)
{
	char path[sizeof("/proc//maps") + NAME_MAX], *line = NULL;
	size_t room = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return;
	while (!is_stopped(sender) && getline(&line, &room, maps) > 0)
		take_line(sender, pid, line);
	free(line);
	fclose(maps);
}

/* Return: whether the process is young */
static bool is_young(struct unwind_sender *sender, const struct dirent *entry)
{
	uint64_t key = map_mix(MAP_MIX, entry->d_name, strlen(entry->d_name));
	size_t i;

	if (sender->known.count >= MOST_KNOWN) {
		map_free(&sender->known);
		free(sender->scans);
		sender->scans = NULL;
	}
	key = map_mix(key, &entry->d_ino, sizeof(entry->d_ino));
	i = map_find(&sender->known, key);
	if (i == MAP_NONE) {
		if (!map_make_room((void **)&sender->scans, sender->known.count,
				   sizeof(*sender->scans)))
			return false;
		i = map_add(&sender->known, key);
		if (i == MAP_NONE)
			return false;
		sender->scans[i] = 0;
	}
	if (sender->scans[i] == FIRST_SCANS)
		return false;
	sender->scans[i]++;
	return true;
}

static void scan(struct unwind_sender *sender, bool whole)
{
	const struct dirent *entry;
	DIR *processes = opendir("/proc");

	if (!processes)
		return;
	while (!is_stopped(sender) && (entry = readdir(processes))) {
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    (is_young(sender, entry) || whole))
			take_process(sender, entry->d_name);
		take_new(sender);
	}
	closedir(processes);
}

/* All 64-bit programs have the same vDSO. A kernel without one is no fault. */
static void send_vdso(struct unwind_sender *sender)
{
	const char *path = vdso_file();
	struct unwind_table table;

	if (!path)
		return;
	if (!unwind_table_read(path, &table)) {
		sender->counts.files++;
		send_rows(sender, -1, ETW_UNWIND_VDSO, &table);
	}
	unwind_table_free(&table);
}

/*
 * The vDSO's table is small. This process has the C library and the dynamic loader, which nearly
 * all programs have.
 */
static void take_first(struct unwind_sender *sender)
{
	char pid[16];
	uint32_t i;

	send_vdso(sender);
	for (i = 0; i < sender->nr_pids && !is_stopped(sender); i++) {
		snprintf(pid, sizeof(pid), "%" PRIu32, sender->pids[i]);
		take_process(sender, pid);
	}
	take_process(sender, "self");
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/* Return: the time has passed; false: the thread ends */
static bool wait_for_scan(struct unwind_sender *sender)
{
	const uint64_t until = now_ms() + SCAN_MS;
	struct pollfd wake = { .fd = sender->wake, .events = POLLIN };
	uint64_t now;

	while (!is_stopped(sender) && (now = now_ms()) < until) {
		if (sender->watch)
			mapping_watch_wait(sender->watch, sender->wake, until - now);
		else
			poll(&wake, 1, until - now);
		take_new(sender);
	}
	map_free(&sender->seen);
	return !is_stopped(sender);
}

/* It has the normal priority, whatever the reader of the stream has: record_priority.c. */
static void *send_all(void *context)
{
	struct unwind_sender *sender = context;
	unsigned int since = WHOLE_SCAN;
	bool whole;

	take_first(sender);
	do {
		whole = since >= (sender->lost ? LOST_SCAN : WHOLE_SCAN);
		if (whole) {
			sender->lost = false;
			since = 0;
		}
		if (whole || !sender->watch)
			scan(sender, whole);
		since++;
	} while (wait_for_scan(sender));
	return NULL;
}

static void free_maps(struct unwind_sender *sender)
{
	map_free(&sender->sent);
	map_free(&sender->seen);
	map_free(&sender->known);
	free(sender->scans);
}

/* Signals are for the thread that records. */
static int create(struct unwind_sender *sender)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&sender->thread, NULL, send_all, sender);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

void unwind_send_once(int control, uint32_t id, struct unwind_sent *sent)
{
	struct unwind_sender sender = {
		.control = control, .id = id, .lock = PTHREAD_MUTEX_INITIALIZER,
	};

	send_vdso(&sender);
	scan(&sender, true);
	*sent = sender.counts;
	free_maps(&sender);
}

static void send_command(struct unwind_sender *sender, const struct unwind_command *command)
{
	struct stat file;
	size_t i;

	for (i = 0; i < command->files; i++)
		if (!fstat(command->file[i].fd, &file) && is_new(sender, &file))
			send_table(sender, command->file[i].fd, &command->file[i].table);
}

static void destroy(struct unwind_sender *sender)
{
	mapping_watch_close(sender->watch);
	close(sender->wake);
	pthread_mutex_destroy(&sender->lock);
	free_maps(sender);
	free(sender);
}

struct unwind_sender *unwind_sender_begin(int control, uint32_t id,
					  const struct unwind_first *first)
{
	struct unwind_sender *sender = calloc(1, sizeof(*sender));

	if (!sender)
		return NULL;
	sender->control = control;
	sender->id = id;
	sender->pids = first->pids;
	sender->nr_pids = first->nr_pids;
	sender->wake = eventfd(0, EFD_CLOEXEC);
	pthread_mutex_init(&sender->lock, NULL);
	send_command(sender, &first->command);
	if (sender->wake >= 0 && !sender->over) {
		sender->watch = mapping_watch_open();
		if (!create(sender))
			return sender;
	}
	destroy(sender);
	return NULL;
}

/* A file of FUSE can keep the thread for ever. Then it has its memory until the process ends. */
static bool has_ended(struct unwind_sender *sender)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LONGEST_END;
	return !pthread_timedjoin_np(sender->thread, NULL, &until);
}

void unwind_sender_end(struct unwind_sender *sender)
{
	if (!sender)
		return;
	pthread_mutex_lock(&sender->lock);
	sender->stop = true;
	pthread_mutex_unlock(&sender->lock);
	eventfd_write(sender->wake, 1);
	if (has_ended(sender))
		destroy(sender);
}
