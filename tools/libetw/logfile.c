// SPDX-License-Identifier: GPL-2.0
/* A session's file: a thread that reads the stream into it and closes it. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../libetl/stream_copy.h"
#include "session.h"

#define CHUNK	(256u << 10)

/*
 * The program opens stream and file; the thread takes them along into a table of
 * descriptors that is its own, and the program's numbers are closed then. Whatever the
 * program closes and opens from there on, the session has its file.
 */
enum owner {
	PROGRAM,	/* a child of fork() has them, too */
	REFUSED,	/* the program's still: the thread could not */
	BOTH,		/* until the program has closed its own */
	THREAD,
};

/**
 * struct logfile - a session of this process that has a file
 * @next: list of all
 * @writer: its file
 * @path: of the file
 * @id: logger id; 0: not started yet
 * @stream: the session's node, or -1
 * @node: what @stream is
 * @control: the thread's way to the module
 * @control_node: what @control is
 * @state: whose @stream and the writer's file are
 * @references: the list's, and of those who wait
 * @done: the file is closed
 * @error: Win32 code of what went wrong
 * @taken: bytes of the stream that were read
 * @written: of them, those that the file has
 * @failed: an errno: the file takes no more
 * @last: what the module said of the session at its end
 */
struct logfile {
	struct logfile *next;
	struct writer writer;
	char path[FILE_NAME_TEXT];
	uint32_t id;
	int stream;
	struct descriptor node;
	int control;
	struct descriptor control_node;
	enum owner state;
	int references;
	bool done;
	ULONG error;
	uint64_t taken;
	uint64_t written;
	int failed;
	struct block last;
};

static struct logfile *logfiles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&lock);
}

static void close_ours(int fd, const struct descriptor *what)
{
	if (descriptor_is(fd, what))
		close(fd);
}

/* The files go on being the parent's, and so does the reading. */
static void in_child(void)
{
	struct logfile *file;

	for (file = logfiles; file; file = file->next) {
		if (file->state == THREAD)
			continue;
		close_ours(file->writer.fd, &file->writer.file);
		close_ours(file->stream, &file->node);
	}
	logfiles = NULL;
	pthread_mutex_init(&lock, NULL);
	pthread_cond_init(&changed, NULL);
}

static void prepare(void)
{
	pthread_atfork(before_fork, in_parent, in_child);
}

ULONG logfile_error(int err)
{
	switch (err < 0 ? -err : err) {
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
		return ERROR_BAD_PATHNAME;
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return ERROR_DISK_FULL;
	case ETXTBSY:
		return ERROR_SHARING_VIOLATION;
	case EROFS:
		return ERROR_ACCESS_DENIED;
	default:
		return etw_error(err);
	}
}

static void totals(void *context, struct final_header *final)
{
	struct logfile *file = context;

	final->events_lost = file->last.info.events_lost;
	final->buffers_lost = file->last.info.log_buffers_lost;
}

/* The names of what is there, in each file; nobody waits for them. */
static void next_file(void *context)
{
	const struct logfile *file = context;
	struct etw_control control = { .size = sizeof(control), .logger_id = file->id };

	etw_control_ioctl(ETW_IOC_RUNDOWN, &control);
}

static void put(struct logfile *file)
{
	if (--file->references)
		return;
	free(file->writer.name);
	free(file);
}

void logfile_put(struct logfile *file)
{
	pthread_mutex_lock(&lock);
	put(file);
	pthread_mutex_unlock(&lock);
}

/* It is in the list as long as anything of it is open. */
static void unlink_locked(struct logfile *file)
{
	struct logfile **at;

	for (at = &logfiles; *at && *at != file; at = &(*at)->next)
		;
	if (*at)
		*at = file->next;
	close_ours(file->stream, &file->node);
	file->stream = -1;
	file->done = true;
	pthread_cond_broadcast(&changed);
	put(file);
}

static void set_writer(struct logfile *file, const EVENT_TRACE_PROPERTIES *fixed)
{
	unsigned int shift = fixed->LogFileMode & EVENT_TRACE_USE_KBYTES_FOR_SIZE ? 10 : 20;

	file->writer.path = file->path;
	file->writer.mode = fixed->LogFileMode;
	file->writer.limit = (uint64_t)fixed->MaximumFileSize << shift;
	file->writer.totals = totals;
	file->writer.next_file = next_file;
	file->writer.context = file;
	file->writer.shared = true;
	file->writer.fd = -1;
}

/* What the file held stays: begin_file() */
ULONG logfile_open(const struct properties *properties, struct logfile **result)
{
	struct logfile *file = calloc(1, sizeof(*file));
	ULONG error = ERROR_SUCCESS;

	if (!file)
		return ERROR_NOT_ENOUGH_MEMORY;
	pthread_once(&once, prepare);
	memcpy(file->path, properties->file, sizeof(file->path));
	set_writer(file, &properties->fixed);
	file->stream = -1;
	file->references = 1;
	pthread_mutex_lock(&lock);
	if (writer_open(&file->writer)) {
		error = file->writer.error ? logfile_error(file->writer.error) :
					     ERROR_INVALID_PARAMETER;
		if (file->writer.fd >= 0)
			close(file->writer.fd);
		put(file);
	} else {
		file->next = logfiles;
		logfiles = file;
		*result = file;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

void logfile_abandon(struct logfile *file)
{
	writer_abandon(&file->writer);
	pthread_mutex_lock(&lock);
	unlink_locked(file);
	pthread_mutex_unlock(&lock);
}

/* What is read but can't be written would be lost uncounted: the module counts. */
static void wait_for_end(struct logfile *file)
{
	struct etw_statistics left = {
		.size = sizeof(left), .logger_id = file->id, .processor = ETW_ALL_PROCESSORS,
	};
	struct pollfd fd = { .fd = file->stream };

	while (poll(&fd, 1, -1) < 0 && errno == EINTR)
		;
	/* the session is known for as long as its stream is open, or until this is thrown away */
	kernel_query(file->id, &file->last);
	if (!etw_control_ioctl(ETW_IOC_STATISTICS, &left))
		unwritten_add(&file->writer.unwritten, 0, left.buffered, 0);
	kernel_stop(file->id, true);
}

static void tell_written(struct logfile *file)
{
	pthread_mutex_lock(&lock);
	file->written = file->taken;
	__atomic_store_n(&file->failed, file->writer.error, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void copy_stream(struct logfile *file)
{
	uint8_t *chunk = malloc(CHUNK);
	bool stopped = false;
	ssize_t n;

	while (chunk && !file->writer.error) {
		n = read(file->stream, chunk, CHUNK);
		if (!n)
			break;
		if (n > 0) {
			file->taken += n;
			writer_put(&file->writer, chunk, n);
		} else if (errno != EINTR) {
			file->writer.error = errno;
		}
		tell_written(file);
		/* the file has room for the last buffer, which tells the losses */
		if (file->writer.full && !stopped) {
			stopped = true;
			kernel_stop(file->id, false);
		}
	}
	if (!chunk)
		file->writer.error = ENOMEM;
	tell_written(file);
	free(chunk);
}

/* A session without its control node would tell of no loss at its end. */
static bool has_files(struct logfile *file)
{
	return descriptor_is(file->stream, &file->node) && writer_has_file(&file->writer) &&
	       descriptor_is(file->control, &file->control_node);
}

/* What the file held goes when nothing else can fail. */
static int begin_file(struct logfile *file)
{
	/* another thread of the program's may have closed them just now */
	if (!has_files(file))
		return EBADF;
	if (writer_begin(&file->writer))
		return file->writer.error ? file->writer.error : EIO;
	return 0;
}

/*
 * Return: 0 or an errno: they are the program's still, and only the program's. The file
 * would be locked, and the session read, until the thread is gone.
 */
static int take_files(struct logfile *file)
{
	const int fds[] = { file->stream, file->writer.fd, file->control };
	const unsigned int count = sizeof(fds) / sizeof(fds[0]);
	int err = own_files_keep(fds, count);

	if (err)
		return err;
	err = begin_file(file);
	if (err)
		own_files_close(fds, count);
	else
		etw_control_is(file->control);
	return err;
}

static void *write_file(void *context)
{
	struct logfile *file = context;
	int err = take_files(file);

	pthread_mutex_lock(&lock);
	file->state = err ? REFUSED : BOTH;
	file->error = err ? logfile_error(err) : ERROR_SUCCESS;
	pthread_cond_broadcast(&changed);
	while (file->state == BOTH)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	if (err)
		return NULL;
	copy_stream(file);
	if (file->writer.error)
		wait_for_end(file);
	else
		kernel_query(file->id, &file->last);
	if (writer_finish(&file->writer))
		file->error = file->writer.error ? logfile_error(file->writer.error) :
						   ERROR_WRITE_FAULT;
	file->last.info.events_lost += file->writer.unwritten.events;
	file->last.info.log_buffers_lost += file->writer.unwritten.buffers;
	pthread_mutex_lock(&lock);
	unlink_locked(file);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static int start_thread(struct logfile *file)
{
	sigset_t all, before;
	pthread_t thread;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, NULL, write_file, file);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!err)
		pthread_detach(thread);
	return err;
}

/* The program's numbers go when the thread has its own; a fork() comes before or after. */
static ULONG hand_over(struct logfile *file)
{
	ULONG error;

	pthread_mutex_lock(&lock);
	while (file->state == PROGRAM)
		pthread_cond_wait(&changed, &lock);
	error = file->error;
	if (file->state == BOTH) {
		close_ours(file->writer.fd, &file->writer.file);
		close_ours(file->stream, &file->node);
		file->state = THREAD;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

ULONG logfile_run(struct logfile *file, uint32_t id)
{
	ULONG error;
	int err;

	pthread_mutex_lock(&lock);
	file->id = id;
	file->stream = kernel_open_stream(id);
	err = file->stream < 0 ? -file->stream : descriptor_know(file->stream, &file->node);
	pthread_mutex_unlock(&lock);
	file->control = etw_control_fd();
	if (!err)
		err = file->control < 0 ? -file->control :
					  descriptor_know(file->control, &file->control_node);
	if (!err)
		err = start_thread(file);
	error = err ? logfile_error(err) : hand_over(file);
	if (error)
		logfile_abandon(file);
	return error;
}

struct logfile *logfile_of(uint32_t id)
{
	struct logfile *file;

	pthread_mutex_lock(&lock);
	for (file = logfiles; file && file->id != id; file = file->next)
		;
	if (file)
		file->references++;
	pthread_mutex_unlock(&lock);
	return file;
}

ULONG logfile_wait(struct logfile *file, struct block *block)
{
	ULONG error;

	pthread_mutex_lock(&lock);
	while (!file->done)
		pthread_cond_wait(&changed, &lock);
	error = file->error;
	if (file->last.size)
		*block = file->last;
	put(file);
	pthread_mutex_unlock(&lock);
	return error;
}

bool logfile_failed(const struct logfile *file)
{
	return __atomic_load_n(&file->failed, __ATOMIC_RELAXED);
}

ULONG logfile_wait_written(struct logfile *file, uint64_t bytes)
{
	ULONG error;

	pthread_mutex_lock(&lock);
	while (!file->done && !file->failed && file->written < bytes)
		pthread_cond_wait(&changed, &lock);
	error = file->failed ? logfile_error(file->failed) : ERROR_SUCCESS;
	pthread_mutex_unlock(&lock);
	return error;
}

ULONG logfile_save(int stream, const char *path)
{
	struct stream_copy copy = { };
	ULONG error = ERROR_SUCCESS;

	if (stream_copy_open(&copy, path)) {
		error = logfile_error(copy.writer.error ? copy.writer.error : EIO);
		free(copy.writer.name);
	} else if (stream_copy_run(&copy, stream)) {
		error = logfile_error(copy.writer.error ? copy.writer.error : EIO);
	}
	return error;
}
