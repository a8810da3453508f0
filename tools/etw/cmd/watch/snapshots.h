/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The snapshots of etw watch, and the command that each of them is given to. */
#ifndef ETW_WATCH_SNAPSHOTS_H
#define ETW_WATCH_SNAPSHOTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "trigger.h"

/* Commands that run at one time; a file beyond them is written, but not given to one */
#define SNAPSHOTS_COMMANDS	16

/**
 * struct snapshots - files, and processes that write and use them
 * @session: name or id of the recorder
 * @pattern: of the files; with %d
 * @command: program that gets the path of each file; NULL: none
 * @raw: the files stay as they were recorded
 * @json: output has a line of JSON for each file
 * @number: of the file, from 1
 * @path: of the file that is written
 * @condition: which held, as it was typed
 * @reason: what happened
 * @writer: process that writes the file; 0: none
 * @commands: processes of commands that run, @nr_commands of them
 * @failures: files that could not be written, and commands that failed
 */
struct snapshots {
	const char *session;
	const char *pattern;
	const char *command;
	bool raw;
	bool json;
	uint32_t number;
	char path[PATH_MAX];
	char condition[256];
	char reason[TRIGGER_TEXT];
	pid_t writer;
	pid_t commands[SNAPSHOTS_COMMANDS];
	unsigned int nr_commands;
	uint64_t failures;
};

/* One %d and no other %, or none with @single. Return: NULL, or in words what is wrong */
const char *snapshots_check_pattern(const char *pattern, bool single);
/* Begins to write a file in a process of its own. Return: 0 or -1 after a message */
int snapshots_begin(struct snapshots *snapshots, const char *condition, const char *reason);
/* Takes the status of processes that ended. Return: whether the writer was one of them */
bool snapshots_reap(struct snapshots *snapshots);

#endif /* ETW_WATCH_SNAPSHOTS_H */
