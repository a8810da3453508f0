// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: user namespaces; any number of open files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/lib/guest/machine_memory.h"
#include "people.h"

#define NO_NAMESPACE	250	/* exit status: not in this kernel, or not for users */
#define OPENS		65536
#define REGISTERED	2048

/**
 * struct resident - a process in a user namespace of its own
 * @what: for messages
 * @uid: that it had outside when it made the namespace
 * @map: uid_map and gid_map, or NULL: no uid is mapped
 * @inside: uid that it gets there
 * @group: that it is in, or 0
 */
struct resident {
	const char *what;
	unsigned int uid;
	const char *map;
	unsigned int inside;
	gid_t group;
};

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		_exit(249);
	close(fd);
}

static const struct resident *who;

/* Its parent, root outside, may map any uid. */
static void settle(void)
{
	int ready[2], go[2], status;
	char name[64], byte = 0;
	pid_t pid;

	if (pipe(ready) || pipe(go))
		_exit(248);
	pid = fork();
	if (pid) {	/* the rest of give_as() is the child's */
		close(ready[1]);
		if (who->map && read(ready[0], &byte, 1) == 1) {
			snprintf(name, sizeof(name), "/proc/%d/uid_map", pid);
			write_file(name, who->map);
			snprintf(name, sizeof(name), "/proc/%d/gid_map", pid);
			write_file(name, who->map);
		}
		if (write(go[1], &byte, 1) != 1)
			_exit(247);
		waitpid(pid, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 246);
	}
	if (setgroups(!!who->group, &who->group) || setgid(who->uid) || setuid(who->uid))
		_exit(251);
	if (unshare(CLONE_NEWUSER))
		_exit(NO_NAMESPACE);
	if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1)
		_exit(245);
	if (who->map && (setgid(who->inside) || setuid(who->inside)))
		_exit(244);
}

void test_namespaces(void)
{
	static const struct resident residents[] = {
		{ "uid 1234, root in its namespace", OTHER, "0 1234 1", 0, 0 },
		{ "uid 1234, uid 65534 in its namespace", OTHER, "65534 1234 1", NOBODY, 0 },
		{ "uid 1234, without a uid in its namespace", OTHER, NULL, 0, 0 },
		{ "uid 65534, uid 1234 in its namespace", NOBODY, "1234 65534 1", OTHER, 0 },
		{ "uid 65534, root in its namespace", NOBODY, "0 65534 1", 0, 0 },
		{ "uid 65534, without a uid in its namespace", NOBODY, NULL, 0, 0 },
	};
	static const struct person resident = { "", settle };
	static const __u8 process_class[16] = {
		0xD0, 0xA8, 0x6F, 0x3D, 0x05, 0xFE, 0xD0, 0x11,
		0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C,
	};
	struct session theirs = start(&(struct wish){
		.name = "theirs", .uids = { OTHER }, .nr_uids = 1 });
	struct session roots = start(&(struct wish){ .name = "root's" });
	int err[4];
	size_t i;

	for (i = 0; i < COUNT(residents); i++) {
		who = &residents[i];
		err[3] = who->uid == OTHER ? 0 : EACCES;
		err[0] = give_as(&resident, -1, BY_EVENT, theirs.id, class_guid, 0);
		if (err[0] == -(NO_NAMESPACE << 8)) {
			skip("%s # this kernel has no user namespaces", who->what);
			continue;
		}
		err[1] = give_as(&resident, -1, BY_EVENT, roots.id, class_guid, 0);
		err[2] = give_as(&resident, -1, BY_EVENT, theirs.id, process_class, 0);
		result(err[0] == err[3] && err[1] == EACCES && err[2] == EACCES,
		       "%s: a session for uid 1234: %s; root's session, a GUID of the system: EACCES # %s, %s, %s",
		       who->what, error_name(err[3]), error_name(err[0]), error_name(err[1]),
		       error_name(err[2]));
	}
	end(&theirs);
	end(&roots);
}

/* More than a second may have: all is paid for only after many */
static int spend(const struct person *person, __u32 id)
{
	static struct given given;
	int status;
	pid_t pid = fork();

	if (!pid) {
		person->become();
		prepare(&given, 0, NULL, 0);
		put16(given.header, 25600);
		_exit(trace_event(open_provider(0), id, &given, 0));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A session for a group: a process that is many users in a namespace is one of its members. */
void test_purses(void)
{
	static const struct resident many = {
		"uid 100000 of uid 1234", OTHER, "0 1234 1\n1 100000 1\n", 1, OTHER,
	};
	static const struct person resident = { "", settle };
	struct session session = start(&(struct wish){
		.name = "group's", .gids = { OTHER }, .nr_gids = 1, .rate = 1 });
	int err[4];

	who = &many;
	err[0] = spend(&user, session.id);
	err[1] = give_as(&user, -1, BY_EVENT, session.id, class_guid, 0);
	err[2] = give_as(&resident, -1, BY_EVENT, session.id, class_guid, 0);
	err[3] = give_as(&grouped, -1, BY_EVENT, session.id, class_guid, 0);
	if (err[2] == -(NO_NAMESPACE << 8))
		skip("uids of a namespace and rates # this kernel has no user namespaces");
	else
		result(!err[0] && err[1] == EDQUOT && err[2] == EDQUOT && !err[3],
		       "a rate for each member of a group: uid 1234's is its namespace's uids', too # %s, %s, %s, %s",
		       error_name(err[0]), error_name(err[1]), error_name(err[2]),
		       error_name(err[3]));
	end(&session);
}

/* What MemAvailable says lags behind. */
static long used(void)
{
	return meminfo("Slab");
}

/* Files go after a grace period. Returns what is not there again after some seconds */
static long missing(long before)
{
	int patience = 100;

	while (used() - before > 4096 && patience--)
		usleep(50000);
	return used() - before;
}

/* KASAN makes each object longer and keeps what was freed: then slabs show nothing of us. */
static int is_under_kasan(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[256];
	int yes = 0;

	while (file && !yes && fgets(line, sizeof(line), file))
		yes = !!strstr(line, " kasan_quarantine_put");
	if (file)
		fclose(file);
	return yes;
}

static int open_many(int *files, int n, int registers)
{
	struct etw_provider_register r = { .size = sizeof(r) };
	int i;

	for (i = 0; i < n; i++) {
		files[i] = open("/dev/etw/provider", O_RDWR | O_CLOEXEC);
		if (files[i] < 0)
			return i;
		r.guid.data1 = i;
		if (registers && try(files[i], ETW_PROVIDER_REGISTER, &r))
			return i;
	}
	return n;
}

static void close_many(int *files, int n)
{
	while (n--)
		close(files[n]);
}

static int providers(void)
{
	struct etw_providers p = {
		.size = sizeof(p), .entry_size = sizeof(struct etw_provider_info),
	};

	return try(control, ETW_IOC_PROVIDERS, &p) ? -1 : (int)p.count;
}

/* By uid 1234: what a file costs, what a registration costs, that it all comes back */
static void open_as_user(void)
{
	struct rlimit limit = { OPENS + 100, OPENS + 100 };
	int *files = calloc(OPENS, sizeof(int)), n, known, others = providers();
	int kasan = is_under_kasan();
	long before, most, after;

	failures = 0;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		die("RLIMIT_NOFILE");
	user.become();
	before = used();
	n = open_many(files, OPENS, 0);
	most = used() - before;
	close_many(files, n);
	after = missing(before);
	result(n == OPENS, "many files of /dev/etw/provider can be open # %d files", n);
	if (!kasan) {
		result(most > 0 && most < OPENS,
		       "a file takes less than 1 kB of slabs # %ld kB in all", most);
		result(after <= 4096, "closed: the memory is there again # but %ld kB", after);
	}
	before = used();
	n = open_many(files, REGISTERED, 1);
	known = providers() - others;
	most = used() - before;
	close_many(files, n);
	after = missing(before);
	result(n == REGISTERED && known == REGISTERED,
	       "PROVIDERS lists all files that registered a GUID # %d files, %d listed", n, known);
	result(providers() == others, "closed: no provider is registered");
	if (!kasan) {
		result(most > 0 && most < 8 * REGISTERED,
		       "a registration takes less than 8 kB of slabs # %ld kB in all",
		       most);
		result(after <= 4096, "closed: the memory is there again # but %ld kB", after);
	} else {
		skip("the slabs of files and registrations # KASAN keeps what was freed");
	}
	exit(failures);
}

void test_opens(void)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		open_as_user();
	waitpid(pid, &status, 0);
	failures += !!status;
}
