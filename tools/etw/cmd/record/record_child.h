/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A program that records in place of the module, and ends when etw record is to end. */
#ifndef ETW_RECORD_CHILD_H
#define ETW_RECORD_CHILD_H

/**
 * record_child() - run a program until it ends
 * @words: its arguments, found by PATH
 * @end: what the program gets instead of SIGINT, SIGTERM and SIGHUP; 0: the signal itself, unless
 *       it comes from the terminal, which sends it to the program, too
 *
 * These three signals do not end the caller meanwhile. Ignored ones stay ignored, for nohup.
 *
 * Return: status of wait(), or -1 after a message
 */
int record_child(char **words, int end);

#endif /* ETW_RECORD_CHILD_H */
