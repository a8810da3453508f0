// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw-writer: StartTrace() asks for a file, then hands over the session. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "libetl/reader_priority.h"
#include "session_file.h"

static bool answer(uint32_t error)
{
	return send(WRITER_SOCKET, &error, sizeof(error), MSG_NOSIGNAL) == sizeof(error);
}

static ULONG file_error(const struct writer *writer, ULONG otherwise)
{
	return writer->error ? logfile_error(writer->error) : otherwise;
}

/* Return: a Win32 code */
static ULONG open_file(struct session_file *file)
{
	struct writer_file request;
	ssize_t n = recv(WRITER_SOCKET, &request, sizeof(request), 0);

	if (n != sizeof(request) || request.protocol != WRITER_PROTOCOL)
		return ERROR_MOD_NOT_FOUND;
	request.path[sizeof(request.path) - 1] = '\0';
	memcpy(file->path, request.path, sizeof(file->path));
	file->writer.mode = request.mode;
	file->writer.limit = request.limit;
	copy_set_file(file, &file->writer, file->path);
	if (!writer_open(&file->writer))
		return ERROR_SUCCESS;
	if (file->writer.fd >= 0)
		writer_abandon(&file->writer);
	return file_error(&file->writer, ERROR_INVALID_PARAMETER);
}

/* Return: 1; 0: StartTrace() has failed for another reason; -1: an errno is set */
static int read_session(struct writer_session *session, int fds[WRITER_DESCRIPTORS])
{
	union {
		struct cmsghdr header;
		uint8_t bytes[CMSG_SPACE(WRITER_DESCRIPTORS * sizeof(int))];
	} more;
	struct iovec part = { .iov_base = session, .iov_len = sizeof(*session) };
	struct msghdr packet = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = more.bytes, .msg_controllen = sizeof(more.bytes),
	};
	ssize_t n = recvmsg(WRITER_SOCKET, &packet, MSG_CMSG_CLOEXEC);

	if (n <= 0)
		return n;
	if (n != sizeof(*session) || packet.msg_controllen < sizeof(more.header) ||
	    more.header.cmsg_type != SCM_RIGHTS ||
	    more.header.cmsg_len != CMSG_LEN(WRITER_DESCRIPTORS * sizeof(int))) {
		errno = EBADF;
		return -1;
	}
	memcpy(fds, CMSG_DATA(&more.header), WRITER_DESCRIPTORS * sizeof(int));
	return 1;
}

/* Another thread of the program may have closed a descriptor; its number may be reused. */
static int take_session(struct session_file *file, const struct writer_session *session,
			const int fds[WRITER_DESCRIPTORS])
{
	int err;

	if (!descriptor_is(fds[0], &session->stream) || !descriptor_is(fds[1], &session->control))
		return EBADF;
	if (fcntl(fds[0], F_SETFL, O_NONBLOCK))
		return errno;
	file->id = session->id;
	file->stream = fds[0];
	etw_control_is(fds[1]);
	err = -kernel_query(file->id, &file->last);
	if (!err)
		err = clients_listen(file);
	if (!err && (file->last.info.log_file_mode & EVENT_TRACE_REAL_TIME_MODE))
		err = realtime_begin(&file->realtime, file->stream, &file->last.info);
	return err;
}

static ULONG begin(struct session_file *file, const struct writer_session *session,
		   const int fds[WRITER_DESCRIPTORS])
{
	int err = take_session(file, session, fds);
	ULONG error = err ? logfile_error(err) : copy_check_append(file, &file->writer);

	if (error)
		return error;
	return writer_begin(&file->writer) ? file_error(&file->writer, ERROR_WRITE_FAULT) :
					     ERROR_SUCCESS;
}

/* StartTrace() answers an error by a shutdown of the socket, as it does to abandon the file. */
static bool refuse(struct session_file *file, ULONG error)
{
	writer_abandon(&file->writer);
	if (answer(error) && !recv(WRITER_SOCKET, &error, sizeof(error), 0))
		answer(ERROR_SUCCESS);
	return false;
}

static bool abandon(struct session_file *file)
{
	writer_abandon(&file->writer);
	answer(ERROR_SUCCESS);
	return false;
}

static bool take(struct session_file *file)
{
	struct writer_session session;
	int fds[WRITER_DESCRIPTORS], got = read_session(&session, fds);
	ULONG error;

	if (!got)
		return abandon(file);
	if (got < 0)
		return refuse(file, logfile_error(errno));
	error = begin(file, &session, fds);
	if (!error)
		return true;
	/* before the answer: StartTrace() is to find no session that is read */
	realtime_close(&file->realtime);
	close(fds[0]);
	close(fds[1]);
	return refuse(file, error);
}

bool handshake(struct session_file *file)
{
	ULONG error = open_file(file);

	realtime_init(&file->realtime);
	/* before the session begins, so that it does not record this */
	if (!error)
		reader_priority_raise();
	if (!answer(error) || error || !take(file))
		return false;
	answer(ERROR_SUCCESS);
	close(WRITER_SOCKET);
	return true;
}
