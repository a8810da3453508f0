/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Tests of programs' events: other users, and events that they write. */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "programs.h"

/**
 * struct person - a user
 * @name: for messages
 * @become: a child becomes them
 */
struct person {
	const char *name;
	void (*become)(void);
};

extern const struct person root, plain_root, user, stranger, grouped, controller;

/* How an event gets there */
enum way {
	BY_EVENT,
	BY_POINTER,
	BY_INSTANCE,
	BY_WRITE,
	BY_MESSAGE,
	WAYS,
};

/* errno of a child that is that user; @fd: a file, or -1 for one of their own */
int give_as(const struct person *person, int fd, enum way way, __u32 id, const __u8 *guid,
	    __u32 flags);

#endif /* PEOPLE_H */
