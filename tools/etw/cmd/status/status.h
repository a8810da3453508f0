/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* What etw status shows, as text and as JSON. */
#ifndef ETW_STATUS_H
#define ETW_STATUS_H

#include <jansson.h>
#include "control/control_calls.h"

/**
 * struct status - of one session
 * @fd: /dev/etw/control
 * @id: logger id
 * @cpus: show each processor
 * @session: what QUERY says
 * @statistics: of all processors
 * @counting: likewise; empty if the module does not report it
 */
struct status {
	int fd;
	uint32_t id;
	bool cpus;
	struct session_information session;
	struct etw_statistics statistics;
	struct etw_counting counting;
};

#define STATUS_CAUSES	(sizeof(((struct etw_statistics *)0)->lost) / sizeof(uint64_t))

const char *status_state(const struct status *status);
/* realtime, sequential, circular, newfile or buffering */
const char *status_mode(const struct status *status);
uint64_t status_flush_ms(const struct status *status);
/* Memory for an hour of events, as they come now; 0: no flight recorder, or too new to know */
uint64_t status_hour_bytes(const struct status *status);
void status_cause(unsigned int cause, char *to, size_t room);

/* status_text.c */
void status_print(const struct status *status);
/* status_json.c */
json_t *status_json(const struct status *status);
/* status_providers.c: the providers that it enabled */
void status_providers_print(const struct status *status);
void status_providers_json(json_t *to, const struct status *status);
/* status_counting.c: counters, samples, PEBS */
void counting_print(const struct status *status);
/* Of one processor, when it is not as the others */
void counting_print_cpu(const struct status *status, uint32_t cpu);
void counting_json(json_t *to, const struct status *status);

#endif /* ETW_STATUS_H */
