// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Every allocation of every operation fails in turn: what fails leaves nothing. */
#define _GNU_SOURCE
#include "groups.h"
#include "hotplug.h"
#include "provider.h"
#include "stacks.h"

/*
 * failnth [-q SITES] [PATTERN...]: runs the operations with one of them in their names. Needs a
 * kernel with fault injection, and etw.ko not loaded. The sites that were reached
 * are printed as "# site NAME HITS", the sum as "# events N findings N".
 *
 * Each allocation fails alone, then as the first of a burst. With -q operations that
 * are like others are left out, and only every QUICK-th begins a burst, until one of
 * the file SITES is still missing at the end: then more do, until none is.
 */

#define QUICK	5
#define MOST_MESSAGES	3	/* lines of the module for one failure */
/*
 * In a burst each part of a rundown may lack memory, and says so: threads, modules,
 * topology, machine, names of files, memory of processes, intervals, names of counters.
 */
#define BURST_MESSAGES	8

#define START	.prepare = start_prepare, .run = start_run, .finish = start_finish
#define QUIET	ETW_START_NO_RUNDOWN
#define SWITCHES EVENT_TRACE_FLAG_CSWITCH

/* An operation on a session: what is run and how it is finished */
#define ON(run_, finish_)	.prepare = session_prepare, .run = run_, .finish = finish_
#define WITH_READER(run_, finish_) \
	.prepare = reader_prepare, .run = run_, .finish = finish_

/* Everything that an extension has memory for */
static const __u32 filters[] = {
	ARRAY_HEAD(17, 6), ARRAY_ITEM(2, ENABLE_FLAGS), PROCESSES, ARRAY_ITEM(3, PIDS), 1, 4,
	ARRAY_ITEM(2, VND_FILTER_OPTIONS), ETW_FILTER_CHILDREN | ETW_FILTER_EXCLUDE_SELF,
	ARRAY_ITEM(2, VND_HOOK_FILTER), PERFINFO_LOG_TYPE_CONTEXTSWAP,
	ARRAY_ITEM(4, VND_CONSUMER), 0, 0, 0400, ARRAY_ITEM(3, VND_PROVIDER_UIDS), 0, 1000,
};

#define FILTERS	.wish.items = filters, .wish.dwords = sizeof(filters) / sizeof(filters[0])
#define OVERWRITE .wish.mode = EVENT_TRACE_BUFFERING_MODE

static const struct operation operations[] = {
	{ .name = "load", .prepare = load_prepare, .run = load_run, .finish = load_finish },
	{ .name = "open of control", .run = open_control_run, .finish = close_finish },
	{ .name = "START", WISH("plain", 4, 4, 0, 0), START },
	{ .name = "START, buffers of 64 KB", WISH("large", 64, 8, 0, 0), START,
	  .is_like_others = 1 },
	{ .name = "START, overwrite mode", WISH("overwrite", 8, 16, 0, 0),
	  .wish.mode = EVENT_TRACE_BUFFERING_MODE, START },
	{ .name = "START, tied", WISH("tied", 4, 4, 0, ETW_START_TIED), START,
	  .is_like_others = 1 },
	{ .name = "START, context swaps", WISH("swaps", 64, 8, SWITCHES, QUIET), START },
	{ .name = "START, all events", WISH("kernel", 64, 16, PROCESSES, QUIET), START },
	{ .name = "START, images, names of files, the network, disks",
	  WISH("names", 64, 16, NAMES | EVENT_TRACE_FLAG_NETWORK_TCPIP | DISKS, QUIET), START },
	{ .name = "START, filters with children", WISH("filters", 64, 16, PROCESSES, QUIET),
	  FILTERS, START },
	{ .name = "START, counters", WISH("counters", 8, 8, KERNEL, QUIET), COUNTERS, START },
	{ .name = "START, an event that perf has not", WISH("strange", 8, 8, KERNEL, QUIET), STRANGE,
	  .prepare = start_prepare, .run = strange_run, .finish = strange_finish,
	  .ends_at = "counts_plainly+" },
	{ .name = "START, fewer buffers at first", WISH("few", 8, 64, 0, 0), .wish.minimum = 4,
	  START, .is_like_others = 1 },
	{ .name = "START, its node in devtmpfs", WISH("node", 4, 4, 0, 0), START,
	  .never_fails = 1, .threads = "kdevtmpfs" },
	{ .name = "start rundown in a worker", WISH("worker", 64, 32, PROCESSES, 0), .run = worker_run,
	  .finish = stop_finish, .never_fails = 1, .threads = "kworker/u" },
	{ .name = "STOP with the rundown", WISH("stop", 64, 32, PROCESSES, 0), ON(stop_run, stop_finish),
	  .never_fails = 1 },
	{ .name = "STOP with the rundown of images and files", WISH("stop", 64, 32, NAMES, 0),
	  ON(stop_run, stop_finish), .never_fails = 1 },
	{ .name = "STOP", WISH("stop", 4, 4, 0, 0), ON(stop_run, stop_finish), .never_fails = 1 },
	{ .name = "STOP, to discard", WISH("discard", 64, 8, SWITCHES, QUIET),
	  ON(discard_run, gone_finish), .never_fails = 1 },
	{ .name = "STOP of one that counts", WISH("counted", 8, 8, KERNEL, QUIET), COUNTERS,
	  ON(discard_run, gone_finish), .never_fails = 1 },
	{ .name = "STOP beside another session", WISH("beside", 64, 8, SWITCHES, QUIET),
	  ON(discard_run, gone_finish), .never_fails = 1 },
	{ .name = "close of a control file with a session", WISH("tied", 4, 4, 0, ETW_START_TIED),
	  .prepare = tied_prepare, .run = tied_run, .finish = gone_finish, .never_fails = 1 },
	{ .name = "UPDATE, timer, maximum, events, filters",
	  WISH("update", 64, 16, SWITCHES, QUIET), .wish.minimum = 16, .prepare = update_prepare, .run = update_run,
	  .finish = update_finish },
	{ .name = "UPDATE, back to what it was", WISH("back", 64, 32, SWITCHES, QUIET),
	  .wish.minimum = 16, .prepare = update_back_prepare, .run = update_back_run,
	  .finish = update_finish },
	{ .name = "UPDATE in overwrite mode", WISH("update", 64, 16, SWITCHES, QUIET), OVERWRITE,
	  .prepare = update_prepare, .run = update_run, .finish = update_finish },
	{ .name = "UPDATE, profiles of one that counts", WISH("profile", 8, 8, KERNEL, QUIET),
	  COUNTERS, .prepare = update_prepare, .run = profile_run, .finish = update_finish },
	{ .name = "UPDATE, profiles of one that counts, off and on",
	  WISH("profile", 8, 8, KERNEL, QUIET), COUNTERS, .prepare = profile_off_prepare,
	  .run = update_back_run, .finish = update_finish },
	{ .name = "SNAPSHOT", WISH("snapshot", 64, 16, SWITCHES, QUIET), OVERWRITE,
	  .prepare = update_prepare, .run = snapshot_run, .finish = snapshot_finish },
	{ .name = "SNAPSHOT with a rundown", WISH("snapshot", 64, 16, PROCESSES, 0), OVERWRITE,
	  .prepare = update_prepare, .run = snapshot_run, .finish = snapshot_finish },
	{ .name = "RUNDOWN in a worker", WISH("rundown", 64, 32, PROCESSES, QUIET),
	  ON(rundown_run, stop_finish), .asks_rundown = 1, .never_fails = 1,
	  .threads = "kworker/u" },
	{ .name = "growth in a worker", WISH("growth", 4, 64, SWITCHES, QUIET), .wish.minimum = 4,
	  ON(grow_run, session_finish), .never_fails = 1, .threads = "kworker/u" },
	{ .name = "QUERY with an extension", WISH("query", 4, 4, PROCESSES, QUIET), FILTERS,
	  ON(query_run, session_finish) },
	{ .name = "QUERY", WISH("query", 4, 4, 0, 0), ON(query_run, session_finish) },
	{ .name = "FLUSH", WISH("flush", 4, 4, 0, 0), ON(flush_run, session_finish) },
	{ .name = "STATISTICS", WISH("numbers", 4, 4, 0, 0), ON(statistics_run, session_finish) },
	{ .name = "COUNTING", WISH("counting", 4, 4, KERNEL, QUIET), COUNTERS,
	  ON(counting_run, session_finish) },
	{ .name = "LIST", WISH("list", 4, 4, 0, 0), ON(list_run, session_finish) },
	{ .name = "LOG_RECORD", WISH("record", 64, 8, SWITCHES, QUIET),
	  ON(log_record_run, session_finish) },
	{ .name = "open of a session", WISH("node", 4, 4, 0, 0), ON(node_run, node_finish) },
	{ .name = "open of a session, 64 KB", WISH("node", 64, 4, 0, 0), ON(node_run, node_finish) },
	PROVIDER_OPERATIONS,
	STACK_OPERATIONS,
	GROUP_OPERATIONS,
	{ .name = "poll and read", WISH("read", 4, 4, 0, 0), WITH_READER(read_run, read_finish) },
	{ .name = "splice", WISH("splice", 64, 4, 0, 0), WITH_READER(splice_run, splice_finish),
	  .allowed = EAGAIN },
	{ .name = "a CPU comes online", WISH("hotplug", 16, 8, 0, 0), .prepare = plug_prepare,
	  .run = plug_run, .finish = plug_finish },
	{ .name = "a CPU comes online, its counters in a worker",
	  WISH("hotplug", 16, 8, KERNEL, QUIET), CLOCKS, .prepare = plug_prepare, .run = plug_run,
	  .finish = plug_finish, .never_fails = 1, .threads = "kworker/u" },
};

/**
 * struct tally - of one operation
 * @hits: injections
 * @refused: of them, calls that failed
 * @ended: of those, at the operation's place
 * @bad: findings
 * @enough: what comes now is other operations' as well
 */
struct tally {
	int hits;
	int refused;
	int ended;
	int bad;
	int enough;
};

static struct tally sum;
static const char *quick;

/* A failure that was made and changed nothing: was it reported, counted, harmless? */
static int judge(const struct operation *op, int n, int err, const struct state *before)
{
	char when[128];
	int bad = 0;

	snprintf(when, sizeof(when), "%s, allocation %d", op->name, n);
	if (err && (op->never_fails || (err != ENOMEM && err != op->allowed))) {
		printf("# %s: %s\n", when, error_name(err));
		bad = 1;
	}
	if (unlogged) {
		printf("# %s: does not say that memory was short\n", when);
		unlogged = 0;
		bad = 1;
	}
	if (err && op->wish.kb && !op->never_fails)
		bad |= changed(before, when);
	return bad;
}

static void choose_victims(const struct operation *op)
{
	if (op->fails_probes)
		set_probes();
	else if (op->threads)
		set_victims(op->threads);
	else
		set_victim("thread-self");
}

/* Return: whether the n-th allocation was reached. */
static int inject(const struct operation *op, int n, int burst, struct tally *tally)
{
	struct state outside, before;
	char site[96] = "", when[128];
	int err, hit;

	snprintf(when, sizeof(when), "%s, after allocation %d", op->name, n);
	take_state(&outside);
	if (op->prepare && op->prepare(op)) {
		printf("# %s: cannot be prepared: %s\n", op->name, strerror(errno));
		tally->bad++;
		return 0;
	}
	take_state(&before);
	choose_victims(op);
	arm(n, burst);
	err = op->run(op);
	hit = disarm();
	forget_victims();
	read_traces(site, sizeof(site));
	read_messages(&talk, !strcmp(op->name, "load"));
	if ((op->run == load_run || op->fails_probes) && hit)
		count_site(talk.site[0] ? talk.site : NO_SITE);
	if (hit)
		tally->bad += judge(op, n, err, &before);
	else if (err)
		tally->bad++, printf("# %s: %s without a failure\n", when, error_name(err));
	tally->refused += hit && err;
	tally->ended += err && op->ends_at && !strncmp(site, op->ends_at, strlen(op->ends_at));
	/* the sources are there, and START goes on without what its node lacks */
	tally->enough = op->alone && !err && !strncmp(site, "etw_node_add+", 13);
	tally->bad += op->finish(op, err) ? (printf("# %s: %s\n", when, site), 1) : 0;
	tally->bad += changed(&outside, when);
	if (talk.etw > (burst ? BURST_MESSAGES : MOST_MESSAGES)) {
		printf("# %s: %d messages\n", when, talk.etw);
		tally->bad++;
	}
	return hit;
}

/**
 * struct range - of the numbers of allocations
 * @first: 0: none
 * @last: inclusive
 */
struct range {
	int first;
	int last;
};

/* Threads that are not ours do other things too: one miss is not the end. */
static struct range all_of(const struct operation *op, int burst, int step, struct tally *tally)
{
	int n, misses = 0, patience = op->threads ? 4 : 1;
	struct range ours = { 0 };

	for (n = 1; misses < patience && n < 5000 && tally->bad < 10 && !tally->enough; n += step) {
		if (inject(op, n, burst, tally)) {
			tally->hits++;
			misses = 0;
			if (talk.site[0])
				ours.last = n;
			if (talk.site[0] && !ours.first)
				ours.first = n;
		} else {
			misses++;
		}
	}
	return ours;
}

/*
 * A page that a cache needs now and then moves the numbers by one between two tries,
 * so that a place which allocates once may be passed over.
 */
static void again(const struct operation *op, struct range range, struct tally *tally)
{
	int n;

	for (n = range.first > 2 ? range.first - 2 : 1; n <= range.last + 2 && tally->bad < 10; n++)
		tally->hits += inject(op, n, 0, tally);
}

static void run(const struct operation *op)
{
	struct tally tally = { 0 };
	int i, kinds = nr_sites;
	struct range ours, all;

	without_node = not_whole = 0;
	ours = all_of(op, 0, 1, &tally);
	/* the place allocates once, and may have been passed over: see again() */
	all = (struct range){ 1, tally.hits };
	for (i = 0; op->ends_at && !tally.ended && i < 4; i++)
		again(op, all, &tally);
	if (op->run == load_run)	/* the loader's own allocations are many */
		again(op, ours, &tally);
	else if (!op->alone)	/* bursts are also the second chance of a place that was passed over */
		all_of(op, 1, quick ? QUICK : 1, &tally);
	if ((op->fails_probes && !tally.refused) || (op->ends_at && !tally.ended))
		tally.bad++;
	result(!tally.bad,
	       "%s: each failure of memory is refused, or without effect # %d failures, refused %d times, %d new sites%s",
	       op->name,
	       tally.hits, tally.refused, nr_sites - kinds, tally.bad ? "; see above" : "");
	if (without_node || not_whole)
		printf("# %s: %d times without a node, %d times with a rundown that lacks something, and says so\n",
		       op->name, without_node, not_whole);
	sum.hits += tally.hits;
	sum.refused += tally.refused;
	sum.bad += tally.bad;
}

static void load(void)
{
	if (load_prepare(NULL) || load_run(NULL)) {
		printf("not ok - the module loads # %s\n", strerror(errno));
		exit(1);
	}
	close(file);
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
}

/* All when nothing is said, but what is like others when time is short */
static int is_wanted(const struct operation *op, char **patterns)
{
	if (!*patterns)
		return !quick || !op->is_like_others;
	while (*patterns)
		if (strstr(op->name, *patterns++))
			return 1;
	return 0;
}

static int was_reached(const char *name)
{
	int i;

	for (i = 0; i < nr_sites; i++)
		if (!strcmp(sites[i].name, name))
			return 1;
	return 0;
}

/* Return: a site that must be reached and was not, or NULL. */
static const char *missing_site(void)
{
	static char line[sizeof(sites[0].name)];
	FILE *list = fopen(quick, "r");
	int found = 0;

	if (!list)
		die(quick);
	while (!found && fgets(line, sizeof(line), list)) {
		line[strcspn(line, "\n")] = 0;
		found = !was_reached(line);
	}
	fclose(list);
	return found ? line : NULL;
}

/* A second chance for places that allocate once: the bursts that were left out */
static void find_missing(char **patterns)
{
	const struct operation *op = operations, *end = op + sizeof(operations) / sizeof(*op);
	struct tally tally = { 0 };
	const char *name;

	for (; op < end && (name = missing_site()); op++) {
		if (op->run == load_run || op->alone || strstr(op->name, "beside") ||
		    !is_wanted(op, patterns))
			continue;
		printf("# %s: again, for %s\n", op->name, name);
		all_of(op, 1, 1, &tally);
	}
	result(!tally.bad, "places that were passed over fail without effect # %d failures",
	       tally.hits);
	sum.hits += tally.hits;
	sum.refused += tally.refused;
	sum.bad += tally.bad;
}

static void unload(void)
{
	discard_session(control, bystander);
	result(!list_sessions(control), "no session is left");
	result(!leaks(), "kmemleak reports no leak in etw");
	close(control);
	control = -1;
	result(!syscall(SYS_delete_module, "etw", 0), "the module unloads");
	read_messages(&talk, 0);
}

int main(int argc, char **argv)
{
	static const struct operation plain = { .name = "", WISH("bystander", 4, 4, 0, 0) };
	static const struct operation other = { .name = "", WISH("other", 64, 8, SWITCHES, QUIET) };
	size_t i, count = sizeof(operations) / sizeof(operations[0]);
	__u32 beside = 0;

	if (argc > 2 && !strcmp(argv[1], "-q")) {
		quick = argv[2];
		argc -= 2;
		argv += 2;
	}
	inject_setup();
	for (i = 0; i < count; i++) {
		const struct operation *op = &operations[i];
		int is_load = op->run == load_run;

		if (!is_load && control < 0) {
			load();
			/* flushed: its numbers stay when a CPU goes */
			if (start_session(control, &plain.wish, &bystander) ||
			    on_session(control, ETW_IOC_FLUSH, bystander, 0))
				die("START");
		}
		if (!is_wanted(op, argv + 1))
			continue;
		if (is_load)
			say_failures(1);
		if (strstr(op->name, "beside") && start_session(control, &other.wish, &beside))
			die("START");
		run(op);
		if (is_load)
			say_failures(0);
		if (beside)
			discard_session(control, beside);
		beside = 0;
	}
	if (quick)
		find_missing(argv + 1);
	unload();
	for (i = 0; i < (size_t)nr_sites; i++)
		printf("# site %s %d\n", sites[i].name, sites[i].hits);
	printf("# events %d refused %d findings %d\n", sum.hits, sum.refused, sum.bad);
	return !!failures;
}
