/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What a trace gets when it is finished: ids of its images, the machine, symbols of the kernel. */
#ifndef ETW_FINALIZE_H
#define ETW_FINALIZE_H

#include "libetl/images.h"
#include "libetl/map.h"
#include "libetl/merging_source.h"

#define FINALIZING_ID	64
/* Bytes of a name, as in a PDB */
#define FINALIZING_NAME	4000

struct process_cgroups;

/**
 * struct finalize_options - how
 * @output: file to write; NULL: the trace itself is replaced
 * @sysroot: stands before all paths of files, "" for none
 * @kallsyms: a copy of /proc/kallsyms; NULL: the running kernel's, when the trace is of this boot
 * @no_kallsyms: none
 * @no_server: no server is asked for debug files
 * @quiet: no progress and no summary
 * @cgroups: of processes before the trace began; NULL: they are unknown
 */
struct finalize_options {
	const char *output;
	const char *sysroot;
	const char *kallsyms;
	bool no_kallsyms;
	bool no_server;
	bool quiet;
	const struct process_cgroups *cgroups;
};

/* The whole step, of record and stop as well. Return: exit code */
int finalize_file(const char *name, const struct finalize_options *options);
/**
 * finalize_recorded() - finalize a trace that a verb has just written
 * @verb: for messages
 * @name: of the file; standard output and what is no ordinary file stay as they are
 * @mode: LogFileMode of the session; numbered files and one that was appended to stay as they are
 * @must: a file that stays as it is is an error
 * @quiet: no progress and no summary
 * @cgroups: of processes before the trace began; NULL: they are unknown
 *
 * If it fails, the file is as it was recorded. Return: exit code
 */
int finalize_recorded(const char *verb, const char *name, uint32_t mode, bool must,
		      bool quiet, const struct process_cgroups *cgroups);

/**
 * struct identity - of a file
 * @id: build-id
 * @bytes: of it; 0: it has none, or
 * @unknown: the file is not here, or is another one
 * @lowest: with @bytes: the address in the file to which its offset 0 belongs
 */
struct identity {
	uint8_t id[FINALIZING_ID];
	unsigned int bytes;
	bool unknown;
	uint64_t lowest;
};

struct finalize_names;

/**
 * struct finalizing - a trace that is being finished
 * @trace: that is read
 * @source: where in it
 * @options: how
 * @out: where to
 * @here: the trace is of this machine and boot
 * @record: the record that is being made
 * @size: bytes of it
 * @too_large: it has no room: such are left out
 * @names: files by path and stamp
 * @identity: by index of these
 * @described: kinds of events whose fields have a description
 * @functions: names of functions; NULL: there was none to find
 * @kernel: where that is in it, 0: it has no addresses of the kernel
 * @images: that got something
 * @identified: that got a build-id
 * @named: functions that got a name
 * @symbols: bytes of the kernel's symbols in the file
 */
struct finalizing {
	const struct trace *trace;
	struct merging_source source;
	const struct finalize_options *options;
	struct merging out;
	bool here;
	uint8_t record[0x10000];
	uint32_t size;
	bool too_large;
	struct map names;
	struct identity *identity;
	struct map described;
	struct finalize_names *functions;
	uint64_t kernel;
	uint64_t images;
	uint64_t identified;
	uint64_t named;
	uint64_t symbols;
};

/* finalize_record.c: makes a record, piece by piece; a FULL one with what its header says */
void finalizing_begin(struct finalizing *finalizing, const struct etw_guid *guid, uint8_t opcode,
		      uint16_t version, uint64_t time, uint32_t thread_id, uint32_t process_id);
/* An event of a provider */
void finalizing_begin_event(struct finalizing *finalizing, const struct etw_guid *provider,
			    uint16_t id, uint64_t time, uint32_t process_id);
void finalizing_bytes(struct finalizing *finalizing, const void *bytes, size_t size);
void finalizing_u32(struct finalizing *finalizing, uint32_t value);
void finalizing_u64(struct finalizing *finalizing, uint64_t value);
/* UTF-16 with a terminator */
void finalizing_text(struct finalizing *finalizing, const char *text);
/* A number as ULEB128 */
void finalizing_leb(struct finalizing *finalizing, uint64_t value);
/* UTF-8 behind its length in 16 bits; cut at FINALIZING_NAME and at the buffer's room */
void finalizing_counted(struct finalizing *finalizing, const char *text);
/* Into a buffer of the processor, with the flags of that buffer. Return: 0 or -1 */
int finalizing_write(struct finalizing *finalizing, const struct etl_buffer *buffer);
/* Bytes of payload that such an event may have */
uint32_t finalizing_event_room(const struct finalizing *finalizing);

/* finalize_image.c: what stands before an image's record. Return: 0 or -1 */
int finalizing_image(struct finalizing *finalizing, const struct etl_buffer *buffer,
		     const struct etl_record *record);
/* The record is one of an image */
bool finalizing_is_image(const struct etl_record *record);
/* The file of an image. Return: NULL: no memory */
const struct identity *finalizing_identity(struct finalizing *finalizing,
					   const struct image *image,
					   const struct module *module);

/* finalize_describe.c: what stands before an event that readers have no class for */
int finalizing_describe(struct finalizing *finalizing, const struct etl_buffer *buffer,
			const struct etl_record *record, uint64_t time);

/* finalize_system.c: at the begin, and at the end. Return: 0 or -1 */
int finalizing_machine(struct finalizing *finalizing);
int finalizing_kallsyms(struct finalizing *finalizing);

/* finalize_cgroups.c: at the begin, and at the end. Return: 0 or -1 */
int finalizing_cgroups_before(struct finalizing *finalizing);
int finalizing_cgroups_now(struct finalizing *finalizing);

#endif /* ETW_FINALIZE_H */
