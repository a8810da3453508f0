/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Storm: a session as its process has it. */
#ifndef STORM_LIFE_H
#define STORM_LIFE_H

#include "storm.h"

/**
 * struct life - a session
 * @name: the same each time: it must be free again
 * @wish: what it is to be
 * @id: logger id
 * @start: its StartTime
 * @fd: control file that it is tied to, or -1
 * @overwrite: its mode
 * @kernel: a kernel session: takes records from programs, too
 * @reader: a process that reads, 0: none
 * @logged: records written by ioctl
 * @rundowns: were asked for, or names of counters or other groups written: what they write is
 *	not counted
 * @flags: EnableFlags that it has
 * @filtered: it may have a filter; not steady for long
 * @programs: that write events through the device
 * @random: decides
 * @seen: by its readers
 */
struct life {
	char name[16];
	struct wish wish;
	__u32 id;
	unsigned long long start;
	int fd;
	int overwrite;
	int kernel;
	int reader;
	unsigned long long logged;
	int rundowns;
	__u32 flags;
	int filtered;
	struct programs *programs;
	struct random random;
	struct seen *seen;
};

/*
 * life.c. @err: of the call @what; fails unless it is @accepted, or memory was short.
 * Return: whether it is a success
 */
int is_accepted(int err, const char *what, int accepted);
/* Only some contexts' records, or those of something else, too */
void wish_filter(struct life *life);
/* On return it has the node open: later the id might be another session's. */
void read_it(struct life *life, enum manner manner);
/* The reader has ended; @kills: now */
void reap(struct life *life, int kills);

/* act.c: something that happens to a session */
void act(struct life *life);

/*
 * law.c. The session has stopped and has no reader: the numbers stand still. Returns 0
 * when there is no session, since a reader took what was left and left.
 */
int check_law(const struct life *life, int was_read);
/* What the readers found, against what the kernel says was read. */
void check_seen(const struct life *life);

#endif /* STORM_LIFE_H */
