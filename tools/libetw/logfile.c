// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* StartTrace() with a file: a process of its own, etw-writer, reads the session into the file. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/stream_copy.h"
#include "writer_protocol.h"
#include "writer_spawn.h"

/*
 * A child of fork() must not hold the stream or the writer's socket, because the session and the
 * writer wait until all copies are closed. Therefore fork() waits while they are open. Signals
 * are blocked meanwhile: a handler that forks would wait for its own thread.
 */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
	pthread_mutex_lock(&starting);
}

static void in_parent(void)
{
	pthread_mutex_unlock(&starting);
}

static void in_child(void)
{
	pthread_mutex_init(&starting, NULL);
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
	/* to which nothing can be appended */
	case EBADMSG:
		return ERROR_FILE_CORRUPT;
	default:
		return etw_error(err);
	}
}

ULONG logfile_make_absolute(char file[FILE_NAME_TEXT])
{
	char path[FILE_NAME_TEXT];
	size_t length;

	if (!file[0] || file[0] == '/')
		return ERROR_SUCCESS;
	if (!getcwd(path, sizeof(path)))
		return ERROR_BAD_PATHNAME;
	length = strlen(path);
	if (length + 1 + strlen(file) >= sizeof(path))
		return ERROR_BAD_PATHNAME;
	path[length] = '/';
	strcpy(path + length + 1, file);
	strcpy(file, path);
	return ERROR_SUCCESS;
}

/* Without an answer, the writer has ended: its program is not ours, or it was killed. */
static ULONG read_answer(int socket)
{
	uint32_t answer;
	ssize_t n;

	do {
		n = recv(socket, &answer, sizeof(answer), 0);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EBADF || errno == ENOTSOCK))
		return ERROR_INVALID_HANDLE;
	return n == sizeof(answer) ? answer : ERROR_PROCESS_ABORTED;
}

/* @sent: what send() has returned */
static ULONG answer_to(int socket, ssize_t sent)
{
	if (sent >= 0)
		return read_answer(socket);
	if (errno == EBADF || errno == ENOTSOCK)
		return ERROR_INVALID_HANDLE;
	return errno == EPIPE || errno == ECONNRESET ? ERROR_PROCESS_ABORTED : etw_error(errno);
}

static ULONG send_file(int socket, const struct properties *properties)
{
	unsigned int shift = properties->fixed.LogFileMode & EVENT_TRACE_USE_KBYTES_FOR_SIZE ? 10 :
											       20;
	struct writer_file file = {
		.protocol = WRITER_PROTOCOL, .mode = properties->fixed.LogFileMode,
		.limit = (uint64_t)properties->fixed.MaximumFileSize << shift,
	};

	memcpy(file.path, properties->file, sizeof(file.path));
	return answer_to(socket, send(socket, &file, sizeof(file), MSG_NOSIGNAL));
}

/* The program may have closed it, and its next file may have the number. */
static void close_ours(int fd, const struct descriptor *what)
{
	if (descriptor_is(fd, what))
		close(fd);
}

static ULONG spawn(struct logfile *file)
{
	struct descriptor other;
	int fds[2], err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return etw_error(errno);
	file->socket = descriptor_raise(fds[0]);
	fds[1] = descriptor_raise(fds[1]);
	descriptor_know(file->socket, &file->what);
	descriptor_know(fds[1], &other);
	err = writer_spawn(fds[1]);
	close_ours(fds[1], &other);
	return err == -ENOENT || err == -ENOTDIR ? ERROR_MOD_NOT_FOUND : etw_error(err);
}

static void release(struct logfile *file)
{
	close_ours(file->socket, &file->what);
	pthread_mutex_unlock(&starting);
	pthread_sigmask(SIG_SETMASK, &file->signals, NULL);
}

/* What the file held stays until the session runs. */
ULONG logfile_open(const struct properties *properties, struct logfile *file)
{
	sigset_t all;
	ULONG error;

	pthread_once(&once, prepare);
	file->socket = -1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &file->signals);
	pthread_mutex_lock(&starting);
	error = spawn(file);
	if (!error)
		error = send_file(file->socket, properties);
	if (error)
		release(file);
	return error;
}

void logfile_abandon(struct logfile *file)
{
	if (!shutdown(file->socket, SHUT_WR))
		read_answer(file->socket);
	release(file);
}

static ULONG send_session(int socket, const struct writer_session *session, int stream,
			  int control)
{
	const int fds[WRITER_DESCRIPTORS] = { stream, control };
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(sizeof(fds))];
	} more = { };
	struct iovec part = { .iov_base = (void *)session, .iov_len = sizeof(*session) };
	struct msghdr packet = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = more.bytes, .msg_controllen = sizeof(more.bytes),
	};

	more.header.cmsg_level = SOL_SOCKET;
	more.header.cmsg_type = SCM_RIGHTS;
	more.header.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&more.header), fds, sizeof(fds));
	return answer_to(socket, sendmsg(socket, &packet, MSG_NOSIGNAL));
}

/* The descriptors have the rights of the program, which the writer need not have. */
static ULONG hand_over(struct logfile *file, uint32_t id)
{
	struct writer_session session = { .id = id };
	int stream = kernel_open_stream(id), control = etw_control_fd(), err;
	ULONG error;

	if (stream < 0)
		return logfile_error(stream);
	err = descriptor_know(stream, &session.stream);
	if (!err)
		err = control < 0 ? -control : descriptor_know(control, &session.control);
	error = err ? logfile_error(err) :
		      send_session(file->socket, &session, stream, control);
	close_ours(stream, &session.stream);
	return error;
}

ULONG logfile_run(struct logfile *file, uint32_t id)
{
	ULONG error = hand_over(file, id);

	if (error)
		logfile_abandon(file);
	else
		release(file);
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
