// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The fields of an event, as metadata of a .nettrace describes them. */
#include "nettrace.h"

#define DEPTH	8

/**
 * struct reading - fields while they are read
 * @layout: how they stand in the file
 * @fields: those that are read
 * @depth: objects around
 */
struct reading {
	enum nettrace_layout layout;
	struct nettrace_fields *fields;
	unsigned int depth;
};

static bool read_members(struct reading *reading, struct piece *piece, uint16_t *members);

/* Return: false: a description cannot contain fields from here on */
static bool read_element(struct reading *reading, struct piece *piece, size_t index)
{
	struct nettrace_field *field = &reading->fields->field[index];

	field->type = reading->layout == NETTRACE_LAYOUT_6 ? piece_u8(piece) : piece_u32(piece);
	switch (field->type) {
	case NETTRACE_OBJECT:
		return read_members(reading, piece, &field->members);
	case NETTRACE_BOOL32:
	case NETTRACE_CHAR16:
	case NETTRACE_INT8:
	case NETTRACE_UINT8:
	case NETTRACE_INT16:
	case NETTRACE_UINT16:
	case NETTRACE_INT32:
	case NETTRACE_UINT32:
	case NETTRACE_INT64:
	case NETTRACE_UINT64:
	case NETTRACE_FLOAT:
	case NETTRACE_DOUBLE:
	case NETTRACE_DATETIME:
	case NETTRACE_GUID:
	case NETTRACE_STRING16:
		return !piece->bad;
	case NETTRACE_CHAR8:
	case NETTRACE_BOOL8:
		return !piece->bad && reading->layout == NETTRACE_LAYOUT_6;
	}
	return false;
}

static bool is_array(const struct reading *reading, uint32_t type)
{
	return (type == NETTRACE_ARRAY && reading->layout != NETTRACE_LAYOUT_4) ||
	       (type == NETTRACE_FIXED_ARRAY && reading->layout == NETTRACE_LAYOUT_6);
}

static bool read_type(struct reading *reading, struct piece *piece, size_t index)
{
	struct nettrace_field *field = &reading->fields->field[index];
	struct piece before = *piece;
	uint32_t type = reading->layout == NETTRACE_LAYOUT_6 ? piece_u8(piece) : piece_u32(piece);

	if (!is_array(reading, type)) {
		*piece = before;
		return read_element(reading, piece, index);
	}
	field->array = type;
	if (!read_element(reading, piece, index))
		return false;
	if (type == NETTRACE_FIXED_ARRAY)
		field->count = nettrace_u16(piece);
	return !piece->bad;
}

/* The bytes of one field, where its size stands before it */
static struct piece one_field(const struct reading *reading, struct piece *piece)
{
	struct piece one = { };
	uint32_t size = reading->layout == NETTRACE_LAYOUT_6 ? nettrace_u16(piece) :
							       piece_u32(piece);

	/* the size of a tag's field includes itself */
	if (reading->layout == NETTRACE_LAYOUT_5)
		size = size < 4 ? UINT32_MAX : size - 4;
	one.at = piece_take(piece, size);
	one.left = size;
	one.bad = piece->bad;
	return one;
}

static bool read_field(struct reading *reading, struct piece *piece)
{
	size_t index = reading->fields->count++;
	struct nettrace_field *field = &reading->fields->field[index];
	struct piece one;
	bool good;

	*field = (struct nettrace_field){ };
	if (reading->layout == NETTRACE_LAYOUT_4) {
		good = read_type(reading, piece, index);
		if (good)
			nettrace_text16(piece, field->name);
		good = good && !piece->bad;
	} else {
		one = one_field(reading, piece);
		if (reading->layout == NETTRACE_LAYOUT_5)
			nettrace_text16(&one, field->name);
		else
			nettrace_text(&one, field->name);
		good = !one.bad && read_type(reading, &one, index) && !one.bad;
	}
	field->all = reading->fields->count - index - 1;
	return good;
}

static bool read_members(struct reading *reading, struct piece *piece, uint16_t *members)
{
	struct nettrace_fields *fields = reading->fields;
	uint32_t count = reading->layout == NETTRACE_LAYOUT_6 ? nettrace_u16(piece) :
								piece_u32(piece);
	bool good = !piece->bad && reading->depth < DEPTH;
	size_t before;

	reading->depth++;
	for (*members = 0; good && *members < count; ++*members) {
		before = fields->count;
		good = before < NETTRACE_FIELDS && read_field(reading, piece);
		if (!good) {
			/* the field and its members are left out as a whole */
			fields->count = before;
			break;
		}
	}
	reading->depth--;
	return good;
}

void nettrace_read_fields(struct piece *piece, enum nettrace_layout layout,
			  struct nettrace_fields *fields)
{
	struct reading reading = { .layout = layout, .fields = fields };
	uint16_t members;

	fields->count = 0;
	fields->partly = !read_members(&reading, piece, &members);
}
