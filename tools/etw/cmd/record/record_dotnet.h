/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw record --dotnet: .NET programs write their events, which are merged into the recording. */
#ifndef ETW_RECORD_DOTNET_H
#define ETW_RECORD_DOTNET_H

#include "options/session_options.h"

/*
 * @options: finished. @record records kernel events into the file of its options. Return: an exit
 * code
 */
int record_dotnet(const struct session_options *options, char **command,
		  int (*record)(const struct session_options *options, char **command));

/* record_dotnet_files.c: a folder for what .NET and the kernel record */
struct dotnet_files {
	char folder[4096];
	char kernel[4200];
	char pattern[4200];
};

/* Makes the folder beside the output. Return: 0 or an exit code after a message */
int dotnet_files_make(struct dotnet_files *files, const char *output);
/* Removes the folder, and what is in it */
void dotnet_files_remove(const struct dotnet_files *files);
/*
 * Imports what .NET has written, merges it with the kernel's trace, if there is one, and removes
 * the folder. A file that has the output's name is kept, as by the module's recordings. If that
 * fails, the folder stays. @code: of the recording. Return: that, or an exit code of the import
 */
int dotnet_files_merge(struct dotnet_files *files, const char *output, bool quiet, int code);

#endif /* ETW_RECORD_DOTNET_H */
