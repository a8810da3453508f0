/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Which thread a processor runs, as far as the context switches show it. */
#ifndef ETW_RUNNING_H
#define ETW_RUNNING_H

#include "gaps.h"

struct running_cpu;

/**
 * struct running - of all processors, while the records of a trace go by
 * @gaps: where switches are missing
 * @cpu: ETL_PROCESSORS of them
 */
struct running {
	struct gaps gaps;
	struct running_cpu *cpu;
};

/* Return: 0, or -1 after a message */
int running_begin(struct running *running, const struct trace *trace);
/* First pass, each record in its processor's order: finds the thread before the first switch */
void running_survey(struct running *running, uint16_t processor,
		    const struct etl_record *record);
/* Each record in that order again */
void running_note(struct running *running, const struct etl_buffer *buffer,
		  const struct etl_record *record);
/* What stands behind the last record of the processor could not be read. */
void running_hole(struct running *running, uint16_t processor);
/* The thread that ran at the record that was noted last. Return: false: it is not known */
bool running_get(const struct running *running, const struct etl_buffer *buffer,
		 const struct etl_record *record, uint32_t *tid);
void running_end(struct running *running);

#endif /* ETW_RUNNING_H */
