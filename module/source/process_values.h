/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Process and thread records from tasks, shared by the probes and the rundown. */
#ifndef ETW_PROCESS_VALUES_H
#define ETW_PROCESS_VALUES_H

#include <linux/sched.h>
#include "context/sink.h"
#include "record/process.h"

/**
 * struct etw_process_identity - input of a process's opaque keys
 * @process_id: process
 * @start: start_boottime of its leader
 * @execs: self_exec_id, so that every image has its own key
 * @mm: address space, or NULL
 */
struct etw_process_identity {
	u32 process_id;
	u64 start;
	u64 execs;
	const struct mm_struct *mm;
};

/**
 * struct etw_thread_fields - a thread record, the same for all sessions
 * @fixed: values without kernel addresses
 * @kernel: StackBase, StackLimit, and Win32StartAddr if it is a kernel address
 * @name: ThreadName
 */
struct etw_thread_fields {
	struct wmi_thread_information fixed;
	struct {
		u64 stack_base;
		u64 stack_limit;
		u64 start;
	} kernel;
	char name[TASK_COMM_LEN];
};

u32 etw_exit_status(int code);
u32 etw_group_exit_status(struct task_struct *leader);
bool etw_executable_name(struct mm_struct *mm, char name[ETW_IMAGE_NAME]);
void etw_file_name(const struct file *file, char name[ETW_IMAGE_NAME]);
u32 etw_command_line_tidy(char *text, u32 length);

u32 etw_process_flags(struct task_struct *task);
bool etw_process_fill(struct task_struct *task, struct etw_process_fields *process,
		      struct etw_process_identity *identity);
void etw_process_fill_kernel(u32 process_id, struct etw_process_fields *process,
			     struct etw_process_identity *identity);
u64 etw_process_key(const struct etw_process_identity *identity, const u64 secret[2]);
u64 etw_process_key_current(const u64 secret[2]);
void etw_process_set_keys(void *payload, const struct etw_sink *sink,
			  const struct etw_process_identity *identity);
void etw_thread_fill(struct task_struct *task, bool is_new, struct etw_thread_fields *thread);
void etw_thread_fill_idle(int cpu, struct etw_thread_fields *thread);
u8 etw_nt_io_priority(unsigned int ioprio);
u8 etw_io_priority_of_other(const struct task_struct *task);
void etw_thread_set_addresses(void *payload, const struct etw_sink *sink,
			      const struct etw_thread_fields *thread);

#endif /* ETW_PROCESS_VALUES_H */
