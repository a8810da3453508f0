/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Bounds of an import: of what a library takes, and of what is written. */
#ifndef ETW_IMPORT_IMPORT_LIMITS_H
#define ETW_IMPORT_IMPORT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct importing;

/* Bytes of the file @name, or of all files in the folder @name */
uint64_t import_input_size(const char *name);
/*
 * In a child process: a library that reads @bytes, which may be damaged, gets no more processor
 * time and memory than these need. SIGXCPU ends the child when the time is over.
 */
void import_limit_library(uint64_t bytes);
/* The trace has more bytes than an import of @bytes writes, unless these are damaged. */
bool import_outgrows(const struct importing *importing, uint64_t bytes);
/* What its message states */
#define IMPORT_BYTES_OF_BYTE	256

#endif /* ETW_IMPORT_IMPORT_LIMITS_H */
