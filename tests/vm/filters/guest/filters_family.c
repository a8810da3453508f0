// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Descendants of a process that has ended, and the next process of its number, before and after
 * UPDATE; and those that a member adopts: the init of a namespace of processes.
 */
#define _GNU_SOURCE
#include <sched.h>
#include "seen.h"

#define ROUNDS			5
#define ITEM(dwords, type)	((dwords) | (__u32)(type) << 16)

/**
 * struct given - an extension's array
 * @header: of so many dwords and items
 * @flags: system calls
 * @pids: the process that is named
 * @options: ETW_FILTER_*
 * @hooks: calls, not what they return; not always there
 */
struct given {
	__u32 header;
	__u32 flags[2];
	__u32 pids[2];
	__u32 options[2];
	__u32 hooks[2];
};

/**
 * struct witness - a process that says whether it is seen
 * @ask: takes the id of a session
 * @answer: two ints: whether it is seen, and whether a child of it is
 */
struct witness {
	int ask;
	int answer;
};

static struct given only(__u32 pid, __u32 options, int with_hooks)
{
	return (struct given){
		.header = with_hooks ? ITEM(9, 4) : ITEM(7, 3),
		.flags = { ITEM(2, ETW_EXT_ENABLE_FLAGS), EVENT_TRACE_FLAG_SYSTEMCALL },
		.pids = { ITEM(2, ETW_EXT_PIDS), pid },
		.options = { ITEM(2, ETW_EXT_VND_FILTER_OPTIONS), options },
		.hooks = { ITEM(2, ETW_EXT_VND_HOOK_FILTER), PERFINFO_LOG_TYPE_SYSCALL_ENTER },
	};
}

static struct wish wish_for(const struct given *given)
{
	return (struct wish){
		.name = "family", .kb = 64, .buffers = 32, .flags = EVENT_TRACE_FLAG_SYSTEMCALL,
		.items = &given->header, .dwords = given->header & 0xFFFF,
		.mode = EVENT_TRACE_BUFFERING_MODE, .start = ETW_START_NO_RUNDOWN,
	};
}

static int child_is_seen(__u32 id)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(is_seen(id));
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		die("a child");
	return WEXITSTATUS(status);
}

/* Answers until no process asks any more */
static void testify(int ask, int answer)
{
	int seen[2];
	__u32 id;

	while (read(ask, &id, sizeof(id)) == sizeof(id)) {
		seen[0] = is_seen(id);
		seen[1] = child_is_seen(id);
		if (write(answer, seen, sizeof(seen)) != sizeof(seen))
			break;
	}
	_exit(0);
}

/* The parent is there, and waits until it may go on, so that START can name it. */
static void have_child(int ask, int answer, int go)
{
	pid_t parent = getpid();
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(1);
	if (fork())
		_exit(0);
	while (getppid() == parent)
		usleep(1000);
	testify(ask, answer);
}

static struct witness open_pipes(int child[2])
{
	int ask[2], answer[2];

	if (pipe2(ask, O_CLOEXEC) || pipe2(answer, O_CLOEXEC))
		die("pipe");
	child[0] = ask[0];
	child[1] = answer[1];
	return (struct witness){ .ask = ask[1], .answer = answer[0] };
}

/* Starts a session that names a process, which then has a child and ends. Return: its number */
static pid_t begin(struct witness *orphan, __u32 *id)
{
	int child[2], go[2];
	struct given given;
	struct wish wish;
	pid_t parent;

	*orphan = open_pipes(child);
	if (pipe2(go, O_CLOEXEC))
		die("pipe");
	parent = fork();
	if (!parent) {
		close(orphan->ask);
		have_child(child[0], child[1], go[0]);
	}
	close(child[0]);
	close(child[1]);
	given = only(parent, ETW_FILTER_CHILDREN, 0);
	wish = wish_for(&given);
	if (start_session(control, &wish, id))
		die("START");
	if (write(go[1], "", 1) != 1 || waitpid(parent, NULL, 0) != parent)
		die("the parent");
	close(go[0]);
	close(go[1]);
	return parent;
}

/* Another process with that number. Return: 0; -1: it is not to be had */
static int replace(struct witness *stranger, const struct witness *orphan, pid_t number)
{
	int child[2];
	pid_t pid;

	*stranger = open_pipes(child);
	pid = fork_as(number);
	if (!pid) {
		close(stranger->ask);
		close(orphan->ask);
		testify(child[0], child[1]);
	}
	close(child[0]);
	close(child[1]);
	return pid < 0 ? -1 : 0;
}

/* What a witness says of itself and of a child */
enum seen { NOBODY = 0, ITSELF = 1, BOTH = 3 };

static void check_seen(const struct witness *witness, __u32 id, enum seen want, const char *change,
		       const char *who)
{
	static const char * const names[] = { "not seen", "seen, no child", "?", "seen, a child too" };
	int seen[2];

	if (write(witness->ask, &id, sizeof(id)) != sizeof(id) ||
	    read(witness->answer, seen, sizeof(seen)) != sizeof(seen))
		die(who);
	result((seen[0] | seen[1] << 1) == (int)want, "%s: %s is %s # %d %d", change, who,
	       names[want], seen[0], seen[1]);
}

/**
 * struct change - an UPDATE, and which processes are seen then
 * @name: what it changes
 * @options: ETW_FILTER_*
 * @with_hooks: hooks are filtered, too
 * @orphan: of the one that has lost its parent
 * @stranger: of the one that has the parent's number now
 */
struct change {
	const char *name;
	__u32 options;
	int with_hooks;
	enum seen orphan;
	enum seen stranger;
};

/* The first one is START's own filter. What begins anew goes by numbers and chains of parents. */
static const struct change changes[] = {
	{ "the same", ETW_FILTER_CHILDREN, 0, BOTH, NOBODY },
	{ "another hook filter", ETW_FILTER_CHILDREN, 1, BOTH, NOBODY },
	{ "the recorder left out", ETW_FILTER_CHILDREN | ETW_FILTER_EXCLUDE_SELF, 1, BOTH, NOBODY },
	{ "all hooks", ETW_FILTER_CHILDREN, 0, BOTH, NOBODY },
	{ "no descendants", 0, 0, NOBODY, ITSELF },
	{ "descendants again", ETW_FILTER_CHILDREN, 0, NOBODY, BOTH },
};

/* Return: whether the parent's number was to be had; nothing is checked without */
static int checks_changes(void)
{
	struct witness orphan, stranger;
	struct given given;
	struct wish wish;
	pid_t parent;
	size_t i;
	int had;
	__u32 id;

	parent = begin(&orphan, &id);
	had = !replace(&stranger, &orphan, parent);
	for (i = 0; had && i < sizeof(changes) / sizeof(changes[0]); i++) {
		given = only(parent, changes[i].options, changes[i].with_hooks);
		wish = wish_for(&given);
		if (update_session(control, id, &wish))
			die("UPDATE");
		check_seen(&orphan, id, changes[i].orphan, changes[i].name, "the orphan");
		check_seen(&stranger, id, changes[i].stranger, changes[i].name,
			   "the process with the parent's number");
	}
	close(orphan.ask);
	close(orphan.answer);
	close(stranger.ask);
	close(stranger.answer);
	discard_session(control, id);
	return had;
}

/* Init of a namespace of its own, until it is killed */
static pid_t begin_namespace(void)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		die("a namespace");
	pid = fork();
	if (!pid)
		for (;;)
			pause();
	return pid;
}

/* In the namespace by now: a child of ours, with a parent that ends */
static void leave_child(int ask, int answer)
{
	pid_t pid = fork();

	if (!pid) {
		/* 1 in here: the namespace's init has adopted us */
		while (getppid() != 1)
			usleep(1000);
		testify(ask, answer);
	}
	_exit(pid < 0);
}

/* A process that comes into the namespace from outside, so is no descendant, and ends */
static void adopt(struct witness *adopted, pid_t init)
{
	char path[64];
	int child[2], inside, status;
	pid_t pid;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", init);
	inside = open(path, O_RDONLY | O_CLOEXEC);
	*adopted = open_pipes(child);
	if (inside < 0 || setns(inside, CLONE_NEWPID))
		die("setns");
	pid = fork();
	if (!pid) {
		close(adopted->ask);
		leave_child(child[0], child[1]);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("a process from outside");
	close(child[0]);
	close(child[1]);
	close(inside);
}

/* In a process of its own, with children that are born in another namespace from then on */
static void checks_adopted(void)
{
	struct witness adopted;
	struct given given;
	struct wish wish;
	pid_t init = begin_namespace();
	__u32 id;

	given = only(init, ETW_FILTER_CHILDREN, 0);
	wish = wish_for(&given);
	if (start_session(control, &wish, &id))
		die("START");
	adopt(&adopted, init);
	check_seen(&adopted, id, NOBODY, "START", "a process that a member adopted");
	if (update_session(control, id, &wish))
		die("UPDATE");
	check_seen(&adopted, id, NOBODY, "the same", "a process that a member adopted");
	discard_session(control, id);
	kill(init, SIGKILL);
	_exit(failures != 0);
}

int main(void)
{
	int round, status;
	pid_t pid;

	control = open_control();
	setvbuf(stdout, NULL, _IOLBF, 0);
	pid = fork();
	if (!pid)
		checks_adopted();
	result(waitpid(pid, &status, 0) == pid && !status, "adopted: the process ends well");
	if (!are_numbers_to_be_had())
		return failures != 0;
	for (round = 0; round < ROUNDS && !checks_changes(); round++)
		;
	result(round < ROUNDS, "the parent's number was to be had # round %d", round);
	return failures != 0;
}
