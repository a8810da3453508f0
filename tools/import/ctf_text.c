// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A field of CTF as text. */
#include "ctf_text.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Of an event, which has 64 KB at most; structures within structures */
#define MOST_TEXT	0xFFFF
#define MOST_DEPTH	16

static void print(const struct ctf_library *ctf, const bt_field *field, FILE *out,
		  unsigned int depth);

static void print_members(const struct ctf_library *ctf, const bt_field *field, FILE *out,
			  unsigned int depth)
{
	const bt_field_class *class = ctf->field_borrow_class_const(field);
	uint64_t count = ctf->field_class_structure_get_member_count(class), i;

	fputc('{', out);
	for (i = 0; i < count; i++) {
		fprintf(out, "%s %s = ", i ? "," : "",
			ctf->field_class_structure_member_get_name(
			ctf->field_class_structure_borrow_member_by_index_const(class, i)));
		print(ctf, ctf->field_structure_borrow_member_field_by_index_const(field, i), out,
		      depth + 1);
	}
	fputs(" }", out);
}

static void print_elements(const struct ctf_library *ctf, const bt_field *field, FILE *out,
			   unsigned int depth)
{
	uint64_t count = ctf->field_array_get_length(field), i;

	fputc('[', out);
	for (i = 0; i < count && ftell(out) < MOST_TEXT; i++) {
		fprintf(out, "%s [%" PRIu64 "] = ", i ? "," : "", i);
		print(ctf, ctf->field_array_borrow_element_field_by_index_const(field, i), out,
		      depth + 1);
	}
	fputs(" ]", out);
}

static void print_leaf(const struct ctf_library *ctf, const bt_field *field, FILE *out,
		       bt_field_class_type type)
{
	if (type == BT_FIELD_CLASS_TYPE_STRING)
		fprintf(out, "\"%s\"", ctf->field_string_get_value(field));
	else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		fprintf(out, "%g", ctf->field_real_single_precision_get_value(field));
	else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
		fprintf(out, "%g", ctf->field_real_double_precision_get_value(field));
	else if (type == BT_FIELD_CLASS_TYPE_BOOL)
		fprintf(out, "%d", ctf->field_bool_get_value(field));
	else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		fprintf(out, "0x%" PRIx64, ctf->field_bit_array_get_value_as_integer(field));
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		fprintf(out, "%" PRId64, ctf->field_integer_signed_get_value(field));
	else
		fprintf(out, "%" PRIu64, ctf->field_integer_unsigned_get_value(field));
}

static void print(const struct ctf_library *ctf, const bt_field *field, FILE *out,
		  unsigned int depth)
{
	bt_field_class_type type = ctf->field_get_class_type(field);
	const bt_field *chosen = NULL;

	if (depth > MOST_DEPTH) {
		fputs("...", out);
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		print_members(ctf, field, out, depth);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		print_elements(ctf, field, out, depth);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		chosen = ctf->field_option_borrow_field_const(field);
		if (chosen)
			print(ctf, chosen, out, depth + 1);
	} else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		print(ctf, ctf->field_variant_borrow_selected_option_field_const(field), out,
		      depth + 1);
	} else {
		print_leaf(ctf, field, out, type);
	}
}

char *ctf_text(const struct ctf_library *ctf, const bt_field *field)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	print(ctf, field, out, 0);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

#endif
