/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw-writer: the session, its file, and the controllers that wait for either. */
#ifndef ETW_WRITER_SESSION_FILE_H
#define ETW_WRITER_SESSION_FILE_H

#include <poll.h>
#include "libetl/writer.h"
#include "libetw/writer_protocol.h"
#include "realtime.h"

/* Controllers that wait at one time; more are refused */
#define MAX_CLIENTS	64

/**
 * struct client - a controller that waits
 * @fd: to it; -1: none
 * @bytes: of the stream, which are to be in the file; 0: it has not asked
 * @failed: it has heard that the file takes no more
 */
struct client {
	int fd;
	uint64_t bytes;
	bool failed;
};

/**
 * struct next_file - another file, which UpdateTrace() asked for
 * @writer: the file, which is open; its path is NULL: there is none
 * @path: of the file
 * @goal: what is to be in the old file
 * @client: the controller that waits
 */
struct next_file {
	struct writer writer;
	char path[FILE_NAME_TEXT];
	struct goal *goal;
	struct client *client;
};

/**
 * struct session_file - what this process is for
 * @writer: the file
 * @path: of the file
 * @id: logger id
 * @stream: the session's node
 * @listener: controllers connect to it
 * @signals: SIGTERM arrives here
 * @taken: bytes of the stream that were read
 * @ended: nothing more will be read
 * @stopped: this process has stopped the session
 * @error: Win32 code of what went wrong
 * @last: what the module reported of the session when it was last asked
 * @clients: those that wait
 * @next: the file that takes the place of @writer
 * @realtime: programs that get the session's events beside the file
 */
struct session_file {
	struct writer writer;
	char path[FILE_NAME_TEXT];
	uint32_t id;
	int stream;
	int listener;
	int signals;
	uint64_t taken;
	bool ended;
	bool stopped;
	ULONG error;
	struct block last;
	struct client clients[MAX_CLIENTS];
	struct next_file next;
	struct realtime realtime;
};

/* handshake.c: StartTrace() of the process that started this one. Return: false: no session */
bool handshake(struct session_file *file);
/* clients.c */
/* Return: 0 or an errno */
int clients_listen(struct session_file *file);
/* Entries of @fds from 0, for poll(); as many as this returns; clients_serve() gets them back */
unsigned int clients_poll(const struct session_file *file, struct pollfd *fds);
void clients_serve(struct session_file *file, const struct pollfd *fds);
/* The file has more in it, or has failed */
void clients_report(struct session_file *file);
/* What the client has asked for is done; @error: Win32 code */
void client_answer(struct client *client, ULONG error);
/* The file is complete: answers all, also those that have connected just now */
void clients_end(struct session_file *file);
/* copy.c: reads the session into the file, until the session ends, and closes the file */
void copy_session(struct session_file *file);
void copy_set_file(struct session_file *file, struct writer *writer, const char *path);
/* Whether the session can be appended to an open file. Return: a Win32 code */
ULONG copy_check_append(const struct session_file *file, struct writer *writer);
/* Each file has the names of what runs */
void copy_ask_for_names(struct session_file *file);
/* switch.c: UpdateTrace() with another file */
void switch_request(struct session_file *file, struct client *client, const char *path);
/* After each read: whether the old file has what it is to have */
void switch_continue(struct session_file *file);
/* The session has ended before that */
void switch_abandon(struct session_file *file);

#endif /* ETW_WRITER_SESSION_FILE_H */
