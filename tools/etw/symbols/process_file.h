/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The file that a living process has mapped, in whatever mount namespace it lives. */
#ifndef ETW_PROCESS_FILE_H
#define ETW_PROCESS_FILE_H

#include "libetl/reader.h"

#define PROCESS_ROOT	32

/*
 * A path means another file in another mount namespace. So a file without a build-id is used only
 * if the process still exists and began before @time. It must have this very file, by device and
 * inode, mapped at @base. The trace has to be of this boot.
 * Return: true: the file is @root followed by @name
 */
bool process_has_file(const struct etl_logfile *log, uint32_t pid, const char *name,
		      uint64_t base, uint64_t time, char root[PROCESS_ROOT]);
/* Where the files of a process are, for what a build-id verifies. Return: false: it is gone */
bool process_root(uint32_t pid, char to[PROCESS_ROOT]);

#endif /* ETW_PROCESS_FILE_H */
