/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What the parts of etw export --perfetto share. */
#ifndef ETW_PERFETTO_H
#define ETW_PERFETTO_H

#include "export.h"
#include "protobuf.h"

/* Of packets that belong together; those of samples have PERFETTO_SAMPLES and higher numbers */
#define PERFETTO_SEQUENCE	1
#define PERFETTO_SAMPLES	16

/* A disk's requests overlap: each has a lane, in which no other one is at that time */
#define PERFETTO_LANES		256

/**
 * struct perfetto_disk - what a disk did
 * @lanes: of them
 * @end: of the last request in each lane, ns
 */
struct perfetto_disk {
	unsigned int lanes;
	int64_t end[PERFETTO_LANES];
};

/**
 * struct perfetto - an export under way
 * @export: what all formats have; its @trace and @to are the caller's
 * @lifetimes: the processes, with their containers
 * @packet: the packet that is being written
 * @bundles: by processor: its scheduling events that are not written yet; NULL: it had none
 * @lost: by processor: events before the next bundle are missing
 * @tracks: those that are described
 * @disks: their numbers
 * @disk: by index in @disks
 * @failed: something could not be written, after a message
 */
struct perfetto {
	struct export export;
	struct lifetimes lifetimes;
	struct protobuf packet;
	struct protobuf *bundles[ETL_PROCESSORS];
	bool lost[ETL_PROCESSORS];
	struct map tracks;
	struct map disks;
	struct perfetto_disk **disk;
	bool failed;
};

/*
 * perfetto.c: all but the samples, with @export.trace and @export.to. Return: 0, or -1 after a
 * message
 */
int export_perfetto(struct perfetto *perfetto);
void export_perfetto_free(struct perfetto *perfetto);
/* Between these the caller adds what a packet of a sequence contains */
struct protobuf *perfetto_packet(struct perfetto *perfetto, uint32_t sequence);
void perfetto_end_packet(struct perfetto *perfetto);
/* The time on Perfetto's clock: ns of CLOCK_BOOTTIME */
int64_t perfetto_time(const struct perfetto *perfetto, uint64_t time);

/* perfetto_sched.c: events of ftrace, and the tree of processes */
int perfetto_switch(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu);
int perfetto_waking(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu);
/* The id has no owner from now on */
void perfetto_free_thread(struct perfetto *perfetto, const struct etl_record *record,
			  uint32_t cpu, uint32_t tid);
/* What is held of all processors */
void perfetto_flush(struct perfetto *perfetto);

/* perfetto_tree.c: all processes and threads, before all else; and one that begins later */
void perfetto_tree(struct perfetto *perfetto);
void perfetto_note_task(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu);

/* perfetto_tracks.c: a process has a label; the first one of its id stays */
void perfetto_label(struct perfetto *perfetto, uint32_t pid, const char *label);
/* What is no scheduling event. Return: 0, or -1 after a message */
int perfetto_event(struct perfetto *perfetto, const struct etl_record *record, uint32_t cpu);
void perfetto_counters(struct perfetto *perfetto, const struct interval *interval);
void perfetto_break(struct perfetto *perfetto, const struct interval *interval);
void perfetto_loss(struct perfetto *perfetto, const struct etl_record *record,
		   const struct etw_loss *loss);

#endif /* ETW_PERFETTO_H */
