// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Disk I/O: completed 010A, 010B, 010E, requested 010C, 010D, 010F. */
#include <linux/atomic.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <linux/magic.h>
#include <linux/pagemap.h>
#include <linux/swap.h>
#include <trace/events/block.h>
#include "compat.h"
#include "disk_flight.h"
#include "disk_number.h"
#include "source/opaque_key.h"
#include "source/probe.h"
#include "source/source.h"
#include "source/write.h"

/*
 * Three steps: a bio gets a request, in the requesting thread (block_getrq: the Init
 * event, with its stack); the disk gets the request, often in a kernel worker
 * (block_rq_issue); the request completes, in an interrupt or softirq
 * (block_rq_complete). The bio's address connects the first two steps, the request's
 * address the last two. A bio that is merged in front of another request becomes that
 * request's first bio, so it is noted too. A bio merged behind one is not seen again.
 *
 * The kernel flushes a disk's cache for several bios with one request that has no bio.
 * Such a flush is attributed to the last thread that requested one.
 */

/* Bits of etw_listener.wanted */
#define WANTS_DONE	0x1
#define WANTS_INIT	0x2

/* Slots for flush requesters, by disk number; further disks share these slots */
#define FLUSHING_DISKS	64

static struct etw_disk_flusher {
	u64 irp;
	u64 ids;	/* thread, process */
} flushers[FLUSHING_DISKS];

static atomic64_t last_irp;

static void write_init(const struct etw_listeners *listeners, u16 hook_id,
		       const struct etw_disk_asker *asker, const struct etw_system_ids *ids)
{
	struct wmi_disk_init init = { .issuing_thread_id = asker->thread_id };
	struct etw_event event = {
		.hook_id = hook_id,
		.version = ETW_DISK_VERSION,
		.wanted = WANTS_INIT,
		.process_id = asker->process_id,
		.ids = ids,
		.payload = { .data = &init, .size = sizeof(init) },
	};
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		init.irp = etw_opaque_key(listener->sink, asker->irp);
		etw_write(listener, &event);
	}
}

/* Return: hook id of the completion event, or 0 if Windows has none. */
static u16 hook_of(enum req_op op)
{
	switch (op) {
	case REQ_OP_READ:
		return WMI_LOG_TYPE_IO_READ;
	case REQ_OP_WRITE:
	case REQ_OP_WRITE_ZEROES:
	case REQ_OP_ZONE_APPEND:
		return WMI_LOG_TYPE_IO_WRITE;
	case REQ_OP_FLUSH:
		return WMI_LOG_TYPE_IO_FLUSH;
	default:
		return 0;
	}
}

static u16 init_of(u16 hook_id)
{
	return hook_id == WMI_LOG_TYPE_IO_FLUSH ? WMI_LOG_TYPE_IO_FLUSH_INIT : hook_id + 2;
}

static struct etw_disk_asker ask(const struct etw_system_ids *ids)
{
	return (struct etw_disk_asker){
		.irp = atomic64_inc_return(&last_irp),
		.thread_id = ids->thread_id,
		.process_id = ids->process_id,
	};
}

static void ask_flush(const struct etw_listeners *listeners, const struct bio *bio,
		      const struct etw_system_ids *ids)
{
	u32 disk = etw_disk_number(bio->bi_bdev->bd_disk);
	struct etw_disk_flusher *flusher = &flushers[disk % FLUSHING_DISKS];
	const struct etw_disk_asker asker = ask(ids);

	/* a race of two flushes may combine one thread's Irp with the other's ids */
	WRITE_ONCE(flusher->ids, asker.thread_id | (u64)asker.process_id << 32);
	WRITE_ONCE(flusher->irp, asker.irp);
	write_init(listeners, WMI_LOG_TYPE_IO_FLUSH_INIT, &asker, ids);
}

static void asked(const struct etw_source *source, struct bio *bio)
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	u16 hook_id = hook_of(bio_op(bio));
	struct etw_disk_asker asker;
	struct etw_system_ids ids;

	if (!listeners || !hook_id || !bio->bi_bdev)
		return;
	etw_system_ids_current(&ids);
	if (bio->bi_opf & REQ_PREFLUSH)
		ask_flush(listeners, bio, &ids);
	/* here, a flush without data is an empty write */
	if (!bio_sectors(bio))
		return;
	asker = ask(&ids);
	etw_disk_asked(bio, &asker);
	write_init(listeners, init_of(hook_id), &asker, &ids);
}

/* Called before the bio gets a request of the disk that it is passed on to */
ETW_PROBE(block_bio_remap, TP_PROTO(struct bio *bio, dev_t device, sector_t from),
	  TP_ARGS(bio, device, from))
{
	if (bio->bi_bdev)
		etw_disk_behind(bio->bi_bdev->bd_disk, device);
}

/* The requesting thread runs both of these. */
ETW_PROBE(block_getrq, TP_PROTO(struct bio *bio), TP_ARGS(bio))
{
	asked(source, bio);
}

ETW_PROBE(block_bio_frontmerge, TP_PROTO(struct bio *bio), TP_ARGS(bio))
{
	asked(source, bio);
}

/* NT's priorities: very low, low, normal, high; 0 means none. (kernel-events.rst 9.6) */
static u32 priority_of(struct request *request)
{
	unsigned short priority = req_get_ioprio(request);
	u32 nt = 2;

	if (IOPRIO_PRIO_CLASS(priority) == IOPRIO_CLASS_IDLE)
		nt = 0;
	else if (IOPRIO_PRIO_CLASS(priority) == IOPRIO_CLASS_RT)
		nt = 3;
	else if (IOPRIO_PRIO_CLASS(priority) == IOPRIO_CLASS_BE &&
		 (priority & IOPRIO_LEVEL_MASK) >= 5)
		nt = 1;
	return (nt + 1) << ETW_IRP_PRIORITY_SHIFT;
}

/*
 * The file of the first page. A page of the page cache belongs to its file while it is
 * read or written; other memory, of a process or the kernel, bypasses the cache.
 */
static void find_file(struct request *request, struct etw_disk_io *io)
{
	struct address_space *mapping;
	const struct inode *inode;
	struct folio *folio;

	if (!bio_has_data(request->bio))
		return;
	io->flags |= ETW_IRP_NOCACHE;
	folio = etw_page_folio(bio_page(request->bio));
	mapping = folio_mapping(folio);
	if (folio_test_swapcache(folio) && folio_test_swapbacked(folio)) {
		io->file_kind = ETW_DISK_SWAP;
	} else {
		inode = mapping ? READ_ONCE(mapping->host) : NULL;
		if (!inode)
			return;
		io->file_kind = ETW_DISK_FILE;
		io->file = etw_file_id_of(inode);
		if (S_ISBLK(inode->i_mode) && inode->i_sb->s_magic == BDEVFS_MAGIC)
			etw_file_seen_disk(inode);
	}
	io->flags = (io->flags & ~ETW_IRP_NOCACHE) | ETW_IRP_PAGING_IO;
	if (op_is_write(req_op(request)) && (request->cmd_flags & REQ_SYNC))
		io->flags |= ETW_IRP_SYNCHRONOUS_PAGING_IO;
}

/* For a flush without a known requester, and for a request of which no bio was seen */
static struct etw_disk_asker no_asker(void)
{
	return (struct etw_disk_asker){
		.thread_id = ETW_NO_THREAD,
		.process_id = ETW_NO_THREAD,
	};
}

static void find_asker(struct request *request, struct etw_disk_io *io)
{
	struct etw_disk_flusher *flusher = &flushers[io->disk % FLUSHING_DISKS];
	u64 ids;

	io->asker = no_asker();
	if (io->hook_id != WMI_LOG_TYPE_IO_FLUSH) {
		etw_disk_asker_take(request->bio, &io->asker);
		return;
	}
	ids = READ_ONCE(flusher->ids);
	io->asker.irp = READ_ONCE(flusher->irp);
	if (io->asker.irp) {
		io->asker.thread_id = ids;
		io->asker.process_id = ids >> 32;
	}
}

ETW_PROBE(block_rq_issue, TP_PROTO(struct request *request), TP_ARGS(request))
{
	struct etw_disk_io io = { .hook_id = hook_of(req_op(request)) };
	const struct etw_listeners *listeners = etw_listeners_of(source);

	if (!listeners || !io.hook_id || !request->q->disk)
		return;
	io.disk = etw_disk_number(request->q->disk);
	find_asker(request, &io);
	io.flags = priority_of(request);
	io.bytes = blk_rq_bytes(request);
	if (io.hook_id != WMI_LOG_TYPE_IO_FLUSH) {
		io.offset = (u64)blk_rq_pos(request) << SECTOR_SHIFT;
		find_file(request, &io);
	}
	io.ticks = listeners->ticks;
	etw_moment_now(&io.begin, listeners);
	etw_disk_issued(request, &io);
}

static u64 file_key(const struct etw_sink *sink, const struct etw_disk_io *io)
{
	if (io->file_kind == ETW_DISK_FILE)
		return etw_file_id_key(sink, &io->file);
	return io->file_kind == ETW_DISK_SWAP ? etw_file_key(sink, ETW_FILE_SWAP) : 0;
}

/* Both times come from the same clock; two CPUs' clocks differ by less than an I/O takes. */
static u64 response_time(const struct etw_disk_io *io, const struct etw_moment *now,
			 const struct etw_ring *ring)
{
	u64 begin = etw_moment_tick(&io->begin, ring, U64_MAX);
	u64 end = etw_moment_tick(now, ring, U64_MAX);

	return end > begin ? end - begin : 0;
}

static void write_flushed(const struct etw_listener *listener, struct etw_event *event,
			  const struct etw_disk_io *io, u64 response)
{
	const struct etw_disk_flush flush = {
		.disk_number = io->disk,
		.irp_flags = io->flags,
		.high_res_response_time = response,
		.irp = etw_opaque_key(listener->sink, io->asker.irp),
		.issuing_thread_id = io->asker.thread_id,
	};

	event->payload = (struct etw_payload){ .data = &flush, .size = sizeof(flush) };
	etw_write(listener, event);
}

static void write_transferred(const struct etw_listener *listener, struct etw_event *event,
			      const struct etw_disk_io *io, u64 response)
{
	const struct etw_disk_transfer transfer = {
		.disk_number = io->disk,
		.irp_flags = io->flags,
		.transfer_size = io->bytes,
		.byte_offset = io->offset,
		.file_object = file_key(listener->sink, io),
		.irp = etw_opaque_key(listener->sink, io->asker.irp),
		.high_res_response_time = response,
		.issuing_thread_id = io->asker.thread_id,
	};

	event->payload = (struct etw_payload){ .data = &transfer, .size = sizeof(transfer) };
	etw_write(listener, event);
}

static void write_done(const struct etw_listeners *listeners, const struct etw_disk_io *io,
		       const struct etw_moment *now)
{
	struct etw_event event = {
		.hook_id = io->hook_id,
		.version = ETW_DISK_VERSION,
		.wanted = WANTS_DONE,
		.process_id = io->asker.process_id,
	};
	const struct etw_listener *listener = NULL;

	while ((listener = etw_next_wanting(listeners, listener, &event))) {
		u64 response;

		/* a listener added since, with another clock, has no begin time for this I/O */
		if (!(io->ticks & BIT(listener->sink->clocks.ticks)))
			continue;
		response = response_time(io, now, this_cpu_ptr(listener->rings));
		if (io->hook_id == WMI_LOG_TYPE_IO_FLUSH)
			write_flushed(listener, &event, io, response);
		else
			write_transferred(listener, &event, io, response);
	}
}

/* A request that completes in parts is done with its last part. */
ETW_PROBE(block_rq_complete,
	  TP_PROTO(struct request *request, blk_status_t error, unsigned int nr_bytes),
	  TP_ARGS(request, error, nr_bytes))
{
	const struct etw_listeners *listeners = etw_listeners_of(source);
	struct etw_moment now;
	struct etw_disk_io io;

	if (nr_bytes < blk_rq_bytes(request))
		return;
	if (!listeners || !etw_disk_completed(request, &io))
		return;
	etw_moment_now(&now, listeners);
	write_done(listeners, &io, &now);
}

static int prepare(struct etw_source *source)
{
	memset(flushers, 0, sizeof(flushers));
	return etw_disk_flight_prepare();
}

static void unprepare(struct etw_source *source)
{
	etw_disk_flight_unprepare();
}

/* Requests beyond the number that can be followed at once */
static u64 missed(const struct etw_source *source)
{
	return etw_disk_unfollowed();
}

ETW_SOURCE(ETW_ORDER_ANY, disk) = {
	.name = "disk",
	.groups = ETW_GROUPS(PERF_DISK_IO, PERF_DISK_IO_INIT),
	.hooks = ETW_HOOKS(WMI_LOG_TYPE_IO_READ, WMI_LOG_TYPE_IO_WRITE, WMI_LOG_TYPE_IO_READ_INIT,
			   WMI_LOG_TYPE_IO_WRITE_INIT, WMI_LOG_TYPE_IO_FLUSH,
			   WMI_LOG_TYPE_IO_FLUSH_INIT),
	.points = ETW_POINTS({ .probe = &probe_block_bio_remap },
			     { .probe = &probe_block_rq_complete },
			     { .probe = &probe_block_rq_issue },
			     { .probe = &probe_block_bio_frontmerge },
			     { .probe = &probe_block_getrq }),
	.prepare = prepare,
	.unprepare = unprepare,
	.missed = missed,
};
