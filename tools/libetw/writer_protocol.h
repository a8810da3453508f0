/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What libetw and etw-writer send each other: packets of these structures. */
#ifndef LIBETW_WRITER_PROTOCOL_H
#define LIBETW_WRITER_PROTOCOL_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "libetl/descriptor.h"
#include "session.h"

/* The library and the program may come from different installations */
#define WRITER_PROTOCOL		1
/* Where the writer finds the socket of StartTrace() */
#define WRITER_SOCKET		0

/**
 * struct writer_file - StartTrace(), first: the file to open
 * @protocol: WRITER_PROTOCOL
 * @mode: LogFileMode
 * @limit: bytes of a file; 0: none
 * @path: of the file
 *
 * The answer is a Win32 code in a uint32_t. If the socket is shut down now, the file stays as it
 * was, and there is one more answer.
 */
struct writer_file {
	uint32_t protocol;
	uint32_t mode;
	uint64_t limit;
	char path[FILE_NAME_TEXT];
};

#define WRITER_DESCRIPTORS	2

/**
 * struct writer_session - StartTrace(), second: the session, which runs now
 * @id: logger id
 * @stream: what the first descriptor of the packet is
 * @control: what the second one is
 *
 * The answer is a Win32 code in a uint32_t.
 */
struct writer_session {
	uint64_t id;
	struct descriptor stream;
	struct descriptor control;
};

/* As bytes of a request: until the file is complete */
#define WRITER_END		UINT64_MAX

/* Until the stream goes on in another file */
#define WRITER_SWITCH		(UINT64_MAX - 1)

/* Answered at once, with real_time_buffers_lost in the block of the reply */
#define WRITER_COUNT		(UINT64_MAX - 2)

/**
 * struct writer_request - what a controller waits for
 * @bytes: of the session's stream, which are to be in the file; or WRITER_*
 * @path: if @bytes is WRITER_SWITCH, of the file for all events from now on
 */
struct writer_request {
	uint64_t bytes;
	char path[FILE_NAME_TEXT];
};

/**
 * struct writer_reply - one for each request; one without a request if the file takes no more
 * @error: Win32 code
 * @ended: the file is complete
 * @last: if @ended, what the module reported of the session at its end, and the buffers that its
 *	consumers lost
 */
struct writer_reply {
	uint32_t error;
	uint32_t ended;
	struct block last;
};

/* The socket of a session's writer; no two sessions have one id and one start time */
static inline socklen_t writer_address(struct sockaddr_un *address, uint32_t id, uint64_t started)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	return offsetof(struct sockaddr_un, sun_path) + 1 +
	       snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			"etw-writer/%u/%016llx", id, (unsigned long long)started);
}

/*
 * Where a consumer connects to a session in real time with a file. The answer is an errno in a
 * uint32_t; after a 0 the session's stream follows, from the header buffer on. @started: the start
 * time; 0: for consumers that may not query it.
 */
static inline socklen_t writer_stream_address(struct sockaddr_un *address, uint32_t id,
					      uint64_t started)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	return offsetof(struct sockaddr_un, sun_path) + 1 +
	       snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			"etw-writer/stream/%u/%016llx", id, (unsigned long long)started);
}

#endif /* LIBETW_WRITER_PROTOCOL_H */
