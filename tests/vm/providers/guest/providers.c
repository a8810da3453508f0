// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Registrations, ENABLE, PROVIDERS: what programs and modules see of listeners. */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "providers.h"
#include "write_events.h"

#define NOBODY	65534

static int refused_map(int fd, size_t size, int prot, int flags, off_t at)
{
	void *page = mmap(NULL, size, prot, flags, fd, at);

	if (page == MAP_FAILED)
		return errno;
	munmap(page, size);
	return 0;
}

static void maps(void)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	int fd = open_provider(), only_read = open("/dev/etw/provider", O_RDONLY | O_CLOEXEC);
	void *page;

	result(refused_map(fd, size, PROT_READ | PROT_WRITE, MAP_SHARED, 0) == EPERM,
	       "mmap(): EPERM for what can be written to");
	result(refused_map(fd, size, PROT_READ | PROT_EXEC, MAP_SHARED, 0) == EPERM,
	       "mmap(): EPERM for what can be executed");
	result(refused_map(fd, size, PROT_READ, MAP_PRIVATE, 0) == EINVAL,
	       "mmap(): EINVAL for a private copy");
	result(!refused_map(only_read, size, PROT_READ, MAP_SHARED, 0),
	       "mmap() of a file that is open for reading only");
	result(refused_map(only_read, size, PROT_READ, MAP_PRIVATE, 0) == EINVAL,
	       "mmap() of that: EINVAL for a private copy");
	close(only_read);
	result(refused_map(fd, 2 * size, PROT_READ, MAP_SHARED, 0) == EINVAL,
	       "mmap(): EINVAL for two pages");
	result(refused_map(fd, size, PROT_READ, MAP_SHARED, size) == EINVAL,
	       "mmap(): EINVAL for the second page");
	page = (void *)map_page(fd);
	result(((struct etw_provider_page *)page)->version == 1, "the page has version 1");
	result(mprotect(page, size, PROT_READ | PROT_WRITE) && errno == EACCES,
	       "the page can't be made one to write to");
	close(fd);
	result(((struct etw_provider_page *)page)->version == 1, "a mapping outlives the fd");
	munmap(page, size);
}

static void registrations(void)
{
	struct etw_provider_register r = { .size = sizeof(r) - 1 };
	struct etw_provider_info info[2];
	int fd = open_provider(), i, n = 0;
	const volatile struct etw_provider_page *page = map_page(fd);

	result(ioctl(fd, ETW_PROVIDER_REGISTER, &r) && errno == EINVAL, "REGISTER: EINVAL for a size");
	result(ioctl(fd, ETW_PROVIDER_REGISTER, 8) && errno == EFAULT, "REGISTER: EFAULT");
	result(leave(fd, 0) == EINVAL, "UNREGISTER: EINVAL for a free entry");
	for (i = 0; i < ETW_MAX_REGISTRATIONS; i++)
		n += enroll(fd, 5) == i && is_state(page, i, 0, 0, 0);
	result(n == ETW_MAX_REGISTRATIONS, "255 registrations, one after another");
	result(enroll(fd, 5) == -1 && errno == ENOSPC, "REGISTER: ENOSPC for one more");
	result(list_providers(info, 2) == 1 && info[0].registrations == 255,
	       "PROVIDERS counts registrations");
	result(!leave(fd, 200) && !page->state[200].registered && leave(fd, 200) == EINVAL,
	       "UNREGISTER frees an entry, once");
	result(leave(fd, 255) == EINVAL && leave(fd, ~0U) == EINVAL, "UNREGISTER: EINVAL for 255");
	result(enroll(fd, 6) == 200, "a free entry is used again");
	munmap((void *)page, sysconf(_SC_PAGESIZE));
	close(fd);
	result(list_providers(info, 2) == 0, "nothing stays registered when the fd is closed");
}

static int enable_raw(__u32 size, __u32 id, __u32 enabled, __u32 level, __u32 reserved)
{
	struct etw_enable e = {
		.size = size, .logger_id = id, .guid = GUID(1), .enabled = enabled,
		.level = level, .reserved = reserved,
	};

	return ioctl(control, ETW_IOC_ENABLE, &e) ? errno : 0;
}

static void enable_errors(void)
{
	const __u32 size = sizeof(struct etw_enable);
	struct etw_guid guid = GUID(1);
	int id = new_session("errors"), i;

	result(enable_raw(size, id, 1, 256, 0) == EINVAL, "ENABLE: EINVAL for level 256");
	result(enable_raw(size, id, 3, 1, 0) == EINVAL, "ENABLE: EINVAL for 3");
	result(enable_raw(size, id, 2, 1, 0) == ENOENT,
	       "ENABLE: ENOENT for the state of what is not enabled");
	result(enable_raw(size, id, 1, 1, 1) == EINVAL, "ENABLE: EINVAL for what is reserved");
	result(enable_raw(39, id, 1, 1, 0) == EINVAL, "ENABLE: EINVAL for a size");
	result(enable_raw(size, 64, 1, 1, 0) == ENOENT, "ENABLE: ENOENT without a session");
	result(enable_raw(size, id, 0, 0, 0) == ENOENT, "ENABLE: ENOENT for what is not enabled");
	result(ioctl(control, ETW_IOC_ENABLE, 8) && errno == EFAULT, "ENABLE: EFAULT");
	for (i = 0; i < ETW_MAX_ENABLED; i++) {
		guid.data1 = 100 + i;
		if (session_enable(control, id, &guid, 1, 1, 0))
			break;
	}
	guid.data1 = 1;
	result(i == ETW_MAX_ENABLED && session_enable(control, id, &guid, 1, 1, 0) == ENOSPC,
	       "ENABLE: ENOSPC for the 65th");
	on_session(control, ETW_IOC_STOP, id, 0);
	result(session_enable(control, id, &guid, 1, 1, 0) == EALREADY,
	       "ENABLE: EALREADY when the session has stopped");
	discard_session(control, id);
	result(list_providers(NULL, 0) == 0, "nothing stays enabled when the session stops");
}

/* Two sessions, one page: "the one that enabled it last" */
static void two_sessions(void)
{
	struct etw_provider_info info[3] = { };
	struct etw_guid guid = GUID(9);
	int fd = open_provider(), a = new_session("a"), b = new_session("b"), early, late;
	const volatile struct etw_provider_page *page = map_page(fd);

	early = enroll(fd, 9);
	session_enable(control, a, &guid, 1, 3, 0x80000001);
	result(is_state(page, early, a, 3, 0x80000001), "a session enables it: the page says so");
	late = enroll(fd, 9);
	result(is_state(page, late, a, 3, 0x80000001), "registered when it is enabled already");
	session_enable(control, b, &guid, 1, 5, 2);
	result(is_state(page, early, b, 5, 2) && is_state(page, late, b, 5, 2),
	       "another session does: that is the one");
	result(list_providers(info, 2) == 2 && info[0].logger_id == (__u32)b &&
	       info[1].logger_id == (__u32)a && info[1].level == 3 && info[0].registrations == 2 &&
	       info[1].enable_flags == 0x80000001 && !info[2].guid.data1,
	       "PROVIDERS returns both, the newest first");
	result(list_providers(info + 2, 1) == 2 && info[2].logger_id == (__u32)b,
	       "PROVIDERS returns the count when it has less room");
	result(list_providers((void *)8, 2) == -1 && errno == EFAULT, "PROVIDERS: EFAULT");
	session_enable(control, a, &guid, 1, 4, 7);
	result(is_state(page, early, a, 4, 7), "once more: it is the newest, with what it says now");
	discard_session(control, a);
	result(is_state(page, early, b, 5, 2), "it stops: the older one again");
	session_enable(control, b, &guid, 0, 0, 0);
	result(is_state(page, early, 0, 0, 0) && is_state(page, late, 0, 0, 0),
	       "that is disabled: no session listens");
	discard_session(control, b);
	munmap((void *)page, sysconf(_SC_PAGESIZE));
	close(fd);
}

static void wait_for_changes(void)
{
	struct etw_guid guid = GUID(9);
	int fd = open_provider(), id = new_session("poll");
	const volatile struct etw_provider_page *page = map_page(fd);
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };
	__u32 seen;

	result(!changed(fd, 0), "poll(): nothing before a registration");
	enroll(fd, 9);
	ioctl(fd, ETW_PROVIDER_ACK, page->changes);
	result(!changed(fd, 0), "poll(): nothing after an ACK");
	seen = page->changes;
	if (!fork()) {
		usleep(50000);
		session_enable(control, id, &guid, 1, 1, 1);
		_exit(0);
	}
	result(changed(fd, 10000), "poll(): POLLPRI when another process enables it");
	wait(NULL);
	result(page->changes > seen && changed(fd, 0), "poll(): until the ACK");
	session_enable(control, id, &guid, 0, 0, 0);
	ioctl(fd, ETW_PROVIDER_ACK, seen + 1);
	result(changed(fd, 0), "poll(): an older ACK is not enough");
	ioctl(fd, ETW_PROVIDER_ACK, page->changes);
	result(!changed(fd, 0), "poll(): that of the last change is");
	result(poll(&p, 1, 0) == 1 && p.revents == POLLOUT, "poll(): it can always be written to");
	discard_session(control, id);
	munmap((void *)page, sysconf(_SC_PAGESIZE));
	close(fd);
}

/* Another process, which can do nothing but read memory, write() and exit() from here on */
static void see_without_calls(void)
{
	struct etw_guid guid = GUID(7);
	int fd, ready[2], status = 0, id = new_session("seen"), index, strict;
	char logged = 0;
	const volatile struct etw_provider_page *page;
	pid_t child;

	if (pipe(ready))
		die("pipe()");
	child = fork();
	if (!child) {
		close(control);
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(1);
		fd = open_provider();
		page = map_page(fd);
		index = enroll(fd, 7);
		/* some test kernels lack it */
		strict = !prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
		syscall(SYS_write, ready[1], strict ? "1" : "0", 1);
		while (!page->state[index].enabled)
			;
		index = is_state(page, index, id, 200, 0xCAFE) ? 42 : 3;
		syscall(SYS_exit, index);
	}
	close(ready[1]);
	if (read(ready[0], &logged, 1) != 1)
		die("read()");
	usleep(20000);
	session_enable(control, id, &guid, 1, 200, 0xCAFE);
	waitpid(child, &status, 0);
	result(WIFEXITED(status) && WEXITSTATUS(status) == 42,
	       "another user's program sees it%s", logged == '1' ? " without a system call" : "");
	close(ready[0]);
	discard_session(control, id);
}

/* Level and flags of one ENABLE, never of two; what is freed is not seen again. */
static void never_torn(unsigned int changes)
{
	struct etw_guid guid = GUID(8);
	int fd = open_provider(), id = new_session("torn"), index = enroll(fd, 8), status;
	const volatile struct etw_provider_page *page = map_page(fd);
	struct etw_provider_state state;
	unsigned int i, seen = 0, last = 0;
	pid_t child = fork();

	if (!child) {
		for (i = 1; i <= changes; i++)
			session_enable(control, id, &guid, i % 16, i & 0xFF, i);
		session_enable(control, id, &guid, 1, 0xFF, 0xFFFFFFFF);
		_exit(0);
	}
	do {
		state = read_state(page, index);
		if (!state.registered || (state.enabled && state.level != (state.flags & 0xFF)) ||
		    (!state.enabled && (state.level || state.flags || state.logger_id)))
			break;
		seen += state.sequence != last;
		last = state.sequence;
	} while (state.flags != 0xFFFFFFFF);
	waitpid(child, &status, 0);
	result(state.flags == 0xFFFFFFFF, "the reader sees no torn change # %u changes, %s seen",
	       changes, seen > 10 ? "many" : "few");
	discard_session(control, id);
	munmap((void *)page, sysconf(_SC_PAGESIZE));
	close(fd);
}

/* Programs come, register and die while sessions come, enable and stop. */
static void come_and_go(unsigned int seconds)
{
	time_t end = time(NULL) + seconds;
	int i, id, fd, good = 1;
	struct etw_guid guid;

	for (i = 0; i < 4; i++) {
		if (fork())
			continue;
		while (time(NULL) < end) {
			fd = open_provider();
			map_page(fd);
			for (id = 0; id < 40; id++)
				enroll(fd, id % 10);
			leave(fd, 3);
			changed(fd, 1);
			if (i % 2)
				close(fd);
			else if (!fork())
				_exit(0);
			while (waitpid(-1, NULL, WNOHANG) > 0)
				;
			if (i % 2 == 0)
				close(fd);
		}
		_exit(0);
	}
	while (time(NULL) < end) {
		id = new_session("coming");
		for (i = 0; i < 20; i++) {
			guid = GUID(i % 10);
			session_enable(control, id, &guid, i % 3 != 2, i, i);
			list_providers(NULL, 0);
		}
		good &= !discard_session(control, id);
	}
	while (wait(NULL) > 0)
		;
	/* grandchildren, which have no parent to wait for them, may still be ending */
	for (i = 0; i < 500 && list_providers(NULL, 0); i++)
		usleep(10000);
	result(good && list_providers(NULL, 0) == 0, "they come and go together, nothing stays");
}

int main(int argc, char **argv)
{
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	maps();
	registrations();
	enable_errors();
	two_sessions();
	wait_for_changes();
	see_without_calls();
	write_events();
	never_torn(20000);
	come_and_go(argc > 1 ? atoi(argv[1]) : 2);
	return failures != 0;
}
