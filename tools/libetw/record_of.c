// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* An event as the reader of files has it. */
#include <string.h>
#include "record_of.h"

void record_of(const EVENT_RECORD *event, struct etl_record *record)
{
	const EVENT_HEADER *header = &event->EventHeader;
	bool classic = header->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER;
	bool message = header->Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE;

	*record = (struct etl_record){
		.header = message ? ETL_MESSAGE : classic ? ETL_FULL : ETL_EVENT,
		.opcode = header->EventDescriptor.Opcode,
		.id = classic ? 0 : header->EventDescriptor.Id,
		.version = header->EventDescriptor.Version,
		.pointer_size = header->Flags & EVENT_HEADER_FLAG_32_BIT_HEADER ? 4 : 8,
		.payload = event->UserData, .payload_size = event->UserDataLength,
	};
	memcpy(&record->guid, &header->ProviderId, sizeof(record->guid));
}
