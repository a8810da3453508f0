// SPDX-License-Identifier: GPL-2.0
/* START that can't tell its caller the id undoes its own session, nobody else's. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "etw_abi.h"

struct block {
	struct wmi_logger_information info;
	__u16 name[16];
};

static int control, faults;
static struct block *page;	/* what START reads, and may not write back to */
static __u64 theirs;		/* LIST, when the other session has the id */

static void die(const char *what)
{
	fprintf(stderr, "undo: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct block block_of(const char *name)
{
	struct block block = {
		.info = {
			.wnode.buffer_size = sizeof(block),
			.wnode.flags = WNODE_FLAG_TRACED_GUID,
			.buffer_size = 4,
			.log_file_mode = EVENT_TRACE_REAL_TIME_MODE,
			.logger_name.buffer = offsetof(struct block, name),
			.logger_name.length = 2 * strlen(name),
		},
	};
	int i;

	for (i = 0; name[i]; i++)
		block.name[i] = name[i];
	return block;
}

static int start(struct block *block, __u32 *id)
{
	struct etw_control c = {
		.size = sizeof(c), .information_size = sizeof(*block),
		.information = (unsigned long)block,
	};
	int err = ioctl(control, ETW_IOC_START, &c);

	*id = c.logger_id;
	return err;
}

static __u64 list(void)
{
	struct etw_list l = { .size = sizeof(l) };

	if (ioctl(control, ETW_IOC_LIST, &l))
		die("LIST");
	return l.loggers;
}

static void discard(__u32 id)
{
	struct etw_control c = { .size = sizeof(c), .flags = ETW_STOP_DISCARD, .logger_id = id };

	if (ioctl(control, ETW_IOC_STOP, &c))
		die("STOP");
}

/*
 * START waits to write its answer. Its session goes, another one gets the id,
 * and the answer then can't be written.
 */
static void *interfere(void *unused)
{
	struct block other = block_of("theirs");
	struct uffdio_range range = { .start = (unsigned long)page, .len = 4096 };
	struct uffd_msg message;
	__u32 id;

	(void)unused;
	if (read(faults, &message, sizeof(message)) != sizeof(message))
		die("read of a fault");
	discard(__builtin_ffsll(list()));
	if (start(&other, &id))
		die("START of the other");
	theirs = list();
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
	pthread_t thread;
	__u32 id;
	int err;

	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		die("mmap");
	*page = block_of("ours");
	if (watch_writes()) {
		printf("skip - START undoes its own session: no write faults here: %s\n",
		       strerror(errno));
		return 0;
	}
	if (pthread_create(&thread, NULL, interfere, NULL))
		die("thread");
	err = start(page, &id);
	if (!err || errno != EFAULT)
		die("START, which should not be able to answer");
	pthread_join(thread, NULL);
	err = !theirs || list() != theirs;
	printf("%s - START that cannot answer undoes its own session, not who has its id now\n",
	       err ? "not ok" : "ok");
	if (!err)
		discard(__builtin_ffsll(theirs));
	return err;
}
