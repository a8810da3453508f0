// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: floods, and what they can't take from others. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tests/lib/guest/calls.h"
#include "people.h"

#define RATE		50	/* events a second */
#define PURSE_RATE	1000
#define FLOODERS	((int)COUNT(ways))
#define SECONDS		2
/* that a slow machine has besides: less than the rate takes to fill a processor's half */
#define MORE_SECONDS	20
#define EVICTED		1000	/* of others' events, at least, without a limit */

static const enum way ways[] = { BY_EVENT, BY_WRITE, BY_MESSAGE };

/* What the processes of a flood counted, in shared memory */
struct tally {
	__u64 written;
	__u64 over_rate;
	__u64 others;
};

static struct given given;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static struct tally *share(int n)
{
	return mmap(NULL, n * sizeof(struct tally), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void count(struct tally *tally, int err)
{
	__u64 *n = !err ? &tally->written : err == EDQUOT ? &tally->over_rate : &tally->others;

	__atomic_add_fetch(n, 1, __ATOMIC_RELAXED);
}

/* A record of 256 bytes. Return: errno, 0 for success */
static int give_256(int fd, __u32 id, enum way way)
{
	static const char data[256 - 0x30];
	struct etw_message_argument argument = { (unsigned long)data, 256 - 8 - 16 };
	struct etw_trace_message m = {
		.size = sizeof(m), .message_flags = TRACE_MESSAGE_GUID, .session_handle = id,
		.message_guid = (unsigned long)class_guid, .arguments = (unsigned long)&argument,
		.nr_arguments = 1,
	};

	if (way == BY_MESSAGE)
		return trace_message(fd, &m);
	prepare(&given, 0, data, sizeof(data));
	if (way == BY_EVENT)
		return trace_event(fd, id, &given, 0);
	put64(given.header + 8, id);
	return write(fd, &given, 256) == 256 ? 0 : errno;
}

/* Were some too many for each of them? */
static int is_enough(const struct session *unlimited, const struct tally *tally)
{
	return tally[0].over_rate && statistics(unlimited->id).overwritten > EVICTED;
}

/* As fast as it goes, into both sessions in turn */
static void flood(const struct session *limited, const struct session *unlimited,
		  struct tally *tally, enum way way)
{
	double end = now() + SECONDS;
	int fd, i;

	user.become();
	fd = open_provider(0);
	while (now() < end || (!is_enough(unlimited, tally) && now() < end + MORE_SECONDS)) {
		for (i = 0; i < 50; i++) {
			count(&tally[0], give_256(fd, limited->id, way));
			count(&tally[1], give_256(fd, unlimited->id, way));
		}
	}
	_exit(0);
}

/* Another user, which writes now and then */
static void write_quietly(const struct session *limited, struct tally *tally)
{
	double end = now() + SECONDS;
	int fd;

	stranger.become();
	fd = open_provider(0);
	while (now() < end) {
		prepare(&given, 0, "quiet", 5);
		count(tally, trace_event(fd, limited->id, &given, 0));
		usleep(20000);
	}
	_exit(0);
}

/* A process a way, and the quiet one; until all have ended */
static void flood_by_all(const struct session *limited, const struct session *unlimited,
			 struct tally *tally)
{
	int i;

	fflush(stdout);
	for (i = 0; i <= FLOODERS; i++) {
		if (fork())
			continue;
		stay_on(64);
		if (i == FLOODERS)
			write_quietly(limited, &tally[2 * i]);
		flood(limited, unlimited, &tally[2 * i], ways[i]);
	}
	while (wait(NULL) > 0)
		;
}

static void tell(const char *name, const struct etw_statistics *s, const struct tally *t)
{
	printf("# %s: %llu written, %llu over the rate, %llu others; read %llu, overwritten %llu, buffered %llu, lost %llu, of them over the rate %llu\n",
	       name, t->written, t->over_rate, t->others, s->read, s->overwritten, s->buffered,
	       all_lost(s), s->lost[ETW_LOSS_RATE]);
}

/* What the flooders counted of one session */
static struct tally sum(const struct tally *tally)
{
	struct tally all = { 0 };
	int i;

	for (i = 0; i < FLOODERS; i++) {
		all.written += tally[2 * i].written;
		all.over_rate += tally[2 * i].over_rate;
		all.others += tally[2 * i].others;
	}
	return all;
}

/* @kind: the two high bytes of the marker */
static int count_of(const struct record *records, size_t n, __u16 kind, __u16 size)
{
	int found = 0;

	while (n--)
		found += get16(records[n].bytes + 2) == kind && records[n].size == size;
	return found;
}

/* All records of a flight recorder */
static size_t copy(struct session *session, struct record *records, size_t most)
{
	close(session->node);
	stop(session->id, 0);
	session->node = open_stream(session->id);
	return take(session, records, most);
}

/*
 * Two flight recorders with kernel events, the same flood into both: where the
 * rate is limited nothing older has to go; where it isn't, much does.
 */
void test_flood(void)
{
	struct wish wish = {
		.name = "limited", .kb = 16, .buffers = 64, .flags = EVENT_TRACE_FLAG_PROCESS,
		.mode = EVENT_TRACE_BUFFERING_MODE, .options = ETW_PROVIDER_KERNEL_SESSION,
		.rate = RATE, .uids = { OTHER, NOBODY }, .nr_uids = 2,
	};
	struct session limited = start(&wish), unlimited;
	static struct record records[100000];
	/* each flooder's two, and the quiet one's */
	struct tally *tally = share(2 * FLOODERS + 1), *quiet = &tally[2 * FLOODERS], all[2];
	struct etw_statistics s[2];
	double begin = now();
	int i, events, ways_limited = 0;
	size_t n;

	wish.name = "unlimited";
	wish.rate = ETW_NO_RATE_LIMIT;
	unlimited = start(&wish);
	flood_by_all(&limited, &unlimited, tally);
	s[0] = statistics(limited.id);
	s[1] = statistics(unlimited.id);
	for (i = 0; i < 2; i++)
		all[i] = sum(&tally[i]);
	tell("limited", &s[0], &all[0]);
	tell("unlimited", &s[1], &all[1]);
	for (i = 0; i < FLOODERS; i++)
		ways_limited += tally[2 * i].over_rate && !tally[2 * i + 1].over_rate;
	result(!all[0].others && !all[1].others && ways_limited == FLOODERS,
	       "a flood by TRACE_EVENT, write() and TRACE_MESSAGE: each is limited # %d",
	       ways_limited);
	result(s[0].lost[ETW_LOSS_RATE] == all[0].over_rate + quiet->over_rate &&
	       all_lost(&s[0]) == s[0].lost[ETW_LOSS_RATE],
	       "a flood: each EDQUOT is one lost by ETW_LOSS_RATE # %llu",
	       s[0].lost[ETW_LOSS_RATE]);
	result(all[0].written <= RATE * (now() - begin + 1) + FLOODERS,
	       "a flood: no more events than the rate allows # %llu", all[0].written);
	result(!s[0].overwritten && s[1].overwritten > EVICTED,
	       "a flood evicts no events # %llu overwritten, without a limit %llu",
	       s[0].overwritten, s[1].overwritten);
	n = copy(&limited, records, COUNT(records));
	events = count_of(records, n, 0xC014, 0x35);
	result(quiet->written > 20 && !quiet->over_rate && events == (int)quiet->written,
	       "a flood: another user's events are all there # %d", events);
	result(count_of(records, n, 0xC014, 256) == (int)(tally[0].written + tally[2].written) &&
	       count_of(records, n, 0x9000, 256) == (int)tally[4].written,
	       "a flood: so are those that it was allowed");
	end(&limited);
	end(&unlimited);
}

static int write_sized(__u32 id, int fd, __u32 size)
{
	prepare(&given, 0, NULL, 0);
	put16(given.header, size);
	return trace_event(fd, id, &given, 0);
}

/**
 * struct burst - events that are let through until one is refused
 * @all: how many
 * @unearned: without those that time paid for; at most so many were in the purse
 * @end: when one was refused: nothing is in the purse
 */
struct burst {
	int all;
	int unearned;
	double end;
};

/* @since: from when on time may have paid; a full purse takes nothing */
static struct burst write_until_refused(__u32 id, int fd, __u32 size, int cost, double since)
{
	struct burst burst = { 0 };

	while (!write_sized(id, fd, size))
		burst.all++;
	burst.end = now();
	burst.unearned = burst.all - (int)((burst.end - since) * PURSE_RATE / cost + 1);
	return burst;
}

/* However long this takes, a user with a full bucket gets @full at once; none gets more. */
static int is_burst(const struct burst *burst, int full)
{
	return burst->all >= full && burst->unearned <= full;
}

/* What an event costs, and that time pays for it; all files of a user have one purse */
static void be_limited(__u32 id)
{
	struct burst b[5];
	int files[2];

	failures = 0;
	user.become();
	files[0] = open_provider(0);
	files[1] = open_provider(0);
	b[0] = write_until_refused(id, files[0], 25600, 100, now());
	b[1] = write_until_refused(id, files[1], 25600, 100, b[0].end);
	usleep(1200000);
	b[2] = write_until_refused(id, files[1], 25601, 101, now());
	usleep(1200000);
	close(files[0]);
	close(files[1]);
	files[0] = open_provider(0);
	b[3] = write_until_refused(id, files[0], 25600, 100, now());
	close(files[0]);
	files[0] = open_provider(0);
	b[4] = write_until_refused(id, files[0], 25600, 100, b[3].end);
	result(is_burst(&b[0], 10),
	       "1000 a second: at once 10 events that count as 100 each # %d, %d",
	       b[0].all, b[0].unearned);
	result(b[1].unearned <= 0, "another file of the same user: none more # %d", b[1].unearned);
	result(is_burst(&b[2], 9), "after a second 9 of a byte more, which count as 101 # %d, %d",
	       b[2].all, b[2].unearned);
	result(is_burst(&b[3], 10) && b[4].unearned <= 0,
	       "a file that is closed and opened again begins where it was # %d, %d, %d",
	       b[3].all, b[3].unearned, b[4].unearned);
	exit(failures);
}

void test_rate(void)
{
	struct session session = start(&(struct wish){
		.rate = PURSE_RATE, .uids = { OTHER }, .nr_uids = 1, .buffers = 64 });
	struct etw_statistics s;
	int status, err;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		be_limited(session.id);
	waitpid(pid, &status, 0);
	failures += !!status;
	s = statistics(session.id);
	result(s.lost[ETW_LOSS_RATE] == 5 && all_lost(&s) == 5,
	       "5 refusals, 5 lost by ETW_LOSS_RATE # %llu", s.lost[ETW_LOSS_RATE]);
	prepare(&given, 0, NULL, 0);
	err = trace_event(provider, session.id, &given, 0);
	result(!err, "root's share is another one # %s", error_name(err));
	end(&session);
}

/*
 * Has a child, a user, do it to a session that has this rate, and report what time
 * paid for meanwhile. Return: what the session counted by then
 */
static struct etw_statistics flooded(const struct session *session, struct tally *tally, int rate,
				     void (*live)(__u32 id, int fd, struct tally *tally))
{
	double begin;
	int fd;

	fflush(stdout);
	if (!fork()) {
		user.become();
		fd = open_provider(0);
		begin = now();
		live(session->id, fd, tally);
		tally->others = (now() - begin) * rate + 1;
		_exit(0);
	}
	wait(NULL);
	return statistics(session->id);
}

#define BURST_BUFFER	65536
#define BURST_BUFFERS	16	/* a CPU's */
#define BURST_AT_ONCE	(BURST_BUFFERS * BURST_BUFFER / 8 / 256)
#define BURST_LARGE	128	/* small ones */

static int burst_one(__u32 id, int fd, struct tally *tally, int small_ones)
{
	int err = write_sized(id, fd, 256 * small_ones);

	if (err)
		tally->over_rate++;
	else
		tally->written += small_ones;
	return err;
}

/*
 * As many small ones as there should be at once; then large ones until one is refused, since
 * time may pay for small ones faster than a slow machine writes them; then the small ones for
 * which something is left.
 */
static void burst_out(__u32 id, int fd, struct tally *tally)
{
	int i;

	for (i = 0; i < BURST_AT_ONCE; i++)
		if (burst_one(id, fd, tally, 1))
			return;
	while (!burst_one(id, fd, tally, BURST_LARGE))
		;
	for (i = 0; i < BURST_LARGE; i++)
		if (burst_one(id, fd, tally, 1))
			return;
}

/*
 * A flight recorder of 1 MB a CPU, no limit asked for: an eighth of that at once, though
 * a second's worth is twenty times what there is.
 */
void test_burst(void)
{
	struct session session = start(&(struct wish){
		.name = "burst", .kb = BURST_BUFFER / 1024, .buffers = 2 * BURST_BUFFERS,
		.mode = EVENT_TRACE_BUFFERING_MODE, .uids = { OTHER }, .nr_uids = 1 });
	struct tally *tally = share(1);
	struct etw_statistics s = flooded(&session, tally, ETW_DEFAULT_RATE_LIMIT,
					  burst_out);

	result(tally->written >= BURST_AT_ONCE && tally->written <= BURST_AT_ONCE + tally->others,
	       "a flight recorder: an eighth of a CPU's memory at once # %llu, %llu for the time",
	       tally->written, tally->others);
	result(tally->over_rate && s.lost[ETW_LOSS_RATE] == tally->over_rate &&
	       all_lost(&s) == tally->over_rate,
	       "the next one is lost by ETW_LOSS_RATE # %llu", tally->over_rate);
	end(&session);
}

#define STAY_RATE	100	/* events a second */
#define STAY_BUFFER	4096
#define STAY_BUFFERS	16	/* a CPU's */

/*
 * Half a buffer and one small event, in turn: the next half finds no room, and what
 * it leaves empty counts for no user. Until the first event is gone, or for a minute.
 */
static void push_out(__u32 id, int fd, struct tally *tally)
{
	static const __u32 sizes[] = { 2016, 0x30 };
	double end = now() + 60;
	int n = 0;

	do {
		if (write_sized(id, fd, sizes[n % 2])) {
			usleep(2000);
			continue;
		}
		tally->written += (sizes[n++ % 2] + 255) / 256;
	} while (!statistics(id).overwritten && now() < end);
}

/*
 * How long the events of others stay (SECURITY.md), in what a user pays for: an eighth of
 * the memory at once, then by time; and what it pays for takes no more than twice as much.
 */
void test_stay(void)
{
	const __u64 kept = STAY_BUFFERS * STAY_BUFFER, part = kept / 8 / 256;
	struct session session = start(&(struct wish){
		.name = "stay", .kb = STAY_BUFFER / 1024, .buffers = 2 * STAY_BUFFERS,
		.mode = EVENT_TRACE_BUFFERING_MODE, .rate = STAY_RATE, .uids = { OTHER },
		.nr_uids = 1 });
	struct tally *tally = share(1);
	struct etw_statistics s = flooded(&session, tally, STAY_RATE, push_out);

	result(s.overwritten && tally->written <= part + tally->others + 8,
	       "others' events stay: the flood writes what was paid for, and no more # %llu written, %llu at once and %llu by time",
	       tally->written, part, tally->others);
	/* the one that is being filled, and the first event's own */
	result(2 * 256 * tally->written >= kept - 2 * STAY_BUFFER,
	       "others' events stay: what takes their place was paid for by half at least # %llu of %llu",
	       256 * tally->written, kept);
	result(256 * tally->written < kept - 2 * STAY_BUFFER,
	       "others' events stay: that half is needed, room was left empty");
	end(&session);
}
