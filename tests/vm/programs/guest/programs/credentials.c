// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: files that others opened, redirected output. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "people.h"

#define SAYS		"/tmp/says"

static void set_euid(void)
{
	if (setresuid(-1, OTHER, -1))
		_exit(251);
}

static void set_ruid(void)
{
	if (setresuid(OTHER, -1, -1))
		_exit(251);
}

static void set_fsuid(void)
{
	setfsuid(OTHER);
}

static void set_egid(void)
{
	if (setresgid(-1, OTHER, -1))
		_exit(251);
}

static void set_rgid(void)
{
	if (setresgid(OTHER, -1, -1))
		_exit(251);
}

static void set_fsgid(void)
{
	setfsgid(OTHER);
}

static void set_suid(void)
{
	if (setresuid(-1, -1, OTHER))
		_exit(251);
}

static void set_sgid(void)
{
	if (setresgid(-1, -1, OTHER))
		_exit(251);
}

static void set_groups(void)
{
	const gid_t groups[] = { OTHER };

	if (setgroups(1, groups))
		_exit(251);
}

/* One of many, and not one that this test asks for */
static void drop(int permitted_too)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		_exit(252);
	data[0].effective &= ~(1U << CAP_SYS_TIME);
	if (permitted_too)
		data[0].permitted &= ~(1U << CAP_SYS_TIME);
	if (syscall(SYS_capset, &header, data))
		_exit(252);
}

static void drop_capability(void)
{
	drop(0);
}

/* The opener's, which is not in effect for him either */
static void open_without(void)
{
	int fd;

	drop(0);
	fd = open("/dev/etw/provider", O_WRONLY);
	if (fd < 0 || dup2(fd, provider) < 0)
		_exit(253);
}

/* Opened and then given up: what it was permitted it is no more. */
static void drop_permitted(void)
{
	open_without();
	drop(1);
}

/* The same numbers and all capabilities, which are worth nothing outside of it */
static void new_user_namespace(void)
{
	if (unshare(CLONE_NEWUSER))
		_exit(252);
}

static void open_to_read(void)
{
	int fd = open("/dev/etw/provider", O_RDONLY);

	if (fd < 0 || dup2(fd, provider) < 0)
		_exit(253);
}

static void nothing(void)
{
}

/* Any difference in the writer's credentials makes it another's file. */
static void test_differences(struct session *session)
{
	static const struct person people[] = {
		{ "another effective uid", set_euid }, { "another real uid", set_ruid },
		{ "another uid for files", set_fsuid }, { "another effective gid", set_egid },
		{ "another real gid", set_rgid }, { "another gid for files", set_fsgid },
		{ "another saved uid", set_suid }, { "another saved gid", set_sgid },
		{ "other groups", set_groups },
		{ "a capability less", drop_capability },
		{ "a capability less to take into effect", drop_permitted },
		{ "another user namespace", new_user_namespace },
	};
	static const struct person same[] = {
		{ "all that the opener had", nothing }, { "what it opened itself", open_without },
	};
	size_t i;
	int err;

	for (i = 0; i < COUNT(same); i++) {
		err = give_as(&same[i], provider, BY_WRITE, session->id, class_guid, 0);
		result(!err && take(session, NULL, 0) == 1, "write() by a child with %s: %s",
		       same[i].name, error_name(err));
	}
	for (i = 0; i < COUNT(people); i++) {
		err = give_as(&people[i], provider, BY_WRITE, session->id, class_guid, 0);
		result(err == EPERM && !take(session, NULL, 0), "write() with %s: EPERM # %s",
		       people[i].name, error_name(err));
	}
	err = give_as(&user, provider, BY_WRITE, session->id, class_guid, 0);
	result(err == EPERM, "write() by uid 1234 to root's file: EPERM # %s", error_name(err));
}

/* What is open for reading takes events no way. */
static void test_open_to_read(struct session *session)
{
	static const struct person reader = { "a user with the right to read", open_to_read };
	static const enum way ways[] = { BY_WRITE, BY_EVENT, BY_MESSAGE };
	int err, bad = 0;
	size_t i;

	for (i = 0; i < COUNT(ways); i++) {
		err = give_as(&reader, provider, ways[i], session->id, class_guid, 0);
		bad += err != EBADF;
	}
	result(!bad && !take(session, NULL, 0),
	       "a file that is open for reading: EBADF, by each way # %zu ways",
	       COUNT(ways));
}

/* An ioctl is no accident: a receiver of the file has the opener's rights, as with any file. */
static void test_handed_over(struct session *session)
{
	struct record record;
	int err;

	err = give_as(&stranger, provider, BY_EVENT, session->id, class_guid, 0);
	record = err ? (struct record){ 0 } : take_one(session);
	result(!err && record.bytes && get32(record.bytes + 12) != (__u32)getpid(),
	       "TRACE_EVENT by uid 65534 on root's file: root's rights, but the writer's ids # %s",
	       error_name(err));
}

/* main() of a copy of this program that is setuid root: writes what it was given */
int say(const char *number)
{
	static struct given event;
	__u32 id = strtoul(number, NULL, 0);

	prepare(&event, 0, "said", 4);
	put64(event.header + 8, id);
	errno = 0;
	return write(STDOUT_FILENO, &event, 0x34) == 0x34 ? 0 : errno;
}

/* A user that can't write opens the node and makes it the output of a program that could. */
static int redirect(const struct person *person, __u32 id)
{
	char number[16];
	int status;
	pid_t pid;

	snprintf(number, sizeof(number), "%u", id);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		int fd;

		person->become();
		fd = open("/dev/etw/provider", O_WRONLY);
		if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
			_exit(254);
		execl(SAYS, "says", "say", number, NULL);
		_exit(253);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int copy_program(void)
{
	static char bytes[1 << 16];
	int from = open("/proc/self/exe", O_RDONLY), to = open(SAYS, O_WRONLY | O_CREAT, 0755);
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, n) != n)
			return 0;
	close(from);
	return !fchmod(to, 04755) && !close(to);
}

static void test_redirected(struct session *session)
{
	int err[2];

	if (!copy_program())
		die(SAYS);
	err[0] = redirect(&root, session->id);
	err[1] = redirect(&user, session->id);
	result(!err[0] && err[1] == EPERM && take(session, NULL, 0) == 1,
	       "output of a setuid root program, redirected by uid 1234: EPERM # %s; root's own: %s",
	       error_name(err[1]), error_name(err[0]));
	unlink(SAYS);
}

void test_credentials(void)
{
	struct session session = start(&(struct wish){ 0 });

	test_differences(&session);
	test_open_to_read(&session);
	test_handed_over(&session);
	test_redirected(&session);
	end(&session);
}
