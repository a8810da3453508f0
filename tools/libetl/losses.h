/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Losses, as loss records report them: running totals by session, processor and cause. */
#ifndef ETW_LOSSES_H
#define ETW_LOSSES_H

#include "map.h"
#include "reader.h"
#include "etw_abi.h"

/**
 * struct loss_totals - running totals
 * @places: sessions, processors and causes with a total
 * @total: by index in @places: the highest total that was reported
 * @count: number of totals
 */
struct loss_totals {
	struct map places;
	uint64_t *total;
	size_t count;
};

/**
 * struct losses - of a trace; all 0 at first
 * @lost: events that were not recorded
 * @overwritten: events that newer ones overwrote in memory; these are no losses
 */
struct losses {
	struct loss_totals lost;
	struct loss_totals overwritten;
};

/* Return: whether the record reports a loss */
bool loss_of(const struct etl_record *record, struct etw_loss *loss);
/* What merging writes as ActivityId into the loss records of a session; never all 0 */
struct etw_guid loss_session_id(const struct etl_logfile *log, uint16_t logger_id);
/* Writes that id into the record, at @bytes, if it is a loss record that has none */
void loss_mark(const struct etl_record *record, uint8_t *bytes, const struct etw_guid *session);
/* Equal for loss records of one session of the file; 0 if the file has one session only */
uint64_t loss_session(const struct etl_record *record, const struct etl_logfile *log);
/* Takes any record of the file. Return: 0, or -1: no memory */
int losses_note(struct losses *losses, const struct etl_record *record,
		const struct etl_logfile *log);
/* Of all sessions, processors and causes, without overwritten events */
uint64_t losses_sum(const struct losses *losses);
/* Events that a session in mode buffering overwrote before the file was written */
uint64_t losses_overwritten(const struct losses *losses);
/*
 * EventsLost, which is 0 in the header of a file that was not closed, or what the loss records
 * add up to, whichever is more
 */
uint32_t losses_with(const struct losses *losses, uint32_t events_lost);
void losses_free(struct losses *losses);

#endif /* ETW_LOSSES_H */
