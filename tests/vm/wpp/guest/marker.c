// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A mark by a thread that isn't its process's first: marker TEXT; says [PROCESS/THREAD] of it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include "tests/lib/guest/sessions.h"

static const char *text;

/* Into the one session that takes marks, which is the kernel's */
static void *mark(void *unused)
{
	int fd = open_control(), taken = 0;
	__u64 ids = list_sessions(fd);
	struct etw_log_record record = {
		.size = sizeof(record), .hook_id = PERFINFO_LOG_TYPE_MARK,
		.payload_size = strlen(text) + 1, .payload = (unsigned long)text,
	};

	for (record.logger_id = 1; record.logger_id <= 64; record.logger_id++)
		if (ids & 1ULL << (record.logger_id - 1))
			taken += !ioctl(fd, ETW_IOC_LOG_RECORD, &record);
	if (taken != 1)
		die("LOG_RECORD");
	printf("[%d/%ld]\n", getpid(), syscall(SYS_gettid));
	close(fd);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2)
		return 2;
	text = argv[1];
	if (pthread_create(&thread, NULL, mark, NULL))
		die("thread");
	pthread_join(thread, NULL);
	return 0;
}
