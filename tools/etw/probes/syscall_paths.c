// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Paths of system calls and addresses of sockets: probes that etw makes for --syscalls. Both read
 * the kernel's copy, which is there also if the program's page was not, and if the call fails
 * later.
 */
#include <errno.h>
#include <string.h>
#include "etw.h"
#include "probes.h"

/* etw stat FILE syscalls finds the events by these names */
#define PATH_EVENT	"syscall_path"
#define ADDRESS_EVENT	"syscall_address"

/*
 * Threads that may be in the function at once: one can sleep there, while its page is read. The
 * kernel's default is 10 on a small machine; further paths would be missing.
 */
#define PATH_TYPE	"r64"

/*
 * struct filename begins with the copy. On Linux 6.1 and 6.12 the program's address of the path
 * follows; by it the reader finds which argument of the call the path is. Without it,
 * two paths come in the order in which the kernel copies them.
 */
#define ARGUMENTS	"name=+0(+0($retval)):string at=+8($retval):x64"

/*
 * The first one that the kernel has. Where the compiler has put the copy into a function of its own
 * (.part.0), getname() calls that one only; getname_flags() would miss the opens. With do_getname(),
 * getname_flags() may be inlined.
 */
static const char *const paths[] = {
	"getname_flags.part.0 " ARGUMENTS, "do_getname " ARGUMENTS, "getname_flags " ARGUMENTS,
};

/* The length first; the bytes of struct sockaddr_un, the longest address, as 16-bit numbers */
#define ADDRESS(length, at)	"length=" length ":s32 address=+0(" at "):u16[55]"

/*
 * All of them, as one event. The security hooks get the kernel's copy of the address that a program
 * passes, and are functions of another file than their callers, so that no compiler inlines them
 * there. struct msghdr begins with the address and its length. move_addr_to_user() copies an
 * address to the program (accept, recvfrom, recvmsg, getsockname, getpeername).
 */
static const char *const addresses[] = {
	"security_socket_bind " ADDRESS("$arg3", "$arg2"),
	"security_socket_connect " ADDRESS("$arg3", "$arg2"),
	"security_socket_sendmsg " ADDRESS("+8($arg2)", "+0($arg2)"),
	"move_addr_to_user " ADDRESS("$arg2", "$arg1"),
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static bool is_there(const struct linux_events *events, const char *event)
{
	uint32_t i;

	for (i = 0; i < events->count; i++)
		if (!strcmp(trace_event_name(events->events[i].format), event))
			return true;
	return false;
}

/* A --filter is of the calls. Return: 0, or an exit code after a message */
static int record(const struct probe_option *option, const struct probe_group *group,
		  const char *event)
{
	int code = probe_record(option, group, event);

	if (!code)
		option->events->events[option->events->count - 1].given = 0;
	return code;
}

static int add_paths(struct probe_option *option, struct probe_group *group)
{
	int code, err = ENOENT;
	size_t i;

	for (i = 0; err && i < COUNT(paths); i++) {
		option->text = paths[i];
		code = probe_try(option, group, PATH_TYPE, PATH_EVENT, paths[i], &err);
		if (code)
			return code;
	}
	if (!err)
		return record(option, group, PATH_EVENT);
	warn("%s: --syscalls: paths will be missing: the kernel takes no probe at "
	     "getname_flags(): %s", option->verb, strerror(err));
	return 0;
}

static int add_addresses(struct probe_option *option, struct probe_group *group)
{
	struct linux_events *events = option->events;
	bool made = false;
	int code, err;
	size_t i;

	for (i = 0; i < COUNT(addresses); i++) {
		option->text = addresses[i];
		code = probe_try(option, group, "p", ADDRESS_EVENT, addresses[i], &err);
		if (code)
			return code;
		if (err)
			warn("%s: --syscalls: addresses of sockets will be missing: the kernel "
			     "takes no probe at %.*s(): %s", option->verb,
			     (int)strcspn(addresses[i], " "), addresses[i], strerror(err));
		else
			made = true;
	}
	code = made ? record(option, group, ADDRESS_EVENT) : 0;
	/* messages of connected sockets have no address */
	if (!code && made)
		code = linux_event_add_tests(&events->events[events->count - 1], option->verb,
					     "length > 0");
	return code;
}

int syscall_paths_add(struct linux_events *events, const char *verb)
{
	struct probe_option option = {
		.verb = verb, .name = "--syscalls", .kind = PROBE_KERNEL, .events = events,
	};
	struct probe_group group = { .kind = PROBE_KERNEL };
	int code = is_there(events, PATH_EVENT) ? 0 : add_paths(&option, &group);

	return code || is_there(events, ADDRESS_EVENT) ? code : add_addresses(&option, &group);
}
