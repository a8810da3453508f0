// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * A consumer of WPP messages, as for Windows: TdhGetProperty() has their text and properties.
 *
 * tdh_messages FILE [file=TMF] [path=FOLDER;FOLDER...] [gmt=1] [pointer=SIZE] prints
 * "provider/opcode source" and "name=TYPE:VALUE" for each property; texts as text.
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

#define MAX_CONTEXTS	8
/* TDH_INTYPE_UNICODESTRING, which mingw-w64's header lacks */
#define UNICODE_STRING	1

static TDH_CONTEXT contexts[MAX_CONTEXTS];
static WCHAR names[MAX_CONTEXTS][MAX_PATH];
static ULONG count;

static void print_text(const void *base, ULONG offset)
{
	const USHORT *text = (const USHORT *)((const BYTE *)base + offset);

	for (; offset && *text; text++)
		printf(*text < 0x80 ? "%c" : "\\u%04x", *text);
}

static void print_property(PEVENT_RECORD event, PTRACE_EVENT_INFO info, ULONG index)
{
	const EVENT_PROPERTY_INFO *property = &info->EventPropertyInfoArray[index];
	const WCHAR *text;
	PROPERTY_DATA_DESCRIPTOR path;
	ULONG size = 0, status, i;
	PBYTE data;

	ZeroMemory(&path, sizeof(path));
	path.PropertyName = (ULONG_PTR)((PBYTE)info + property->NameOffset);
	path.ArrayIndex = (ULONG)-1;
	status = TdhGetPropertySize(event, count, contexts, 1, &path, &size);
	data = (PBYTE)calloc(1, size + 1);
	if (!status && data)
		status = TdhGetProperty(event, count, contexts, 1, &path, size, data);
	putchar('\t');
	print_text(info, property->NameOffset);
	if (status)
		printf("!%u", (unsigned int)status);
	else
		printf("=%u:", property->nonStructType.InType);
	text = (const WCHAR *)data;
	if (!status && data && property->nonStructType.InType == UNICODE_STRING)
		for (i = 0; i < size / 2 && text[i]; i++)
			printf(text[i] < 0x80 ? "%c" : "\\u%04x", text[i]);
	else
		for (i = 0; !status && data && i < size; i++)
			printf("%02x", data[i]);
	free(data);
}

static VOID WINAPI on_event(PEVENT_RECORD event)
{
	ULONG size = 0, status, i;
	PTRACE_EVENT_INFO info;

	if (!(event->EventHeader.Flags & EVENT_HEADER_FLAG_TRACE_MESSAGE))
		return;
	status = TdhGetEventInformation(event, count, contexts, NULL, &size);
	if (status != ERROR_INSUFFICIENT_BUFFER) {
		printf("unknown %u\n", (unsigned int)status);
		return;
	}
	info = (PTRACE_EVENT_INFO)malloc(size);
	if (info && !TdhGetEventInformation(event, count, contexts, info, &size)) {
		print_text(info, info->ProviderNameOffset);
		putchar('/');
		print_text(info, info->OpcodeNameOffset);
		printf(" %u", (unsigned int)info->DecodingSource);
		for (i = 0; i < info->TopLevelPropertyCount; i++)
			print_property(event, info, i);
		putchar('\n');
	}
	free(info);
}

static BOOL add_context(const char *argument)
{
	static const char *const words[] = { "file=", "path=", "gmt=", "pointer=", "pdb=" };
	TDH_CONTEXT *to = &contexts[count];
	const char *value = strchr(argument, '=');
	ULONG i, type;

	for (type = 0; type < 5; type++)
		if (!strncmp(argument, words[type], strlen(words[type])))
			break;
	if (type == 5 || count == MAX_CONTEXTS || strlen(argument) >= MAX_PATH)
		return FALSE;
	value++;
	for (i = 0; i <= strlen(value); i++)
		names[count][i] = (unsigned char)value[i];
	to->ParameterType = (TDH_CONTEXT_TYPE)type;
	to->ParameterValue = type == TDH_CONTEXT_WPP_GMT || type == TDH_CONTEXT_POINTERSIZE ?
			     (ULONGLONG)atoi(value) : (ULONG_PTR)names[count];
	count++;
	return TRUE;
}

int main(int argc, char *argv[])
{
	int i;

	for (i = 2; i < argc; i++)
		if (!add_context(argv[i]))
			return 2;
	return argc < 2 ? 2 : consume(argv[1], on_event);
}
