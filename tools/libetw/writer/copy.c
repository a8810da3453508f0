// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw-writer: the session's stream into the file. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "session_file.h"

#define CHUNK	(1u << 20)

static uint8_t chunk[CHUNK];

/* A session that was discarded is known no more; what it last reported stays. */
static void totals(void *context, struct final_header *final)
{
	static struct block now;
	struct session_file *file = context;

	if (!file->ended && !kernel_query(file->id, &now))
		file->last = now;
	final->events_lost = file->last.info.events_lost;
	final->buffers_lost = file->last.info.log_buffers_lost;
}

static void *ask_for_names(void *context)
{
	const struct session_file *file = context;
	struct etw_control control = { .size = sizeof(control), .logger_id = file->id };

	etw_control_ioctl(ETW_IOC_RUNDOWN, &control);
	return NULL;
}

/* The names need buffers, which this thread reads meanwhile. */
static void next_file(void *context)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, ask_for_names, context))
		pthread_detach(thread);
}

void copy_ask_for_names(struct session_file *file)
{
	next_file(file);
}

void copy_set_file(struct session_file *file, struct writer *writer, const char *path)
{
	writer->path = path;
	writer->totals = totals;
	writer->next_file = next_file;
	writer->context = file;
	writer->fd = -1;
}

ULONG copy_check_append(const struct session_file *file, struct writer *writer)
{
	const struct wmi_logger_information *info = &file->last.info;
	struct etw_statistics statistics = {
		.size = sizeof(statistics), .logger_id = file->id,
		.processor = ETW_ALL_PROCESSORS,
	};
	int err = 0;

	if (writer->appends)
		err = etw_control_ioctl(ETW_IOC_STATISTICS, &statistics);
	if (err)
		return etw_error(err);
	if (!writer_check_append(writer, info->buffer_size * 1024, statistics.processors,
				 info->wnode.client_context))
		return ERROR_SUCCESS;
	return logfile_error(writer->error);
}

static void stop(struct session_file *file)
{
	if (!file->stopped)
		kernel_stop(file->id, false);
	file->stopped = true;
}

static void copy_stream(struct session_file *file)
{
	ssize_t n = read(file->stream, chunk, sizeof(chunk));

	if (n > 0) {
		writer_put(&file->writer, chunk, n);
		realtime_put(&file->realtime, chunk, n);
		file->taken += n;
		clients_report(file);
		switch_continue(file);
	} else if (!n) {
		file->ended = true;
	} else if (errno != EINTR && errno != EAGAIN) {
		file->writer.error = errno;
		clients_report(file);
	}
	/* the file has room for the last buffer, which has the losses */
	if (file->writer.full)
		stop(file);
}

static void take_signals(struct session_file *file)
{
	struct signalfd_siginfo info;

	if (read(file->signals, &info, sizeof(info)) == sizeof(info))
		stop(file);
}

/*
 * A failed file is read no more: what the session cannot keep is lost, and the module counts
 * that. poll() reports the end without being asked to.
 */
static void serve(struct session_file *file)
{
	struct pollfd fds[2 + REALTIME_POLLS + 1 + MAX_CLIENTS];
	unsigned int count = 2 + REALTIME_POLLS;

	fds[0] = (struct pollfd){
		.fd = file->stream, .events = file->writer.error ? 0 : POLLIN,
	};
	fds[1] = (struct pollfd){ .fd = file->signals, .events = POLLIN };
	realtime_poll(&file->realtime, fds + 2);
	count += clients_poll(file, fds + 2 + REALTIME_POLLS);
	if (poll(fds, count, -1) < 0)
		return;
	if (fds[0].revents && !file->writer.error)
		copy_stream(file);
	else if (fds[0].revents)
		file->ended = true;
	if (fds[1].revents)
		take_signals(file);
	realtime_serve(&file->realtime, fds + 2);
	clients_serve(file, fds + 2 + REALTIME_POLLS);
}

/* The session is known as long as its stream is open, or until it is discarded. */
static void end_session(struct session_file *file)
{
	struct etw_statistics left = {
		.size = sizeof(left), .logger_id = file->id, .processor = ETW_ALL_PROCESSORS,
	};

	kernel_query(file->id, &file->last);
	if (!file->writer.error)
		return;
	if (!etw_control_ioctl(ETW_IOC_STATISTICS, &left))
		unwritten_add(&file->writer.unwritten, 0, left.buffered, 0);
	kernel_stop(file->id, true);
}

void copy_session(struct session_file *file)
{
	while (!file->ended)
		serve(file);
	end_session(file);
	switch_abandon(file);
	if (writer_finish(&file->writer))
		file->error = file->writer.error ? logfile_error(file->writer.error) :
						   ERROR_WRITE_FAULT;
	file->last.info.events_lost += file->writer.unwritten.events;
	file->last.info.log_buffers_lost += file->writer.unwritten.buffers;
	file->last.info.real_time_buffers_lost = file->realtime.lost;
	/* nothing of the session is left when the controllers hear of its end */
	realtime_close(&file->realtime);
	close(file->stream);
	close(etw_control_fd());
	clients_end(file);
	realtime_drain(&file->realtime, file->signals);
}
