/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Work in a child process, because a library may crash on a damaged file. */
#ifndef ETW_CHILD_PROCESS_H
#define ETW_CHILD_PROCESS_H

#include <stdbool.h>

/**
 * struct child_process - work in a child process
 * @file: the file that is read, for messages
 * @output: the file that is written
 * @writes: memory of both processes: @output is open, so its old content is gone
 */
struct child_process {
	const char *file;
	const char *output;
	bool *writes;
};

/*
 * Starts a child process and waits for its end. If the child crashes, @output is removed. A signal
 * that ends the caller ends the child first. Return: -1 in the child, which does the work; else the
 * exit code
 */
int child_process_run(struct child_process *child);
/* In the child: @output is open. May be called without a child. */
void child_process_writes(struct child_process *child);

#endif /* ETW_CHILD_PROCESS_H */
