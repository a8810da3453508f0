// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of types in manifests, and their numbers. */
#include <string.h>
#include "manifest.h"

/**
 * struct type_name - a type of a manifest
 * @name: as the manifest has it, with the prefix that the schema defines
 * @number: of TDH
 */
struct type_name {
	const char *name;
	uint16_t number;
};

static const struct type_name in_types[] = {
	{ "win:UnicodeString", 1 }, { "win:AnsiString", 2 }, { "win:Int8", 3 },
	{ "win:UInt8", 4 }, { "win:Int16", 5 }, { "win:UInt16", 6 }, { "win:Int32", 7 },
	{ "win:UInt32", 8 }, { "win:Int64", 9 }, { "win:UInt64", 10 }, { "win:Float", 11 },
	{ "win:Double", 12 }, { "win:Boolean", 13 }, { "win:Binary", 14 }, { "win:GUID", 15 },
	{ "win:Pointer", 16 }, { "win:FILETIME", 17 }, { "win:SYSTEMTIME", 18 },
	{ "win:SID", 19 }, { "win:HexInt32", 20 }, { "win:HexInt64", 21 },
	{ "win:CountedUnicodeString", 22 }, { "win:CountedAnsiString", 23 },
	{ "win:CountedBinary", 25 },
};

static const struct type_name out_types[] = {
	{ "xs:string", 1 }, { "xs:dateTime", 2 }, { "xs:byte", 3 }, { "xs:unsignedByte", 4 },
	{ "xs:short", 5 }, { "xs:unsignedShort", 6 }, { "xs:int", 7 }, { "xs:unsignedInt", 8 },
	{ "xs:long", 9 }, { "xs:unsignedLong", 10 }, { "xs:float", 11 }, { "xs:double", 12 },
	{ "xs:boolean", 13 }, { "xs:GUID", 14 }, { "xs:hexBinary", 15 }, { "win:HexInt8", 16 },
	{ "win:HexInt16", 17 }, { "win:HexInt32", 18 }, { "win:HexInt64", 19 },
	{ "win:PID", 20 }, { "win:TID", 21 }, { "win:Port", 22 }, { "win:IPv4", 23 },
	{ "win:IPv6", 24 }, { "win:SocketAddress", 25 }, { "win:CIMDateTime", 26 },
	{ "win:ETWTIME", 27 }, { "win:Xml", 28 }, { "win:ErrorCode", 29 },
	{ "win:Win32Error", 30 }, { "win:NTSTATUS", 31 }, { "win:HResult", 32 },
	{ "win:DateTimeCultureInsensitive", 33 }, { "win:Json", 34 }, { "win:Utf8", 35 },
	{ "win:Pkcs7WithTypeInfo", 36 }, { "win:CodePointer", 37 }, { "win:DateTimeUtc", 38 },
};

static uint16_t find(const struct type_name *types, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(types[i].name, name))
			return types[i].number;
	return 0;
}

uint16_t manifest_in_type(const char *name)
{
	return find(in_types, sizeof(in_types) / sizeof(in_types[0]), name);
}

uint16_t manifest_out_type(const char *name)
{
	return find(out_types, sizeof(out_types) / sizeof(out_types[0]), name);
}
