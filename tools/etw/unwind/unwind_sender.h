/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Hands unwind tables to a session, while it records. */
#ifndef ETW_UNWIND_SENDER_H
#define ETW_UNWIND_SENDER_H

#include <stdint.h>

struct unwind_sender;

/**
 * unwind_sender_begin() - hand the tables of all executable files that processes have mapped
 * @control: /dev/etw/control
 * @id: logger id
 *
 * A thread does that, and looks for new files until unwind_sender_end(). It ends by itself if the
 * module takes no tables or the session is over. It prints nothing: stacks follow frame pointers
 * where a table is missing.
 *
 * Return: NULL: there is no thread
 */
struct unwind_sender *unwind_sender_begin(int control, uint32_t id);
void unwind_sender_end(struct unwind_sender *sender);

#endif /* ETW_UNWIND_SENDER_H */
