// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* START that can't return the id undoes its own session, and no other. */
#define _GNU_SOURCE
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "tests/lib/guest/sessions.h"

static int control, faults;
static struct session_block *page;	/* what START reads, and may not write back to */
static __u64 theirs;		/* LIST, when the other session has the id */

static void discard(__u32 id)
{
	errno = discard_session(control, id);
	if (errno)
		die("STOP");
}

/*
 * START waits to write its answer. Its session goes, another one gets the id,
 * and the answer then can't be written.
 */
static void *interfere(void *unused)
{
	static const struct wish other = { .name = "theirs", .kb = 4 };
	struct uffdio_range range = { .start = (unsigned long)page, .len = 4096 };
	struct uffd_msg message;
	__u32 id;

	(void)unused;
	if (read(faults, &message, sizeof(message)) != sizeof(message))
		die("read of a fault");
	discard(__builtin_ffsll(list_sessions(control)));
	errno = start_session(control, &other, &id);
	if (errno)
		die("START of the other");
	theirs = list_sessions(control);
	if (mprotect(page, 4096, PROT_NONE))
		die("mprotect");
	if (ioctl(faults, UFFDIO_UNREGISTER, &range) || ioctl(faults, UFFDIO_WAKE, &range))
		die("wake");
	return NULL;
}

static int watch_writes(void)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP };
	struct uffdio_register range = {
		.range = { (unsigned long)page, 4096 }, .mode = UFFDIO_REGISTER_MODE_WP,
	};
	struct uffdio_writeprotect protect = {
		.range = range.range, .mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	return faults < 0 || ioctl(faults, UFFDIO_API, &api) ||
	       ioctl(faults, UFFDIO_REGISTER, &range) ||
	       ioctl(faults, UFFDIO_WRITEPROTECT, &protect);
}

int main(void)
{
	static const struct wish ours = { .name = "ours", .kb = 4 };
	struct etw_control c = { };
	pthread_t thread;
	int err;

	control = open_control();
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		die("mmap");
	fill_block(page, &ours);
	if (watch_writes()) {
		skip("START undoes its own session # no write faults here: %s",
		       strerror(errno));
		return 0;
	}
	if (pthread_create(&thread, NULL, interfere, NULL))
		die("thread");
	errno = send_block(control, ETW_IOC_START, page, sizeof(*page), &c);
	if (errno != EFAULT)
		die("START, which should not be able to answer");
	pthread_join(thread, NULL);
	err = !theirs || list_sessions(control) != theirs;
	result(!err,
	       "START that cannot answer undoes its own session, not the one that has its id now");
	if (!err)
		discard(__builtin_ffsll(theirs));
	return err;
}
