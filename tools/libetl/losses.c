// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Losses, as loss records report them: running totals by session, processor and cause. */
#include <stdlib.h>
#include <string.h>
#include "buffer_writer.h"
#include "losses.h"

bool loss_of(const struct etl_record *record, struct etw_loss *loss)
{
	if (!etl_is_ours(record) || record->id != ETW_LINUX_EVENT_LOSS ||
	    record->payload_size < sizeof(*loss))
		return false;
	memcpy(loss, record->payload, sizeof(*loss));
	return true;
}

struct etw_guid loss_session_id(const struct etl_logfile *log, uint16_t logger_id)
{
	uint64_t words[2] = { log->start_time << 16 | logger_id, log->t0 };
	struct etw_guid id;

	memcpy(&id, words, sizeof(id));
	return id;
}

void loss_mark(const struct etl_record *record, uint8_t *bytes, const struct etw_guid *session)
{
	static const struct etw_guid none;
	struct etw_loss loss;

	if (loss_of(record, &loss) && etl_guid_equal(&record->activity, &none))
		memcpy(bytes + offsetof(struct etw_event_header, activity_id), session,
		       sizeof(*session));
}

/*
 * Merging and appending mark each loss record with the id of its session. In a file that another
 * program merged, the time of the first loss stands for the session, because each session keeps
 * its own.
 */
uint64_t loss_session(const struct etl_record *record, const struct etl_logfile *log)
{
	uint64_t words[2];
	struct etw_loss loss;

	memcpy(words, &record->activity, sizeof(words));
	if (words[0] || words[1])
		return (words[0] * 0x9E3779B97F4A7C15ULL ^ words[1]) * 0xC2B2AE3D27D4EB4FULL;
	if (!(log->log_file_mode & EVENT_TRACE_RELOG_MODE) || !loss_of(record, &loss))
		return 0;
	return loss.first * 0x9E3779B97F4A7C15ULL;
}

/* Return: 0, or -1: no memory */
static int note_total(struct loss_totals *totals, uint64_t place, uint64_t total)
{
	size_t i = map_add(&totals->places, place);

	if (i == MAP_NONE)
		return -1;
	if (i == totals->count) {
		if (!map_make_room((void **)&totals->total, i, sizeof(*totals->total)))
			return -1;
		totals->total[totals->count++] = 0;
	}
	/* the file's order need not be that of time */
	if (total > totals->total[i])
		totals->total[i] = total;
	return 0;
}

int losses_note(struct losses *losses, const struct etl_record *record,
		const struct etl_logfile *log)
{
	struct loss_totals *totals = &losses->lost;
	struct etw_loss loss;
	uint64_t place;

	if (!loss_of(record, &loss) || loss.processor >= ETL_PROCESSORS)
		return 0;
	place = loss.processor * ETW_LOSS_ROOM + loss.cause + 1ULL;
	if (loss.cause == ETW_LOSS_OVERWRITTEN) {
		totals = &losses->overwritten;
		place = loss.processor + 1ULL;
	} else if (loss.cause >= ETW_LOSS_ROOM) {
		return 0;
	}
	return note_total(totals, loss_session(record, log) ^ place * 0xD6E8FEB86659FD93ULL,
			  loss.total);
}

static uint64_t sum_of(const struct loss_totals *totals)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < totals->count; i++)
		sum += totals->total[i];
	return sum;
}

uint64_t losses_sum(const struct losses *losses)
{
	return sum_of(&losses->lost);
}

uint64_t losses_overwritten(const struct losses *losses)
{
	return sum_of(&losses->overwritten);
}

uint32_t losses_with(const struct losses *losses, uint32_t events_lost)
{
	uint64_t sum = losses_sum(losses);

	if (sum <= events_lost)
		return events_lost;
	return sum > UINT32_MAX ? UINT32_MAX : sum;
}

void losses_free(struct losses *losses)
{
	map_free(&losses->lost.places);
	free(losses->lost.total);
	map_free(&losses->overwritten.places);
	free(losses->overwritten.total);
	memset(losses, 0, sizeof(*losses));
}
