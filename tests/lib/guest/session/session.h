/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the verbs of session share: control, what START takes, the end in an error. */
#ifndef ETW_TEST_SESSION_H
#define ETW_TEST_SESSION_H

#include "etw_hooks.h"
#include "tests/lib/guest/calls.h"

/* Of start and hold */
#define START_OPTIONS	"b:n:m:of:c:t:rp:CH:Xi:A"

/* EnableFlags become an item when there are others */
struct block {
	struct wmi_logger_information info;
	__u16 name[64];
	__u32 extension[2 + 4 * (1 + ETW_MAX_HOOK_FILTER)];
	__u32 used;
	__u32 items;
};

/**
 * struct start - a START in the making
 * @block: what it sends
 * @flags: ETW_START_*
 * @filter: ETW_FILTER_*
 */
struct start {
	struct block block;
	__u32 flags;
	__u32 filter;
};

extern int control;

__attribute__((noreturn)) void die(const char *what);
__attribute__((noreturn)) void die_of_usage(void);
void start_begin(struct start *start);
void start_option(struct start *start, int option);
__u32 start_send(struct start *start, const char *name);
int open_stream(__u32 id);
int open_output(const char *file);
int hold(int argc, char **argv);
void reader(int argc, char **argv);
void statistics(__u32 id, const char *file);

#endif /* ETW_TEST_SESSION_H */
