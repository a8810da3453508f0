/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The file that is being written: a signal that ends this process removes it. */
#ifndef ETW_UNFINISHED_H
#define ETW_UNFINISHED_H

/* Before a file is made: SIGINT, SIGTERM and SIGHUP wait for unfinished_begin(). */
void unfinished_hold(void);
/*
 * From now on the file goes when one of these ends us; NULL: it was not made. What is no ordinary
 * file, but a link to one, stays. The name must stay until unfinished_end().
 */
void unfinished_begin(const char *name);
/* It is whole, or it is gone. */
void unfinished_end(void);
/* Removes it, if there is one; may be called in a handler of a signal. */
void unfinished_remove(void);

#endif /* ETW_UNFINISHED_H */
