// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Walks damaged files with the reader; built with sanitizers. Also a libFuzzer target. */
#include <stdio.h>
#include <stdlib.h>
#include "decode.h"
#include "event_names.h"
#include "reader.h"

static struct fields fields;
static unsigned long records;

static void walk_records(const struct etl_buffer *buffer, const struct etl_logfile *log)
{
	struct etl_record record;
	char name[EVENT_NAME];
	uint32_t at = ETL_FIRST_RECORD;

	while (etl_record_at(buffer, at, &record) == ETL_RECORD_OK) {
		fields_reset(&fields);
		decode_payload(&record, &fields);
		event_name(&record, name, sizeof(name));
		etl_nanoseconds(log, record.time);
		etl_filetime(log, record.time);
		at = etl_next_record(&record);
		records++;
	}
}

/* In memory of its own, so that a byte too far is seen. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct etl_logfile log;
	struct etl_buffer buffer;
	uint64_t at;

	memcpy(copy, data, size);
	etl_logfile_of(copy, size, &log);
	for (at = 0; etl_buffer_at(copy, size, at, &buffer) == ETL_BUFFER_OK;
	     at += buffer.header.buffer_size)
		walk_records(&buffer, &log);
	free(copy);
	return 0;
}

#ifndef LIBFUZZER
int main(int argc, char **argv)
{
	static uint8_t bytes[1 << 20];
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	size_t size, i;

	if (!file)
		return 2;
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	for (i = 0; i <= size; i++)
		LLVMFuzzerTestOneInput(bytes, i);
	for (i = 0; i < 8 * size; i++) {
		bytes[i / 8] ^= 1 << i % 8;
		LLVMFuzzerTestOneInput(bytes, size);
		bytes[i / 8] ^= 1 << i % 8;
	}
	printf("%zu prefixes, %zu flips, %lu records\n", size + 1, 8 * size, records);
	return records ? 0 : 1;
}
#endif
