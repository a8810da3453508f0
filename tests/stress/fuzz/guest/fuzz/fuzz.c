// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A fuzzer of /dev/etw that knows the grammar of requests and what must come of them. */
#define _GNU_SOURCE
#include <sys/prctl.h>
#include "lacks.h"
#include "meeting.h"

static const char usage[] =
	"fuzz [-s SEED] [-t SECONDS] [-n IOCTLS] [-j PROCESSES] [-e]\n"
	"fuzz -s SEED -p PROCESS -f STEP [-e]     one process, up to a step, which is shown\n"
	"  -e   sessions also put probes on tracepoints and write rundowns\n"
	"Process 3, 7, ... run as uid 65534, with the control files that root opened.\n";

/* One process, up to a step, is to be seen again; or -1 */
static int only = -1;
static __u64 last_step;
static int with_events;

/* Both mappings are followed by a page that isn't there. */
static void map_arena(struct arena *arena, size_t size)
{
	int fd = memfd_create("arena", MFD_CLOEXEC);
	__u8 *p[2];
	int i;

	if (fd < 0 || ftruncate(fd, size))
		die("memfd_create");
	for (i = 0; i < 2; i++) {
		p[i] = mmap(NULL, size + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p[i] == MAP_FAILED ||
		    mmap(p[i], size, i ? PROT_READ : PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0) != p[i])
			die("mmap");
	}
	close(fd);
	arena->rw = p[0];
	arena->ro = p[1];
	arena->size = size;
	memset(arena->rw, FILL, size);
}

static void on_alarm(int number)
{
	(void)number;
}

static void prepare(struct worker *w)
{
	struct sigaction action = { .sa_handler = on_alarm };
	sigset_t alarm;
	int i;

	for (i = 0; i < CONTROLS; i++)
		w->control[i] = open(CONTROL_NODE, O_RDWR | O_CLOEXEC);
	w->spare = open(CONTROL_NODE, O_RDWR | O_CLOEXEC);
	w->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	w->path = open(CONTROL_NODE, O_PATH | O_CLOEXEC);
	w->stream = -1;
	for (i = 0; i < SNAPSHOTS; i++)
		w->snapshot[i] = -1;
	if (w->spare < 0 || w->null < 0 || w->path < 0 || w->control[CONTROLS - 1] < 0)
		die(CONTROL_NODE);
	if (pipe2(w->pipe, O_NONBLOCK | O_CLOEXEC))
		die("pipe");
	map_arena(&w->args, 4 * PAGE);
	map_arena(&w->blocks, 20 * PAGE);
	w->samples = calloc(ETW_MAX_LOGGERS, sizeof(*w->samples));
	if (!w->samples)
		die("calloc");
	if (w->nobody && (setgid(NOBODY) || setuid(NOBODY)))
		die("setuid");

	/* the timer's signal is for the reader */
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigaction(SIGALRM, &action, NULL);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	w->racer.beside = read_beside;
	make_racer(&w->racer);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
}

/* Waits for the worker that is alone, or is one of the company that it wants */
static void enter_step(struct worker *w)
{
	while (pthread_rwlock_tryrdlock(&shared->quiet)) {
		join_meeting(w);
		usleep(100);
	}
}

static void one_step(struct worker *w)
{
	__u32 n;

	begin_step(w);
	n = below(w, 16384);
	w->alone = n < 96;
	if (w->alone)
		pthread_rwlock_wrlock(&shared->quiet);
	else
		enter_step(w);
	if (n < 1)
		census_step(w);
	else if (n < 32)
		sample_step(w);
	else if (n < 36)
		meeting_step(w);
	else if (n >= 16383)
		death_step(w);
	else if (n >= 16376)
		file_step(w);
	else if (n >= 16128)
		node_step(w);
	else
		ioctl_step(w);
	pthread_rwlock_unlock(&shared->quiet);
	w->tally->step = ++w->step;
}

/*
 * What a process has open ends sessions when it closes. That is a step, too: no worker
 * that believes to be alone may see it.
 */
static void leave(struct worker *w)
{
	int i;

	__atomic_fetch_sub(&shared->workers, 1, __ATOMIC_SEQ_CST);
	pthread_rwlock_rdlock(&shared->quiet);
	close_stream(w);
	for (i = 0; i < SNAPSHOTS; i++)
		if (w->snapshot[i] >= 0)
			close(w->snapshot[i]);
	for (i = 0; i < CONTROLS; i++)
		close(w->control[i]);
	close(w->spare);
	pthread_rwlock_unlock(&shared->quiet);
}

static void work(const struct plan *plan, unsigned int number)
{
	struct worker w = {
		.number = number, .seed = plan->seed, .events = with_events,
		.nobody = number % 4 == 3, .tally = &shared->tally[number],
	};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prepare(&w);
	while (!__atomic_load_n(&shared->stop, __ATOMIC_RELAXED)) {
		if (plan->calls && w.tally->ioctls >= plan->calls)
			break;
		if (only >= 0) {
			if (w.step > last_step)
				break;
			w.verbose = w.step == last_step;
		}
		one_step(&w);
	}
	leave(&w);
	fflush(stdout);
	_exit(0);
}

static void add_up(struct tally *sum, unsigned int workers)
{
	unsigned int i, k;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < workers; i++) {
		sum->step += shared->tally[i].step;
		sum->ioctls += shared->tally[i].ioctls;
		sum->findings += shared->tally[i].findings;
		for (k = 0; k < KINDS; k++) {
			sum->ok[k] += shared->tally[i].ok[k];
			sum->err[k] += shared->tally[i].err[k];
		}
		for (k = 0; k < TYPES; k++) {
			sum->taken[k] += shared->tally[i].taken[k];
			sum->refused[k] += shared->tally[i].refused[k];
		}
		for (k = 0; k < ETW_MASKS; k++)
			sum->masks[k] |= shared->tally[i].masks[k];
		sum->modes |= shared->tally[i].modes;
	}
}

static void progress(const struct plan *plan, double begin, double *last, __u64 *before)
{
	struct tally sum;
	double now = seconds();
	int k;

	add_up(&sum, plan->workers);
	printf("fuzz: %.0f s, %llu ioctls, %.0f/s", now - begin, sum.ioctls,
	       (sum.ioctls - *before) / (now - *last));
	for (k = 0; k < KINDS; k++)
		printf(", %s %llu/%llu", kind_name[k], sum.ok[k], sum.err[k]);
	printf(", %u findings\n", sum.findings);
	fflush(stdout);
	*last = now;
	*before = sum.ioctls;
}

static void tell_sums(const struct tally *sum)
{
	int k;

	for (k = 0; k < KINDS; k++)
		printf("fuzz: %s ok %llu err %llu\n", kind_name[k], sum->ok[k], sum->err[k]);
	for (k = 0; k < TYPES; k++)
		printf("fuzz: item %04x taken %llu refused %llu\n", item_types[k].type,
		       sum->taken[k], sum->refused[k]);
	printf("fuzz: meetings %u crowded %u\n", shared->meeting.held, shared->meeting.crowded);
	printf("fuzz: modes 0x%x masks 0x%x 0x%x 0x%x\n", sum->modes, sum->masks[0],
	       sum->masks[1], sum->masks[2]);
}

/* Where every thread of ours is, in the kernel and by its system call */
static void show_tasks(void)
{
	static const char script[] =
		"for t in $(grep -lx fuzz /proc/[0-9]*/task/[0-9]*/comm); do\n"
		"	t=${t%/comm}\n"
		"	echo \"$t: $(cat $t/syscall) $(grep State $t/status)\"\n"
		"	cat $t/stack\n"
		"done";

	fflush(stdout);
	if (system(script))
		printf("fuzz: no stacks to be had\n");
}

/* A worker with a step that does not end, in itself or another's lock */
static int any_is_stuck(const struct plan *plan, struct pulse *pulse)
{
	unsigned int i;

	for (i = 0; i < plan->workers; i++) {
		if (!is_stuck(&pulse[i], shared->tally[i].step))
			continue;
		printf("fuzz: FINDING: process %u is stuck in step %llu\n", i, pulse[i].step);
		show_tasks();
		return 1;
	}
	return 0;
}

/* Until all workers are gone; 1 when one was stuck or died */
static int attend(const struct plan *plan, unsigned int running, double begin)
{
	struct pulse pulse[MAX_WORKERS] = { 0 };
	double last = begin;
	__u64 before = 0;
	int status, bad = 0;
	pid_t pid;

	while (running) {
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
			running--;
			if (!status)
				continue;
			printf("fuzz: FINDING: process %d ended with 0x%x\n", pid, status);
			bad = 1;
			shared->stop = 1;
		}
		if (seconds() - last >= 10)
			progress(plan, begin, &last, &before);
		if (plan->seconds && seconds() - begin >= plan->seconds)
			shared->stop = 1;
		/* alone it may replay what others disturbed */
		if (running < plan->workers || only >= 0)
			memset(pulse, 0, sizeof(pulse));
		if (bad || any_is_stuck(plan, pulse))
			return 1;
		usleep(100000);
	}
	return bad;
}

/* Nothing may stay. */
static unsigned int clean_up(void)
{
	struct worker w = { .tally = &shared->tally[MAX_WORKERS - 1] };
	struct etw_control c = { .size = sizeof(c), .flags = ETW_STOP_DISCARD };
	int err;

	w.spare = open(CONTROL_NODE, O_RDWR | O_CLOEXEC);
	if (w.spare < 0)
		die(CONTROL_NODE);
	loggers(&w);
	for (c.logger_id = 1; c.logger_id <= ETW_MAX_LOGGERS; c.logger_id++) {
		err = ask(&w, STOP, &c);
		if (err != (w.mask & 1ULL << (c.logger_id - 1) ? 0 : ENOENT))
			finding(&w, "STOP of %u at the end: %s", c.logger_id, error_name(err));
	}
	if (loggers(&w))
		finding(&w, "loggers at the end: 0x%llx", w.mask);
	if (nodes(&w))
		finding(&w, "nodes at the end: 0x%llx", nodes(&w));
	close(w.spare);
	return w.tally->findings;
}

static void make_shared(void)
{
	pthread_rwlockattr_t attr;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap");
	shared->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	/* a worker that wants to be alone gets its turn */
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&shared->quiet, &attr);
}

static void parse(struct plan *plan, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "s:t:n:j:p:f:e")) != -1) {
		switch (option) {
		case 'p':
			only = strtoul(optarg, NULL, 0);
			break;
		case 'f':
			last_step = strtoull(optarg, NULL, 0);
			break;
		case 'e':
			with_events = 1;
			break;
		default:
			if (!take_option(plan, option))
				die_of_usage(usage);
		}
	}
	if (optind != argc || !plan->workers || plan->workers >= MAX_WORKERS ||
	    only >= MAX_WORKERS - 1)
		die_of_usage(usage);
	if (only >= 0)
		plan->workers = only + 1;
	else if (!plan->seconds && !plan->calls)
		plan->seconds = 60;
	plan->calls = (plan->calls + plan->workers - 1) / plan->workers;
}

int main(int argc, char **argv)
{
	struct plan plan = { .seed = time(NULL), .workers = 4 };
	unsigned int i, running = 0, findings = 0;
	struct tally sum;
	double begin, spent;
	pid_t pid;

	parse(&plan, argc, argv);
	make_shared();
	printf("fuzz: seed %llu, %u processes\n", plan.seed, plan.workers);
	learn_lacks();
	fflush(stdout);
	shared->workers = only >= 0 ? 1 : plan.workers;
	begin = seconds();
	for (i = only >= 0 ? only : 0; i < plan.workers; i++) {
		pid = fork();
		if (pid < 0)
			die("fork");
		if (!pid)
			work(&plan, i);
		running++;
	}
	findings += attend(&plan, running, begin);
	spent = seconds() - begin;
	add_up(&sum, plan.workers);
	/* with a stuck process this would get stuck, too */
	findings += sum.findings + (findings ? 0 : clean_up());
	tell_sums(&sum);
	printf("proof: fuzz events=%llu seconds=%.0f findings=%u seed=%llu\n", sum.ioctls, spent,
	       findings, plan.seed);
	printf("fuzz: seed %llu, %llu ioctls in %.0f s, %u findings\n", plan.seed, sum.ioctls,
	       spent, findings);
	return !!findings;
}
