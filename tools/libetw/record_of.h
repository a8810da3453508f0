/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* An event as the reader of files has it. */
#ifndef LIBETW_RECORD_OF_H
#define LIBETW_RECORD_OF_H

#include "libetl/reader.h"
#include "libetw/include/evntcons.h"

/* @record: valid as long as the event is */
void record_of(const EVENT_RECORD *event, struct etl_record *record);

#endif /* LIBETW_RECORD_OF_H */
