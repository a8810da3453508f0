// SPDX-License-Identifier: GPL-2.0
/* Storm: the life of a session, and the law that holds when it has ended. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "storm.h"

/* with those of kernel events all that there can be */
#define KERNEL_SESSIONS	(ETW_MAX_KERNEL_LOGGERS - 2)
#define ALL_CONTEXTS	((1U << TORTURE_CONTEXTS) - 1)
#define STATS	"/sys/kernel/debug/etw_torture/stats"

/**
 * struct life - a session
 * @name: the same each time: it must be free again
 * @wish: what it is to be
 * @id: logger id
 * @start: its StartTime
 * @fd: control file that it is tied to, or -1
 * @overwrite: its mode
 * @kernel: a kernel session: takes records from programs, too
 * @reader: a process that reads, 0: none
 * @logged: records written by ioctl
 * @rundowns: were asked for, or names of counters told: what they write is not counted
 * @filtered: it may have a filter; not steady for long
 * @programs: who writes events through the device
 * @random: decides
 * @seen: by its readers
 */
struct life {
	char name[16];
	struct wish wish;
	__u32 id;
	unsigned long long start;
	int fd;
	int overwrite;
	int kernel;
	int reader;
	unsigned long long logged;
	int rundowns;
	int filtered;
	struct programs *programs;
	struct random random;
	struct seen *seen;
};

static int is_accepted(int err, const char *what, int accepted)
{
	if (err >= 0)
		return 1;
	if (-err != accepted && err != -ENOMEM)
		storm_fail("%s: %s", what, strerror(-err));
	return 0;
}

/* Only some contexts' records, or those of something else, too */
static void wish_filter(struct life *life)
{
	struct wish *wish = &life->wish;
	__u32 contexts = 1 + any(&life->random, ALL_CONTEXTS), i;

	wish->nr_hooks = 0;
	for (i = 0; i < TORTURE_CONTEXTS; i++)
		if (contexts >> i & 1)
			wish->hooks[wish->nr_hooks++] = TORTURE_HOOK + i;
	if (one_in(&life->random, 2))
		wish->hooks[wish->nr_hooks++] = PERFINFO_LOG_TYPE_CONTEXTSWAP;
	/* those that there were may still be on their way */
	life->seen->check.contexts |= contexts;
}

/* Buffers that are few at first are given to the CPU that needs them. */
static void wish_session(struct life *life)
{
	struct random *random = &life->random;
	struct wish *wish = &life->wish;

	*wish = (struct wish){
		.name = life->name, .mode = EVENT_TRACE_REAL_TIME_MODE,
		.kb = 4 << any(random, one_in(random, 8) ? 6 : 3),
		.flags = one_in(random, 4) ? 0 : EVENT_TRACE_FLAG_TEST,
		.flush_ms = one_in(random, 2) ? 5 + any(random, 300) : 0,
		.maximum = 4 + any(random, 24),
		.rate = one_in(random, 2) ? ETW_NO_RATE_LIMIT : 200 + any(random, 5000),
	};
	if (one_in(random, 2))
		wish->minimum = 1 + any(random, wish->maximum);
	life->overwrite = one_in(random, 3);
	if (life->overwrite)
		wish->mode |= EVENT_TRACE_BUFFERING_MODE;
	if (life->kernel)
		wish->mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	/* they say what they count at both ends of the stream */
	if (life->kernel && one_in(random, 4))
		wish->clocks = 1 + any(random, 3);
	life->filtered = life->kernel && one_in(random, 2);
	if (life->filtered)
		wish_filter(life);
}

static int begin(struct life *life)
{
	int tied = one_in(&life->random, 4), id;

	memset(life->seen, 0, sizeof(*life->seen));
	memset(life->programs, 0, sizeof(*life->programs));
	wish_session(life);
	life->fd = tied ? open_control() : -1;
	if (tied && !is_accepted(life->fd, "open", 0))
		return 0;
	id = start_session(tied ? life->fd : control, &life->wish,
			   ETW_START_NO_RUNDOWN | (tied ? ETW_START_TIED : 0));
	if (!is_accepted(id, "START", 0)) {
		add(C_REFUSED, 1);
		if (tied)
			close(life->fd);
		sleep_us(20000);
		return 0;
	}
	add(C_SESSIONS, 1);
	life->id = id;
	life->logged = 0;
	life->rundowns = !!life->wish.clocks;
	life->seen->check.logger = id;
	life->seen->exact = 1;
	life->seen->steady = 1;
	snprintf(life->seen->check.prefix, sizeof(life->seen->check.prefix), "%s=%u", life->name,
		 id);
	if (session_start_time(id, &life->start))
		storm_fail("%s: QUERY: %s", life->name, strerror(errno));
	return 1;
}

static void reap(struct life *life, int kills)
{
	int status;

	if (!life->reader)
		return;
	if (kills)
		kill(life->reader, SIGKILL);
	if (waitpid(life->reader, &status, 0) != life->reader)
		storm_fail("waitpid: %s", strerror(errno));
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		life->seen->exact &= !life->seen->busy;	/* or the OOM killer */
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		storm_fail("%s: a reader ended with %x", life->name, status);
	add(C_KILLED, WIFSIGNALED(status));
	life->seen->busy = 0;
	life->reader = 0;
}

/* On return it has the node open: later the id might be another session's. */
static void read_it(struct life *life, enum manner manner)
{
	siginfo_t info;
	int pid;

	life->seen->opened = 0;
	pid = start_reader(life->id, manner, &life->random, life->seen);
	if (!is_accepted(pid, "fork", EAGAIN))
		return;
	life->reader = pid;
	add(C_READERS, 1);
	info.si_pid = 0;
	while (!__atomic_load_n(&life->seen->opened, __ATOMIC_ACQUIRE) && !info.si_pid) {
		sleep_us(1000);
		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT))
			storm_fail("waitid: %s", strerror(errno));
	}
}

static void ask(struct life *life)
{
	struct etw_statistics statistics;
	unsigned long long start;
	__u64 loggers;

	if (statistics_of(life->id, any(&life->random, 2), &statistics) && errno != EINVAL)
		storm_fail("%s: STATISTICS: %s", life->name, strerror(errno));
	if (session_start_time(life->id, &start) || start != life->start)
		storm_fail("%s: QUERY: %s", life->name, strerror(errno));
	if (list_sessions(&loggers) || !(loggers >> (life->id - 1) & 1))
		storm_fail("%s: not in LIST", life->name);
}

static void log_some(struct life *life)
{
	int err = log_record(life->id, &life->random);

	if (!life->kernel) {
		if (err != -EINVAL && err != -ENOMEM)
			storm_fail("%s: LOG_RECORD: %d", life->name, err);
	} else if (is_accepted(err, "LOG_RECORD", ENOBUFS)) {
		life->logged++;
		add(C_LOGGED, 1);
	}
}

/*
 * Timer and maximum as they come; events and filters of some sessions only: the
 * others are to get every event from their start on.
 */
static void change(struct life *life)
{
	struct random *random = &life->random;
	struct wish *wish = &life->wish;

	wish->minimum = 0;
	wish->clocks = 0;	/* as they are */
	wish->maximum = life->overwrite || one_in(random, 3) ? 0 : 32 + any(random, 32);
	if (one_in(random, 2))
		wish->flush_ms = one_in(random, 3) ? 0 : 5 + any(random, 300);
	if (life->filtered && one_in(random, 2)) {
		life->seen->steady = 0;
		wish_filter(life);
	} else if (life->filtered && one_in(random, 4)) {
		life->seen->steady = 0;
		wish->flags ^= EVENT_TRACE_FLAG_TEST;
	}
	if (is_accepted(update_session(life->id, wish), "UPDATE", 0))
		add(C_UPDATES, 1);
}

static void copy(struct life *life)
{
	struct stream_check *check;
	int fd = snapshot_session(life->id), i;

	if (!life->overwrite) {
		if (fd != -EINVAL)
			storm_fail("%s: SNAPSHOT: %d", life->name, fd);
		return;
	}
	if (!is_accepted(fd, "SNAPSHOT", 0))
		return;
	check = calloc(1, sizeof(*check));
	if (!check) {
		close(fd);
		return;
	}
	check->contexts = life->seen->check.contexts;
	snprintf(check->prefix, sizeof(check->prefix), "snapshot of %s=%u", life->name, life->id);
	check_snapshot(fd, life->id, life->seen->steady, &life->random, check);
	add(C_SNAPSHOTS, 1);
	for (i = 0; i < MAX_CPUS; i++)
		add(C_COPIED, check->ours[i]);
	add(C_FAILURES, check->failures);
	free(check);
}

/* Programs come and go; who listens changes. */
static void let_programs(struct life *life)
{
	struct random *random = &life->random;

	if (one_in(random, 2)) {
		if (is_accepted(enable_provider(life->id, random), "ENABLE", 0))
			add(C_ENABLED, 1);
	} else if (one_in(random, 2)) {
		start_programs(life->id, random, life->programs);
	} else {
		stop_programs(life->programs);
	}
}

/* It may wait for who reads; few, or the storm would be their waiting. */
static void run_down(struct life *life)
{
	int err = rundown_session(life->id);

	if (!life->kernel) {
		if (err != -EINVAL)
			storm_fail("%s: RUNDOWN: %d", life->name, err);
	} else if (is_accepted(err, "RUNDOWN", 0)) {
		life->rundowns++;
		add(C_RUNDOWNS, 1);
	}
}

static void act(struct life *life)
{
	struct random *random = &life->random;

	switch (any(random, 16)) {
	case 14:
	case 15:
		let_programs(life);
		break;
	case 10:
	case 11:
		change(life);
		break;
	case 12:
		copy(life);
		break;
	case 13:
		if (!life->kernel || (!life->filtered && one_in(random, 8)))
			run_down(life);
		break;
	case 0:
	case 1:
		if (is_accepted(flush_session(life->id), "FLUSH", 0))
			add(C_FLUSHES, 1);
		break;
	case 2:
	case 3:
		log_some(life);
		break;
	case 4:
		ask(life);
		break;
	case 5:
		reap(life, 1);
		break;
	case 6:
		if (life->reader && !one_in(random, 3))
			break;
		reap(life, 1);
		read_it(life, READ_SOME);
		break;
	default:
		sleep_us(any(random, one_in(random, 8) ? 400000 : 60000));
	}
}

/* Attempts on a session, and those that found a place, as the writers counted */
static void writers_counts(const struct life *life, unsigned long long *attempted,
			   unsigned long long *written)
{
	unsigned long long start, tried, placed;
	FILE *file = fopen(STATS, "r");
	unsigned int cpu, id;
	char line[256];

	*attempted = 0;
	*written = 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "counts %u %*s %u %llu %llu %llu", &cpu, &id, &start, &tried,
			   &placed) != 5 || id != life->id || start != life->start)
			continue;
		*attempted += tried;
		*written += placed;
	}
	if (file)
		fclose(file);
	else
		storm_fail("%s: %s", STATS, strerror(errno));
}

/*
 * The session has stopped and nobody reads: the numbers stand still. Returns 0
 * when there is no session, since a reader took what was left and left.
 */
static int check_law(const struct life *life, int was_read)
{
	unsigned long long attempted, written, placed, known, start = 0, lost = 0;
	struct etw_statistics s;
	int i;

	if (session_start_time(life->id, &start) || start != life->start) {
		if (!was_read)
			storm_fail("%s=%u is gone: %s", life->name, life->id, strerror(errno));
		return 0;
	}
	writers_counts(life, &attempted, &written);
	if (statistics_of(life->id, ETW_ALL_PROCESSORS, &s)) {
		storm_fail("%s: STATISTICS: %s", life->name, strerror(errno));
		return 0;
	}
	for (i = 0; i < 8; i++)
		lost += s.lost[i];
	placed = s.read + s.overwritten + s.discarded + s.buffered;
	/*
	 * LOG_RECORD tells its caller what it could not place, and counts it. What a
	 * rundown wrote nobody counted.
	 */
	known = written + life->logged + s.internal + life->programs->written;
	if ((life->rundowns || life->programs->inexact ? known > placed : known != placed) ||
	    lost < attempted - written + life->programs->refused)
		storm_fail("%s=%u: attempted %llu, written %llu, logged %llu, by programs %llu and %llu refused, internal %llu; read %llu, overwritten %llu, discarded %llu, buffered %llu, lost %llu",
			   life->name, life->id, attempted, written, life->logged,
			   life->programs->written, life->programs->refused, s.internal, s.read, s.overwritten, s.discarded, s.buffered, lost);
	if (s.overwritten && !life->overwrite)
		storm_fail("%s: %llu overwritten in discard mode", life->name, s.overwritten);
	add(C_CHECKED, 1);
	add(C_ATTEMPTED, attempted + life->logged + life->programs->written +
			 life->programs->refused);
	add(C_PROGRAMS, life->programs->written);
	add(C_LOST, lost);
	add(C_OVERWRITTEN, s.overwritten);
	return 1;
}

/* What the readers found, against what the kernel says was read. */
static void check_seen(const struct life *life)
{
	const struct stream_check *check = &life->seen->check;
	const struct etw_statistics *final = &life->seen->final;
	unsigned long long seen = check->others + check->kernel, gaps = 0, lost = 0;
	int i;

	for (i = 0; i < MAX_CPUS; i++) {
		seen += check->ours[i];
		gaps += check->gaps[i];
	}
	for (i = 0; i < 8; i++)
		lost += final->lost[i];
	if (life->seen->ended && final->size && life->seen->exact && life->seen->steady &&
	    gaps > lost + final->overwritten)
		storm_fail("%s=%u: %llu records are missing, %llu lost, %llu overwritten",
			   life->name, life->id, gaps, lost,
			   (unsigned long long)final->overwritten);
	if (life->seen->ended && final->size &&
	    (final->buffered || (life->seen->exact ? seen != final->read : seen > final->read)))
		storm_fail("%s=%u: %llu records seen, %llu read, %llu buffered, %s", life->name,
			   life->id, seen, (unsigned long long)final->read,
			   (unsigned long long)final->buffered,
			   life->seen->exact ? "exact" : "at least");
	add(C_SEEN, seen);
	add(C_NESTED, check->over);
	add(C_READ, final->read);
	add(C_FAILURES, check->failures);
}

static void stop_and_look(struct life *life)
{
	int err, was_read = life->reader, patience = 20;

	/* a reader at the end takes the session along, and its id may be another's at once */
	if (was_read)
		stop_programs(life->programs);
	err = stop_session(life->id, 0);
	stop_programs(life->programs);
	if (err) {
		storm_fail("%s: STOP: %s", life->name, strerror(-err));
		return;
	}
	/* a reader at the end takes the session along: no law then */
	reap(life, 1);
	if (life->seen->ended || !check_law(life, was_read))
		return;
	if (one_in(&life->random, 4)) {
		err = stop_session(life->id, ETW_STOP_DISCARD);
		if (err)
			storm_fail("%s: DISCARD: %s", life->name, strerror(-err));
		return;
	}
	/* memory may be short; in the end the session must be gone */
	while (!life->seen->ended && patience--) {
		read_it(life, READ_TO_THE_END);
		reap(life, 0);
		if (!life->seen->ended)
			sleep_us(50000);
	}
	if (!life->seen->ended && stop_session(life->id, ETW_STOP_DISCARD))
		storm_fail("%s: cannot be read, nor discarded", life->name);
}

static void end(struct life *life)
{
	int err;

	if (life->fd >= 0) {
		stop_programs(life->programs);
		/* who reads may finish; the name is free after that */
		close(life->fd);
		reap(life, one_in(&life->random, 2));
	} else if (one_in(&life->random, 4)) {
		life->seen->given_up = 1;
		stop_programs(life->programs);
		err = stop_session(life->id, ETW_STOP_DISCARD);
		if (err)
			storm_fail("%s: STOP, DISCARD: %s", life->name, strerror(-err));
		reap(life, 0);
	} else {
		stop_and_look(life);
	}
	check_seen(life);
}

/**
 * live() - sessions of one name, one after the other, until the round is over
 * @slot: names it
 * @process: seeds it
 */
void live(unsigned int slot, unsigned long long process)
{
	struct life life = { .random = random_of(process), .kernel = slot < KERNEL_SESSIONS };
	unsigned int steps;

	snprintf(life.name, sizeof(life.name), "storm%u", slot);
	life.seen = shared(sizeof(*life.seen));
	life.programs = shared(sizeof(*life.programs));
	while (!is_over()) {
		if (!begin(&life))
			continue;
		steps = any(&life.random, 30);
		while (steps-- && !is_over())
			act(&life);
		end(&life);
	}
}

static struct life kernel = { .name = "kernel" }, flight = { .name = "flight" };

/* Each stack whole; by keys that come and go; by keys that stay */
static const __u32 caches[] = { 0, 8192, 4 << 20 };

static int start_kernel(struct life *life, const struct wish *wish)
{
	int id = start_session(control, wish, 0);

	if (id < 0) {
		storm_fail("%s: START: %s", life->name, strerror(-id));
		return 0;
	}
	life->id = id;
	life->wish = *wish;
	return 1;
}

/**
 * watch_kernel() - sessions of kernel events: a steady reader, a flight recorder
 * @process: seeds it
 *
 * Outside of the storm proper: tracepoints are patched when nothing else runs,
 * see others_online().
 */
void watch_kernel(unsigned long long process)
{
	struct wish wish = {
		.name = kernel.name, .kb = 64, .minimum = 16, .maximum = 32, .flush_ms = 100,
		.mode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE,
		.flags = EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD |
			 EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_DISPATCHER,
		.clocks = 3, .interval = 20000, .stacks = 1,
	};

	kernel.random = random_of(process);
	kernel.fd = -1;
	wish.cache = caches[any(&kernel.random, 3)];
	kernel.seen = kernel.seen ? kernel.seen : shared(sizeof(*kernel.seen));
	memset(kernel.seen, 0, sizeof(*kernel.seen));
	kernel.seen->exact = 1;
	if (!start_kernel(&kernel, &wish))
		return;
	kernel.seen->check.logger = kernel.id;
	strcpy(kernel.seen->check.prefix, "kernel");
	read_it(&kernel, READ_TO_THE_END);
	wish.name = flight.name;
	wish.mode = EVENT_TRACE_BUFFERING_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE;
	wish.minimum = 0;
	wish.cache = caches[any(&kernel.random, 3)];
	start_kernel(&flight, &wish);
}

/* Snapshots of kernel events end with a rundown; whose filters change meanwhile. */
static void look_at_flight(struct random *random)
{
	struct stream_check *check = calloc(1, sizeof(*check));
	int fd = snapshot_session(flight.id), whole;

	if (!check || !is_accepted(fd, "SNAPSHOT of the flight", 0)) {
		free(check);
		return;
	}
	strcpy(check->prefix, "snapshot of the flight");
	whole = check_snapshot(fd, flight.id, 0, random, check);
	if (whole && !check->kernel)
		storm_fail("%s: no events", check->prefix);
	add(C_SNAPSHOTS, 1);
	add(C_COPIED, check->kernel);
	add(C_FAILURES, check->failures);
	free(check);
}

/**
 * fly() - look at the flight recorder, change it, until the round is over
 * @process: seeds it
 *
 * No probe comes or goes by that: the steady session has them all.
 */
void fly(unsigned long long process)
{
	static const __u16 hooks[] = {
		PERFINFO_LOG_TYPE_CONTEXTSWAP, PERFINFO_LOG_TYPE_READYTHREAD,
		WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_THREAD_CREATE,
	};
	struct random random = random_of(process);
	const __u32 all = flight.wish.flags;
	struct wish *wish = &flight.wish;

	wish->maximum = 0;
	wish->clocks = 0;	/* as they are */
	while (flight.id && !is_over()) {
		sleep_us(1000 + any(&random, 200000));
		switch (any(&random, 4)) {
		case 0:
			wish->flags = all & any(&random, all + 1);
			wish->flush_ms = any(&random, 200);
			wish->interval = one_in(&random, 4) ? 0 : 20000 + any(&random, 100000);
			wish->stacks = any(&random, 3);
			for (wish->nr_hooks = 0; wish->nr_hooks < any(&random, 5); )
				wish->hooks[wish->nr_hooks++] = hooks[any(&random, 4)];
			if (is_accepted(update_session(flight.id, wish), "UPDATE", 0))
				add(C_UPDATES, 1);
			break;
		case 1:
			if (one_in(&random, 4) && is_accepted(rundown_session(one_in(&random, 2) ?
					kernel.id : flight.id), "RUNDOWN", 0))
				add(C_RUNDOWNS, 1);
			break;
		default:
			look_at_flight(&random);
		}
	}
}

/**
 * watch_kernel_end() - all that it read was accounted for
 */
void watch_kernel_end(void)
{
	if (flight.id && stop_session(flight.id, ETW_STOP_DISCARD))
		storm_fail("flight: STOP: %s", strerror(errno));
	flight.id = 0;
	if (!kernel.id)
		return;
	if (stop_session(kernel.id, 0))
		storm_fail("kernel: STOP: %s", strerror(errno));
	reap(&kernel, 0);
	if (!kernel.seen->ended)
		storm_fail("kernel: the reader did not come to the end");
	if (!kernel.seen->check.kernel)
		storm_fail("kernel: no events");
	check_seen(&kernel);
	kernel.id = 0;
}
