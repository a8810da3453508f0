/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Paths and the socket address of a system call, as the kernel copied them. */
#ifndef ETW_CALL_PATHS_H
#define ETW_CALL_PATHS_H

#include <stdbool.h>
#include "fields.h"
#include "socket_address.h"

#define CALL_ARGUMENTS	6

/* syscall_paths.c: what etw record --syscalls makes */
#define CALL_PATH_EVENT		"Linux.kprobes.syscall_path/"
#define CALL_ADDRESS_EVENT	"Linux.kprobes.syscall_address/"

/**
 * struct call_paths - a system call, from its begin on
 * @arguments: @nr_arguments of them
 * @path: the path that the program passed, or the address of a socket; NULL: none
 * @second: of a call with two paths, the other one; NULL: none
 * @place: index of the argument that is @path; CALL_ARGUMENTS: unknown
 * @is_address: @path is an address
 */
struct call_paths {
	uint64_t arguments[CALL_ARGUMENTS];
	unsigned int nr_arguments;
	char *path;
	char *second;
	unsigned int place;
	bool is_address;
};

/*
 * The arguments of a decoded begin of a call: its numbers but @number, which is the field with the
 * number of the call
 */
void call_paths_begin(struct call_paths *call, const struct fields *fields, const char *number);
/*
 * A decoded event of CALL_PATH_EVENT, whose thread has begun the call and not ended it. Return: 0,
 * or -1: no memory
 */
int call_paths_note(struct call_paths *call, const struct fields *fields);
/* Likewise, of CALL_ADDRESS_EVENT: the first address of the call becomes @path */
int call_paths_note_address(struct call_paths *call, const struct fields *fields);
/* The address in such an event. Return: false: it has none */
bool call_address_text(const struct fields *fields, char to[SOCKET_ADDRESS_TEXT]);
void call_paths_free(struct call_paths *call);

#endif /* ETW_CALL_PATHS_H */
