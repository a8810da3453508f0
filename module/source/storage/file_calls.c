// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Shared by the handlers of file operations: operation numbers, paths, writing records. */
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include "record/utf16.h"
#include "file_calls.h"
#include "file_key.h"
#include "source/path.h"
#include "source/process_values.h"
#include "source/source.h"
#include "source/write.h"

/* Size of the longest path in UTF-16, with its terminator */
#define WIDE_BYTES	(2 * PATH_MAX + 2)

/**
 * struct file_scratch - buffers for paths
 * @path: UTF-8
 * @wide: UTF-16, with its terminator
 *
 * One per CPU is enough, because no handler interrupts another (file.c).
 */
struct file_scratch {
	char path[PATH_MAX];
	u8 wide[WIDE_BYTES];
};

static struct file_scratch __percpu *scratches;

/* Operation numbers of each CPU */
static DEFINE_PER_CPU(u64, irps);

/**
 * etw_file_calls_prepare() - allocate the buffers for paths
 *
 * Context: process, before the first listener; sleeps. Return: 0 or -ENOMEM.
 */
int etw_file_calls_prepare(void)
{
	scratches = alloc_percpu(struct file_scratch);
	return scratches ? 0 : -ENOMEM;
}

/**
 * etw_file_calls_unprepare() - free the buffers for paths
 *
 * Context: process; after the last handler.
 */
void etw_file_calls_unprepare(void)
{
	free_percpu(scratches);
}

/**
 * etw_file_next_irp() - make a number for an operation
 *
 * Context: preemption off. Return: a unique number, not 0.
 */
u64 etw_file_next_irp(void)
{
	return this_cpu_inc_return(irps) << 16 | smp_processor_id();
}

/* The most frequent records, without an event context: laid out in the ring, without a copy */
static void write_transfer(const struct etw_listener *listener, struct etw_event *event,
			   const struct etw_file_event *what)
{
	const u32 size = sizeof(struct perfinfo_trace_header) + sizeof(struct wmi_file_io_transfer);
	struct etw_ring *ring = this_cpu_ptr(listener->rings);
	struct etw_reservation at __uninitialized;
	u64 *to;

	if (!event->moment.counter)
		event->moment = etw_moment_of_event();
	if (!etw_reserve_at(ring, size, &at, ETW_RESERVE_COUNT, &event->moment))
		return;
	to = at.data;
	to[0] = etw_perfinfo_word(event->hook_id, event->version, size);
	to[1] = at.tick;
	to[etw_units(size) - 1] = 0;	/* with the bytes behind the record */
	etw_file_layout((union etw_file_payload *)&to[2], listener->sink, what);
	etw_commit(ring, &at, size);
}

static bool is_transfer(u16 hook_id)
{
	return hook_id == PERFINFO_LOG_TYPE_FILE_IO_READ ||
	       hook_id == PERFINFO_LOG_TYPE_FILE_IO_WRITE;
}

/**
 * etw_file_record() - write a record to all listeners that want it
 * @wanted: bits of etw_listener.wanted
 * @what: the record
 *
 * Context: preemption off, the task that calls the operation.
 */
void etw_file_record(u32 wanted, const struct etw_file_event *what)
{
	union etw_file_payload fixed __uninitialized;
	struct etw_event event = {
		.hook_id = what->hook_id,
		.version = WMI_FILE_IO_VERSION,
		.wanted = wanted,
		.process_id = etw_process_id(current),
		.payload = { .data = &fixed, .more = what->text, .more_size = what->text_size },
	};
	const struct etw_listeners *listeners = etw_listeners_of(&etw_source_file);
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		if (!listener->context && is_transfer(what->hook_id)) {
			write_transfer(listener, &event, what);
			continue;
		}
		event.payload.size = etw_file_layout(&fixed, listener->sink, what);
		etw_write(listener, &event);
	}
}

/* Bytes of text that fit into a record of every listener */
static u32 text_space(void)
{
	const struct etw_listeners *listeners = etw_listeners_of(&etw_source_file);
	u32 i, space = WIDE_BYTES;
	u32 rest = sizeof(union etw_file_payload) + 8 * ETW_CONTEXT_ITEMS;

	for (i = 0; listeners && i < listeners->count; i++)
		space = min(space, etw_sink_payload_limit(listeners->listener[i].sink) - rest);
	return space;
}

/**
 * etw_file_add_text() - set a record's text
 * @event: the record
 * @text: UTF-8; cut to what fits into a record
 *
 * Context: preemption off. The text is valid until the next call on this CPU.
 */
void etw_file_add_text(struct etw_file_event *event, const char *text)
{
	struct file_scratch *scratch = this_cpu_ptr(scratches);
	u32 units = etw_utf8_to_utf16(scratch->wide, text_space() / 2 - 1, text, strlen(text));

	memset(scratch->wide + 2 * units, 0, 2);
	event->text = scratch->wide;
	event->text_size = 2 * units + 2;
}

/**
 * etw_file_add_dentry() - set a record's text to a dentry's path in its file system
 * @event: the record
 * @dentry: a dentry without a known mount
 *
 * Context: as etw_file_add_text().
 */
void etw_file_add_dentry(struct etw_file_event *event, const struct dentry *dentry)
{
	struct file_scratch *scratch = this_cpu_ptr(scratches);

	etw_file_add_text(event, etw_dentry_path(dentry, scratch->path, sizeof(scratch->path)));
}

/**
 * etw_file_add_path() - set a record's text to a path
 * @event: the record
 * @path: held by the caller
 *
 * Context: as etw_file_add_text().
 */
void etw_file_add_path(struct etw_file_event *event, const struct path *path)
{
	struct file_scratch *scratch = this_cpu_ptr(scratches);

	etw_file_add_text(event, etw_path(path, scratch->path, sizeof(scratch->path)));
}

/**
 * etw_file_end() - write the end of an operation
 * @irp: its number
 * @extra: its result
 * @status: NTSTATUS
 *
 * Context: the task that called the operation.
 */
void etw_file_end(u64 irp, u64 extra, u32 status)
{
	const struct etw_small_event event = {
		.hook_id = PERFINFO_LOG_TYPE_FILE_IO_OPERATION_END,
		.version = WMI_FILE_IO_VERSION,
		.size = sizeof(struct wmi_file_io_end),
		.word0 = irp,
		.word1 = extra,
		.word2 = status,
	};
	const struct etw_listeners *listeners;
	struct etw_moment moment;
	u32 i;

	preempt_disable_notrace();
	listeners = etw_listeners_of(&etw_source_file);
	moment = etw_moment_of_event();
	for (i = 0; listeners && i < listeners->count; i++)
		if (listeners->listener[i].wanted & ETW_FILE_WANTS_END)
			etw_write_current(listeners, &listeners->listener[i], &event, &moment);
	preempt_enable_notrace();
}

/**
 * etw_file_takes_inode() - whether operations on an inode are recorded
 * @inode: file, or NULL
 *
 * Files of mountable file systems are. Internal files of the kernel have no path to record.
 */
bool etw_file_takes_inode(const struct inode *inode)
{
	if (!inode || inode->i_sb->s_flags & SB_NOUSER)
		return false;
	return S_ISREG(inode->i_mode) || S_ISDIR(inode->i_mode) || S_ISLNK(inode->i_mode) ||
	       S_ISBLK(inode->i_mode);
}

/**
 * etw_file_taken() - inode of a file if operations on the file are recorded
 * @file: open, or about to be; held by the caller, or found in a table of open files since
 *	the caller entered its RCU section
 *
 * A file that is not held may be closed at any moment. RCU keeps its inode. But from 6.7 on
 * the file's own memory may be reused at once for another file, which has no inode until it
 * is open. So each field is read once.
 *
 * Return: etw_file_inode() of the file; NULL if its operations are not recorded.
 */
const struct inode *etw_file_taken(const struct file *file)
{
	const struct inode *inode = READ_ONCE(file->f_inode);

	if (!(READ_ONCE(file->f_mode) & FMODE_OPENED) || !etw_file_takes_inode(inode))
		return NULL;
	return etw_file_inode_of(file, inode);
}

/**
 * etw_file_wants_call() - whether a session takes operations of the current process
 * @regs: unused
 *
 * Context: as kprobes; a function of struct etw_function_probe, as the next ones.
 */
bool etw_file_wants_call(struct pt_regs *regs)
{
	return etw_wanted_of(&etw_source_file, etw_process_id(current));
}

/* Pipes, sockets and devices first: their calls may be many, and may wait without end. */
static bool wants(const struct file *file)
{
	return etw_file_taken(file) && etw_file_wants_call(NULL);
}

/**
 * etw_file_wants_first() - whether a session takes a call on the file of the first argument
 * @regs: arguments
 */
bool etw_file_wants_first(struct pt_regs *regs)
{
	return wants((const struct file *)regs_get_kernel_argument(regs, 0));
}

/**
 * etw_file_wants_second() - whether a session takes a call on the file of the second argument
 * @regs: arguments
 */
bool etw_file_wants_second(struct pt_regs *regs)
{
	return wants((const struct file *)regs_get_kernel_argument(regs, 1));
}

/**
 * etw_file_begin() - write the begin of an operation
 * @instance: the call, with space for struct etw_file_call
 * @event: the record, all but its number
 *
 * Context: an entry handler. Return: 0: the call's return is wanted too.
 */
int etw_file_begin(struct kretprobe_instance *instance, struct etw_file_event *event)
{
	struct etw_file_call *call = (struct etw_file_call *)instance->data;

	call->irp = etw_file_next_irp();
	event->irp = call->irp;
	etw_file_record(ETW_FILE_WANTS_INIT, event);
	return 0;
}
