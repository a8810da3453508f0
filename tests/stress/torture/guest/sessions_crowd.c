// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Processes that start, stop, discard, ask and read each other's sessions at random. */
#define _GNU_SOURCE
#include <dirent.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include "tests/lib/guest/sessions.h"
#include "etw_hooks.h"

static const char usage[] =
	"sessions_crowd [options]\n"
	"  -s SEED   of all decisions (1)     -n STEPS   of each process (800)\n"
	"  -p N      processes (4)\n";

/* Few sessions, so that a free id is taken again at once */
#define MOST_SESSIONS	5
/* Times the steps of each process, at most */
#define MOST_TURNS	20
#define MAX_PROCESSES	16

enum deed { START, STOP, DISCARD, QUERY, FLUSH, STATISTICS, SNAPSHOT, READ, CLOSE, DEEDS };

static const char *const names[] = {
	"START", "STOP", "DISCARD", "QUERY", "FLUSH", "STATISTICS", "SNAPSHOT", "read()", "close()",
};

/* What processes share: what was done, and what should not have been */
static struct shared {
	unsigned int done[DEEDS];
	unsigned int refused[DEEDS];
	unsigned int failures;
} *shared;

/**
 * struct member - a process of the crowd
 * @number: which
 * @random: decides
 * @started: names its sessions: none has a name that there was before
 * @tied: control file of a session that ends with it, or -1
 * @stream: a session that it reads, or -1
 */
struct member {
	unsigned int number;
	__u64 random;
	unsigned int started;
	int tied;
	int stream;
};

static unsigned int any(struct member *m, unsigned int below)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return (m->random >> 20) % below;
}

/* @accepted: errnos that may come of it, since others do the same at the same time */
static void outcome(enum deed deed, __u32 id, int err, const int *accepted)
{
	if (!err) {
		__atomic_add_fetch(&shared->done[deed], 1, __ATOMIC_RELAXED);
		return;
	}
	__atomic_add_fetch(&shared->refused[deed], 1, __ATOMIC_RELAXED);
	while (*accepted)
		if (*accepted++ == err)
			return;
	if (__atomic_add_fetch(&shared->failures, 1, __ATOMIC_RELAXED) <= 20)
		printf("crowd: %s of session %u: %s\n", names[deed], id, strerror(err));
}

static int control;

static void wrong(const char *what, __u32 id)
{
	if (__atomic_add_fetch(&shared->failures, 1, __ATOMIC_RELAXED) <= 20)
		printf("crowd: session %u: %s\n", id, what);
}

static struct session_block any_block(struct member *m)
{
	struct wish wish = { };
	struct session_block block;
	char name[32];

	snprintf(name, sizeof(name), "crowd %u %u", m->number, m->started++);
	wish.name = name;
	wish.kb = 4 << any(m, 3);
	wish.buffers = 4 + any(m, 8);
	if (any(m, 2))
		wish.flags = EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_PROCESS;
	if (!any(m, 3))
		wish.mode |= EVENT_TRACE_BUFFERING_MODE;
	if (!any(m, 2)) {
		wish.mode |= EVENT_TRACE_USE_MS_FLUSH_TIMER;
		wish.flush_timer = 1 + any(m, 20);
	}
	fill_block(&block, &wish);
	return block;
}

/* The answer is the session's own, even if another one has its id by now. */
static void start(struct member *m)
{
	static const int accepted[] = { ENOSPC, ENOMEM, 0 };
	struct session_block block = any_block(m);
	struct etw_control c = { .flags = ETW_START_NO_RUNDOWN };
	__u32 kb = block.info.buffer_size;
	int fd = control, err;

	if (__builtin_popcountll(list_sessions(control)) >= MOST_SESSIONS)
		return;
	if (m->tied < 0 && !any(m, 4)) {
		m->tied = fd = open_control();
		c.flags |= ETW_START_TIED;
	}
	err = send_block(fd, ETW_IOC_START, &block, sizeof(block), &c);
	outcome(START, c.logger_id, err, accepted);
	if (!err && (block.info.wnode.historical_context != c.logger_id ||
		     block.info.buffer_size != kb))
		wrong("not what START was to answer", c.logger_id);
}

static void ask_for_snapshot(__u32 id)
{
	static const int accepted[] = { ENOENT, EALREADY, EINVAL, ENOMEM, 0 };
	int fd = snapshot_session(control, id);

	outcome(SNAPSHOT, id, fd < 0 ? -fd : 0, accepted);
	if (fd >= 0)
		close(fd);
}

/* Some of what is there; it may stay open. */
static void read_some(struct member *m, __u32 id)
{
	static const int accepted[] = { ENOENT, ENXIO, EBUSY, ENOMEM, EAGAIN, 0 };
	static char data[1 << 16];
	unsigned int times = any(m, 6);
	ssize_t n = 0;

	if (m->stream < 0)
		m->stream = open_node(id, O_NONBLOCK);
	if (m->stream < 0) {
		outcome(READ, id, errno, accepted);
		return;
	}
	while (times-- && n >= 0) {
		n = read(m->stream, data, 1 + any(m, sizeof(data)));
		outcome(READ, id, n < 0 ? errno : 0, accepted);
	}
}

/* The end of a reader, or of what a session was tied to */
static void close_one(struct member *m)
{
	int *fd = any(m, 2) ? &m->tied : &m->stream;

	if (*fd < 0)
		return;
	outcome(CLOSE, 0, close(*fd) ? errno : 0, (const int[]){ 0 });
	*fd = -1;
}

static void act(struct member *m)
{
	static const int accepted[] = { ENOENT, EALREADY, 0 };
	__u32 id = 1 + any(m, MOST_SESSIONS + 1);
	struct etw_statistics statistics;
	struct session_block block;
	struct etw_control c = { .logger_id = id };
	int err;

	switch (any(m, DEEDS + 3)) {
	case STOP:
		outcome(STOP, id, on_session(control, ETW_IOC_STOP, id, 0), accepted);
		break;
	case DISCARD:
		outcome(DISCARD, id, discard_session(control, id), accepted);
		break;
	case QUERY:
		/* it has items, and no room for them */
		err = send_block(control, ETW_IOC_QUERY, &block,
				 offsetof(struct session_block, items), &c);
		outcome(QUERY, id, err, (const int[]){ ENOENT, ENOSPC, 0 });
		break;
	case FLUSH:
		outcome(FLUSH, id, on_session(control, ETW_IOC_FLUSH, id, 0), accepted);
		break;
	case STATISTICS:
		outcome(STATISTICS, id, session_statistics(control, id, &statistics), accepted);
		break;
	case SNAPSHOT:
		ask_for_snapshot(id);
		break;
	case READ:
		read_some(m, id);
		break;
	case CLOSE:
		close_one(m);
		break;
	default:
		start(m);
	}
}

static unsigned int nr_missing(void)
{
	unsigned int i, missing = 0;

	for (i = 0; i < DEEDS; i++)
		missing += !__atomic_load_n(&shared->done[i], __ATOMIC_RELAXED);
	return missing;
}

/* On a slow machine few steps succeed: it goes on until each deed was done, within a limit. */
static void live(unsigned int number, __u64 seed, unsigned int steps)
{
	struct member m = {
		.number = number, .random = (seed + 1) * 0x9E3779B97F4A7C15ULL + number,
		.tied = -1, .stream = -1,
	};
	unsigned int i;

	control = open_control();
	for (i = 0; i < steps || (i / MOST_TURNS < steps && nr_missing()); i++)
		act(&m);
	_exit(0);
}

/* Nodes of sessions in a directory */
static int nodes(const char *name)
{
	DIR *dir = opendir(name);
	struct dirent *entry;
	int n = 0;

	if (!dir)
		die(name);
	while ((entry = readdir(dir)))
		n += !!strstr(entry->d_name, "session");
	closedir(dir);
	return n;
}

static void check_end(void)
{
	unsigned int i;
	__u64 left;

	control = open_control();
	while ((left = list_sessions(control)))
		if (discard_session(control, __builtin_ffsll(left)))
			die("STOP of what was left");
	for (i = 0; i < DEEDS; i++)
		printf("crowd: %s: %u done, %u refused\n", names[i], shared->done[i],
		       shared->refused[i]);
	result(!nr_missing(), "crowd: everything was done");
	result(!shared->failures, "crowd: nothing was refused without a reason # %u",
	       shared->failures);
	result(!nodes("/dev/etw") && !nodes("/sys/class/etw"), "crowd: no node stays");
}

int main(int argc, char **argv)
{
	unsigned int processes = 4, steps = 800, i;
	int option, status, died = 0;
	__u64 seed = 1;

	while ((option = getopt(argc, argv, "s:n:p:")) != -1) {
		switch (option) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'n': steps = strtoul(optarg, NULL, 0); break;
		case 'p': processes = strtoul(optarg, NULL, 0); break;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || processes > MAX_PROCESSES)
		die("shared memory, processes");
	for (i = 0; i < processes; i++)
		if (!fork())
			live(i, seed, steps);
	while (wait(&status) > 0)
		died += !!status;
	result(!died, "crowd: all processes went to their end");
	check_end();
	return !!failures;
}
