/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The file of a module of a trace, verified by its build-id. */
#ifndef ETW_MODULE_FILE_H
#define ETW_MODULE_FILE_H

#include "elf_layout.h"
#include "process_file.h"

struct module;

/**
 * struct module_file - the file of a module
 * @path: where it is
 * @root: of the process that has mapped the file, if it is there
 * @sysroot: stands before the module's path in @path
 * @layout: of the file, without its debug file
 */
struct module_file {
	char path[4096];
	char root[PROCESS_ROOT];
	const char *sysroot;
	struct elf_layout layout;
};

/**
 * module_file_find() - find the file of a module
 * @module: module of a trace
 * @sysroot: stands before its path, "" for none; then also where a living process has the file
 * @file: filled in
 *
 * Only a build-id verifies a file.
 *
 * Return: NULL, or in words, why there is none.
 */
const char *module_file_find(const struct module *module, const char *sysroot,
			     struct module_file *file);

#endif /* ETW_MODULE_FILE_H */
