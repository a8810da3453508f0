// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The types of arguments in TMF files. */
#include <strings.h>
#include "tmf.h"

/*
 * Names and sizes are those of WPP's defaultwpp.ini. Upper and lower case is not compared:
 * both ItemHexDump and ItemHEXDump are in use.
 */
static const struct tmf_item items[] = {
	{ "ItemChar", TMF_SIGNED, 1 }, { "ItemUChar", TMF_UNSIGNED, 1 },
	{ "ItemShort", TMF_SIGNED, 2 }, { "ItemUShort", TMF_UNSIGNED, 2 },
	{ "ItemLong", TMF_SIGNED, 4 }, { "ItemULong", TMF_UNSIGNED, 4 },
	{ "ItemULongX", TMF_HEX, 4 }, { "ItemLongLong", TMF_SIGNED, 8 },
	{ "ItemULongLong", TMF_UNSIGNED, 8 }, { "ItemLongLongX", TMF_HEX, 8 },
	{ "ItemLongLongXX", TMF_HEX, 8 }, { "ItemLongLongO", TMF_UNSIGNED, 8 },
	{ "ItemFloat", TMF_REAL, 4 }, { "ItemDouble", TMF_REAL, 8 },
	{ "ItemPtr", TMF_POINTER, 0 },
	{ "ItemString", TMF_STRING, 0 }, { "ItemRString", TMF_STRING, 0 },
	{ "ItemWString", TMF_STRING16, 0 }, { "ItemRWString", TMF_STRING16, 0 },
	{ "ItemPString", TMF_COUNTED, 0 }, { "ItemPWString", TMF_COUNTED16, 0 },
	{ "ItemGuid", TMF_GUID, 16 }, { "ItemCLSID", TMF_GUID, 16 },
	{ "ItemIID", TMF_GUID, 16 }, { "ItemLIBID", TMF_GUID, 16 },
	{ "ItemSid", TMF_SID, 0 }, { "ItemHexDump", TMF_BYTES, 0 },
	{ "ItemNTSTATUS", TMF_STATUS, 4 }, { "ItemNTerror", TMF_STATUS, 4 },
	{ "ItemHRESULT", TMF_STATUS, 4 }, { "ItemNDIS_STATUS", TMF_STATUS, 4 },
	{ "ItemNDIS_OID", TMF_STATUS, 4 }, { "ItemWINERROR", TMF_UNSIGNED, 4 },
	{ "ItemIPAddr", TMF_ADDRESS4, 4 }, { "ItemIPV6Addr", TMF_ADDRESS6, 16 },
	{ "ItemMACAddr", TMF_MAC, 6 }, { "ItemPort", TMF_PORT, 2 },
	{ "ItemTimestamp", TMF_TIME, 8 }, { "ItemTimeDelta", TMF_DURATION, 8 },
	{ "ItemWaitTime", TMF_DURATION, 8 }, { "ItemChar4", TMF_CHARACTERS, 4 },
	{ "ItemListByte", TMF_LIST, 1 }, { "ItemListShort", TMF_LIST, 2 },
	{ "ItemListLong", TMF_LIST, 4 }, { "ItemSetByte", TMF_SET, 1 },
	{ "ItemSetShort", TMF_SET, 2 }, { "ItemSetLong", TMF_SET, 4 },
	{ "ItemEnum", TMF_ENUM, 4 }, { "ItemFlagsEnum", TMF_FLAGS, 4 },
	{ "", TMF_UNKNOWN, 0 },
};

const struct tmf_item *tmf_item_find(const char *name)
{
	const struct tmf_item *item = items;

	while (item->name[0] && strcasecmp(item->name, name))
		item++;
	return item;
}
