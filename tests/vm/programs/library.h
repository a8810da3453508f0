/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Sentences of sentences.txt, checked by programs written against evntrace.h. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <evntcons.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "row.h"

/* An address of the kernel, one where nothing is */
#define KERNEL_ADDRESS	((PVOID)(ULONG_PTR)0xFFFF800000001000ULL)
#define NOWHERE		((PVOID)(ULONG_PTR)0x1000)

/**
 * struct event - an event as a program gives it
 * @header: it
 * @data: what follows
 */
struct event {
	EVENT_TRACE_HEADER header;
	UCHAR data[0x110];
};

/**
 * struct found - a record of a file, from its header on
 * @bytes: it
 * @size: Size
 */
struct found {
	const UCHAR *bytes;
	ULONG size;
};

extern const GUID class_guid;

/* library.c */
/* A session that writes a file; 0: there is none */
TRACEHANDLE start(const char *name, const char *file, ULONG mode, ULONG kb);
ULONG stop(TRACEHANDLE handle);
void fill(struct event *event, USHORT size, ULONG flags);
/* Whatever the function says must be the last error, too */
ULONG trace(TRACEHANDLE handle, PVOID event);
/* The n-th record of programs in a file that is closed, from 0 */
struct found record_of(const char *file, unsigned int n);

void check_header(void);
void check_private(void);
void check_consumer(void);

#endif /* LIBRARY_H */
