// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arguments of the kernel's functions by name, from its own type information (BTF). */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linux_events/tracefs.h"
#include "probe_variables.h"

#define BTF_MAGIC	0xEB9F
#define BTF_MOST	(256u << 20)
/* A damaged file may have types that refer to each other without end. */
#define MOST_STEPS	32

enum btf_kind {
	BTF_INT = 1, BTF_POINTER, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM, BTF_FORWARD,
	BTF_TYPEDEF, BTF_VOLATILE, BTF_CONST, BTF_RESTRICT, BTF_FUNCTION, BTF_PROTOTYPE,
	BTF_VARIABLE, BTF_SECTION, BTF_FLOAT, BTF_DECLARATION_TAG, BTF_TYPE_TAG, BTF_ENUM64,
	BTF_KINDS,
};

struct btf_header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t header_size;
	uint32_t types_at;
	uint32_t types_size;
	uint32_t names_at;
	uint32_t names_size;
};

struct btf_type {
	uint32_t name;
	uint32_t info;
	uint32_t size_or_type;
};

/**
 * struct btf - the types of the kernel
 * @bytes: of the file
 * @types: offset of each type in @bytes, by its number; number 0 is void
 * @count: of these
 * @names: of the types and parameters
 * @names_size: bytes of it, which end with a zero
 */
struct btf {
	uint8_t *bytes;
	uint32_t *types;
	uint32_t count;
	const char *names;
	uint32_t names_size;
};

static struct btf_type type_at(const struct btf *btf, uint32_t number)
{
	struct btf_type type = { };

	if (number && number < btf->count)
		memcpy(&type, btf->bytes + btf->types[number], sizeof(type));
	return type;
}

static unsigned int kind_of(const struct btf_type *type)
{
	return type->info >> 24 & 31;
}

static unsigned int count_of(const struct btf_type *type)
{
	return type->info & 0xFFFF;
}

static const char *name_at(const struct btf *btf, uint32_t offset)
{
	return offset < btf->names_size ? btf->names + offset : "";
}

/* Bytes behind the three words of a type */
static uint32_t more_of(const struct btf_type *type)
{
	static const uint8_t once[BTF_KINDS] = {
		[BTF_INT] = 4, [BTF_ARRAY] = 12, [BTF_VARIABLE] = 4, [BTF_DECLARATION_TAG] = 4,
	};
	static const uint8_t each[BTF_KINDS] = {
		[BTF_STRUCT] = 12, [BTF_UNION] = 12, [BTF_ENUM] = 8, [BTF_PROTOTYPE] = 8,
		[BTF_SECTION] = 12, [BTF_ENUM64] = 12,
	};
	const unsigned int kind = kind_of(type);

	return once[kind] + each[kind] * count_of(type);
}

/* Return: false: damaged, or of a kind that is not known */
static bool index_types(struct btf *btf, uint32_t at, uint32_t end)
{
	struct btf_type type;

	btf->types = malloc(((end - at) / sizeof(type) + 2) * sizeof(*btf->types));
	if (!btf->types)
		return false;
	btf->types[btf->count++] = 0;
	while (end - at >= sizeof(type)) {
		memcpy(&type, btf->bytes + at, sizeof(type));
		if (!kind_of(&type) || kind_of(&type) >= BTF_KINDS ||
		    more_of(&type) > end - at - sizeof(type))
			return false;
		btf->types[btf->count++] = at;
		at += sizeof(type) + more_of(&type);
	}
	return at == end;
}

static bool parse(struct btf *btf, size_t size)
{
	struct btf_header header;
	uint64_t types, names;

	if (size < sizeof(header))
		return false;
	memcpy(&header, btf->bytes, sizeof(header));
	types = (uint64_t)header.header_size + header.types_at;
	names = (uint64_t)header.header_size + header.names_at;
	if (header.magic != BTF_MAGIC || types + header.types_size > size ||
	    names + header.names_size > size || !header.names_size ||
	    btf->bytes[names + header.names_size - 1])
		return false;
	btf->names = (char *)btf->bytes + names;
	btf->names_size = header.names_size;
	return index_types(btf, types, types + header.types_size);
}

static const char *path_of(void)
{
	const char *other = getenv("ETW_BTF");

	return other ? other : "/sys/kernel/btf/vmlinux";
}

/* The file has no size that stat() knows, if the kernel is an old one. Return: bytes */
static size_t read_all(FILE *from, uint8_t **bytes)
{
	size_t size = 0, room = 0, got;
	uint8_t *more;

	do {
		if (size == room) {
			room = room ? 2 * room : 1 << 20;
			more = room <= BTF_MOST ? realloc(*bytes, room) : NULL;
			if (!more)
				return 0;
			*bytes = more;
		}
		got = fread(*bytes + size, 1, room - size, from);
		size += got;
	} while (got);
	return ferror(from) ? 0 : size;
}

static void btf_free(struct btf *btf)
{
	free(btf->bytes);
	free(btf->types);
}

static const char *btf_read(struct btf *btf)
{
	FILE *from = fopen(path_of(), "re");
	size_t size;

	*btf = (struct btf){ };
	if (!from)
		return "the kernel has no BTF, which contains the names of arguments "
		       "(CONFIG_DEBUG_INFO_BTF; without it: $argN, or a register)";
	size = read_all(from, &btf->bytes);
	fclose(from);
	if (parse(btf, size))
		return NULL;
	btf_free(btf);
	return "the kernel's BTF cannot be read";
}

/* Behind names of types and qualifiers */
static struct btf_type resolve(const struct btf *btf, uint32_t number)
{
	struct btf_type type = type_at(btf, number);
	unsigned int steps;

	for (steps = 0; steps < MOST_STEPS; steps++) {
		switch (kind_of(&type)) {
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
		case BTF_RESTRICT:
		case BTF_TYPE_TAG:
			type = type_at(btf, type.size_or_type);
			continue;
		}
		return type;
	}
	return (struct btf_type){ };
}

static bool is_char(const struct btf *btf, const struct btf_type *type)
{
	return kind_of(type) == BTF_INT && !strcmp(name_at(btf, type->name), "char");
}

static bool is_enumeration(const struct btf_type *type)
{
	return kind_of(type) == BTF_ENUM || kind_of(type) == BTF_ENUM64;
}

static bool is_signed(const struct btf *btf, uint32_t number)
{
	uint32_t encoding, steps = 0;
	struct btf_type type = type_at(btf, number);

	while (kind_of(&type) != BTF_INT && !is_enumeration(&type) && steps++ < MOST_STEPS) {
		number = type.size_or_type;
		type = type_at(btf, number);
	}
	if (is_enumeration(&type))
		return type.info >> 31;
	if (kind_of(&type) != BTF_INT)
		return false;
	memcpy(&encoding, btf->bytes + btf->types[number] + sizeof(type), sizeof(encoding));
	return encoding >> 24 & 1;
}

/* Return: false: it is not in one register */
static bool type_of(const struct btf *btf, uint32_t number, char to[16])
{
	struct btf_type type = resolve(btf, number), target;

	switch (kind_of(&type)) {
	case BTF_INT:
	case BTF_ENUM:
	case BTF_ENUM64:
		if (type.size_or_type > 8 || !type.size_or_type)
			return false;
		snprintf(to, 16, "%c%u", is_signed(btf, number) ? 's' : 'u',
			 8 * type.size_or_type);
		return true;
	case BTF_POINTER:
		target = resolve(btf, type.size_or_type);
		snprintf(to, 16, "%s", is_char(btf, &target) ? "string" : "x64");
		return true;
	}
	return false;
}

/* In memory: on x86_64, the first register has its address. */
static bool returns_memory(const struct btf *btf, const struct btf_type *prototype)
{
	const struct btf_type type = resolve(btf, prototype->size_or_type);

	return (kind_of(&type) == BTF_STRUCT || kind_of(&type) == BTF_UNION) &&
	       type.size_or_type > 16;
}

/* All of the arguments before it are in one register each. */
static const char *find_parameter(const struct btf *btf, uint32_t prototype, const char *name,
				  struct probe_variable *variable)
{
	const struct btf_type type = type_at(btf, prototype);
	uint32_t at = btf->types[prototype] + sizeof(type), i, parameter[2];

	for (i = 0; i < count_of(&type); i++, at += sizeof(parameter)) {
		memcpy(parameter, btf->bytes + at, sizeof(parameter));
		if (!type_of(btf, parameter[1], variable->type))
			return "it is behind an argument, or is one, that is not in one register";
		if (strcmp(name_at(btf, parameter[0]), name))
			continue;
		if (returns_memory(btf, &type))
			return "its register is not known, because the function returns a structure";
		snprintf(variable->fetch, sizeof(variable->fetch), "$arg%u", i + 1);
		return NULL;
	}
	return "the function has no such argument";
}

static const char *find_in(const struct btf *btf, const char *function, const char *name,
			   struct probe_variable *variable)
{
	struct btf_type type, prototype;
	uint32_t i;

	for (i = 1; i < btf->count; i++) {
		type = type_at(btf, i);
		if (kind_of(&type) != BTF_FUNCTION || strcmp(name_at(btf, type.name), function))
			continue;
		prototype = type_at(btf, type.size_or_type);
		if (kind_of(&prototype) == BTF_PROTOTYPE)
			return find_parameter(btf, type.size_or_type, name, variable);
	}
	return "the kernel's BTF does not contain this function (use $argN, or a register)";
}

/* Kernels since 6.5 find names of arguments themselves, also of modules and members. */
static bool kernel_takes_names(void)
{
	char *text = tracefs_read_file("README");
	const bool takes = text && strstr(text, "<argname>");

	free(text);
	return takes;
}

const char *btf_find_argument(void *context, const char *name, struct probe_variable *variable)
{
	const char *function = context, *why;
	struct btf btf;

	if (function[strcspn(function, ":+")]) {
		why = "names of arguments are known at the beginning of a function of the kernel "
		      "itself only";
	} else {
		why = btf_read(&btf);
		if (!why) {
			why = find_in(&btf, function, name, variable);
			btf_free(&btf);
		}
	}
	if (!why || !kernel_takes_names())
		return why;
	variable->fetch[0] = 0;
	return NULL;
}
