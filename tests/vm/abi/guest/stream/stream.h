/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Tests of a session's stream: sessions in a few words, what is read of them. */
#ifndef ETW_TEST_STREAM_H
#define ETW_TEST_STREAM_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "etw_abi.h"
#include "tests/lib/guest/calls.h"
#include "tests/lib/guest/result.h"

#define KB	1024UL
#define ROOM	(64UL << 20)

/* Of the command line: switches there and back for a stream, KB of a buffer */
extern int rounds;
extern __u32 usual_kb;
extern int control;

/* session.c */
__u32 start_on(int fd, __u32 kb, __u32 buffers, __u32 flags, __u32 mode);
__u32 start(__u32 kb, __u32 buffers);
int stop(__u32 id, __u32 flags);
int flush(__u32 id);
__u64 loggers(void);
struct etw_statistics statistics(__u32 id);
/* Two processes and a byte between them: 2 switches a round, or more */
void switches(int n);

/* pieces.c */
/* Read on until @want bytes or the end. */
size_t take(int fd, char *to, size_t want, size_t count);
void save(const char *name, const char *data, size_t size);
void test_counts(void);
void test_dead_reader(void);
void test_flags_stay(void);
void test_splice(void);
void test_headers(void);

/* wait.c */
void test_poll(void);

/* ends.c */
void test_ends(void);

#endif /* ETW_TEST_STREAM_H */
