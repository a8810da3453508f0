// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What etw unwind prints of a table. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include "cfi.h"
#include "unwind_report.h"

static const char *const rules[ETW_UNWIND_CFAS] = {
	[ETW_UNWIND_NONE] = "none", [ETW_UNWIND_SP] = "sp", [ETW_UNWIND_FP] = "fp",
	[ETW_UNWIND_PLT] = "plt", [ETW_UNWIND_SP_DEREF] = "sp-deref",
	[ETW_UNWIND_FP_DEREF] = "fp-deref", [ETW_UNWIND_SIGNAL] = "signal",
	[ETW_UNWIND_END] = "end",
};

/**
 * struct counts - of a table
 * @rows: by rule
 * @bytes: of code, by rule
 * @covered: bytes of code with a rule
 */
struct counts {
	uint64_t rows[ETW_UNWIND_CFAS];
	uint64_t bytes[ETW_UNWIND_CFAS];
	uint64_t covered;
};

/* Rows between two segments are of no code. */
static void count(const struct unwind_table *table, struct counts *counts)
{
	const struct etw_unwind_row *row = table->row;
	uint64_t next, without = table->text;
	size_t i;

	*counts = (struct counts){ };
	for (i = 0; i < table->rows; i++) {
		counts->rows[row[i].cfa]++;
		if (row[i].cfa == ETW_UNWIND_NONE)
			continue;
		next = i + 1 < table->rows ? row[i + 1].offset : table->end;
		counts->bytes[row[i].cfa] += next - row[i].offset;
		without -= next - row[i].offset;
	}
	counts->bytes[ETW_UNWIND_NONE] = without;
	counts->covered = table->text - without;
}

static void id_text(const struct unwind_table *table, char *to, size_t room)
{
	unsigned int i;

	to[0] = '\0';
	for (i = 0; i < table->id_bytes && 2 * i + 2 < room; i++)
		snprintf(to + 2 * i, 3, "%02x", table->id[i]);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0;
}

/* Whether the rule has a CFA, and a return address and frame pointer beside it */
static bool has_offsets(const struct etw_unwind_row *row)
{
	return row->cfa != ETW_UNWIND_NONE && row->cfa != ETW_UNWIND_SIGNAL &&
	       row->cfa != ETW_UNWIND_END;
}

static void print_row(const struct etw_unwind_row *row)
{
	char cfa[32], ra[32] = "register", fp[32] = "same";

	if (!has_offsets(row)) {
		printf("%08x %s\n", row->offset, rules[row->cfa]);
		return;
	}
	snprintf(cfa, sizeof(cfa), row->cfa == ETW_UNWIND_PLT ? "%s:%d" : "%s%+d",
		 rules[row->cfa], row->cfa_offset);
	if (row->ra_offset != ETW_UNWIND_RA_REGISTER)
		snprintf(ra, sizeof(ra), "cfa%+d", row->ra_offset);
	if (row->fp_offset != ETW_UNWIND_FP_SAME)
		snprintf(fp, sizeof(fp), "cfa%+d", row->fp_offset);
	printf("%08x %-16s %-9s %s\n", row->offset, cfa, ra, fp);
}

void unwind_print_text(const struct unwind_table *table, const char *path, bool rows)
{
	char id[2 * UNWIND_ID + 1];
	struct counts counts;
	size_t i;

	count(table, &counts);
	id_text(table, id, sizeof(id));
	if (rows)
		printf("%-8s %-16s %-9s %s\n", "offset", "CFA", "return", "frame pointer");
	for (i = 0; rows && i < table->rows; i++)
		print_row(&table->row[i]);
	if (rows)
		putchar('\n');
	printf("%s: %s, build-id %s\n", path, cfi_machine_find(table->machine)->name,
	       id[0] ? id : "none");
	printf("%zu rows, %zu bytes%s; %" PRIu64 " entries cannot be read\n", table->rows,
	       table->rows * sizeof(*table->row),
	       table->debug ? ", also from its debug file" : "", table->unreadable);
	printf("%.2f %% of %" PRIu64 " bytes of code have a rule\n\n",
	       percent(counts.covered, table->text), table->text);
	printf("%-9s %9s %13s %8s\n", "rule", "rows", "bytes of code", "percent");
	for (i = 0; i < ETW_UNWIND_CFAS; i++)
		if (counts.rows[i] || counts.bytes[i])
			printf("%-9s %9" PRIu64 " %13" PRIu64 " %8.2f\n", rules[i],
			       counts.rows[i], counts.bytes[i],
			       percent(counts.bytes[i], table->text));
}

static json_t *json_row(const struct etw_unwind_row *row)
{
	json_t *to = json_object();

	json_object_set_new(to, "offset", json_integer(row->offset));
	json_object_set_new(to, "rule", json_string(rules[row->cfa]));
	if (!has_offsets(row))
		return to;
	json_object_set_new(to, "cfa_offset", json_integer(row->cfa_offset));
	if (row->ra_offset != ETW_UNWIND_RA_REGISTER)
		json_object_set_new(to, "ra_offset", json_integer(row->ra_offset));
	if (row->fp_offset != ETW_UNWIND_FP_SAME)
		json_object_set_new(to, "fp_offset", json_integer(row->fp_offset));
	return to;
}

static json_t *json_rules(const struct counts *counts)
{
	json_t *all = json_object(), *one;
	size_t i;

	for (i = 0; i < ETW_UNWIND_CFAS; i++) {
		one = json_object();
		json_object_set_new(one, "rows", json_integer(counts->rows[i]));
		json_object_set_new(one, "bytes", json_integer(counts->bytes[i]));
		json_object_set_new(all, rules[i], one);
	}
	return all;
}

int unwind_print_json(const struct unwind_table *table, const char *path, bool rows)
{
	json_t *to = json_object(), *list = rows ? json_array() : NULL;
	char id[2 * UNWIND_ID + 1];
	struct counts counts;
	size_t i;
	int err;

	count(table, &counts);
	id_text(table, id, sizeof(id));
	json_object_set_new(to, "file", json_string(path));
	json_object_set_new(to, "machine", json_string(cfi_machine_find(table->machine)->name));
	json_object_set_new(to, "build_id", id[0] ? json_string(id) : json_null());
	json_object_set_new(to, "rows", json_integer(table->rows));
	json_object_set_new(to, "bytes", json_integer(table->rows * sizeof(*table->row)));
	json_object_set_new(to, "unreadable_entries", json_integer(table->unreadable));
	json_object_set_new(to, "debug_file", json_boolean(table->debug));
	json_object_set_new(to, "code_bytes", json_integer(table->text));
	json_object_set_new(to, "covered_bytes", json_integer(counts.covered));
	json_object_set_new(to, "rules", json_rules(&counts));
	for (i = 0; list && i < table->rows; i++)
		json_array_append_new(list, json_row(&table->row[i]));
	if (list)
		json_object_set_new(to, "table", list);
	err = json_dumpf(to, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(to);
	return err;
}
