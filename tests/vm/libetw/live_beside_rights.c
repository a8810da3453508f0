// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A session's writer hands events on to those that may read the session's node, and no others. */
#include <errno.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "live.h"
#include "live_beside.h"
#include "uapi/etw_extension.h"

#define USER	65534
#define GROUP	1234

/* As @user in @group, and without libetw. Return: the writer's answer, or -1 */
static int answer_to(unsigned int id, uid_t user, gid_t group)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 +
			   sprintf(address.sun_path + 1, "etw-writer/stream/%u/%016x", id, 0);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), answer = -1;

	if (setgroups(1, &group) || setgid(user) || setuid(user) ||
	    connect(fd, (struct sockaddr *)&address, length) ||
	    read(fd, &answer, sizeof(answer)) != sizeof(answer))
		return -1;
	return answer;
}

static int answered(TRACEHANDLE handle, uid_t user, gid_t group)
{
	pid_t child = fork();
	int status = 0;

	if (!child)
		_exit(answer_to(handle & 0xFFFF, user, group) & 0xFF);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void check_refused(void)
{
	TRACEHANDLE handle = beside_start("root's", "/tmp/roots.etl", 0, NULL, 0);
	struct process consumer = consumer_begin("root's", USER);

	check("a consumer without rights is refused: 5", consumer_end(consumer).open_error == 5);
	check("also at the writer itself", answered(handle, USER, GROUP) == EACCES);
	check_error("StopTrace() of it", stop_session(handle), 0);
}

/* @mode: of the node, which belongs to USER and GROUP */
static TRACEHANDLE start_owned(const char *name, const char *path, ULONG mode)
{
	const ULONG dwords[] = {
		0x00010005, ETW_EXT_VND_CONSUMER << 16 | 4, USER, GROUP, mode,
	};

	return beside_start(name, path, 0, dwords, sizeof(dwords));
}

static void check_owner(void)
{
	TRACEHANDLE handle = start_owned("owned", "/tmp/owned.etl", 0400);
	struct process consumer = consumer_begin("owned", USER);
	struct seen got;

	check("another user of the group is refused", answered(handle, USER - 1, GROUP) == EACCES);
	check("events are logged for the owner", !beside_log(handle, 0, 50));
	check_error("StopTrace() of it", stop_session(handle), 0);
	got = consumer_end(consumer);
	check("the owner of the node is a consumer", !got.open_error && !got.error &&
	      got.events == 50);
}

static void check_group(void)
{
	TRACEHANDLE handle = start_owned("shared", "/tmp/shared.etl", 0040);

	check("a member of the node's group is accepted", answered(handle, USER - 1, GROUP) == 0);
	check("the node's owner without the right is refused",
	      answered(handle, USER, GROUP) == EACCES);
	check("another user is refused", answered(handle, USER - 1, GROUP + 1) == EACCES);
	check_error("StopTrace() of it", stop_session(handle), 0);
}

void check_beside_rights(void)
{
	check_refused();
	check_owner();
	check_group();
}
