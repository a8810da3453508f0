/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The reader of a session runs before other threads, as Windows' logger thread does. */
#ifndef ETW_READER_PRIORITY_H
#define ETW_READER_PRIORITY_H

#include <stdbool.h>

/*
 * Of the calling thread. Processes and threads that it starts have the normal priority again,
 * because the kernel resets it in fork(). Return: 0, or an errno: the priority stays normal
 */
int reader_priority_raise(void);

#endif /* ETW_READER_PRIORITY_H */
