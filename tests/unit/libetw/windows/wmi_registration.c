// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * WMI's structures, as for Windows: the registration of a driver's classes, its blocks of data
 * by their flags, rights by name. No call is made.
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RIGHT(name)	{ #name, name }

DEFINE_GUID(DataGuid,
	    0x5c20d1b7, 0x0e3f, 0x4d2a, 0x8f, 0x66, 0x31, 0xa9, 0x70, 0x12, 0xbb, 0x01);
DEFINE_GUID(TraceGuid,
	    0x5c20d1b7, 0x0e3f, 0x4d2a, 0x8f, 0x66, 0x31, 0xa9, 0x70, 0x12, 0xbb, 0x02);

static const struct {
	const char *name;
	ULONG mask;
} rights[] = {
	RIGHT(WMIGUID_QUERY), RIGHT(WMIGUID_SET), RIGHT(WMIGUID_NOTIFICATION),
	RIGHT(WMIGUID_READ_DESCRIPTION), RIGHT(WMIGUID_EXECUTE), RIGHT(TRACELOG_CREATE_REALTIME),
	RIGHT(TRACELOG_CREATE_ONDISK), RIGHT(TRACELOG_GUID_ENABLE),
	RIGHT(TRACELOG_ACCESS_KERNEL_LOGGER), RIGHT(TRACELOG_LOG_EVENT),
	RIGHT(TRACELOG_ACCESS_REALTIME), RIGHT(TRACELOG_REGISTER_GUIDS),
	RIGHT(TRACELOG_JOIN_GROUP), RIGHT(WMIGUID_ALL_ACCESS),
};

static PWMIREGINFO registration(void)
{
	static const WCHAR base[] = { 'D', 'i', 's', 'k' };
	ULONG size = sizeof(WMIREGINFO) + 2 * sizeof(WMIREGGUID) + sizeof(USHORT) + sizeof(base);
	PWMIREGINFO info = (PWMIREGINFO)calloc(1, size);
	PWMIREGGUID guid;
	ULONG offset;

	if (info == NULL)
		return NULL;
	info->BufferSize = size;
	info->GuidCount = 2;
	offset = FIELD_OFFSET(WMIREGINFO, WmiRegGuid) + 2 * sizeof(WMIREGGUID);
	guid = &info->WmiRegGuid[0];
	guid->Guid = DataGuid;
	guid->Flags = WMIREG_FLAG_EXPENSIVE | WMIREG_FLAG_INSTANCE_BASENAME;
	guid->InstanceCount = 2;
	guid->BaseNameOffset = offset;
	guid = &info->WmiRegGuid[1];
	guid->Guid = TraceGuid;
	guid->Flags = WMIREG_FLAG_TRACED_GUID | WMIREG_FLAG_TRACE_CONTROL_GUID;
	CopyMemory((PBYTE)info + offset + sizeof(USHORT), base, sizeof(base));
	return info;
}

static const void *all_data(PWNODE_ALL_DATA node, ULONG *size)
{
	if (node->WnodeHeader.Flags & WNODE_FLAG_FIXED_INSTANCE_SIZE) {
		*size = node->FixedInstanceSize;
		return (PBYTE)node + node->DataBlockOffset;
	}
	*size = node->OffsetInstanceDataAndLength[0].LengthInstanceData;
	return (PBYTE)node + node->OffsetInstanceDataAndLength[0].OffsetInstanceData;
}

static const void *data_of(PWNODE_HEADER header, ULONG *size)
{
	PWNODE_SINGLE_INSTANCE instance = (PWNODE_SINGLE_INSTANCE)header;
	PWNODE_SINGLE_ITEM item = (PWNODE_SINGLE_ITEM)header;
	PWNODE_METHOD_ITEM method = (PWNODE_METHOD_ITEM)header;

	*size = 0;
	if (header->Flags & WNODE_FLAG_TOO_SMALL) {
		*size = ((PWNODE_TOO_SMALL)header)->SizeNeeded;
		return NULL;
	}
	if (header->Flags & WNODE_FLAG_EVENT_REFERENCE) {
		*size = ((PWNODE_EVENT_REFERENCE)header)->TargetDataBlockSize;
		return NULL;
	}
	if (header->Flags & WNODE_FLAG_ALL_DATA)
		return all_data((PWNODE_ALL_DATA)header, size);
	if (header->Flags & WNODE_FLAG_SINGLE_INSTANCE) {
		*size = instance->SizeDataBlock;
		return (PBYTE)header + instance->DataBlockOffset;
	}
	if (header->Flags & WNODE_FLAG_SINGLE_ITEM) {
		*size = item->SizeDataItem;
		return (PBYTE)header + item->DataBlockOffset;
	}
	if (header->Flags & WNODE_FLAG_METHOD_ITEM) {
		*size = method->SizeDataBlock;
		return (PBYTE)header + method->DataBlockOffset;
	}
	return NULL;
}

int main(void)
{
	union {
		WNODE_SINGLE_INSTANCE node;
		UCHAR room[sizeof(WNODE_SINGLE_INSTANCE) + sizeof(ULONG)];
	} block;
	PWMIREGINFO info = registration();
	ULONG size, value = 7;
	const void *data;
	SIZE_T i;

	if (info == NULL)
		return ERROR_NOT_ENOUGH_MEMORY;
	for (i = 0; i < ARRAYSIZE(rights); i++)
		printf("%08lx %s\n", rights[i].mask, rights[i].name);
	for (i = 0; i < info->GuidCount; i++)
		printf("%08lx: %lu instances\n", info->WmiRegGuid[i].Flags,
		       info->WmiRegGuid[i].InstanceCount);
	free(info);
	ZeroMemory(&block, sizeof(block));
	block.node.WnodeHeader.BufferSize = sizeof(block);
	block.node.WnodeHeader.Flags = WNODE_FLAG_SINGLE_INSTANCE | WNODE_FLAG_STATIC_INSTANCE_NAMES;
	block.node.DataBlockOffset = FIELD_OFFSET(WNODE_SINGLE_INSTANCE, VariableData);
	block.node.SizeDataBlock = sizeof(value);
	CopyMemory(block.node.VariableData, &value, sizeof(value));
	data = data_of(&block.node.WnodeHeader, &size);
	return data == NULL || size != sizeof(value) || memcmp(data, &value, size) != 0;
}
