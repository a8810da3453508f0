// SPDX-License-Identifier: GPL-2.0
/* A process that leaves itself out, and another one that gets its number later. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/wait.h>
#include "../../guest/sessions.h"

#define CALLS		20000
/* Tries to get a number: others may take it first, and keep it */
#define TRIES		1000
#define ROUNDS		5

static int control;

static __u64 offered(__u32 id)
{
	struct etw_statistics s;

	if (session_statistics(control, id, &s))
		die("STATISTICS");
	return s.read + s.overwritten + s.discarded + s.buffered + all_lost(&s);
}

/* Whether a session is offered the system calls of this process: nobody else makes so many */
static int is_seen(__u32 id)
{
	__u64 before = offered(id);
	int i;

	for (i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return offered(id) - before >= CALLS;
}

/* The exit status of is_seen() in a process with a number, or -1 */
static int is_seen_as(__u32 number, __u32 id)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < TRIES; i++) {
		FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "w");

		if (!last || fprintf(last, "%u", number - 1) < 0 || fclose(last))
			die("ns_last_pid");
		pid = fork();
		if (!pid)
			_exit(getpid() == (pid_t)number ? is_seen(id) : 2);
		if (waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
		    WEXITSTATUS(status) != 2)
			return WEXITSTATUS(status);
	}
	return -1;
}

static const __u32 items[] = {
	5 | 2 << 16,
	2 | ETW_EXT_ENABLE_FLAGS << 16, EVENT_TRACE_FLAG_SYSTEMCALL,
	2 | (__u32)ETW_EXT_VND_FILTER_OPTIONS << 16, ETW_FILTER_EXCLUDE_SELF,
};

static const struct wish wish = {
	.name = "self", .kb = 64, .buffers = 32, .flags = EVENT_TRACE_FLAG_SYSTEMCALL,
	.items = items, .dwords = sizeof(items) / sizeof(items[0]),
	.mode = EVENT_TRACE_BUFFERING_MODE, .start = ETW_START_NO_RUNDOWN,
};

/* Starts the session, looks whether it is left out, and ends */
static __u32 begin(pid_t *creator)
{
	int ends[2], status;
	__u32 id = 0;

	if (pipe(ends))
		die("pipe");
	*creator = fork();
	if (!*creator) {
		if (start_session(control, &wish, &id) || write(ends[1], &id, sizeof(id)) < 0)
			_exit(2);
		_exit(is_seen(id));
	}
	if (read(ends[0], &id, sizeof(id)) != sizeof(id) || waitpid(*creator, &status, 0) < 0)
		die("START");
	close(ends[0]);
	close(ends[1]);
	result(WIFEXITED(status) && !WEXITSTATUS(status), "who starts it is left out");
	return id;
}

/* Two updates later there is another filter: it must not look for the number again */
static void change_filter(__u32 id)
{
	struct wish next = wish;
	__u32 changed[5];

	memcpy(changed, items, sizeof(changed));
	changed[4] = 0;
	next.items = changed;
	if (update_session(control, id, &next) || update_session(control, id, &wish))
		die("UPDATE");
}

/* Return: whether somebody else kept the number, so that nothing is known */
static int is_taken(void)
{
	int seen, again;
	pid_t creator;
	__u32 id = begin(&creator);

	result(is_seen(id), "others are not");
	seen = is_seen_as(creator, id);
	if (seen >= 0)
		result(seen == 1, "nor is who gets its number later");
	change_filter(id);
	again = is_seen_as(creator, id);
	if (again >= 0)
		result(again == 1, "also after an UPDATE that filters anew");
	discard_session(control, id);
	return seen < 0 || again < 0;
}

int main(void)
{
	int round;

	control = open_control();
	for (round = 0; round < ROUNDS && is_taken(); round++)
		;
	result(round < ROUNDS, "its number was to be had: %d", round);
	return failures != 0;
}
