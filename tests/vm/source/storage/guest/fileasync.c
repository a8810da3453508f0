// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Flushes by io_uring and AIO, and opens by handle, by raw system calls: fileasync DIRECTORY */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Prints what it did, a word a line: "uring", "aio", and "handle" where the kernel has
 * handles.
 *
 * fileio.py knows what becomes of it: two flushes of "uring" and of "aio", none of them by
 * fdatasync(); "handle" is opened by its name, then by its handle, read and closed; the
 * directory is refused to be written, by its handle.
 */
static const char *directory;

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "fileasync: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int make(const char *name)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	must(fd >= 0 && write(fd, "some text", 9) == 9, path);
	return fd;
}

struct ring {
	int fd;
	struct io_uring_params params;
	unsigned char *queue, *done;
	struct io_uring_sqe *entries;
};

static void *map(int fd, size_t size, off_t what)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, what);

	must(at != MAP_FAILED, "mmap of a ring");
	return at;
}

static void set_up(struct ring *ring)
{
	memset(ring, 0, sizeof(*ring));
	ring->fd = syscall(SYS_io_uring_setup, 1, &ring->params);
	must(ring->fd >= 0, "io_uring_setup");
	ring->queue = map(ring->fd, ring->params.sq_off.array + sizeof(unsigned int),
			  IORING_OFF_SQ_RING);
	ring->done = map(ring->fd, ring->params.cq_off.cqes +
			 ring->params.cq_entries * sizeof(struct io_uring_cqe),
			 IORING_OFF_CQ_RING);
	ring->entries = map(ring->fd, sizeof(struct io_uring_sqe), IORING_OFF_SQES);
}

static unsigned int *word(unsigned char *ring, unsigned int at)
{
	return (unsigned int *)(ring + at);
}

/* All of the file, as liburing's io_uring_prep_fsync() asks for it: offset and length 0 */
static void flush_by_ring(struct ring *ring, int fd, unsigned int flags)
{
	struct io_uring_cqe *results = (void *)(ring->done + ring->params.cq_off.cqes);
	unsigned int *tail = word(ring->queue, ring->params.sq_off.tail);
	unsigned int *head = word(ring->done, ring->params.cq_off.head);

	ring->entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_FSYNC, .fd = fd, .fsync_flags = flags,
	};
	*word(ring->queue, ring->params.sq_off.array) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	must(syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1,
	     "io_uring_enter");
	must(!results[*head & (ring->params.cq_entries - 1)].res, "a flush by io_uring");
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

static void flush_by_aio(aio_context_t context, int fd, unsigned int opcode)
{
	struct iocb iocb = { .aio_lio_opcode = opcode, .aio_fildes = fd }, *list = &iocb;
	struct io_event event;

	must(syscall(SYS_io_submit, context, 1, &list) == 1, "io_submit");
	must(syscall(SYS_io_getevents, context, 1, 1, &event, NULL) == 1 && !event.res,
	     "a flush by AIO");
}

static void flushes(void)
{
	aio_context_t context = 0;
	struct ring ring;
	int fd = make("uring");

	set_up(&ring);
	flush_by_ring(&ring, fd, IORING_FSYNC_DATASYNC);
	flush_by_ring(&ring, fd, 0);
	must(!close(ring.fd) && !close(fd), "close");
	fd = make("aio");
	must(!syscall(SYS_io_setup, 1, &context), "io_setup");
	flush_by_aio(context, fd, IOCB_CMD_FDSYNC);
	flush_by_aio(context, fd, IOCB_CMD_FSYNC);
	must(!syscall(SYS_io_destroy, context) && !close(fd), "close");
	puts("uring\naio");
}

static int open_handle(int mount, int fd, int flags)
{
	struct {
		struct file_handle head;
		unsigned char room[MAX_HANDLE_SZ];
	} handle = { .head.handle_bytes = MAX_HANDLE_SZ };
	int id;

	must(!name_to_handle_at(fd, "", &handle.head, &id, AT_EMPTY_PATH), "name_to_handle_at");
	return open_by_handle_at(mount, &handle.head, flags);
}

static void opens(void)
{
	int named = make("handle"), mount = open(directory, O_RDONLY | O_DIRECTORY), fd;
	char text[16];

	fd = open_handle(mount, named, O_RDONLY);
	must(fd >= 0 && read(fd, text, sizeof(text)) == 9, "open_by_handle_at");
	must(!close(fd) && !close(named), "close");
	must(open_handle(mount, mount, O_RDWR) < 0 && errno == EISDIR, "a directory");
	must(!close(mount), "close");
	puts("handle");
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	flushes();
	if (!name_to_handle_at(AT_FDCWD, "", NULL, NULL, -1) || errno != ENOSYS)
		opens();
	return 0;
}
