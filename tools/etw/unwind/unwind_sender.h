/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Hands unwind tables to a session, once or while it records. */
#ifndef ETW_UNWIND_SENDER_H
#define ETW_UNWIND_SENDER_H

#include <stdint.h>
#include "unwind_command.h"

struct unwind_sender;

/**
 * struct unwind_sent - what a session was given
 * @files: executable files that processes have mapped
 * @tables: of them, files with a table that was sent
 * @refused: of them, files with a table that the module refused
 * @error: why the module takes no table at all: errno; 0: it takes tables
 */
struct unwind_sent {
	uint32_t files;
	uint32_t tables;
	uint32_t refused;
	int error;
};

/* The tables of all executable files that processes have mapped now */
void unwind_send_once(int control, uint32_t id, struct unwind_sent *sent);

/**
 * struct unwind_first - what a session is given first
 * @command: tables of a command that starts afterwards
 * @pids: processes; valid until unwind_sender_end()
 * @nr_pids: number of these
 */
struct unwind_first {
	struct unwind_command command;
	const uint32_t *pids;
	uint32_t nr_pids;
};

/**
 * unwind_sender_begin() - hand the tables of all executable files that processes have mapped
 * @control: /dev/etw/control
 * @id: logger id
 * @first: the tables of its command are handed over before this function returns
 *
 * A thread hands over the others, and those of new files until unwind_sender_end(). It ends by
 * itself if the module takes no tables or the session is over. It prints nothing: stacks follow
 * frame pointers where a table is missing.
 *
 * Return: NULL: there is no thread
 */
struct unwind_sender *unwind_sender_begin(int control, uint32_t id,
					  const struct unwind_first *first);
void unwind_sender_end(struct unwind_sender *sender);

#endif /* ETW_UNWIND_SENDER_H */
