// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A process that leaves itself out, and another one that gets its number later. */
#define _GNU_SOURCE
#include "seen.h"

#define ROUNDS		5

/* Whether a process with a number is seen, or -1 */
static int is_seen_as(pid_t number, __u32 id)
{
	pid_t pid = fork_as(number);
	int status;

	if (!pid)
		_exit(is_seen(id));
	if (pid > 0 && (waitpid(pid, &status, 0) != pid || !WIFEXITED(status)))
		die("the process with its number");
	return pid < 0 ? -1 : WEXITSTATUS(status);
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
	result(WIFEXITED(status) && !WEXITSTATUS(status), "the starter is left out");
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

/* Return: whether another process kept the number, so that nothing is known */
static int is_taken(void)
{
	int seen, again;
	pid_t creator;
	__u32 id = begin(&creator);

	result(is_seen(id), "others are not");
	seen = is_seen_as(creator, id);
	if (seen >= 0)
		result(seen == 1, "nor is the process that gets its number later");
	change_filter(id);
	again = is_seen_as(creator, id);
	if (again >= 0)
		result(again == 1, "also after an UPDATE that filters anew");
	discard_session(control, id);
	return seen < 0 || again < 0;
}

int main(void)
{
	pid_t creator;
	int round;

	control = open_control();
	if (!are_numbers_to_be_had()) {
		discard_session(control, begin(&creator));
		return failures != 0;
	}
	for (round = 0; round < ROUNDS && is_taken(); round++)
		;
	result(round < ROUNDS, "its number was to be had # round %d", round);
	return failures != 0;
}
