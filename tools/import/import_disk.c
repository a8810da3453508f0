// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Disk transfers of an imported trace, from the issue and the completion of each request. */
#include <stdlib.h>
#include "import.h"
#include "libetl/messages.h"

#define SECTOR	512

enum { DISK_DEV, DISK_SECTOR, DISK_SECTORS, DISK_RWBS };

/**
 * struct import_request - a request that a disk works on
 * @issued: when; 0: it has ended
 * @number: of the request, from 1
 * @tid: thread that issued it
 */
struct import_request {
	uint64_t issued;
	uint64_t number;
	uint32_t tid;
};

static struct import_request *request_of(struct importing *importing,
					 const struct perf_record *record,
					 const struct import_kind *kind)
{
	uint64_t key[2] = {
		import_number(record, kind->field[DISK_DEV]),
		import_number(record, kind->field[DISK_SECTOR]),
	};
	size_t i = map_add(&importing->requests_by_place, map_mix(MAP_MIX, key, sizeof(key)));

	if (i == MAP_NONE)
		return NULL;
	if (i == importing->requests_known) {
		if (!map_make_room((void **)&importing->requests, i, sizeof(*importing->requests)))
			return NULL;
		importing->requests[i] = (struct import_request){ };
		importing->requests_known++;
	}
	return &importing->requests[i];
}

/* LTTng's rwbs is a number; of a request, one of these bits is set, or none */
static char operation_of_bits(uint32_t bits)
{
	return bits & 0x001 ? 'W' : bits & 0x002 ? 0 : bits & 0x004 ? 'R' :
	       bits & (0x100 | 0x400) ? 'F' : 0;
}

/* rwbs: an F before the others flushes, and is alone in a flush; then R, W, or another */
static char operation(const struct perf_record *record, const struct import_kind *kind)
{
	const struct trace_field *field = kind->field[DISK_RWBS];
	const char *at = (const char *)record->raw + field->offset;
	size_t i;

	if (field->kind == TRACE_NUMBER)
		return operation_of_bits(import_number(record, field));
	if (field->offset + field->size > record->raw_size)
		return 0;
	for (i = 0; i < field->size && at[i]; i++)
		if (at[i] != 'F')
			return at[i] == 'R' || at[i] == 'W' ? at[i] : 0;
	return i ? 'F' : 0;
}

int import_disk_issue(struct importing *importing, const struct perf_record *record,
		      const struct import_kind *kind)
{
	struct import_request *request = request_of(importing, record, kind);
	char what = operation(record, kind);

	if (!request)
		return no_memory();
	if (!what)
		return import_tracepoint(importing, record, kind);
	*request = (struct import_request){
		.issued = importing->now, .number = ++importing->counts.disk_issues,
		.tid = record->tid,
	};
	import_system(importing, what == 'R' ? WMI_LOG_TYPE_IO_READ_INIT :
		      what == 'W' ? WMI_LOG_TYPE_IO_WRITE_INIT : WMI_LOG_TYPE_IO_FLUSH_INIT,
		      ETW_DISK_VERSION, import_pid(importing, record->pid), record->tid);
	import_u64(importing, request->number);
	import_u32(importing, request->tid);
	return import_write(importing);
}

static int write_flush(struct importing *importing, const struct import_request *request,
		       uint32_t disk)
{
	const struct etw_disk_flush flush = {
		.disk_number = disk, .irp = request->number,
		.high_res_response_time = importing->now - request->issued,
		.issuing_thread_id = request->tid,
	};

	import_perfinfo(importing, WMI_LOG_TYPE_IO_FLUSH, ETW_DISK_VERSION);
	import_bytes(importing, &flush, sizeof(flush));
	return import_write(importing);
}

static int write_transfer(struct importing *importing, const struct perf_record *record,
			  const struct import_kind *kind, const struct import_request *request,
			  uint32_t disk)
{
	const struct etw_disk_transfer transfer = {
		.disk_number = disk, .irp = request->number,
		.transfer_size = SECTOR * import_number(record, kind->field[DISK_SECTORS]),
		.byte_offset = SECTOR * import_number(record, kind->field[DISK_SECTOR]),
		.high_res_response_time = importing->now - request->issued,
		.issuing_thread_id = request->tid,
	};

	import_perfinfo(importing, operation(record, kind) == 'R' ? WMI_LOG_TYPE_IO_READ :
								    WMI_LOG_TYPE_IO_WRITE,
			ETW_DISK_VERSION);
	import_bytes(importing, &transfer, sizeof(transfer));
	return import_write(importing);
}

/* Without its issue, a request has neither a duration nor a thread: the tracepoint stays. */
int import_disk_complete(struct importing *importing, const struct perf_record *record,
			 const struct import_kind *kind)
{
	struct import_request *request = request_of(importing, record, kind), done;
	size_t disk = map_add(&importing->disks, import_number(record, kind->field[DISK_DEV]));

	if (!request || disk == MAP_NONE)
		return no_memory();
	if (!request->issued || !operation(record, kind))
		return import_tracepoint(importing, record, kind);
	done = *request;
	request->issued = 0;
	importing->counts.disk++;
	if (operation(record, kind) == 'F')
		return write_flush(importing, &done, disk);
	return write_transfer(importing, record, kind, &done, disk);
}
