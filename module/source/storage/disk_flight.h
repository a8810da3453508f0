/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Outstanding I/O: the requester of each bio, and when a disk got each request. */
#ifndef ETW_DISK_FLIGHT_H
#define ETW_DISK_FLIGHT_H

#include <linux/types.h>
#include "file_table.h"
#include "source/moment.h"

/**
 * struct etw_disk_asker - the requester of an I/O
 * @irp: unique number of the I/O; 0: not known
 * @thread_id: pid
 * @process_id: as consumers see it
 */
struct etw_disk_asker {
	u64 irp;
	u32 thread_id;
	u32 process_id;
};

/* Kind of file that the I/O belongs to */
enum etw_disk_file { ETW_DISK_NO_FILE, ETW_DISK_FILE, ETW_DISK_SWAP };

/**
 * struct etw_disk_io - a request that a disk has
 * @asker: the requester
 * @begin: when the disk got it
 * @ticks: which clocks of @begin were read
 * @disk: number of the disk
 * @flags: IrpFlags
 * @bytes: size
 * @file_kind: whether @file is valid
 * @offset: in bytes, from the start of the disk
 * @file: file that the data belongs to
 * @hook_id: of its completion event
 */
struct etw_disk_io {
	struct etw_disk_asker asker;
	struct etw_moment begin;
	u32 ticks;
	u32 disk;
	u32 flags;
	u32 bytes;
	enum etw_disk_file file_kind;
	u64 offset;
	struct etw_file_id file;
	u16 hook_id;
};

int etw_disk_flight_prepare(void);
void etw_disk_flight_unprepare(void);
void etw_disk_asked(const void *bio, const struct etw_disk_asker *asker);
bool etw_disk_asker_take(const void *bio, struct etw_disk_asker *asker);
void etw_disk_issued(const void *request, const struct etw_disk_io *io);
u64 etw_disk_unfollowed(void);
bool etw_disk_completed(const void *request, struct etw_disk_io *io);

#endif /* ETW_DISK_FLIGHT_H */
