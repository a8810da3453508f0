/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw export --perfetto: the parts that need symbols. */
#ifndef ETW_PERFETTO_SAMPLES_H
#define ETW_PERFETTO_SAMPLES_H

#include "cmd/stat/report.h"

struct perfetto;

/* The whole file, with @export.trace and @export.to. Return: 0, or -1 after a message */
int export_perfetto_with_samples(struct perfetto *perfetto, struct stat_options *options);
/* For export.name_address, with struct symbols as export.names. Return: @text */
const char *name_of_routine(void *symbols, uint64_t address, uint64_t time, char *text,
			    size_t room);

#endif /* ETW_PERFETTO_SAMPLES_H */
