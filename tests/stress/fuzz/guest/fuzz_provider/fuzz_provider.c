// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A fuzzer of /dev/etw/provider: what comes of every call, and of every record. */
#define _GNU_SOURCE
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "page.h"
#include "sessions.h"
#include "trap.h"

static const char usage[] =
	"fuzz_provider [-s SEED] [-t SECONDS] [-n CALLS] [-j WORKERS]\n"
	"Workers 2, 6: uid 65534; 3, 7: uid 65534 with the files that root opened.\n";

static __u64 rounds, enables;

/* A program that sees what it enabled itself */
static void enable_step(struct worker *w, const struct etw_provider_page *page)
{
	__u32 i = below(w, POOL), slot = below(w, SLOTS), on = !one_in(w, 3);
	__u32 logger = shared->logger[slot], value = below(w, 256);
	struct etw_guid guid = pool_guid(i);
	struct etw_provider_state state;
	int err = session_enable(control, logger, &guid, on, value, flags_of(value, logger));

	enables++;
	if (on && err)
		finding(w, "ENABLE: %s", error_name(err));
	if (!on && err && err != ENOENT)
		finding(w, "ENABLE, to disable: %s", error_name(err));
	state = read_state(&page->state[i]);
	if (!is_consistent(&state) || !state.registered)
		finding(w, "page: entry %u, level %u logger %u flags %x", i, state.level,
			state.logger_id, state.flags);
	if (on && (!state.enabled || state.logger_id != logger || state.level != value))
		finding(w, "page: entry %u, logger %u, not %u", i, state.logger_id, logger);
	if (!on && !err && state.enabled && state.logger_id == logger)
		finding(w, "page: entry %u, logger %u, which was disabled", i, logger);
}

static void providers_step(struct worker *w)
{
	static struct etw_provider_info info[64];
	struct etw_providers p = {
		.size = sizeof(p), .count = below(w, 65), .providers = (unsigned long)info,
		.entry_size = sizeof(info[0]),
	};
	__u32 room = p.count, i;

	if (ioctl(control, ETW_IOC_PROVIDERS, &p)) {
		finding(w, "PROVIDERS: %s", strerror(errno));
		return;
	}
	for (i = 0; i < room && i < p.count; i++)
		if (info[i].logger_id &&
		    info[i].enable_flags != flags_of(info[i].level, info[i].logger_id))
			finding(w, "PROVIDERS: logger %u level %u flags %x", info[i].logger_id,
				info[i].level, info[i].enable_flags);
}

/* The parent's part: sessions come and go, and want this and that. */
static void steer(const struct plan *plan, struct worker *w, const struct etw_provider_page *page)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		enable_step(w, page);
	providers_step(w);
	if (one_in(w, 16)) {
		end_session(plan, CHURN);
		start_session(CHURN);
		hush(plan, 0);
		rounds++;
	}
}

static void map_arena(struct worker *w)
{
	__u8 *p = mmap(NULL, 3 * (size_t)GUARD, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	int fd = memfd_create("arena", MFD_CLOEXEC);

	if (p == MAP_FAILED || fd < 0 || ftruncate(fd, ARENA))
		die("arena");
	w->rw = mmap(p + GUARD, ARENA, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0);
	w->ro = mmap(p + 2 * GUARD, ARENA, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd,
		     0);
	w->scratch = malloc(4 * 65536);
	if (w->rw == MAP_FAILED || w->ro == MAP_FAILED || !w->scratch)
		die("arena");
	memset(w->rw, FILL, ARENA);
	make_trap(w, fd);
}

static void become_nobody(void)
{
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		die("setuid");
}

static void prepare(struct worker *w)
{
	int i;

	w->tally->pid = getpid();
	map_arena(w);
	if (w->number % 4 == 2)
		become_nobody();
	for (i = 0; i < FILES; i++) {
		w->fd[i] = open(PROVIDER_NODE, O_RDWR | O_CLOEXEC);
		w->version[i] = ETW_RULES_5_1;
		if (w->fd[i] < 0)
			die(PROVIDER_NODE);
	}
	if (w->number % 4 == 3)
		become_nobody();
	w->control = w->number % 4 != 2;
	w->opener = w->number % 4 != 3;
	w->tally->control = w->control;
	w->racer.beside = move_page;
	make_racer(&w->racer);
}

static void one_step(struct worker *w)
{
	__u32 n, times;

	begin_step(w);
	n = below(w, 1024);
	if (n < 260)
		call_step(w, EVENT);
	else if (n < 380)
		call_step(w, MODERN);
	else if (n < 560)
		call_step(w, WRITE);
	else if (n < 870)
		call_step(w, MESSAGE);
	else if (n < 890)
		race_step(w);
	else if (n < 970)
		trap_step(w);
	else if (n < 976)
		rules_step(w);
	else if (n < 988)
		/* more than there are entries, now and then */
		for (times = one_in(w, 64) ? 300 : 1; times--;)
			register_step(w);
	else if (n < 999)
		unregister_step(w);
	else if (n < 1007)
		ack_step(w);
	else if (n < 1011)
		map_step(w);
	else
		other_step(w);
	w->tally->step = ++w->step;
}

static void work(const struct plan *plan, unsigned int number)
{
	struct worker w = {
		.number = number, .seed = plan->seed, .tally = &shared->tally[number],
	};
	__u32 asked;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prepare(&w);
	while (!__atomic_load_n(&shared->stop, __ATOMIC_RELAXED)) {
		asked = __atomic_load_n(&shared->hush, __ATOMIC_ACQUIRE);
		if (asked) {
			__atomic_store_n(&w.tally->hushed, asked, __ATOMIC_RELEASE);
			usleep(500);
			continue;
		}
		one_step(&w);
	}
	fflush(stdout);
	_exit(0);
}

static void add_up(struct tally *sum)
{
	unsigned int i, k;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i <= MAX_WORKERS; i++) {
		sum->calls += shared->tally[i].calls;
		sum->raced += shared->tally[i].raced;
		sum->trapped += shared->tally[i].trapped;
		sum->findings += shared->tally[i].findings;
		for (k = 0; k < KINDS; k++) {
			sum->ok[k] += shared->tally[i].ok[k];
			sum->err[k] += shared->tally[i].err[k];
		}
		for (k = 0; k < SLOTS; k++) {
			sum->written[k] += shared->tally[i].written[k];
			sum->lost[k] += shared->tally[i].lost[k];
		}
	}
}

/* A worker that died, or is in a step that does not end */
static int is_well(const struct plan *plan, struct pulse *pulse)
{
	unsigned int i;
	int status;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	if (pid > 0) {
		printf("fuzz: FINDING: process %d ended with 0x%x\n", pid, status);
		return 0;
	}
	for (i = 0; i < plan->workers; i++) {
		if (!is_stuck(&pulse[i], shared->tally[i].step))
			continue;
		printf("fuzz: FINDING: worker %u is stuck in step %llu\n", i, pulse[i].step);
		return 0;
	}
	return 1;
}

static void attend(const struct plan *plan, struct worker *w, const struct etw_provider_page *page)
{
	struct pulse pulse[MAX_WORKERS] = { 0 };
	double begin = seconds(), last = begin;
	struct tally sum;

	while (!shared->stop) {
		steer(plan, w, page);
		usleep(10000);
		add_up(&sum);
		if (seconds() - last >= 10) {
			last = seconds();
			printf("fuzz: %.0f s, %llu calls, %.0f/s, %llu raced, %u findings\n",
			       last - begin, sum.calls, sum.calls / (last - begin), sum.raced,
			       sum.findings);
			fflush(stdout);
		}
		if (!is_well(plan, pulse)) {
			/* no process would come back from waiting for it */
			printf("proof: provider-fuzz events=%llu findings=1 seed=%llu\n",
			       sum.calls, plan->seed);
			fflush(stdout);
			_exit(1);
		}
		/* so many calls, and a session that came and went under them */
		if ((plan->calls && sum.calls >= plan->calls && rounds) ||
		    (!plan->calls && seconds() - begin >= plan->seconds))
			break;
		w->step++;
	}
}

/* Entries 0 to POOL - 1 of a page are the GUIDs. */
static const struct etw_provider_page *watch_pool(void)
{
	struct etw_provider_register r = { .size = sizeof(r) };
	int fd = open(PROVIDER_NODE, O_RDWR | O_CLOEXEC);
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	__u32 i;

	if (page == MAP_FAILED)
		die("mmap");
	for (i = 0; i < POOL; i++) {
		r.guid = pool_guid(i);
		if (ioctl(fd, ETW_PROVIDER_REGISTER, &r) || r.index != i)
			die("REGISTER");
	}
	return page;
}

static void parse(struct plan *plan, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "s:t:n:j:")) != -1)
		if (!take_option(plan, option))
			die_of_usage(usage);
	if (optind != argc || !plan->workers || plan->workers > MAX_WORKERS)
		die_of_usage(usage);
}

/* Everything that ran is stopped, and compared. */
static void finish(const struct plan *plan, const pid_t *workers)
{
	unsigned int i, slot;

	__atomic_store_n(&shared->stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < plan->workers; i++)
		waitpid(workers[i], NULL, 0);
	for (slot = 0; slot < SLOTS; slot++)
		end_session(plan, slot);
}

static void report(const struct plan *plan, double spent)
{
	unsigned long long seen[3] = { 0 };
	struct tally sum;
	int k, i;

	add_up(&sum);
	for (k = 0; k < KINDS; k++)
		printf("fuzz: %s ok %llu err %llu\n", kind_name[k], sum.ok[k], sum.err[k]);
	for (k = 0; k < SLOTS; k++) {
		printf("fuzz: session %s: written %llu lost %llu\n", plans[k].wanted.name,
		       sum.written[k], sum.lost[k]);
		for (i = 0; i < 3; i++)
			seen[i] += readers[k].seen[i];
	}
	printf("fuzz: records read: %llu patterns, %llu others, %llu raced\n", seen[0], seen[1],
	       seen[2]);
	printf("fuzz: calls raced %llu, trapped %llu\n", sum.raced, sum.trapped);
	printf("fuzz: sessions that came and went %llu, ENABLE %llu\n", rounds, enables);
	printf("proof: provider-fuzz events=%llu cycles=%llu seconds=%.0f findings=%u seed=%llu\n",
	       sum.calls, rounds, spent, sum.findings, plan->seed);
}

int main(int argc, char **argv)
{
	struct plan plan = { .seed = time(NULL), .seconds = 40, .workers = 4 };
	const struct etw_provider_page *page;
	struct worker w = { .number = MAX_WORKERS };
	pid_t workers[MAX_WORKERS];
	double begin = seconds();
	struct tally sum;
	unsigned int i;

	parse(&plan, argc, argv);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (shared == MAP_FAILED || control < 0)
		die("/dev/etw/control");
	printf("fuzz: seed %llu, %u workers\n", plan.seed, plan.workers);
	fflush(stdout);
	/* workers are there before threads are; they wait */
	shared->hush = ~0U;
	for (i = 0; i < plan.workers; i++) {
		workers[i] = fork();
		if (workers[i] < 0)
			die("fork");
		if (!workers[i])
			work(&plan, i);
	}
	for (i = 0; i < SLOTS; i++)
		start_session(i);
	page = watch_pool();
	w.tally = &shared->tally[MAX_WORKERS];
	w.rng = mix(plan.seed);
	hush(&plan, 0);
	attend(&plan, &w, page);
	finish(&plan, workers);
	report(&plan, seconds() - begin);
	add_up(&sum);
	return !!sum.findings;
}
