// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The file of a stream: open, read() of any size, poll(), release. */
#include <linux/anon_inodes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "compat.h"
#include "header_buffer.h"
#include "session.h"
#include "stream.h"
#include "stream_buffer.h"

/**
 * etw_session_readable() - whether a buffer waits
 * @session: a session
 *
 * Context: any; the caller has a reference.
 */
bool etw_session_readable(struct etw_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (etw_ring_has_data(per_cpu_ptr(session->sink.rings, cpu)))
			return true;
	if (!etw_stream_is_stopped(session))
		return false;
	return READ_ONCE(session->trailer_used) ||
	       (session->stop_ring && etw_ring_has_data(session->stop_ring));
}

/*
 * Writers may be as fast as the reader, so a large read() might not end. It checks for
 * signals after each piece, because a killed reader can't exit before.
 */
static ssize_t read_some(struct etw_stream *stream, struct iov_iter *to)
{
	const u32 size = stream->session->sink.buffer_size;
	ssize_t done = 0;
	size_t n, want;
	int ret;

	while (iov_iter_count(to)) {
		if (!stream->data) {
			ret = etw_stream_next(stream);
			if (ret <= 0)
				return done ? done : ret;
		}
		want = min_t(size_t, iov_iter_count(to), size - stream->pos);
		n = copy_to_iter(stream->data + stream->pos, want, to);
		stream->pos += n;
		done += n;
		if (stream->pos == size)
			etw_stream_finish(stream);
		if (n < want)
			return done ? done : -EFAULT;
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return done;
}

static ssize_t stream_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct etw_stream *stream = iocb->ki_filp->private_data;
	struct etw_session *session = stream->session;
	ssize_t ret;

	if (!iov_iter_count(to))
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&stream->lock))
			return -ERESTARTSYS;
		ret = read_some(stream, to);
		mutex_unlock(&stream->lock);
		if (ret != -EAGAIN)
			return ret;
		if ((iocb->ki_filp->f_flags & O_NONBLOCK) || (iocb->ki_flags & IOCB_NOWAIT))
			return -EAGAIN;
		if (wait_event_interruptible(session->wait, etw_stream_is_stopped(session) ||
					     etw_session_readable(session)))
			return -ERESTARTSYS;
	}
}

static __poll_t stream_poll(struct file *file, poll_table *wait)
{
	struct etw_stream *stream = file->private_data;
	struct etw_session *session = stream->session;
	__poll_t mask = 0;

	poll_wait(file, &session->wait, wait);
	if (READ_ONCE(stream->data) || etw_session_readable(session))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (etw_stream_is_stopped(session))	/* read() returns end of file, at once or soon */
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	return mask;
}

/* Buffers of this stream, its header included; 0 while the session runs */
static u32 count_buffers(struct etw_session *session)
{
	u32 full, n;
	int cpu;

	if (!etw_stream_is_stopped(session))
		return 0;
	n = 1 + !!session->trailer_used;
	for_each_possible_cpu(cpu) {
		etw_ring_buffered(per_cpu_ptr(session->sink.rings, cpu), &full);
		n += full;
	}
	if (session->stop_ring) {
		etw_ring_buffered(session->stop_ring, &full);
		n += full;
	}
	return n;
}

static struct etw_stream *new_stream(struct etw_session *session)
{
	struct etw_stream *stream;

	lockdep_assert_held(&session->read_lock);
	stream = kzalloc(sizeof(*stream), GFP_KERNEL);
	if (!stream)
		return NULL;
	stream->header = kvmalloc(session->sink.buffer_size, ETW_GFP_BUFFER);
	if (!stream->header) {
		kfree(stream);
		return NULL;
	}
	stream->session = session;
	mutex_init(&stream->lock);
	stream->clock.base = etw_clock_system_base(&session->start);
	stream->data = stream->header;
	etw_fill_header_buffer(session, stream->header, count_buffers(session));
	session->consumer = true;
	return stream;
}

static void free_stream(struct etw_stream *stream)
{
	mutex_destroy(&stream->lock);
	kvfree(stream->header);
	kfree(stream);
}

/* One stream at a time: -EBUSY for a second one. On success the file owns the reference. */
static int open_stream(struct etw_session *session, struct file *file)
{
	struct etw_stream *stream = NULL;
	int err = -EBUSY;

	if (mutex_lock_killable(&session->read_lock))
		return -EINTR;
	if (!session->consumer) {
		stream = new_stream(session);
		err = stream ? 0 : -ENOMEM;
	}
	mutex_unlock(&session->read_lock);
	file->private_data = stream;
	return err;
}

/* START makes the node before the session runs, and may remove it again. */
static int wait_for_start(struct etw_session *session)
{
	int err;

	if (READ_ONCE(session->state))
		return 0;
	if (mutex_lock_killable(&session->lock))
		return -EINTR;
	err = session->state ? 0 : -ENXIO;
	mutex_unlock(&session->lock);
	return err;
}

/*
 * The file system has checked permissions by the owner and mode of the node, or of a copy of
 * it. They were granted for the one session that has, or had, this device number (nodes.c).
 */
static int stream_open_node(struct inode *inode, struct file *file)
{
	struct etw_session *session = etw_session_of_node(iminor(inode));
	int err;

	if (!session)
		return -ENXIO;
	err = wait_for_start(session);
	if (!err)
		err = open_stream(session, file);
	if (err) {
		etw_session_put(session);
		return err;
	}
	return stream_open(inode, file);	/* no seeking, no pread() */
}

/* If the reader closes in the middle of a buffer, the next reader gets the whole buffer. */
static int stream_release(struct inode *inode, struct file *file)
{
	struct etw_stream *stream = file->private_data;
	struct etw_session *session = stream->session;
	bool finished, orphan;

	mutex_lock(&session->read_lock);
	if (stream->data && !stream->header && stream->ring)
		etw_stream_put_back(stream);
	WRITE_ONCE(session->trailer_held, false);
	session->consumer = false;
	finished = etw_stream_is_stopped(session) && !etw_session_readable(session);
	orphan = session->orphan;
	mutex_unlock(&session->read_lock);

	free_stream(stream);
	if (finished)
		etw_session_retire(session);
	else if (orphan)
		etw_session_stop(session, true);
	etw_session_put(session);
	return 0;
}

const struct file_operations etw_stream_fops;

/**
 * etw_stream_file() - make a file without a node for a session's stream
 * @session: stopped, not published; the file takes over its reference, which is
 *	dropped after an error
 * @name: for /proc
 *
 * Context: process; sleeps. Return: the file, or an ERR_PTR() such as -ENOMEM.
 */
struct file *etw_stream_file(struct etw_session *session, const char *name)
{
	struct etw_stream *stream;
	struct file *file;

	mutex_lock(&session->read_lock);
	stream = new_stream(session);
	mutex_unlock(&session->read_lock);
	if (!stream) {
		etw_session_put(session);
		return ERR_PTR(-ENOMEM);
	}
	file = anon_inode_getfile(name, &etw_stream_fops, stream, O_RDONLY);
	if (IS_ERR(file)) {
		free_stream(stream);
		etw_session_put(session);
		return file;
	}
	stream_open(file_inode(file), file);	/* no seeking, no pread() */
	return file;
}

const struct file_operations etw_stream_fops = {
	.owner = THIS_MODULE,
	.open = stream_open_node,
	.read_iter = stream_read_iter,
	.splice_read = etw_splice_read,
	.poll = stream_poll,
	.release = stream_release,
	.llseek = etw_no_llseek,
};
