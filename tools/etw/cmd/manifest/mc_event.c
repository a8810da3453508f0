// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: an event as a function and macros. */
#include <ctype.h>
#include <string.h>
#include "mc.h"

#define NAME_BYTES	256
#define DESCRIPTOR	0x20
/* The argument with the bytes of a structure */
#define LENGTH		"_Len"

/* How a field is handed over */
enum mc_kind {
	MC_NONE,	/* not at all: other types */
	MC_VALUE,
	MC_ADDRESS,	/* a pointer that is the value */
	MC_POINTER,	/* to the value */
	MC_STRING,
	MC_WIDE,
	MC_BYTES,
	MC_SID,
	MC_STRUCT,	/* packed members of all elements, and their bytes before */
};

static const struct mc_type {
	enum mc_kind kind;
	const char *type;
} types[] = {
	[1] = { MC_WIDE, "WCHAR" }, [2] = { MC_STRING, "CHAR" }, [3] = { MC_VALUE, "INT8" },
	[4] = { MC_VALUE, "UINT8" }, [5] = { MC_VALUE, "INT16" }, [6] = { MC_VALUE, "UINT16" },
	[7] = { MC_VALUE, "INT32" }, [8] = { MC_VALUE, "UINT32" }, [9] = { MC_VALUE, "INT64" },
	[10] = { MC_VALUE, "UINT64" }, [11] = { MC_VALUE, "FLOAT" },
	[12] = { MC_VALUE, "DOUBLE" }, [13] = { MC_VALUE, "BOOL" }, [14] = { MC_BYTES, "BYTE" },
	[15] = { MC_POINTER, "GUID" }, [16] = { MC_ADDRESS, "VOID" },
	[17] = { MC_POINTER, "FILETIME" }, [18] = { MC_POINTER, "SYSTEMTIME" },
	[19] = { MC_SID, "VOID" }, [20] = { MC_VALUE, "UINT32" }, [21] = { MC_VALUE, "UINT64" },
};

/**
 * struct mc_field - a field of an event
 * @property: its description
 * @type: how it is handed over
 * @name: of the argument
 * @many: there is a count or a length
 */
struct mc_field {
	struct event_property property;
	const struct mc_type *type;
	char name[NAME_BYTES];
	bool many;
};

static const struct mc_type structure = { MC_STRUCT, "BYTE" };

void mc_name(const char *from, char *to, size_t room)
{
	size_t i;

	for (i = 0; from[i] && i + 1 < room; i++)
		to[i] = isalnum((unsigned char)from[i]) ? from[i] : '_';
	to[i] = 0;
}

int mc_symbol(const struct manifest *manifest, const struct xml_node *node, const char *from,
	      char *to, size_t room)
{
	mc_name(from, to, room);
	if (!*from || isdigit((unsigned char)*from) || strlen(from) >= room)
		return manifest_wrong(manifest, node, "symbol=\"%s\": no name of C", from);
	return 0;
}

static void argument_name(const struct event_info *info, uint32_t index, char to[NAME_BYTES])
{
	struct event_property property;
	char text[NAME_BYTES - 8];

	event_info_property(info, index, &property);
	event_info_text(info, property.name, text, sizeof(text));
	memcpy(to, "arg_", 4);
	mc_name(text, to + 4, NAME_BYTES - 4);
}

static int get_field(const struct manifest *manifest, const struct xml_node *event,
		     const struct event_info *info, uint32_t index, struct mc_field *field)
{
	struct event_property *property = &field->property;
	uint32_t many = PROPERTY_FIXED_COUNT | PROPERTY_PARAM_COUNT;

	event_info_property(info, index, property);
	argument_name(info, index, field->name);
	if (property->flags & PROPERTY_STRUCT) {
		field->type = &structure;
		field->many = true;
		return 0;
	}
	field->type = &types[property->in < sizeof(types) / sizeof(types[0]) ? property->in : 0];
	field->many = property->flags & (many | PROPERTY_FIXED_LENGTH | PROPERTY_PARAM_LENGTH);
	if (field->type->kind == MC_NONE ||
	    (property->flags & many && (field->type->kind == MC_STRING ||
					field->type->kind == MC_WIDE ||
					field->type->kind == MC_SID ||
					field->type->kind == MC_BYTES)) ||
	    (field->type->kind == MC_ADDRESS && field->many))
		return manifest_wrong(manifest, event,
				      "%s: etw mc has no form for such a field", field->name + 4);
	if (field->type->kind == MC_BYTES && !field->many && property->out != 24)
		return manifest_wrong(manifest, event, "%s: win:Binary without a length",
				      field->name + 4);
	return 0;
}

/* Whether the field has this argument: a structure has a second one */
static bool has_argument(const struct event_info *info, uint32_t index, const char *name)
{
	struct event_property property;
	char own[NAME_BYTES];
	size_t length;

	argument_name(info, index, own);
	event_info_property(info, index, &property);
	length = strlen(own);
	return !strcmp(own, name) || (property.flags & PROPERTY_STRUCT &&
				      !strncmp(own, name, length) && !strcmp(name + length, LENGTH));
}

/* Whether a field before has the same argument: other characters of names become one, too. */
static bool is_repeated(const struct event_info *info, uint32_t index, const struct mc_field *field)
{
	char second[NAME_BYTES + sizeof(LENGTH)];
	uint32_t i;

	snprintf(second, sizeof(second), "%s%s", field->name,
		 field->type->kind == MC_STRUCT ? LENGTH : "");
	for (i = 0; i < index; i++)
		if (has_argument(info, i, field->name) || has_argument(info, i, second))
			return true;
	return false;
}

static void put_parameter(FILE *to, const struct mc_field *field)
{
	const bool value = field->type->kind == MC_VALUE && !field->many;

	if (field->type->kind == MC_STRUCT)
		fprintf(to, "ULONG %s" LENGTH ", ", field->name);
	fprintf(to, value ? "%s %s" : "const %s *%s", field->type->type, field->name);
}

/* The number of values, as C */
static void put_many(FILE *to, const struct event_info *info, const struct mc_field *field)
{
	const struct event_property *property = &field->property;
	char name[NAME_BYTES];

	if (property->flags & (PROPERTY_PARAM_COUNT | PROPERTY_PARAM_LENGTH)) {
		argument_name(info, property->flags & PROPERTY_PARAM_COUNT ? property->count :
			      property->length, name);
		fprintf(to, "(ULONG)%s", name);
	} else if (property->flags & PROPERTY_FIXED_COUNT) {
		fprintf(to, "%uu", property->count);
	} else {
		fprintf(to, "%uu", field->many ? property->length : 16);
	}
}

static void put_piece(FILE *to, const struct event_info *info, uint32_t index,
		      const struct mc_field *field)
{
	const enum mc_kind kind = field->type->kind;

	if (kind == MC_STRUCT) {
		fprintf(to, "\tEventDataDescCreate(&pieces[%u], %s, %s" LENGTH ");\n", index,
			field->name, field->name);
	} else if (!field->many && (kind == MC_STRING || kind == MC_WIDE || kind == MC_SID)) {
		fprintf(to, "\tEtwMc%s(&pieces[%u], %s);\n", kind == MC_SID ? "Sid" :
			kind == MC_WIDE ? "WideString" : "String", index, field->name);
	} else if (!field->many && (kind == MC_VALUE || kind == MC_ADDRESS)) {
		fprintf(to, "\tEventDataDescCreate(&pieces[%u], &%s, sizeof(%s));\n", index,
			field->name, field->name);
	} else if (!field->many && kind == MC_POINTER) {
		fprintf(to, "\tEventDataDescCreate(&pieces[%u], %s, sizeof(*%s));\n", index,
			field->name, field->name);
	} else {
		fprintf(to, "\tEventDataDescCreate(&pieces[%u], %s, ", index, field->name);
		put_many(to, info, field);
		fprintf(to, " * (ULONG)sizeof(*%s));\n", field->name);
	}
}

static int put_function(FILE *to, const struct manifest *manifest, const struct xml_node *event,
			const struct event_info *info, const char *symbol, const char *provider)
{
	struct mc_field field;
	uint32_t i;

	fprintf(to, "static inline ULONG EtwMcWrite_%s(", symbol);
	for (i = 0; i < info->top; i++) {
		if (get_field(manifest, event, info, i, &field))
			return -1;
		if (is_repeated(info, i, &field))
			return manifest_wrong(manifest, event, "%s: two fields have this name",
					      field.name + 4);
		fputs(i ? ", " : "", to);
		put_parameter(to, &field);
	}
	fprintf(to, "%s)\n{\n", info->top ? "" : "VOID");
	if (info->top)
		fprintf(to, "\tEVENT_DATA_DESCRIPTOR pieces[%u];\n\n", info->top);
	for (i = 0; i < info->top; i++) {
		get_field(manifest, event, info, i, &field);
		put_piece(to, info, i, &field);
	}
	fprintf(to, "\treturn EventWrite(%s_Context.handle, &%s, %u, %s);\n}\n", provider, symbol,
		info->top, info->top ? "pieces" : "NULL");
	return 0;
}

static void put_arguments(FILE *to, const struct event_info *info)
{
	struct event_property property;
	char name[NAME_BYTES];
	uint32_t i;

	for (i = 0; i < info->top; i++) {
		argument_name(info, i, name);
		event_info_property(info, i, &property);
		fputs(i ? ", " : "", to);
		if (property.flags & PROPERTY_STRUCT)
			fprintf(to, "%s" LENGTH ", ", name);
		fputs(name, to);
	}
}

static void put_macros(FILE *to, const struct event_info *info, const char *symbol,
		       const char *provider)
{
	fprintf(to, "#define EventEnabled%s() \\\n\tTraceLoggingProviderEnabled(&%s_Context, "
		"%s.Level, %s.Keyword)\n", symbol, provider, symbol, symbol);
	fprintf(to, "#define EventWrite%s(", symbol);
	put_arguments(to, info);
	fprintf(to, ") \\\n\t(EventEnabled%s() ? EtwMcWrite_%s(", symbol, symbol);
	put_arguments(to, info);
	fprintf(to, ") : (ULONG)ERROR_SUCCESS)\n");
	fprintf(to, "#define EventWrite%s_AssumeEnabled EtwMcWrite_%s\n", symbol, symbol);
}

int mc_write_event(FILE *to, const struct manifest *manifest, const struct xml_node *event,
		   const struct event_info *info, const char *provider)
{
	const uint8_t *bytes = info->bytes + DESCRIPTOR;
	const char *name = xml_attribute(event, "symbol");
	char symbol[NAME_BYTES];

	if (!name || !*name)
		return manifest_wrong(manifest, event, "the event has no symbol");
	if (mc_symbol(manifest, event, name, symbol, sizeof(symbol)))
		return -1;
	fprintf(to, "\nstatic const EVENT_DESCRIPTOR %s __attribute__((unused)) = {\n"
		"\t0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%llxull\n};\n#define %s_value 0x%x\n",
		symbol, get16(bytes), bytes[2], bytes[3], bytes[4], bytes[5], get16(bytes + 6),
		(unsigned long long)get64(bytes + 8), symbol, get16(bytes));
	if (put_function(to, manifest, event, info, symbol, provider))
		return -1;
	put_macros(to, info, symbol, provider);
	return 0;
}
