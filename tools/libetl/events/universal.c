// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Names of functions for PerfView, which 'etw finalize' writes. Described by Microsoft in
 * src/TraceEvent/EventPipe/UniversalProviders.md of perfview.
 */
#include "libetl/guids.h"
#include "events.h"

static const struct form mapping[] = {
	F_LEB("Id"), F_LEB_HEX("StartAddress"), F_LEB_HEX("EndAddress"), F_LEB_HEX("FileOffset"),
	F_COUNTED("FileName"), F_LEB("MetadataId"), F_END
};

static const struct form symbol[] = {
	F_LEB("Id"), F_LEB("MappingId"), F_LEB_HEX("StartAddress"), F_LEB_HEX("EndAddress"),
	F_COUNTED("Name"), F_END
};

static const struct form metadata[] = {
	F_LEB("Id"), F_COUNTED("SymbolMetadata"), F_COUNTED("VersionMetadata"), F_END
};

const struct etl_event events_universal[] = {
	{ EVENT(UNIVERSAL_PROCESS_MAPPING, "Universal.System/ProcessMapping", { 0, 0, mapping }) },
	{ EVENT(UNIVERSAL_PROCESS_SYMBOL, "Universal.System/ProcessSymbol", { 0, 0, symbol }) },
	{ EVENT(UNIVERSAL_MAPPING_METADATA, "Universal.System/ProcessMappingMetadata",
		{ 0, 0, metadata }) },
	{ }
};
