/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The container of a PDB: numbered streams in blocks of a file. */
#ifndef ETW_PDB_MSF_H
#define ETW_PDB_MSF_H

#include <stdio.h>
#include "bytes.h"

/**
 * msf_write() - write streams as a container
 * @to: the file, at its start
 * @streams: their content, by number
 * @count: number of streams
 *
 * Return: NULL, or the reason of the failure.
 */
const char *msf_write(FILE *to, const struct bytes *streams, size_t count);

#endif /* ETW_PDB_MSF_H */
