// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The stream of the only module: its functions and, in lines.c, its source lines. Formats: LLVM,
 * docs/PDB/ModiStream and CodeViewSymbols; microsoft-pdb, include/cvinfo.h.
 */
#include <errno.h>
#include <string.h>
#include "streams.h"

/* What follows is in the present format. */
#define SIGNATURE_C13	4u

#define S_END		0x0006u
#define S_OBJNAME	0x1101u
#define S_GPROC32	0x1110u
#define S_COMPILE3	0x113Cu

#define LANGUAGE_C	0u
#define CPU_X86		0x07u
#define CPU_X64		0xD0u
#define CPU_ARM64	0xF6u

static uint16_t cpu_of(uint16_t machine)
{
	return machine == PDB_MACHINE_ARM64 ? CPU_ARM64 :
	       machine == PDB_MACHINE_X86 ? CPU_X86 : CPU_X64;
}

static size_t begin(struct bytes *module, uint16_t kind)
{
	size_t start = module->size;

	bytes_u16(module, 0);
	bytes_u16(module, kind);
	return start;
}

static void end(struct bytes *module, size_t start)
{
	bytes_align(module);
	bytes_put_u16(module, start, module->size - start - 2);
}

/* What the module was made of and by; some readers want both. */
static void add_compiler(struct bytes *module, const struct pdb *pdb)
{
	size_t start = begin(module, S_OBJNAME);

	bytes_u32(module, 0);
	bytes_text(module, pdb->name);
	end(module, start);
	start = begin(module, S_COMPILE3);
	bytes_u32(module, LANGUAGE_C);
	bytes_u16(module, cpu_of(pdb->info.machine));
	/* versions of the parts of the compiler */
	bytes_add(module, NULL, 16);
	bytes_text(module, "etw");
	end(module, start);
}

static void add_function(struct bytes *module, const struct pdb *pdb,
			 struct pdb_function *function)
{
	const uint32_t rva = pdb->sections[function->section - 1].rva;
	size_t start = begin(module, S_GPROC32), last;

	function->record = start;
	/* function around it, S_END, next function: offsets in this stream, 0 for none */
	bytes_u32(module, 0);
	bytes_u32(module, 0);
	bytes_u32(module, 0);
	bytes_u32(module, function->size);
	/* where the frame is complete, and no longer */
	bytes_u32(module, 0);
	bytes_u32(module, function->size);
	/* no type */
	bytes_u32(module, 0);
	bytes_u32(module, function->rva - rva);
	bytes_u16(module, function->section);
	bytes_u8(module, 0);
	bytes_text(module, pdb_text(pdb, function->name));
	end(module, start);
	bytes_put_u32(module, start + 8, module->size);
	last = begin(module, S_END);
	end(module, last);
}

const char *pdb_build_module(struct pdb *pdb, struct bytes *module)
{
	const char *why;
	size_t i, start;

	bytes_u32(module, SIGNATURE_C13);
	add_compiler(module, pdb);
	for (i = 0; i < pdb->nr_functions; i++)
		add_function(module, pdb, &pdb->functions[i]);
	pdb->module_symbols = module->size;
	start = module->size;
	why = pdb_build_lines(pdb, module);
	pdb->module_lines = module->size - start;
	/* no references to globals */
	bytes_u32(module, 0);
	if (module->size > UINT32_MAX)
		why = "its functions and lines would be larger than 4 GB";
	return module->no_memory ? strerror(ENOMEM) : why;
}
