// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A consumer that knows no event, as for Windows: names, types, sizes and values of all fields
 * come from tdh.h. Structures and arrays are followed, and values with names are looked up.
 *
 * tdh_consumer FILE prints "provider/task/opcode source", and "name=TYPE:BYTES" for each value.
 */
#define INITGUID
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntcons.h>
#include <tdh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "consume.h"

/* Structures in structures */
#define MAX_STEPS	16

static void print_text(const void *base, ULONG offset)
{
	const USHORT *text = (const USHORT *)((const BYTE *)base + offset);

	for (; offset && *text; text++)
		putchar(*text);
}

static ULONGLONG name_of(PTRACE_EVENT_INFO info, ULONG index)
{
	return (ULONG_PTR)((PBYTE)info + info->EventPropertyInfoArray[index].NameOffset);
}

/* A value that the payload has before, as count or length */
static ULONG number(PEVENT_RECORD event, PTRACE_EVENT_INFO info, USHORT index)
{
	PROPERTY_DATA_DESCRIPTOR path;
	ULONG value = 0;
	ULONG size = 0;

	ZeroMemory(&path, sizeof(path));
	path.PropertyName = name_of(info, index);
	path.ArrayIndex = (ULONG)-1;
	if (TdhGetPropertySize(event, 0, NULL, 1, &path, &size) == ERROR_SUCCESS &&
	    size <= sizeof(value))
		TdhGetProperty(event, 0, NULL, 1, &path, size, (PBYTE)&value);
	return value;
}

static void print_map(PEVENT_RECORD event, PTRACE_EVENT_INFO info, ULONG offset, ULONG value)
{
	LPWSTR name = (LPWSTR)((PBYTE)info + offset);
	ULONG size = 0;
	PEVENT_MAP_INFO map;
	ULONG i;

	if (TdhGetEventMapInformation(event, name, NULL, &size) != ERROR_INSUFFICIENT_BUFFER)
		return;
	map = (PEVENT_MAP_INFO)malloc(size);
	if (map && TdhGetEventMapInformation(event, name, map, &size) == ERROR_SUCCESS)
		for (i = 0; i < map->EntryCount; i++)
			if (map->MapEntryArray[i].Value == value) {
				putchar(':');
				print_text(map, map->MapEntryArray[i].OutputOffset);
			}
	free(map);
}

static BOOL print_value(PEVENT_RECORD event, PTRACE_EVENT_INFO info, ULONG index,
			PPROPERTY_DATA_DESCRIPTOR path, ULONG steps)
{
	const EVENT_PROPERTY_INFO *property = &info->EventPropertyInfoArray[index];
	ULONG size = 0, i, value = 0;
	ULONG status = TdhGetPropertySize(event, 0, NULL, steps, path, &size);
	PBYTE data = (PBYTE)malloc(size + 1);

	if (!status && data)
		status = TdhGetProperty(event, 0, NULL, steps, path, size, data);
	putchar(' ');
	print_text(info, property->NameOffset);
	if (path[steps - 1].ArrayIndex != (ULONG)-1)
		printf("[%u]", (unsigned int)path[steps - 1].ArrayIndex);
	if (status || !data) {
		printf("!%u", (unsigned int)status);
	} else {
		printf("=%u:", property->nonStructType.InType);
		for (i = 0; i < size; i++)
			printf("%02x", data[i]);
		memcpy(&value, data, size < sizeof(value) ? size : sizeof(value));
		if (property->nonStructType.MapNameOffset)
			print_map(event, info, property->nonStructType.MapNameOffset, value);
	}
	free(data);
	return status == ERROR_SUCCESS;
}

/* What follows an error has no place in the payload. */
static BOOL print_property(PEVENT_RECORD event, PTRACE_EVENT_INFO info, ULONG index,
			   PPROPERTY_DATA_DESCRIPTOR path, ULONG steps)
{
	const EVENT_PROPERTY_INFO *property = &info->EventPropertyInfoArray[index];
	const BOOL is_array = property->Flags & (PropertyParamCount) || property->count != 1;
	ULONG i, j, count = property->count;
	BOOL good = TRUE;

	if (property->Flags & PropertyParamCount)
		count = number(event, info, property->countPropertyIndex);
	if (steps == MAX_STEPS - 1)
		return FALSE;
	path[steps].PropertyName = name_of(info, index);
	for (i = 0; good && i < count; i++) {
		path[steps].ArrayIndex = is_array ? i : (ULONG)-1;
		if (!(property->Flags & PropertyStruct)) {
			good = print_value(event, info, index, path, steps + 1);
			continue;
		}
		path[steps].ArrayIndex = i;
		for (j = 0; good && j < property->structType.NumOfStructMembers; j++)
			good = print_property(event, info, property->structType.StructStartIndex + j,
					      path, steps + 1);
	}
	return good;
}

static void print_event(PEVENT_RECORD event, PTRACE_EVENT_INFO info)
{
	PROPERTY_DATA_DESCRIPTOR path[MAX_STEPS];
	ULONG i;
	BOOL good = TRUE;

	ZeroMemory(path, sizeof(path));
	print_text(info, info->ProviderNameOffset);
	putchar('/');
	print_text(info, info->TaskNameOffset);
	putchar('/');
	print_text(info, info->OpcodeNameOffset);
	printf(" %u", (unsigned int)info->DecodingSource);
	for (i = 0; good && i < info->TopLevelPropertyCount; i++)
		good = print_property(event, info, i, path, 0);
	putchar('\n');
}

static VOID WINAPI on_event(PEVENT_RECORD event)
{
	PTRACE_EVENT_INFO info;
	ULONG size = 0;
	ULONG status = TdhGetEventInformation(event, 0, NULL, NULL, &size);

	if (status != ERROR_INSUFFICIENT_BUFFER) {
		printf("unknown %u\n", (unsigned int)status);
		return;
	}
	info = (PTRACE_EVENT_INFO)malloc(size);
	if (info && TdhGetEventInformation(event, 0, NULL, info, &size) == ERROR_SUCCESS)
		print_event(event, info);
	free(info);
}

/* The list of the providers that have names */
static void print_providers(void)
{
	PROVIDER_ENUMERATION_INFO *list = NULL;
	ULONG size = 0, i;

	if (TdhEnumerateProviders(NULL, &size) != ERROR_INSUFFICIENT_BUFFER)
		return;
	list = (PROVIDER_ENUMERATION_INFO *)malloc(size);
	if (list && TdhEnumerateProviders(list, &size) == ERROR_SUCCESS)
		for (i = 0; i < list->NumberOfProviders; i++) {
			printf("provider %u ",
			       (unsigned int)list->TraceProviderInfoArray[i].SchemaSource);
			print_text(list, list->TraceProviderInfoArray[i].ProviderNameOffset);
			putchar('\n');
		}
	free(list);
}

int main(int argc, char *argv[])
{
	int status;

	if (argc != 2)
		return 2;
	status = consume(argv[1], on_event);
	print_providers();
	return status;
}
