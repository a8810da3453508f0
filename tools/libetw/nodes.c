// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The process's open /dev/etw/provider and /dev/etw/control. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "libetl/descriptor.h"
#include "libetw.h"

/**
 * struct node - a device node
 * @path: its path
 * @now: its descriptor
 * @what: the file that @now->fd refers to; all that open it find the same
 */
struct node {
	const char *path;
	struct etw_node *now;
	struct descriptor what;
};

struct etw_node etw_provider_node = { .fd = -1 };
static struct etw_node control_node = { .fd = -1 };
static struct node provider = { .path = "/dev/etw/provider", .now = &etw_provider_node };
static struct node control = { .path = "/dev/etw/control", .now = &control_node };

/*
 * A child has registered nothing, and may be about to give up rights that these
 * were opened with: it opens its own.
 */
static void drop(struct node *node)
{
	if (descriptor_is(node->now->fd, &node->what))
		close(node->now->fd);
	node->now->fd = -1;
	node->now->epoch++;
}

static void in_child(void)
{
	drop(&provider);
	drop(&control);
}

/* Not when a node is first opened: that may be in a handler over the same */
__attribute__((constructor)) static void watch_forks(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

static int open_and_know(struct node *node)
{
	int fd = open(node->path, O_RDWR | O_CLOEXEC), expected = -1;
	struct descriptor what;

	/* without the module; ENOENT is a session that is not there */
	if (fd < 0)
		return errno == ENOENT || errno == ENXIO ? -ENODEV : -errno;
	/* of the next file in its place the thread that poll()s it would never hear */
	fd = descriptor_raise(fd);
	if (!descriptor_know(fd, &what))
		node->what = what;
	/* another thread may have been faster */
	if (!__atomic_compare_exchange_n(&node->now->fd, &expected, fd, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE)) {
		close(fd);
		fd = expected;
	}
	return fd;
}

static int open_node(struct node *node)
{
	int cancel = etw_cancel_disable(), fd = open_and_know(node);

	etw_cancel_restore(cancel);
	return fd;
}

static int node_fd(struct node *node)
{
	int fd = __atomic_load_n(&node->now->fd, __ATOMIC_ACQUIRE);

	return fd >= 0 ? fd : open_node(node);
}

/*
 * The program closed all descriptors, as daemons do: ours is closed, or its number belongs to
 * another file, which must not be closed.
 */
static bool is_lost(int fd, int err)
{
	return err == ENOTTY || (err == EBADF && fcntl(fd, F_GETFD) < 0);
}

/* Two threads may find it out: once is enough. */
static void forget(struct node *node, int fd)
{
	if (__atomic_compare_exchange_n(&node->now->fd, &fd, -1, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		__atomic_add_fetch(&node->now->epoch, 1, __ATOMIC_ACQ_REL);
}

static int node_ioctl(struct node *node, unsigned long request, void *argument)
{
	int saved = errno, fd, ret, tries;

	for (tries = 0; tries < 2; tries++) {
		fd = node_fd(node);
		ret = fd < 0 ? fd : ioctl(fd, request, argument);
		if (ret >= 0 || fd < 0)
			break;
		ret = -errno;
		if (!is_lost(fd, -ret))
			break;
		forget(node, fd);
	}
	errno = saved;
	return ret;
}

int etw_provider_open(void)
{
	return open_node(&provider);
}

bool etw_provider_lost(int fd, int err)
{
	if (!is_lost(fd, err))
		return false;
	forget(&provider, fd);
	return true;
}

int etw_control_fd(void)
{
	return node_fd(&control);
}

int etw_provider_ioctl(unsigned long request, void *argument)
{
	return node_ioctl(&provider, request, argument);
}

void etw_control_is(int fd)
{
	descriptor_know(fd, &control.what);
	control_node.fd = fd;
}

int etw_control_ioctl(unsigned long request, void *argument)
{
	return node_ioctl(&control, request, argument);
}
