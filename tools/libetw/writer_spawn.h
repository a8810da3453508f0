/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Starts etw-writer. */
#ifndef LIBETW_WRITER_SPAWN_H
#define LIBETW_WRITER_SPAWN_H

/*
 * The writer has @socket and no other descriptor of the program's.
 * Context: all signals are blocked. Return: 0 or a negative errno
 */
int writer_spawn(int socket);

#endif /* LIBETW_WRITER_SPAWN_H */
