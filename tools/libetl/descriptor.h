/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Descriptors that others may close behind our back: what they were, what they are. */
#ifndef ETW_DESCRIPTOR_H
#define ETW_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct descriptor - what was open under a number
 * @device: of the file system
 * @inode: in it
 * @rdev: of a node; 0: it is none
 */
struct descriptor {
	uint64_t device;
	uint64_t inode;
	uint64_t rdev;
};

/* Moves @fd where the next open() does not come; its old number when there is no room */
int descriptor_raise(int fd);
/* Return: 0 or an errno */
int descriptor_know(int fd, struct descriptor *what);
/* Whether it is open, and that; false of -1. Context: any, signal handlers too */
bool descriptor_is(int fd, const struct descriptor *what);

#endif /* ETW_DESCRIPTOR_H */
