// SPDX-License-Identifier: GPL-2.0
/*
 * Who waits for another one in a session can be killed, however long that takes: a STOP that
 * waits for its reader, here one that etw_held.ko holds for as long as we say.
 */
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "../../../lib/guest/provider.h"

#define MODULE		"/w/etw_held.ko"
#define HELD		"/sys/module/etw_held/parameters/held"
/* Who is not gone by then has nothing to do that takes time. */
#define TENTHS		100

static const struct wish wish = {
	.name = "waits", .kb = 4, .buffers = 8, .mode = EVENT_TRACE_BUFFERING_MODE,
};

/**
 * struct owner - a process that has what others wait for
 * @pid: its
 * @name: what it does
 */
struct owner {
	int pid;
	const char *name;
};

static int stop(__u32 id)
{
	return on_session(control, ETW_IOC_STOP, id, 0);
}

static int flush(__u32 id)
{
	return on_session(control, ETW_IOC_FLUSH, id, 0);
}

static int rundown(__u32 id)
{
	return on_session(control, ETW_IOC_RUNDOWN, id, 0);
}

static int update(__u32 id)
{
	return update_session(control, id, &wish);
}

static int counting(__u32 id)
{
	struct etw_counting c = {
		.size = sizeof(c), .logger_id = id, .processor = ETW_ALL_PROCESSORS,
	};

	return ioctl(control, ETW_IOC_COUNTING, &c);
}

static int snapshot(__u32 id)
{
	return snapshot_session(control, id) < 0;
}

static int open_it(__u32 id)
{
	return open_node(id, 0) < 0;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static int write_event(__u32 id)
{
	struct event_trace_header event = event_of(sizeof(event), 0);

	move_to(1);
	return trace_to(provider, id, &event, 0);
}

static char first_char(const char *path)
{
	FILE *file = fopen(path, "r");
	int c = file ? getc(file) : EOF;

	if (c == EOF)
		die(path);
	fclose(file);
	return c;
}

/* On return it has entered a function, and stays there. @where: for etw_held.ko */
static void hold(struct owner *owner, const char *name, int (*what)(__u32), __u32 id,
		 const char *where)
{
	char parameters[128], byte = 0;
	int go[2], file = open(MODULE, O_RDONLY | O_CLOEXEC);

	owner->name = name;
	if (file < 0 || pipe(go))
		die(MODULE);
	owner->pid = fork();
	if (!owner->pid)
		_exit(read(go[0], &byte, 1) != 1 || what(id));
	snprintf(parameters, sizeof(parameters), "pid=%d %s", owner->pid, where);
	if (syscall(SYS_finit_module, file, parameters, 0) || write(go[1], &byte, 1) != 1)
		die(parameters);
	while (first_char(HELD) != 'Y')
		usleep(10000);
	close(file);
	close(go[0]);
	close(go[1]);
}

/* And its session goes */
static void let_go(const struct owner *owner, __u32 id)
{
	int status = 0;

	result(!waitpid(owner->pid, &status, WNOHANG), "%s was held all the while",
	       owner->name);
	if (syscall(SYS_delete_module, "etw_held", 0))
		die("etw_held goes");
	waitpid(owner->pid, &status, 0);
	result(!status, "and goes on (%x)", status);
	if (discard_session(control, id))
		die("DISCARD");
}

/* Its only call that sleeps is the one that is to wait, be it in many little sleeps. */
static void wait_asleep(int pid)
{
	static const char key[] = "\nvoluntary_ctxt_switches:\t";
	char name[64], status[4096], *at;
	size_t n;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	do {
		usleep(10000);
		file = fopen(name, "r");
		n = file ? fread(status, 1, sizeof(status) - 1, file) : 0;
		status[n] = 0;
		at = strstr(status, key);
		if (!at)
			die(name);
		fclose(file);
	} while (at[sizeof(key) - 1] == '0');
}

static void must_go(const struct owner *owner, const char *name, int (*what)(__u32), __u32 id)
{
	int status = 0, tenths, gone = 0, pid = fork();

	if (!pid)
		_exit(what(id));
	wait_asleep(pid);
	kill(pid, SIGKILL);
	for (tenths = 0; !gone && tenths < TENTHS; tenths++) {
		gone = waitpid(pid, &status, WNOHANG) == pid;
		if (!gone)
			usleep(100000);
	}
	result(gone && WIFSIGNALED(status), "%s that waits for %s can be killed", name,
	       owner->name);
}

static __u32 start(void)
{
	__u32 id;

	if (start_session(control, &wish, &id))
		die("START");
	return id;
}

/* Behind the lock of all that changes a session */
static void test_changes(void)
{
	struct owner owner;
	__u32 id = start();

	hold(&owner, "a STOP", stop, id, "function=etw_trailer_build");
	must_go(&owner, "a FLUSH", flush, id);
	must_go(&owner, "a RUNDOWN", rundown, id);
	must_go(&owner, "an UPDATE", update, id);
	must_go(&owner, "a COUNTING", counting, id);
	must_go(&owner, "a SNAPSHOT", snapshot, id);
	must_go(&owner, "another STOP", stop, id);
	let_go(&owner, id);
}

/* Behind the lock of readers */
static void test_readers(void)
{
	struct owner owner;
	__u32 id = start();

	hold(&owner, "an open()", open_it, id, "function=etw_fill_header_buffer");
	must_go(&owner, "another open()", open_it, id);
	must_go(&owner, "a SNAPSHOT", snapshot, id);
	let_go(&owner, id);
}

/* Behind a record under way, whose buffer is sealed; on the other CPU, which does nothing else */
static void test_writer(void)
{
	static const struct wish taker = { .name = "writer", .kb = 4, .buffers = 8 };
	__u32 id = start_taker(&taker, 0, 0);
	struct owner owner;

	hold(&owner, "a writer", write_event, id, "function=etw_encode_event turns=1");
	must_go(&owner, "a FLUSH", flush, id);
	let_go(&owner, id);
}

int main(void)
{
	control = open_control();
	provider = open(PROVIDER, O_RDWR | O_CLOEXEC);
	if (provider < 0)
		die(PROVIDER);
	move_to(0);
	test_changes();
	test_readers();
	test_writer();
	return !!failures;
}
