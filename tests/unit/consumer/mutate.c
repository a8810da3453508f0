// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* ProcessTrace() over damaged traces: mutate SECONDS SEED FILE..., with sanitizers on. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <windows.h>
#include <evntrace.h>
#include <evntcons.h>

#define MOST_BYTES	(900u << 10)
#define SEEDS		256

static struct seed {
	UCHAR *bytes;
	size_t size;
} seeds[SEEDS];
static unsigned int nr_seeds;
static UCHAR bytes[2 * MOST_BYTES];
static ULONGLONG events, results[3];
static volatile UCHAR sink;
static uint64_t state;

static uint64_t random64(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static size_t below(size_t limit)
{
	return limit ? random64() % limit : 0;
}

/* All that a callback may read is read. */
static void touch(const void *data, size_t size)
{
	const UCHAR *at = (const UCHAR *)data;

	while (size--)
		sink ^= *at++;
}

static VOID WINAPI on_record(PEVENT_RECORD event)
{
	USHORT i;

	events++;
	touch(event->UserData, event->UserDataLength);
	for (i = 0; i < event->ExtendedDataCount; i++)
		touch((void *)(ULONG_PTR)event->ExtendedData[i].DataPtr,
		      event->ExtendedData[i].DataSize);
}

static VOID WINAPI on_trace(PEVENT_TRACE event)
{
	events++;
	touch(event->MofData, event->MofLength);
}

static ULONG WINAPI on_buffer(PEVENT_TRACE_LOGFILEA logfile)
{
	touch(logfile, sizeof(*logfile));
	return below(200) != 0;
}

static void load(const char *name)
{
	struct seed *seed = &seeds[nr_seeds];
	int fd = open(name, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, MOST_BYTES);

	if (n > 0 && nr_seeds < SEEDS) {
		seed->bytes = malloc(n);
		memcpy(seed->bytes, bytes, n);
		seed->size = n;
		nr_seeds++;
	}
	if (fd >= 0)
		close(fd);
}

/* Sizes, offsets and counts that are often wrong */
static uint64_t odd_value(void)
{
	static const uint64_t values[] = {
		0, 1, 7, 8, 0x10, 0x20, 0x47, 0x48, 0x49, 0x7F, 0x80, 0xFF, 0x100, 0x1FF, 0xFFF,
		0x1000, 0x7FFF, 0x8000, 0xFFF8, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000,
		0xFFFFFFF8, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, ~0ull,
	};

	return below(2) ? values[below(sizeof(values) / sizeof(values[0]))] : random64();
}

/* Near the start of a buffer, of a record, or anywhere */
static size_t place(size_t size)
{
	switch (below(4)) {
	case 0:
		return below(size < 0x300 ? size : 0x300);
	case 1:
		return below(size) / 0x1000 * 0x1000 + below(0x80);
	case 2:
		return below(size) & ~7ull;
	default:
		return below(size);
	}
}

static size_t mutate_once(size_t size)
{
	uint64_t value = odd_value();
	size_t at = place(size), from = place(size), n = 1ull << below(4);

	if (at + 8 > size || from + 8 > size)
		return size;
	switch (below(12)) {
	case 0:
		return at > 0x200 ? at : size;
	case 1:
		bytes[at] ^= 1u << below(8);
		break;
	case 2:
		bytes[at] = random64();
		break;
	case 3:
		n = below(size - (at > from ? at : from));
		memmove(bytes + at, bytes + from, n);
		break;
	case 4:
		memset(bytes + at, below(2) ? 0xFF : 0, below(size - at < 256 ? size - at : 256));
		break;
	case 5:
		/* one buffer more, or less: not aligned, of any processor */
		n = below(0x4000);
		if (at + n < size && size + n < sizeof(bytes)) {
			memmove(bytes + at + n, bytes + at, size - at);
			return size + n;
		}
		break;
	default:
		memcpy(bytes + at, &value, n);
		break;
	}
	return size;
}

static size_t mutate(void)
{
	const struct seed *seed = &seeds[below(nr_seeds)];
	size_t size = seed->size, times = 1ull << below(6);

	memcpy(bytes, seed->bytes, size);
	while (times--)
		size = mutate_once(size);
	return size;
}

static int as_file(size_t size)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	if (write(fd, bytes, size) != (ssize_t)size)
		abort();
	return fd;
}

/* Return: -1 when the pipe does not take it all */
static int as_pipe(size_t size)
{
	int fds[2];
	ssize_t n;

	if (size > MOST_BYTES || pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return -1;
	fcntl(fds[1], F_SETPIPE_SZ, 1 << 20);
	n = write(fds[1], bytes, size);
	close(fds[1]);
	if (n == (ssize_t)size)
		return fds[0];
	close(fds[0]);
	return -1;
}

static TRACEHANDLE open_fd(int fd)
{
	EVENT_TRACE_LOGFILEA logfile;
	char name[64];

	memset(&logfile, 0, sizeof(logfile));
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	logfile.LogFileName = name;
	if (below(2)) {
		logfile.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
		logfile.EventRecordCallback = on_record;
	} else {
		logfile.EventCallback = on_trace;
	}
	if (below(2))
		logfile.ProcessTraceMode |= PROCESS_TRACE_MODE_RAW_TIMESTAMP;
	if (below(2))
		logfile.BufferCallback = on_buffer;
	return OpenTraceA(&logfile);
}

static void process(TRACEHANDLE *handles, ULONG count)
{
	ULONG i, result = ProcessTrace(handles, count, NULL, NULL);

	results[result == ERROR_SUCCESS ? 0 : result == ERROR_FILE_CORRUPT ? 1 : 2]++;
	for (i = 0; i < count; i++)
		CloseTrace(handles[i]);
}

/* One file, two of them, or a pipe */
static void iterate(void)
{
	TRACEHANDLE handles[2];
	ULONG count = 0, wanted = 1 + !below(4);
	BOOL is_pipe = !below(5);
	int fd;

	while (wanted--) {
		fd = is_pipe ? as_pipe(mutate()) : as_file(mutate());
		if (fd < 0)
			continue;
		handles[count] = open_fd(fd);
		close(fd);
		count += handles[count] != INVALID_PROCESSTRACE_HANDLE;
	}
	if (count)
		process(handles, count);
}

int main(int argc, char **argv)
{
	ULONGLONG n = 0;
	time_t end;
	int i;

	if (argc < 4)
		return 2;
	end = time(NULL) + atoi(argv[1]);
	state = strtoull(argv[2], NULL, 0) * 0x9E3779B97F4A7C15ull | 1;
	for (i = 3; i < argc; i++)
		load(argv[i]);
	if (!nr_seeds)
		return 2;
	for (; time(NULL) < end; n++)
		iterate();
	printf("%llu damaged traces of %u, %llu events: %llu read to the end, %llu partly, %llu not\n",
	       n, nr_seeds, events, results[0], results[1], results[2]);
	return 0;
}
