/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Shared by the handlers of file operations. */
#ifndef ETW_FILE_CALLS_H
#define ETW_FILE_CALLS_H

#include <linux/kprobes.h>
#include <linux/types.h>
#include "file_payload.h"

struct etw_source;

extern struct etw_source etw_source_file;

/* Bits of etw_listener.wanted, in the order of the source's groups */
#define ETW_FILE_WANTS_INIT	0x1
#define ETW_FILE_WANTS_END	0x2

/**
 * struct etw_file_call - a call under way
 * @irp: number of the operation
 */
struct etw_file_call {
	u64 irp;
};

int etw_file_calls_prepare(void);
void etw_file_calls_unprepare(void);
u64 etw_file_next_irp(void);
void etw_file_record(u32 wanted, const struct etw_file_event *what);
void etw_file_end(u64 irp, u64 extra, u32 status);
bool etw_file_takes_inode(const struct inode *inode);
const struct inode *etw_file_taken(const struct file *file);
bool etw_file_wants_call(struct pt_regs *regs);
bool etw_file_wants_first(struct pt_regs *regs);
bool etw_file_wants_second(struct pt_regs *regs);
int etw_file_begin(struct kretprobe_instance *instance, struct etw_file_event *event);
void etw_file_add_text(struct etw_file_event *event, const char *text);
void etw_file_add_dentry(struct etw_file_event *event, const struct dentry *dentry);
void etw_file_add_path(struct etw_file_event *event, const struct path *path);

/*
 * file_flush.c: handlers of flushes. At most ETW_FILE_ASKED_FLUSHES flushes that are
 * recorded at their outer call are followed at once; ETW_FILE_FLUSH_DATA is the size of
 * a call's data in bytes.
 */
#define ETW_FILE_ASKED_FLUSHES	1280
#define ETW_FILE_FLUSH_DATA	16

void etw_file_flush_prepare(void);
int etw_file_enter_flush(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_fsync(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_sync(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_return_asked(struct kretprobe_instance *instance, struct pt_regs *regs);

/* file_changes.c: entry handlers */
int etw_file_enter_directory(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_query(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_set(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_allocate(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_delete(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_rename(struct kretprobe_instance *instance, struct pt_regs *regs);
int etw_file_enter_link(struct kretprobe_instance *instance, struct pt_regs *regs);

#endif /* ETW_FILE_CALLS_H */
