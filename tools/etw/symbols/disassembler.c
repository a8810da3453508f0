// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Instructions as text, by libcapstone, which is loaded only when it is needed. */
#include "disassembler.h"
#if defined(ETW_HAVE_CAPSTONE) && defined(ETW_HAVE_DLOPEN)
#include <capstone/capstone.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/library.h"

/* The layout of an instruction differs between major versions. */
#define NUMBER(number)	#number
#define SONAME(major)	"libcapstone.so." NUMBER(major)
#define FUNCTION(name)	{ "cs_" #name, offsetof(struct capstone, name) }

/* Bytes of an instruction of arm64, and of the longest one of x86_64 */
#define WORD		4
#define LONGEST		15

/**
 * struct capstone - functions of the library, with its names behind "cs_"
 */
struct capstone {
	__typeof__(cs_open) *open;
	__typeof__(cs_close) *close;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *disasm_iter;
};

/**
 * struct disassembler - of a machine
 * @capstone: the library
 * @handle: of the library
 * @instruction: the last one
 * @least: bytes that are skipped if they are no instruction
 */
struct disassembler {
	struct capstone capstone;
	csh handle;
	cs_insn *instruction;
	size_t least;
};

static bool load(struct capstone *to)
{
	static const struct library_function functions[] = {
		FUNCTION(open), FUNCTION(close), FUNCTION(option), FUNCTION(malloc),
		FUNCTION(free), FUNCTION(disasm_iter),
	};

	return library_load(SONAME(CS_API_MAJOR), functions,
			    sizeof(functions) / sizeof(functions[0]), to);
}

static bool prepare(struct disassembler *with, uint16_t machine, bool intel)
{
	const struct capstone *capstone = &with->capstone;
	bool x86 = machine == EM_X86_64;

	if (capstone->open(x86 ? CS_ARCH_X86 : CS_ARCH_ARM64,
			   x86 ? CS_MODE_64 : CS_MODE_LITTLE_ENDIAN, &with->handle))
		return false;
	with->least = x86 ? 1 : WORD;
	if (x86 && !intel)
		capstone->option(with->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	with->instruction = capstone->malloc(with->handle);
	if (with->instruction)
		return true;
	capstone->close(&with->handle);
	return false;
}

struct disassembler *disassembler_open(uint16_t machine, bool intel, const char **why)
{
	struct disassembler *with;

	if (machine != EM_X86_64 && machine != EM_AARCH64) {
		*why = "its machine is neither x86_64 nor arm64";
		return NULL;
	}
	with = calloc(1, sizeof(*with));
	*why = NULL;
	if (!with)
		*why = "no memory";
	else if (!load(&with->capstone))
		*why = SONAME(CS_API_MAJOR) " is not installed";
	else if (!prepare(with, machine, intel))
		*why = "libcapstone could not be set up";
	if (!*why)
		return with;
	free(with);
	return NULL;
}

/* Calls and jumps to a fixed place have nothing but that place behind their name. */
static uint64_t target_of(const cs_insn *instruction)
{
	const char *operand = instruction->op_str;
	char *end;
	uint64_t target;

	if (!strchr("bcj", instruction->mnemonic[0]))
		return 0;
	operand += *operand == '#';
	if (strncmp(operand, "0x", 2))
		return 0;
	target = strtoull(operand, &end, 16);
	return *end ? 0 : target;
}

size_t disassembler_next(struct disassembler *with, const uint8_t *code, size_t size,
			 uint64_t address, char *text, size_t room, uint64_t *target)
{
	const cs_insn *found = with->instruction;
	size_t left = size < LONGEST ? size : LONGEST;

	*target = 0;
	if (!with->capstone.disasm_iter(with->handle, &code, &left, &address, with->instruction)) {
		snprintf(text, room, "(bad)");
		return size < with->least ? size : with->least;
	}
	snprintf(text, room, "%s%s%s", found->mnemonic, found->op_str[0] ? " " : "",
		 found->op_str);
	*target = target_of(found);
	return found->size;
}

void disassembler_close(struct disassembler *with)
{
	if (!with)
		return;
	with->capstone.free(with->instruction, 1);
	with->capstone.close(&with->handle);
	free(with);
}
#else
struct disassembler *disassembler_open(uint16_t machine, bool intel, const char **why)
{
	(void)machine, (void)intel;
	*why = "this etw was built without libcapstone";
	return NULL;
}

size_t disassembler_next(struct disassembler *with, const uint8_t *code, size_t size,
			 uint64_t address, char *text, size_t room, uint64_t *target)
{
	(void)with, (void)code, (void)address, (void)text, (void)room, (void)target;
	return size;
}

void disassembler_close(struct disassembler *with)
{
	(void)with;
}
#endif
