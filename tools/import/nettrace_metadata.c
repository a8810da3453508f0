// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Metadata of a .nettrace: what all events of one id have. */
#include <stdlib.h>
#include <strings.h>
#include "import.h"
#include "libetl/messages.h"
#include "nettrace.h"

/* Kinds of what follows the fields */
#define TAG_OPCODE		1
#define TAG_FIELDS		2
#define OPTION_OPCODE		1
#define OPTION_KEYWORDS		3
#define OPTION_MESSAGE		4
#define OPTION_DESCRIPTION	5
#define OPTION_KEY		6
#define OPTION_PROVIDER		7
#define OPTION_LEVEL		8
#define OPTION_VERSION		9

#define OPCODE_START		1
#define OPCODE_STOP		2

/**
 * struct row - a row of metadata while it is read
 * @id: that events refer to
 * @has_opcode: the row contains an opcode
 * @kind: what it contains
 */
struct row {
	uint32_t id;
	bool has_opcode;
	struct nettrace_event_kind kind;
};

static void read_tags(struct piece *piece, struct row *row, struct nettrace_fields *fields)
{
	struct piece tag = { };
	uint8_t kind;

	while (piece->left && !piece->bad) {
		tag.left = piece_u32(piece);
		kind = piece_u8(piece);
		tag.at = piece_take(piece, tag.left);
		tag.bad = piece->bad;
		if (tag.bad)
			return;
		if (kind == TAG_OPCODE) {
			row->kind.opcode = piece_u8(&tag);
			row->has_opcode = !tag.bad;
		} else if (kind == TAG_FIELDS) {
			nettrace_read_fields(&tag, NETTRACE_LAYOUT_5, fields);
		}
	}
}

/* Versions 4 and 5 */
static void read_blob(struct piece *piece, struct row *row, struct nettrace_fields *fields)
{
	struct nettrace_event_kind *kind = &row->kind;

	row->id = piece_u32(piece);
	nettrace_text16(piece, kind->provider_name);
	kind->id = piece_u32(piece);
	nettrace_text16(piece, kind->name);
	kind->keywords = piece_u64(piece);
	kind->version = piece_u32(piece);
	kind->level = piece_u32(piece);
	if (piece->bad)
		return;
	if (piece->left)
		nettrace_read_fields(piece, NETTRACE_LAYOUT_4, fields);
	/* behind a field of an unknown type, the place of the tags is not known */
	if (!fields->partly)
		read_tags(piece, row, fields);
}

/* Return: false: the length of an option of that kind is unknown */
static bool read_option(struct piece *piece, uint8_t option, struct row *row)
{
	struct nettrace_event_kind *kind = &row->kind;
	const uint8_t *at;

	switch (option) {
	case OPTION_OPCODE:
		kind->opcode = piece_u8(piece);
		row->has_opcode = true;
		return true;
	case OPTION_KEYWORDS:
		kind->keywords = piece_u64(piece);
		return true;
	case OPTION_KEY:
		nettrace_text(piece, NULL);
		/* fallthrough */
	case OPTION_MESSAGE:
	case OPTION_DESCRIPTION:
		nettrace_text(piece, NULL);
		return true;
	case OPTION_PROVIDER:
		at = piece_take(piece, sizeof(kind->provider));
		if (at)
			memcpy(&kind->provider, at, sizeof(kind->provider));
		return true;
	case OPTION_LEVEL:
		kind->level = piece_u8(piece);
		return true;
	case OPTION_VERSION:
		kind->version = piece_u8(piece);
		return true;
	}
	return false;
}

static void read_row_6(struct piece *piece, struct row *row, struct nettrace_fields *fields)
{
	struct piece options = { };

	row->id = nettrace_var(piece);
	nettrace_text(piece, row->kind.provider_name);
	row->kind.id = nettrace_var(piece);
	nettrace_text(piece, row->kind.name);
	if (piece->bad)
		return;
	nettrace_read_fields(piece, NETTRACE_LAYOUT_6, fields);
	/* fields of unknown types have no known end: the options behind them are not read */
	if (fields->partly)
		return;
	options.left = nettrace_u16(piece);
	options.at = piece_take(piece, options.left);
	options.bad = piece->bad;
	while (options.left && !options.bad)
		if (!read_option(&options, piece_u8(&options), row))
			break;
}

static bool ends_with(const char *name, size_t length, const char *end)
{
	size_t size = strlen(end);

	return length >= size && !strcasecmp(name + length - size, end);
}

/* EventSource names events TaskStart and TaskStop; the opcode has the second word then. */
static void split_name(struct row *row)
{
	struct nettrace_event_kind *kind = &row->kind;
	size_t length = strlen(kind->name);
	bool start = ends_with(kind->name, length, "Start");
	bool stop = ends_with(kind->name, length, "Stop");

	if (!row->has_opcode && (start || stop))
		kind->opcode = start ? OPCODE_START : OPCODE_STOP;
	if (start && kind->opcode == OPCODE_START)
		kind->name[length - strlen("Start")] = 0;
	if (stop && kind->opcode == OPCODE_STOP)
		kind->name[length - strlen("Stop")] = 0;
}

static int add_kind(struct nettrace_tables *tables, const struct row *row)
{
	size_t i = tables->kind_ids.count;

	if (!map_make_room((void **)&tables->kinds, tables->kinds_known, sizeof(*tables->kinds)) ||
	    !map_make_room((void **)&tables->kind_of, i, sizeof(*tables->kind_of)))
		return no_memory();
	i = map_add(&tables->kind_ids, row->id);
	if (i == MAP_NONE)
		return no_memory();
	tables->kind_of[i] = tables->kinds_known;
	tables->kinds[tables->kinds_known++] = row->kind;
	return 0;
}

int nettrace_read_row(struct importing *importing, struct piece piece)
{
	static const struct etw_guid none;
	struct nettrace *nettrace = importing->nettrace;
	struct row row = { };

	nettrace->fields.count = 0;
	nettrace->fields.partly = false;
	if (nettrace->file.version < 6)
		read_blob(&piece, &row, &nettrace->fields);
	else
		read_row_6(&piece, &row, &nettrace->fields);
	if ((piece.bad && !nettrace->fields.partly) ||
	    nettrace->tables.kinds_known == NETTRACE_KINDS) {
		importing->stream.unreadable++;
		return 0;
	}
	if (!memcmp(&row.kind.provider, &none, sizeof(none)))
		row.kind.provider = nettrace_guid(row.kind.provider_name);
	split_name(&row);
	if (nettrace_describe(importing, &row.kind))
		return -1;
	if (!add_kind(&nettrace->tables, &row))
		return 0;
	free(row.kind.schema);
	return -1;
}

/* Of version 6 */
static int read_rows(struct importing *importing, struct piece *block)
{
	struct piece row = { };

	piece_take(block, nettrace_u16(block));
	while (block->left && !block->bad) {
		row.left = nettrace_u16(block);
		row.at = piece_take(block, row.left);
		if (row.at && nettrace_read_row(importing, row))
			return -1;
	}
	return 0;
}

int nettrace_read_metadata(struct importing *importing, struct piece *block)
{
	const struct nettrace_file *file = &importing->nettrace->file;
	struct nettrace_head head = { };
	struct piece row = { };
	bool compressed;

	if (file->version >= 6)
		return read_rows(importing, block);
	compressed = nettrace_begin_events(block);
	while (nettrace_read_head(file, block, compressed, &head)) {
		row = (struct piece){ .left = head.size, .at = piece_take(block, head.size) };
		if (row.at && nettrace_read_row(importing, row))
			return -1;
		nettrace_end_event(file, block, compressed);
	}
	return 0;
}
