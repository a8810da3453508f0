/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Payloads of process and thread records from plain values: pure. */
#ifndef ETW_PROCESS_H
#define ETW_PROCESS_H

#include <linux/types.h>
#include "etw_hooks.h"

/* Bytes of an image name with its terminator: all records cut names at this length */
#define ETW_IMAGE_NAME		112
/* Bytes of text that are taken from a command line */
#define ETW_COMMAND_TEXT	4096
/* ... when a process forks: the child has its parent's until it calls exec */
#define ETW_COMMAND_FORKED	256

/* Fixed part, TOKEN_USER and the longer SID, three terminators, ExitTime */
#define ETW_PROCESS_FRAME	(sizeof(struct wmi_process_information) + 16 + 16 + 3 * 2 + 8)
/* The largest payload of all; a UTF-16 text has no more units than UTF-8 has bytes */
#define ETW_PROCESS_PAYLOAD	(ETW_PROCESS_FRAME + ETW_IMAGE_NAME + 2 * ETW_COMMAND_TEXT)

/* Bytes of a user's SID */
#define ETW_USER_SID		16

/**
 * struct etw_process_fields - values of a process record
 * @fixed: its fixed part
 * @system: owned by LocalSystem, S-1-5-18
 * @uid: if not @system: the real uid, S-1-22-1-@uid
 * @image: ImageFileName; at most ETW_IMAGE_NAME - 1 bytes of it are used
 * @command: CommandLine, UTF-8 without terminator
 * @command_length: bytes of it
 * @defunct: 0327: ExitTime follows
 * @exit_time: FILETIME; 0 when unknown
 */
struct etw_process_fields {
	struct wmi_process_information fixed;
	bool system;
	u32 uid;
	const char *image;
	const char *command;
	u32 command_length;
	bool defunct;
	u64 exit_time;
};

void etw_put_user_sid(void *to, u32 uid);
u32 etw_process_layout(void *to, u32 space, const struct etw_process_fields *process);
u32 etw_thread_layout(void *to, u32 space, const struct wmi_thread_information *fixed,
		      const char *name);
u32 etw_thread_name_layout(void *to, u32 space, u32 process_id, u32 thread_id,
			   const char *name);

#endif /* ETW_PROCESS_H */
