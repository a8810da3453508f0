// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The file of a module of a trace, verified by its build-id. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "libetl/images.h"
#include "module_file.h"
#include "symbol_table.h"
#include "symbols.h"

static const char *find_in(const char *sysroot, const struct symbol_request *request,
			   struct module_file *file)
{
	const char *why;

	file->sysroot = sysroot;
	snprintf(file->path, sizeof(file->path), "%s%s", sysroot, request->path);
	if (access(file->path, F_OK))
		return "the file is not here";
	why = elf_layout_read(file->path, &file->layout);
	if (why)
		return why;
	if (!file->layout.id_bytes)
		return "the file has no build-id, the one in the trace has";
	return memcmp(file->layout.id, request->id, request->id_bytes) ?
	       "the file has another build-id" : NULL;
}

const char *module_file_find(const struct module *module, const char *sysroot,
			     struct module_file *file)
{
	struct symbol_request request = { .path = module->path };
	const char *why = symbol_request_of(module, &request);

	if (why)
		return why;
	if (!request.id_bytes)
		return "it has no build-id in the trace";
	why = find_in(sysroot, &request, file);
	if (why && !*sysroot && process_root(module->pid, file->root) &&
	    !find_in(file->root, &request, file))
		why = NULL;
	return why;
}
