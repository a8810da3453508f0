// SPDX-License-Identifier: GPL-2.0
/* Delivery: complete buffers become a stream that read() takes in any pieces. */
#include <linux/anon_inodes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "../compat.h"
#include "logfile.h"
#include "pool.h"
#include "session.h"
#include "stream.h"
#include "stream_buffer.h"

/**
 * etw_session_readable() - whether a buffer waits
 * @session: a session
 *
 * Context: any that holds a reference.
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

static u64 stream_tick(struct etw_stream *stream)
{
	u64 now;

	preempt_disable();
	now = etw_tick(stream->session->sink.clocks.ticks, &stream->clock);
	preempt_enable();
	/* CPUs may disagree by a few ticks: the stream may not go back */
	stream->clock.last = max(stream->clock.last, now);
	return stream->clock.last;
}

/* The header says what a reader relies on; the fill hides earlier records. */
static void stamp_buffer(struct etw_stream *stream, void *buffer, u32 used, u16 cpu, u16 flags)
{
	struct etw_session *session = stream->session;
	u32 end = sizeof(struct wmi_buffer_header) + used;
	struct wmi_buffer_header header = {
		.buffer_size = session->sink.buffer_size,
		.saved_offset = end,
		.current_offset = end,
		.time_stamp = stream_tick(stream),
		.sequence_number = ++stream->sequence,
		.processor_index = cpu,
		.logger_id = session->sink.id,
		.state = ETW_BUFFER_STATE_FLUSH,
		.offset = end,
		.buffer_flag = ETW_BUFFER_FLAG_PROC_INDEX | flags,
		.buffer_type = ETW_BUFFER_TYPE_GENERIC,
	};

	memcpy(buffer, &header, sizeof(header));
	memset(buffer + end, ETW_BUFFER_FILL, session->sink.buffer_size - end);
}

/* What was lost on this CPU since its last buffer was delivered */
static u16 loss_flags(struct etw_stream *stream, struct etw_ring *ring)
{
	u64 lost = etw_ring_lost(ring);
	u64 overwritten = local_read(&ring->overwritten_buffers);
	u16 flags = 0;

	if (lost != ring->flagged_lost)
		flags |= ETW_BUFFER_FLAG_EVENTS_LOST;
	if (overwritten != ring->flagged_overwritten)
		flags |= ETW_BUFFER_FLAG_BUFFER_LOST;
	stream->flagged_lost = ring->flagged_lost;
	stream->flagged_overwritten = ring->flagged_overwritten;
	ring->flagged_lost = lost;
	ring->flagged_overwritten = overwritten;
	return flags;
}

/**
 * etw_stream_put_back() - the next reader gets the buffer, and what its flags say, too
 * @stream: has a ring's buffer in hand
 *
 * Context: process; under read_lock.
 */
void etw_stream_put_back(struct etw_stream *stream)
{
	etw_ring_put_back(stream->ring, &stream->held);
	stream->ring->flagged_lost = stream->flagged_lost;
	stream->ring->flagged_overwritten = stream->flagged_overwritten;
}

static bool take_from(struct etw_stream *stream, struct etw_ring *ring)
{
	struct etw_session *session = stream->session;

	if (!etw_ring_take(ring, &stream->held))
		return false;
	stream->ring = ring;
	WRITE_ONCE(stream->data, (u8 *)etw_slot_header(stream->held.slot));
	WRITE_ONCE(session->held_events, etw_w_events(stream->held.w));
	stamp_buffer(stream, stream->data, etw_w_used(stream->held.w), ring->cpu,
		     loss_flags(stream, ring));
	return true;
}

/* CPUs take turns, so that none fills up while another is read. */
static bool take_from_any(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;
	u32 i, cpu;

	for (i = 0; i < nr_cpu_ids; i++) {
		cpu = (session->next_cpu + i) % nr_cpu_ids;
		if (!cpu_possible(cpu) || !take_from(stream, per_cpu_ptr(session->sink.rings, cpu)))
			continue;
		session->next_cpu = (cpu + 1) % nr_cpu_ids;
		return true;
	}
	return false;
}

/* Of one that is stopped, what it had no ring for */
static bool take_last(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;

	if (session->stop_ring && take_from(stream, session->stop_ring))
		return true;
	if (!session->trailer_used)
		return false;
	stream->ring = NULL;
	WRITE_ONCE(stream->data, session->trailer);
	WRITE_ONCE(session->trailer_held, true);
	WRITE_ONCE(session->held_events, session->trailer_events);
	stamp_buffer(stream, stream->data, session->trailer_used, 0,
		     ETW_BUFFER_FLAG_FLUSH_MARKER);
	return true;
}

/**
 * etw_stream_next() - take the next buffer in hand
 * @stream: has none
 *
 * Stopped is looked at before the rings: who sees it sees every buffer.
 *
 * Context: process, under the stream's lock; takes read_lock.
 * Return: 1: a buffer is in hand; 0: end of the stream; -EAGAIN: nothing yet;
 * -ERESTARTSYS: there is a signal.
 */
int etw_stream_next(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;
	bool stopped = etw_stream_is_stopped(session);
	int ret = 1;

	if (mutex_lock_interruptible(&session->read_lock))
		return -ERESTARTSYS;
	stream->pos = 0;
	if (!take_from_any(stream))
		ret = stopped ? take_last(stream) : -EAGAIN;
	mutex_unlock(&session->read_lock);
	return ret;
}

/**
 * etw_stream_finish() - the buffer in hand was read to its end: writers may have it
 * @stream: has one in hand
 *
 * Context: process, under the stream's lock; takes read_lock.
 */
void etw_stream_finish(struct etw_stream *stream)
{
	struct etw_session *session = stream->session;

	mutex_lock(&session->read_lock);
	if (stream->header) {
		kvfree(stream->header);
		stream->header = NULL;
	} else if (stream->ring) {
		etw_pool_release(session, stream->ring, &stream->held, true);
		WRITE_ONCE(session->sequence, session->sequence + 1);
	} else {
		WRITE_ONCE(session->trailer_read, session->trailer_events);
		WRITE_ONCE(session->trailer_used, 0);
		WRITE_ONCE(session->trailer_held, false);
		WRITE_ONCE(session->sequence, session->sequence + 1);
	}
	WRITE_ONCE(session->held_events, 0);
	WRITE_ONCE(stream->data, NULL);
	mutex_unlock(&session->read_lock);
}

/*
 * Writers may be as fast as we are: a read of much memory looks for signals between
 * pieces, as a killed reader can't go before.
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
	if (etw_stream_is_stopped(session))	/* read() says end of file, at once or soon */
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	return mask;
}

/* Buffers that this stream will hold, its header included; 0 while it runs */
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

/* Under read_lock */
static struct etw_stream *new_stream(struct etw_session *session)
{
	struct etw_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL);

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
	etw_logfile_header(session, stream->header, count_buffers(session));
	session->consumer = true;
	return stream;
}

static void free_stream(struct etw_stream *stream)
{
	mutex_destroy(&stream->lock);
	kvfree(stream->header);
	kfree(stream);
}

/* One stream at a time: EBUSY for a second one. Takes over the reference. */
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

/*
 * The file system has let somebody in by the owner and mode of a node. A session that
 * got the id since then has another node, and perhaps another owner. The old one was
 * unlinked before the id was free (etw_session_retire()), and who looks a session up
 * sees that: both are under etw_sessions_lock. Who was let in before, and took long from
 * there to here, has no right to the new session.
 */
static int stream_open_node(struct inode *inode, struct file *file)
{
	struct etw_session *session = etw_session_get(iminor(inode) + 1);
	int err = -ENXIO;

	if (!session)
		return err;
	if (inode->i_nlink)
		err = open_stream(session, file);
	if (err) {
		etw_session_put(session);
		return err;
	}
	return stream_open(inode, file);	/* no seeking, no pread() */
}

/* A reader that leaves in the middle of a buffer leaves it to the next one. */
static int stream_release(struct inode *inode, struct file *file)
{
	struct etw_stream *stream = file->private_data;
	struct etw_session *session = stream->session;
	bool finished, orphan;

	mutex_lock(&session->read_lock);
	if (stream->data && !stream->header && stream->ring)
		etw_stream_put_back(stream);
	WRITE_ONCE(session->held_events, 0);
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
 * etw_stream_file() - a file without a node for a session's stream
 * @session: stopped, known to nobody; its reference is the file's, also after
 *	an error
 * @name: for /proc
 *
 * Context: process; sleeps. Return: the file; -ENOMEM and the like.
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
