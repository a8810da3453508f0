/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Abuse: rights to open files, files of another kind, sessions of other users. */
#ifndef ETW_TEST_ABUSE_ACCESS_H
#define ETW_TEST_ABUSE_ACCESS_H

#include <dirent.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "tests/lib/guest/open_as.h"
#include "tests/lib/guest/sessions.h"

#define NOBODY		65534
#define NO_NAMESPACE	250	/* exit status: not in this kernel */

static int control = -1;

static const unsigned long all_ioctls[] = {
	ETW_IOC_START, ETW_IOC_STOP, ETW_IOC_QUERY, ETW_IOC_UPDATE, ETW_IOC_FLUSH,
	ETW_IOC_SNAPSHOT, ETW_IOC_RUNDOWN, ETW_IOC_LIST, ETW_IOC_STATISTICS,
	ETW_IOC_LOG_RECORD,
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static const struct wish small_session = { .name = "abuse", .kb = 4, .buffers = 4 };

static __u32 start_or_die(const struct wish *wish)
{
	__u32 id;

	errno = start_session(control, wish, &id);
	if (errno)
		die("START");
	return id;
}

static void nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(251);
}

static void keep_capabilities(unsigned int low, unsigned int high)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = low, .permitted = low }, { .effective = high, .permitted = high },
	};

	if (syscall(SYS_capset, &header, data))
		_exit(252);
}

/* uid 0 and everything else, as in a container */
static void root_without(void)
{
	keep_capabilities(~(1U << CAP_SYS_ADMIN) & ~0U,
			  ~(1U << (CAP_PERFMON - 32)) & 0x1FF);
}

static void root_with_nothing(void)
{
	keep_capabilities(0, 0);
}

static void nobody_in_namespace(void)
{
	nobody();
	if (unshare(CLONE_NEWUSER))
		_exit(NO_NAMESPACE);
}

static void root_in_namespace(void)
{
	if (unshare(CLONE_NEWUSER))
		_exit(NO_NAMESPACE);
}

static void test_who(void)
{
	static const struct {
		const char *who;
		void (*become)(void);
	} cases[] = {
		{ "uid 65534", nobody },
		{ "uid 0 without CAP_PERFMON and CAP_SYS_ADMIN", root_without },
		{ "uid 0 without any capability", root_with_nothing },
		{ "uid 65534, all capabilities in a user namespace", nobody_in_namespace },
		{ "uid 0, all capabilities in a user namespace", root_in_namespace },
	};
	char node[64], link[64];
	__u32 id = start_or_die(&small_session);
	size_t i;
	int err;

	err = open_as(CONTROL, nobody);
	result(err == EACCES, "uid 65534 opens control: EACCES # %s", error_name(err));
	chmod(CONTROL, 0666);	/* the module itself decides */
	for (i = 0; i < COUNT(cases); i++) {
		err = open_as(CONTROL, cases[i].become);
		if (err == NO_NAMESPACE)
			skip("%s # this kernel has no user namespaces", cases[i].who);
		else
			result(err == EACCES, "%s opens control of mode 0666: EACCES # %s",
			       cases[i].who, error_name(err));
	}
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", getpid(), control);
	err = open_as(link, nobody);
	result(err == EACCES, "uid 65534 opens root's control through /proc: EACCES # %s",
	       error_name(err));
	chmod(CONTROL, 0600);

	snprintf(node, sizeof(node), "/dev/etw/session%u", id);
	err = open_as(node, nobody);
	result(err == EACCES, "uid 65534 opens a session: EACCES # %s", error_name(err));
	err = open_as(node, nobody_in_namespace);
	if (err == NO_NAMESPACE)
		skip("a session from a user namespace # not in this kernel");
	else
		result(err == EACCES, "uid 65534 in a user namespace opens a session: EACCES # %s",
		       error_name(err));
	discard_session(control, id);
}

/* Every ioctl, on files that know none of them */
static void test_wrong_files(void)
{
	static __u8 argument[4096];
	__u32 id = start_or_die(&small_session);
	int files[] = {
		open_node(id, 0), open("/dev/null", O_RDWR), open("/proc/self/status", O_RDONLY),
		open("/tmp", O_RDONLY),
	};
	static const char *const names[] = { "a session", "/dev/null", "a file of /proc", "/tmp" };
	size_t i, j;
	int err, bad;

	for (i = 0; i < COUNT(files); i++) {
		for (bad = 0, j = 0; j < COUNT(all_ioctls); j++) {
			err = ioctl(files[i], all_ioctls[j], argument) ? errno : 0;
			bad += err != ENOTTY;
		}
		result(!bad && list_sessions(control) == 1ULL << (id - 1),
		       "all ioctls of control on %s: ENOTTY", names[i]);
		close(files[i]);
	}
	discard_session(control, id);
}

static void expect_errno(int failed, int want, const char *what)
{
	int err = failed ? errno : 0;

	result(err == want, "%s: %s # %s", what, error_name(want), error_name(err));
}

/* @writable: what a mapping that is shared and writable fails with; all others: ENODEV */
static void expect_no_mapping(int fd, int writable, const char *of)
{
	static const struct {
		const char *what;
		int protection;
		int flags;
	} maps[] = {
		{ "a shared", PROT_READ, MAP_SHARED },
		{ "a private", PROT_READ, MAP_PRIVATE },
		{ "a writable", PROT_READ | PROT_WRITE, MAP_SHARED },
		{ "an executable", PROT_READ | PROT_EXEC, MAP_SHARED },
		{ "an executable private", PROT_READ | PROT_EXEC, MAP_PRIVATE },
	};
	char text[80];
	unsigned int i;
	void *at;

	for (i = 0; i < COUNT(maps); i++) {
		at = mmap(NULL, 4096, maps[i].protection, maps[i].flags, fd, 0);
		snprintf(text, sizeof(text), "%s mapping of %s", maps[i].what, of);
		expect_errno(at == MAP_FAILED,
			     maps[i].protection & PROT_WRITE ? writable : ENODEV, text);
	}
}

/* What a node has no operation for */
static void test_operations(void)
{
	__u32 id = start_or_die(&small_session);
	int both = open("/dev/etw/session1", O_RDWR), fd;
	struct iovec many[1025];
	char byte = 0;
	int i;

	expect_no_mapping(control, ENODEV, "control");
	expect_no_mapping(both, ENODEV, "a session");
	expect_errno(read(control, &byte, 1) < 0, EINVAL, "read of control");
	expect_errno(write(control, &byte, 1) < 0, EINVAL, "write to control");
	expect_errno(write(both, &byte, 1) < 0, EINVAL, "write to a session");
	expect_errno(pwrite(both, &byte, 1, 0) < 0, ESPIPE, "pwrite to a session");
	expect_errno(ftruncate(both, 0) < 0, EINVAL, "ftruncate of a session");
	expect_errno(fallocate(both, 0, 0, 4096) < 0, ENODEV, "fallocate in a session");
	result(!readv(both, many, 0), "readv of no pieces: 0");
	for (i = 0; i < 1025; i++)
		many[i] = (struct iovec){ &byte, 1 };
	expect_errno(readv(both, many, 1025) < 0, EINVAL, "readv of 1025 pieces");
	result(readv(both, many, 1024) == 1024, "readv of 1024 pieces of a byte: 1024");
	expect_errno(syscall(SYS_read, both, &byte, SSIZE_MAX) < 0, EFAULT, "read of SSIZE_MAX");
	expect_errno(syscall(SYS_read, both, &byte, -1L) < 0, EFAULT, "read of SIZE_MAX");
	result(!read(both, &byte, 0), "read of 0: 0");
	fd = open_node(id, 0);
	expect_errno(fd < 0, EBUSY, "another reader");
	close(both);
	discard_session(control, id);
}

/* One process starts, others read and stop. */
static void test_foreign(void)
{
	__u32 id = start_or_die(&small_session);
	int fd = open_node(id, 0), status, err, other;
	pid_t pid = fork();

	if (!pid) {	/* another process, root */
		other = open_node(id, 0);
		if (other >= 0 || errno != EBUSY)
			_exit(1);
		nobody();
		if (open(CONTROL, O_RDWR) >= 0 || errno != EACCES)
			_exit(2);
		/* rights are those of the open: a file that was handed over works */
		_exit(list_sessions(control) == ~0ULL ? 3 : 0);
	}
	waitpid(pid, &status, 0);
	result(!status, "a foreign reader: EBUSY; uid 65534 cannot open control to stop # 0x%x",
	       status);
	other = open(CONTROL, O_RDWR);
	err = on_session(other, ETW_IOC_STOP, id, 0);
	result(!err, "a user with the right to open control may stop another's session # %s",
	       error_name(err));
	close(other);
	close(fd);
	discard_session(control, id);
	result(!list_sessions(control), "no session is left");
}

static int shows_address(const char *text)
{
	const char *at;
	size_t i;

	for (at = text; (at = strstr(at, "ffff")); at++) {
		i = strspn(at, "0123456789abcdef");
		if (i == 16 && strncmp(at, "ffffffffffff", 12))
			return 1;
	}
	return 0;
}

/* As uid 65534: what can be read may show no address; events alone can be written */
static int look_at(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char path[512], text[4096];
	struct stat st;
	int is_provider, bad = 0, fd;
	ssize_t n;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (entry->d_name[0] == '.' || lstat(path, &st) || S_ISLNK(st.st_mode))
			continue;
		if (S_ISDIR(st.st_mode)) {
			bad += look_at(path);
			continue;
		}
		fd = open(path, O_RDONLY | O_NONBLOCK);
		n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
		text[n > 0 ? n : 0] = 0;
		is_provider = !strcmp(path, "/dev/etw/provider");
		if (((st.st_mode & 0002) || !access(path, W_OK)) != is_provider ||
		    shows_address(text))
			bad += printf("# uid 65534: %s, mode %o: %.60s\n", path,
				      st.st_mode & 0777, text);
		close(fd);
	}
	if (dir)
		closedir(dir);
	return bad;
}

static void test_files(void)
{
	__u32 id = start_or_die(&small_session);
	int status;
	pid_t pid = fork();

	if (!pid) {
		nobody();
		status = look_at("/sys/module/etw") + look_at("/sys/class/misc/etw_control/") +
			 look_at("/sys/class/misc/etw_provider/") +
			 look_at("/sys/class/etw/etw_session1/") + look_at("/dev/etw");
		fflush(stdout);
		_exit(!!status);
	}
	waitpid(pid, &status, 0);
	result(!status, "sysfs and /dev/etw: uid 65534 sees no kernel address and can write to the provider's node alone");
	discard_session(control, id);
}

#endif /* ETW_TEST_ABUSE_ACCESS_H */
