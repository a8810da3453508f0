// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: rounds of load, everything at once, unload; what is left behind. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "storm.h"

static const char usage[] =
	"storm [options]\n"
	"  -s SEED       of all decisions (1)\n"
	"  -t SECONDS    of all rounds (60)       -c ROUNDS     at most\n"
	"  -r SECONDS    of a round (20)          -n SESSIONS   at a time (64)\n"
	"  -H            CPUs go and come         -M            memory runs short\n"
	"  -p PARAMETERS of etw_torture.ko\n";

struct storm *storm;
struct storm_options options = {
	.seed = 1, .seconds = 60, .round = 20, .sessions = STORM_SESSIONS, .cycles = ~0U,
	.parameters = "sizes=3000 burst=16 pause_us=3000 timer_us=1000",
};

int control = -1;

enum { MAX_CHILDREN = 128 };
static int children[MAX_CHILDREN], nr_children;
static unsigned long long processes;	/* numbers them, for their seeds */

void storm_fail(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	add(C_FAILURES, 1);
	if (storm->counts[C_FAILURES] < 100)
		printf("storm: %s\n", text);
	fflush(stdout);
}

struct random random_of(unsigned long long process)
{
	struct random random;

	random.state = ((__u64)torture_mix(options.seed * 0x9E3779B97F4A7C15ULL + process) << 32 |
			torture_mix(process * 0xD1B54A32D192ED03ULL + options.seed)) | 1;
	return random;
}

__u32 any(struct random *random, __u32 below)
{
	__u64 x = random->state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	random->state = x;
	return below ? (x >> 32) % below : 0;
}

void pause_us(unsigned int us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000L };

	nanosleep(&t, NULL);
}

void sleep_us(unsigned int us)
{
	step();
	pause_us(us);
}

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void *shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED) {
		perror("storm: mmap");
		exit(2);
	}
	return p;
}

static void load(const char *module, const char *parameters)
{
	int fd = open(module, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0)) {
		fprintf(stderr, "storm: %s: %s\n", module, strerror(errno));
		exit(2);
	}
	close(fd);
}

static void set_run(const char *value)
{
	int fd = open("/sys/module/etw_torture/parameters/run", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, 1) != 1)
		storm_fail("run: %s", strerror(errno));
	close(fd);
}

/* Begins a process; its number, and so its seed, is the same in each storm. */
static int spawn(const char *name)
{
	int pid;

	processes++;
	pid = fork();
	if (pid < 0) {
		storm_fail("fork: %s", strerror(errno));
		return 1;
	}
	if (pid) {
		children[nr_children++] = pid;
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	take_part(name, 0);
	return 0;
}

/* Processes from @first on end by themselves, or the judge finds that they hang. */
static void wait_for(int first, const char *what)
{
	int i, status, left = nr_children - first;

	while (left) {
		for (i = first; i < nr_children; i++) {
			if (!children[i] || waitpid(children[i], &status, WNOHANG) != children[i])
				continue;
			children[i] = 0;
			left--;
			/* the hog is what the OOM killer takes */
			if (status && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
				storm_fail("%s: a process ended with %x", what, status);
		}
		sleep_us(10000);
	}
	nr_children = first;
}

static void begin_round(void)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (!spawn("holder of files")) {
			hold_files(processes);
			_exit(0);
		}
	}
	if (!spawn("opener")) {
		open_and_close(processes);
		_exit(0);
	}
	if (!spawn("reader of the flight recorder")) {
		fly(processes);
		_exit(0);
	}
	if (!spawn("registrar")) {
		listen_to_sessions(processes);
		_exit(0);
	}
	for (i = 0; i < options.sessions - 4; i++) {
		if (!spawn("a session")) {
			live(i, processes);
			_exit(0);
		}
	}
	if (!spawn("unloader")) {
		try_to_unload();
		_exit(0);
	}
	if (options.hotplug && !spawn("plugger of CPUs")) {
		plug_cpus(processes);
		_exit(0);
	}
	if (options.memory && !spawn("the hog")) {
		hog_memory(processes);
		_exit(0);
	}
}

/* The last file and session go while this tries. A module that stays is found as a hang. */
static void unload(void)
{
	if (syscall(SYS_delete_module, "etw_torture", O_NONBLOCK))
		storm_fail("rmmod etw_torture: %s", strerror(errno));
	__atomic_store_n(&storm->unloading, 1, __ATOMIC_RELEASE);
	while (syscall(SYS_delete_module, "etw", O_NONBLOCK)) {
		add(C_UNLOADS_REFUSED, 1);
		if (errno != EWOULDBLOCK && errno != EBUSY) {
			storm_fail("rmmod etw: %s", strerror(errno));
			exit(1);
		}
		pause_us(500);
	}
	add(C_UNLOADS, 1);
}

static void round_report(unsigned int n, double began)
{
	const unsigned long long *c = storm->counts;

	printf("round %u: %.0f s; sessions %llu, refused %llu, laws %llu; attempted %llu, overwritten %llu, lost %llu, seen %llu, nested %llu; readers %llu, killed %llu, unanswered %llu; flushes %llu, logged %llu; by programs %llu, registered %llu, enabled %llu; updates %llu, snapshots %llu (%llu), rundowns %llu; plugs %llu (%llu), hogged %llu MB; opens %llu, unloads %llu, refused %llu; failures %llu\n",
	       n, now() - began, c[C_SESSIONS], c[C_REFUSED], c[C_CHECKED], c[C_ATTEMPTED],
	       c[C_OVERWRITTEN], c[C_LOST], c[C_SEEN], c[C_NESTED], c[C_READERS], c[C_KILLED], c[C_UNANSWERED],
	       c[C_FLUSHES], c[C_LOGGED], c[C_PROGRAMS], c[C_REGISTERED], c[C_ENABLED], c[C_UPDATES], c[C_SNAPSHOTS], c[C_COPIED],
	       c[C_RUNDOWNS], c[C_PLUGS], c[C_UNPLUGGED], c[C_HOGGED], c[C_OPENS],
	       c[C_UNLOADS], c[C_UNLOADS_REFUSED], c[C_FAILURES]);
	fflush(stdout);
}

static void one_round(unsigned int n, double end)
{
	double until = now() + options.round;
	char parameters[256];

	storm->over = 0;
	storm->unloading = 0;
	storm->closing = 0;
	snprintf(parameters, sizeof(parameters), "seed=%u %s",
		 torture_mix(options.seed + processes), options.parameters);
	load("/w/etw.ko", "");
	load("/w/etw_torture.ko", parameters);
	awaits(NOBODY_WE_KNOW);
	learn_probes();
	awaits(0);
	control = open_control();
	if (control < 0) {
		fprintf(stderr, "storm: /dev/etw/control: %s\n", strerror(-control));
		exit(2);
	}
	others_online("0");
	watch_kernel(processes);
	others_online("1");
	begin_round();
	set_run("1");
	while (now() < until && now() < end)
		sleep_us(50000);
	__atomic_store_n(&storm->over, 1, __ATOMIC_RELEASE);
	/* two holders and one opener stay */
	wait_for(3, "the storm");
	set_run("0");
	others_online("0");
	watch_kernel_end();
	others_online("1");
	close(control);
	control = -1;
	unload();
	__atomic_store_n(&storm->closing, 1, __ATOMIC_RELEASE);
	wait_for(0, "holders of files");
	awaits(NOBODY_WE_KNOW);
	check_remains(n);
	awaits(0);
}

/* What leaks a little in each round shows after many. */
static long used_kb(void)
{
	char line[128], name[32];
	long kb, all = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%31s %ld", name, &kb) == 2 &&
		    (!strcmp(name, "SUnreclaim:") || !strcmp(name, "VmallocUsed:") ||
		     !strcmp(name, "Percpu:")))
			all += kb;
	if (file)
		fclose(file);
	return all;
}

static void parse_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "s:t:c:r:n:HMp:")) != -1) {
		switch (option) {
		case 's':
			options.seed = strtoull(optarg, NULL, 0);
			break;
		case 't':
			options.seconds = strtoul(optarg, NULL, 0);
			break;
		case 'c':
			options.cycles = strtoul(optarg, NULL, 0);
			break;
		case 'r':
			options.round = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			options.sessions = strtoul(optarg, NULL, 0);
			break;
		case 'H':
			options.hotplug = 1;
			break;
		case 'M':
			options.memory = 1;
			break;
		case 'p':
			options.parameters = optarg;
			break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind != argc || options.sessions < 5 || options.sessions > STORM_SESSIONS) {
		fputs(usage, stderr);
		exit(2);
	}
}

/* As many rounds as begin in time */
static void blow(double began)
{
	double end = began + options.seconds;
	long first = 0, last = 0;
	unsigned int n = 0;

	options.unanswered = can_stay_away();
	while (n < options.cycles && now() < end && !storm->counts[C_FAILURES]) {
		one_round(n, end);
		last = used_kb();
		/* the first ones fill the kernel's caches */
		if (n == 2)
			first = last;
		round_report(++n, began);
	}
	awaits(NOBODY_WE_KNOW);
	check_last_remains();
	awaits(0);
	if (n > 3)
		printf("memory of the kernel: %ld kB after 3 rounds, %ld kB after %u\n", first,
		       last, n);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	double began = now();
	int pid, status;

	parse_options(argc, argv);
	storm = shared(sizeof(*storm));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		take_part("the storm", 0);
		blow(began);
		_exit(0);
	}
	status = pid < 0 ? errno : judge(pid);
	if (status > 0)
		storm_fail("the storm ended with %x", status);
	printf("proof: storm seed=%llu events=%llu cycles=%llu plugs=%llu sessions=%llu seconds=%.0f findings=%llu\n",
	       options.seed, storm->counts[C_ATTEMPTED], storm->counts[C_UNLOADS],
	       storm->counts[C_PLUGS], storm->counts[C_SESSIONS], now() - began,
	       storm->counts[C_FAILURES]);
	return !!storm->counts[C_FAILURES];
}
