// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Thousands of UPDATEs of sessions under load, taken and refused, each one logged. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include "tests/lib/guest/requests.h"
#include "tests/lib/guest/ticks.h"
#include "modes_update.h"

static const char usage[] =
	"modes_update COUNT SEED DIRECTORY\n"
	"  Starts three sessions: mixed, which is updated; pure, with etw_torture's events\n"
	"  alone, in buffers that run out, is too; truth has all context swaps. Leaves\n"
	"  NAME.etl and NAME.statistics of each in DIRECTORY, and the log \"updates\".\n";

#define ALL_EVENTS	(EVENT_TRACE_FLAG_TEST | EVENT_TRACE_FLAG_PROCESS | \
			 EVENT_TRACE_FLAG_THREAD | EVENT_TRACE_FLAG_CSWITCH)
#define ROOM		16384
/*
 * So many that mixed and truth never run short; their readers may wait for many seconds beside
 * threads that leave others a twentieth of the time; all CPUs'
 */
#define LEAST		256
#define MOST		(LEAST + 400)

static const struct wish mixed_wish = {
	.name = "mixed", .kb = 64, .buffers = MOST, .flags = ALL_EVENTS,
};
static const struct wish pure_wish = {
	.name = "pure", .kb = 4, .buffers = 16, .flags = EVENT_TRACE_FLAG_TEST,
};
static const struct wish truth_wish = {
	.name = "truth", .kb = 64, .buffers = MOST,
	.flags = ALL_EVENTS & ~EVENT_TRACE_FLAG_TEST,
};
static const struct wish holder_wish = {
	.name = "holder", .kb = 4, .buffers = 4, .flags = EVENT_TRACE_FLAG_DISPATCHER,
};

/* The configuration of mixed; all of it is set each time */
struct state {
	__u32 flags;
	__u32 filter;
	__u32 beside;
	__u32 flush_ms;
	__u32 maximum;
};

static struct state now = { ALL_EVENTS, 0, 0, 200, MOST };
static __u8 before[ROOM], after[ROOM];
static int control;
static __u32 process, seed;
static __u32 taken[5], refused;

static __u32 any(__u32 n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

#define FILTERS	8

/* Filter @filter as items; what it does to context swaps */
static enum taste add_filter(struct request *r, __u32 filter)
{
	const __u32 pids[] = { process, 4 };
	const __u32 swaps = 0x0524, others[] = { 0x0301, 0x0502 };

	switch (filter) {
	case 1:
		request_add(r, ETW_EXT_PIDS, pids, 1);
		return TASTE_PROCESS;
	case 2:
		request_add(r, ETW_EXT_VND_HOOK_FILTER, others, 2);
		return TASTE_NONE;
	case 3:
		request_add(r, ETW_EXT_VND_HOOK_FILTER, &swaps, 1);
		return TASTE_ALL;
	case 4:
		request_add(r, ETW_EXT_PIDS, pids, 1);
		request_add_dword(r, ETW_EXT_VND_FILTER_OPTIONS, ETW_FILTER_CHILDREN);
		return TASTE_PROCESS;
	case 5:
		request_add_dword(r, ETW_EXT_VND_FILTER_OPTIONS, ETW_FILTER_EXCLUDE_SELF);
		return TASTE_ALL;	/* this process has one thread */
	case 6:
		request_add(r, ETW_EXT_VND_HOOK_FILTER, &swaps, 1);
		request_add(r, ETW_EXT_PIDS, pids, 1);
		return TASTE_PROCESS;
	case 7:
		request_add(r, ETW_EXT_PIDS, pids, 2);
		return TASTE_UNKNOWN;
	default:
		return TASTE_ALL;
	}
}

#define BESIDE	4

/* What is beside those events, and takes none of them away: stacks, pools */
static void add_beside(struct request *r, __u32 beside)
{
	const __u32 hooks[] = { WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_THREAD_CREATE };
	const __u32 caching[] = { 64 * 1024, 128 }, tag = 0x64636261;

	if (beside)
		request_add(r, ETW_EXT_STACKWALK_FILTER, hooks, beside == 1 ? 1 : 2);
	if (beside == 2)
		request_add(r, ETW_EXT_STACK_CACHING, caching, 2);
	if (beside == 3)
		request_add(r, ETW_EXT_POOLTAG_FILTER, &tag, 1);
}

static enum taste build(struct request *r, const struct state *state)
{
	enum taste taste;

	request_begin(r, &mixed_wish);
	r->info.minimum_buffers = LEAST;
	r->info.maximum_buffers = state->maximum;
	r->info.flush_timer = state->flush_ms;
	r->info.enable_flags = state->flags;
	taste = add_filter(r, state->filter);
	add_beside(r, state->beside);
	return state->flags & EVENT_TRACE_FLAG_CSWITCH ? taste : TASTE_NONE;
}

static void choose(struct state *state, int i)
{
	static const __u32 periods[] = { 0, 20, 100, 1000 };

	if (i % 50 == 49) {
		state->flags = ALL_EVENTS & ~(any(2) ? EVENT_TRACE_FLAG_CSWITCH :
				EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD);
		taken[3]++;
		return;
	}
	state->flags = ALL_EVENTS;
	switch (any(10)) {
	case 0: case 1:
		state->flush_ms = periods[any(4)];
		taken[1]++;
		break;
	case 2: case 3:
		state->maximum = MOST - 2 * any(200);
		taken[2]++;
		break;
	case 4: case 5:
		state->beside = any(BESIDE);
		taken[4]++;
		break;
	default:
		state->filter = any(FILTERS);
		taken[0]++;
	}
}

static void check_logged(__u32 id, const struct state *state)
{
	const struct wmi_logger_information *info = (const void *)before;

	query_block(control, id, before, ROOM);
	if (info->flush_timer != state->flush_ms || info->maximum_buffers != state->maximum)
		result(0,
		       "QUERY returns what UPDATE set # %u ms, %u buffers, not %u, %u",
		       info->flush_timer,
		       info->maximum_buffers, state->flush_ms, state->maximum);
	if (info->number_of_buffers > MOST)
		result(0, "QUERY counts the buffers # %u", info->number_of_buffers);
}

static void update_mixed(__u32 id, int i, FILE *out)
{
	struct etw_control c = { .logger_id = id };
	struct update_log log = { .pid = process };
	struct request r;
	int err;

	choose(&now, i);
	log.taste = build(&r, &now);
	log.call = nanoseconds();
	err = request_send(control, ETW_IOC_UPDATE, &r, &c);
	log.ret = nanoseconds();
	if (err) {
		result(0,
		       "each UPDATE is accepted # update %d: %s, offset %x, reason %u",
		       i, error_name(err),
		       c.error_offset, c.error_reason);
		return;
	}
	fwrite(&log, sizeof(log), 1, out);
	if (i % 10 == 0)
		check_logged(id, &now);
}

/* Nothing that is refused may leave a trace */
static const struct {
	const char *what;
	int err;
	__u32 reason;
} refusals[] = {
	{ "another buffer size", EINVAL, ETW_REASON_FIXED },
	{ "another mode", EINVAL, ETW_REASON_FIXED },
	{ "another name", EINVAL, ETW_REASON_FIXED },
	{ "another clock", EINVAL, ETW_REASON_FIXED },
	{ "another minimum", EINVAL, ETW_REASON_FIXED },
	{ "a maximum below the minimum", EINVAL, ETW_REASON_CONFLICT },
	{ "a maximum beyond all slots", EINVAL, ETW_REASON_RANGE },
	{ "unknown events", EOPNOTSUPP, ETW_REASON_UNSUPPORTED },
	{ "an unknown hook id", EOPNOTSUPP, ETW_REASON_UNSUPPORTED },
	{ "a counter", EINVAL, ETW_REASON_FIXED },
	{ "a consumer", EINVAL, ETW_REASON_FIXED },
};

#define REFUSALS	(sizeof(refusals) / sizeof(refusals[0]))

static void spoil(struct request *r, __u32 how)
{
	const __u32 counter[] = { 1, 0, 0, 0 }, consumer[] = { 1, 1, 0400 };

	switch (how) {
	case 0: r->info.buffer_size = 32; break;
	case 1: r->info.log_file_mode |= EVENT_TRACE_FILE_MODE_SEQUENTIAL; break;
	case 2: r->name[0]++; break;
	case 3: r->info.wnode.client_context = ETW_CLOCK_SYSTEM; break;
	case 4: r->info.minimum_buffers = LEAST + 2; break;
	case 5: r->info.maximum_buffers = 2; break;
	case 6: r->info.maximum_buffers = 60000; break;
	case 7: r->info.enable_flags |= EVENT_TRACE_FLAG_DRIVER; break;
	case 8: request_add_dword(r, ETW_EXT_VND_HOOK_FILTER, 0x0F3B); break;
	case 9: request_add(r, ETW_EXT_VND_PMC_COUNTERS, counter, 4); break;
	case 10: request_add(r, ETW_EXT_VND_CONSUMER, consumer, 3); break;
	}
}

static void refuse(__u32 id, __u32 how)
{
	struct etw_control c = { .logger_id = id };
	struct state other = { ALL_EVENTS & ~EVENT_TRACE_FLAG_CSWITCH, 0, 0, 777, LEAST + 6 };
	struct request r;
	int err;

	query_block(control, id, before, ROOM);
	build(&r, &other);
	spoil(&r, how);
	err = request_send(control, ETW_IOC_UPDATE, &r, &c);
	query_block(control, id, after, ROOM);
	forget_counts((void *)before);
	forget_counts((void *)after);
	if (err != refusals[how].err || c.error_reason != refusals[how].reason)
		result(0, "%s is refused # %s, reason %u", refusals[how].what, error_name(err),
		       c.error_reason);
	if (memcmp(before, after, ROOM))
		result(0, "%s: refused, but QUERY says something else", refusals[how].what);
	refused++;
}

static void update_pure(__u32 id)
{
	struct etw_control c = { .logger_id = id };
	struct request r;
	int err;

	request_begin(&r, &pure_wish);
	r.info.minimum_buffers = 4;
	r.info.maximum_buffers = 4 + 2 * any(31);
	r.info.flush_timer = any(4) * 50;
	/* no filter is about events of tests */
	add_filter(&r, any(FILTERS));
	err = request_send(control, ETW_IOC_UPDATE, &r, &c);
	if (err)
		result(0, "UPDATE of pure # %s, offset %x, reason %u", error_name(err),
		       c.error_offset, c.error_reason);
}

static __u32 start(const struct wish *wish, __u32 minimum, __u32 flags)
{
	struct etw_control c = { .flags = flags };
	struct request r;

	request_begin(&r, wish);
	r.info.minimum_buffers = minimum;
	r.info.flush_timer = 200;
	if (wish == &holder_wish) {
		request_add_dword(&r, ETW_EXT_PIDS, 1);
		request_add_dword(&r, ETW_EXT_VND_FILTER_OPTIONS, ETW_FILTER_CHILDREN);
	}
	errno = request_send(control, ETW_IOC_START, &r, &c);
	if (errno)
		die("START");
	return c.logger_id;
}

/* One that must not run short reads before the load goes on, however slow this kernel is */
static pid_t read_session(__u32 id, const char *name, const char *pause, int before_load)
{
	const struct sched_param first = { .sched_priority = 1 };
	char number[16], file[64], statistics[64];
	pid_t pid = fork();

	if (pid)
		return pid;
	if (before_load && sched_setscheduler(0, SCHED_FIFO, &first))
		die("SCHED_FIFO");
	snprintf(number, sizeof(number), "%u", id);
	snprintf(file, sizeof(file), "%s.etl", name);
	snprintf(statistics, sizeof(statistics), "%s.statistics", name);
	execlp("session", "session", "read", "-d", pause, "-S", statistics, number, file, NULL);
	_exit(127);
}

/* The one process, which has no children: it and another one take turns */
static pid_t begin_load(pid_t *partner)
{
	int there[2], back[2];
	char x = 'x';
	pid_t pid;

	if (pipe(there) || pipe(back))
		die("pipe");
	pid = fork();
	if (!pid) {
		while (write(there[1], &x, 1) == 1 && read(back[0], &x, 1) == 1)
			usleep(300);
		_exit(0);
	}
	*partner = fork();
	if (!*partner) {
		while (read(there[0], &x, 1) == 1 && write(back[1], &x, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
	return pid;
}

static void run(int count, __u32 mixed, __u32 pure)
{
	FILE *out = fopen("updates", "w");
	__u64 begun = nanoseconds();
	int i, holder = 0;

	if (!out)
		die("updates");
	for (i = 0; i < count && failures < 10; i++) {
		/* with it, the family's probe comes and goes no more */
		if (i == count / 20)
			holder = start(&holder_wish, 0, ETW_START_NO_RUNDOWN);
		update_mixed(mixed, i, out);
		if (i % 5 == 0)
			update_pure(pure);
		if (i % 20 == 0)
			refuse(mixed, i / 20 % REFUSALS);
	}
	fclose(out);
	if (holder)
		discard_session(control, holder);
	printf("# %d updates in %.1f s: %u of filters, %u of the timer, %u of the maximum, "
	       "%u of events, %u of stacks and pools; %u refused\n", i, (nanoseconds() - begun) / 1e9,
	       taken[0], taken[1], taken[2], taken[3], taken[4], refused);
}

int main(int argc, char **argv)
{
	__u32 mixed, pure, truth;
	pid_t readers[3], partner;
	int i, status;

	if (argc == 4)
		seed = strtoul(argv[2], NULL, 0);
	/* a generator of shifts and exclusive ors stays at 0 */
	if (!seed || chdir(argv[3])) {
		fputs(usage, stderr);
		return 2;
	}
	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(CONTROL);
	process = begin_load(&partner);
	truth = start(&truth_wish, 0, ETW_START_NO_RUNDOWN);
	mixed = start(&mixed_wish, LEAST, 0);
	pure = start(&pure_wish, 4, ETW_START_NO_RUNDOWN);
	readers[0] = read_session(truth, "truth", "1", 1);
	readers[1] = read_session(mixed, "mixed", "1", 1);
	readers[2] = read_session(pure, "pure", "40", 0);
	run(atoi(argv[1]), mixed, pure);
	result(!failures, "%s updates are taken, or refused without a trace", argv[1]);
	if (on_session(control, ETW_IOC_STOP, mixed, 0) ||
	    on_session(control, ETW_IOC_STOP, pure, 0) ||
	    on_session(control, ETW_IOC_STOP, truth, 0))
		die("STOP");
	kill(process, SIGKILL);
	kill(partner, SIGKILL);
	for (i = 0; i < 3; i++) {
		waitpid(readers[i], &status, 0);
		result(!status, "each reader ends well # reader %d", i);
	}
	return failures != 0;
}
