// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Storm: CPUs that go and come, memory that runs out, files held against rmmod. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "storm.h"

static int write_word(const char *file, const char *word)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, word, strlen(word)) < 0)
		err = -errno;
	close(fd);
	return err;
}

/* Whatever it takes: a CPU that stays away is missed in the next round. */
static void set_online(unsigned int cpu, const char *online)
{
	int err, patience = 1000;
	char file[64];

	snprintf(file, sizeof(file), "/sys/devices/system/cpu/cpu%u/online", cpu);
	while ((err = write_word(file, online)) && patience--) {
		if (err != -ENOMEM && err != -EAGAIN && err != -EBUSY && err != -EINTR)
			storm_fail("%s: %s: %s", file, online, strerror(-err));
		add(C_UNPLUGGED, *online == '1');
		sleep_us(20000);
	}
	if (err)
		storm_fail("%s: stays as it is: %s", file, strerror(-err));
}

/**
 * others_online() - all CPUs but the first go, or come back
 * @online: "0" or "1"
 *
 * Tracepoints are switched on and off with one CPU only: QEMU 7.2 with a thread
 * for each CPU can keep a translation of code patching's breakpoint when memory
 * has the instruction again. A CPU that comes there takes it for ever, with
 * interrupts off, and no CPU is left to report it.
 */
void others_online(const char *online)
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 1; options.hotplug && cpu < cpus; cpu++)
		set_online(cpu, online);
}

/**
 * plug_cpus() - CPUs but the first go and come in any order
 * @process: seeds it
 */
void plug_cpus(unsigned long long process)
{
	struct random random = random_of(process);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned int cpu;
	char file[64];
	int err;

	while (!is_over() && cpus > 1) {
		cpu = 1 + any(&random, cpus - 1);
		snprintf(file, sizeof(file), "/sys/devices/system/cpu/cpu%u/online", cpu);
		err = write_word(file, "0");
		if (err && err != -ENOMEM && err != -EBUSY && err != -EAGAIN)
			storm_fail("%s: 0: %s", file, strerror(-err));
		sleep_us(any(&random, 150000));
		if (err)
			continue;
		set_online(cpu, "1");
		add(C_PLUGS, 1);
		sleep_us(any(&random, 150000));
	}
}

static long available_kb(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %ld", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb;
}

/**
 * hog_memory() - take nearly all memory, give it back, again and again
 * @process: seeds it
 *
 * It is the one that the OOM killer takes, if it has to.
 */
void hog_memory(unsigned long long process)
{
	struct random random = random_of(process);
	enum { STEP = 16 << 20, MOST = 1024 };
	static char *blocks[MOST];
	long leave;
	int n;

	write_word("/proc/self/oom_score_adj", "1000");
	while (!is_over()) {
		leave = 20000 + any(&random, 60000);
		for (n = 0; n < MOST && available_kb() > leave && !is_over(); n++) {
			blocks[n] = mmap(NULL, STEP, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
			if (blocks[n] == MAP_FAILED)
				break;
			step();
		}
		if (storm->counts[C_HOGGED] < 16ULL * n)
			storm->counts[C_HOGGED] = 16ULL * n;
		sleep_us(any(&random, 1000000));
		while (n--)
			munmap(blocks[n], STEP);
		sleep_us(any(&random, 500000));
	}
}

/**
 * open_and_close() - opens of every node, also while the module goes
 * @process: seeds it
 */
void open_and_close(unsigned long long process)
{
	struct random random = random_of(process);
	char node[32] = "/dev/etw/control";
	__u64 loggers;
	int fd;

	/* only what is open at the moment may keep the module */
	close(control);
	/* while the module goes an open finds it, or doesn't: never half of it */
	while (!is_over() || !storm->closing) {
		if (one_in(&random, 2))
			snprintf(node, sizeof(node), "/dev/etw/session%u", 1 + any(&random, 64));
		else
			strcpy(node, one_in(&random, 2) ? "/dev/etw/control" : "/dev/etw/provider");
		/* a stream that is opened has no reader but us for that time */
		if (node[9] == 's' && !storm->unloading)
			continue;
		fd = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0) {
			add(C_OPENS, 1);
			control = fd;
			if (node[9] == 'c' && list_sessions(&loggers))
				storm_fail("LIST: %s", strerror(errno));
			close(fd);
		} else if (errno != ENOENT && errno != ENXIO && errno != EBUSY &&
			   errno != ENOMEM && errno != ENODEV) {
			storm_fail("%s: %s", node, strerror(errno));
		}
		sleep_us(any(&random, 5000));
	}
}

/**
 * hold_files() - keep the module with an open file beyond the end of the round
 * @process: seeds it
 */
void hold_files(unsigned long long process)
{
	struct random random = random_of(process);
	struct pollfd pollfd = { .events = POLLIN };
	unsigned int hold = options.round ? 300000 : 50000;
	int id, node = -1, copy = -1, provider;
	char name[32];
	struct wish wish = {
		.name = name, .kb = 8, .maximum = 8, .mode = EVENT_TRACE_REAL_TIME_MODE,
		.flags = EVENT_TRACE_FLAG_TEST, .flush_ms = 20,
	};

	close(control);
	control = open_control();
	if (control < 0)
		return;
	snprintf(name, sizeof(name), "held%llu", process);
	if (one_in(&random, 2))
		wish.mode |= EVENT_TRACE_BUFFERING_MODE;
	id = start_session(control, &wish,
			   ETW_START_NO_RUNDOWN | (one_in(&random, 2) ? ETW_START_TIED : 0));
	if (id > 0) {
		snprintf(name, sizeof(name), "/dev/etw/session%d", id);
		node = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	}
	provider = one_in(&random, 2) ? open("/dev/etw/provider", O_RDWR | O_CLOEXEC) : -1;
	/* the mapping keeps the file, and the file the module */
	if (provider >= 0) {
		if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, provider, 0) == MAP_FAILED &&
		    errno != ENOMEM)
			storm_fail("mmap of the provider: %s", strerror(errno));
		close(provider);
	}
	while (!is_over() || !storm->unloading)
		sleep_us(5000);
	sleep_us(any(&random, hold));
	if (wish.mode & EVENT_TRACE_BUFFERING_MODE && id > 0)
		copy = snapshot_session(id);
	if (id > 0 && stop_session(id, ETW_STOP_DISCARD))
		storm_fail("%s: DISCARD: %s", name, strerror(errno));
	pollfd.fd = node;
	if (node >= 0 && poll(&pollfd, 1, 0) < 0)
		storm_fail("poll: %s", strerror(errno));
	sleep_us(any(&random, hold));
	if (one_in(&random, 2))
		close(control);
	/* its session has gone */
	if (copy >= 0 && read(copy, name, 1) != 1)
		storm_fail("a snapshot that was kept: %s", strerror(errno));
	/* the rest is closed by our end */
}

/**
 * try_to_unload() - rmmod etw, over and over, while everybody uses it
 *
 * It must be refused until the last file and session have gone.
 */
void try_to_unload(void)
{
	while (!is_over()) {
		if (!syscall(SYS_delete_module, "etw", O_NONBLOCK))
			storm_fail("rmmod worked while sessions ran");
		else if (errno != EWOULDBLOCK && errno != EBUSY)
			storm_fail("rmmod: %s", strerror(errno));
		add(C_UNLOADS_REFUSED, 1);
		sleep_us(20000);
	}
}
