// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The fields of an event of CTF, as raw data with a format. */
#include "ctf_values.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <stdio.h>
#include <stdlib.h>
#include "ctf_text.h"

/* Structures within structures */
#define MOST_DEPTH	16

static bool is_type(bt_field_class_type type, bt_field_class_type wanted)
{
	return bt_field_class_type_is(type, wanted);
}

static void add(struct ctf_values *values, const struct trace_field *field, const void *bytes)
{
	if (values->count == CTF_FIELDS) {
		values->too_large = true;
		return;
	}
	values->fields[values->count] = *field;
	values->fields[values->count++].offset = values->size;
	memcpy(values->raw + values->size, bytes, field->size);
	values->size += field->size;
}

static void add_number(struct ctf_values *values, const char *name, uint64_t value,
		       uint32_t size, bool is_signed)
{
	struct trace_field field = { .size = size, .kind = TRACE_NUMBER, .is_signed = is_signed };

	snprintf(field.name, sizeof(field.name), "%.63s", name);
	add(values, &field, &value);
	if (!values->in_context)
		return;
	if (!strcmp(name, "tid") || (!strcmp(name, "vtid") && !values->tid))
		values->tid = value;
	if (!strcmp(name, "pid") || (!strcmp(name, "vpid") && !values->pid))
		values->pid = value;
}

static void add_real(struct ctf_values *values, const char *name, const void *value,
		     uint32_t size)
{
	struct trace_field field = { .size = size, .kind = TRACE_REAL };

	snprintf(field.name, sizeof(field.name), "%.63s", name);
	add(values, &field, value);
}

/* The place in raw data has 16 bits for the offset, and 16 for the length */
static void add_behind(struct ctf_values *values, const char *name, const void *bytes,
		       size_t length, const struct trace_field *like)
{
	struct trace_field field = *like;
	uint32_t where;

	if (length > 0xFFFF || length > sizeof(values->behind) - values->length) {
		values->too_large = true;
		return;
	}
	snprintf(field.name, sizeof(field.name), "%.63s", name);
	field.size = 4;
	field.kind = TRACE_AT;
	where = length << 16 | values->length;
	add(values, &field, &where);
	if (length)
		memcpy(values->behind + values->length, bytes, length);
	values->length += length;
}

static void add_text(struct ctf_values *values, const char *name, const char *text, size_t length)
{
	const struct trace_field like = { .text = true, .element = 1 };

	add_behind(values, name, text, length, &like);
	if (values->in_context && !strcmp(name, "procname"))
		snprintf(values->comm, sizeof(values->comm), "%.15s", text);
}

/* Bytes of a number of so many bits */
static uint32_t size_of_bits(uint64_t bits)
{
	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static uint64_t integer(const struct ctf_values *values, const bt_field *field)
{
	const struct ctf_library *ctf = values->ctf;
	bt_field_class_type type = ctf->field_get_class_type(field);

	if (type == BT_FIELD_CLASS_TYPE_BOOL)
		return ctf->field_bool_get_value(field);
	if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		return ctf->field_bit_array_get_value_as_integer(field);
	return is_type(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ?
	       (uint64_t)ctf->field_integer_signed_get_value(field) :
	       ctf->field_integer_unsigned_get_value(field);
}

/* Return: bytes of a number of this class; 0: it has no numbers */
static uint32_t integer_size(const struct ctf_values *values, const bt_field_class *class)
{
	bt_field_class_type type = values->ctf->field_class_get_type(class);

	if (type == BT_FIELD_CLASS_TYPE_BOOL)
		return 1;
	if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		return 8;
	return is_type(type, BT_FIELD_CLASS_TYPE_INTEGER) ?
	       size_of_bits(values->ctf->field_class_integer_get_field_value_range(class)) : 0;
}

static void add_numbers(struct ctf_values *values, const char *name, const bt_field *array,
			const struct trace_field *like)
{
	uint64_t count = values->ctf->field_array_get_length(array), i, value;
	uint8_t *bytes;

	if (count > 0xFFFF / like->element) {
		values->too_large = true;
		return;
	}
	bytes = malloc(count * like->element + 1);
	if (!bytes) {
		values->too_large = true;
		return;
	}
	for (i = 0; i < count; i++) {
		value = integer(values, values->ctf->
				field_array_borrow_element_field_by_index_const(array, i));
		memcpy(bytes + i * like->element, &value, like->element);
	}
	add_behind(values, name, bytes, count * like->element, like);
	free(bytes);
}

/* Arrays of numbers stay such; others, as those of structures, become text */
static void add_array(struct ctf_values *values, const char *name, const bt_field *array)
{
	const bt_field_class *class = values->ctf->field_class_array_borrow_element_field_class_const(
		values->ctf->field_borrow_class_const(array));
	const struct trace_field like = {
		.element = integer_size(values, class),
		.is_signed = is_type(values->ctf->field_class_get_type(class),
				     BT_FIELD_CLASS_TYPE_SIGNED_INTEGER),
	};
	char *text;

	if (like.element) {
		add_numbers(values, name, array, &like);
		return;
	}
	text = ctf_text(values->ctf, array);
	if (text)
		add_text(values, name, text, strlen(text));
	else
		values->too_large = true;
	free(text);
}

static void walk(struct ctf_values *values, const char *name, const bt_field *field,
		 unsigned int depth);

static void walk_members(struct ctf_values *values, const char *name, const bt_field *field,
			 unsigned int depth)
{
	const struct ctf_library *ctf = values->ctf;
	const bt_field_class *class = ctf->field_borrow_class_const(field);
	uint64_t count = ctf->field_class_structure_get_member_count(class), i;
	const char *member;
	char path[128];

	for (i = 0; i < count; i++) {
		member = ctf->field_class_structure_member_get_name(
			ctf->field_class_structure_borrow_member_by_index_const(class, i));
		snprintf(path, sizeof(path), "%s%s%s", name, name[0] ? "." : "", member);
		walk(values, path, ctf->field_structure_borrow_member_field_by_index_const(field, i),
		     depth + 1);
	}
}

static void walk_leaf(struct ctf_values *values, const char *name, const bt_field *field,
		      bt_field_class_type type)
{
	const struct ctf_library *ctf = values->ctf;
	double number;
	float single;

	if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
		single = ctf->field_real_single_precision_get_value(field);
		add_real(values, name, &single, sizeof(single));
	} else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
		number = ctf->field_real_double_precision_get_value(field);
		add_real(values, name, &number, sizeof(number));
	} else if (type == BT_FIELD_CLASS_TYPE_STRING) {
		add_text(values, name, ctf->field_string_get_value(field),
			 ctf->field_string_get_length(field));
	} else if (is_type(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
		add_array(values, name, field);
	} else {
		add_number(values, name, integer(values, field),
			   integer_size(values, ctf->field_borrow_class_const(field)),
			   is_type(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER));
	}
}

static void walk(struct ctf_values *values, const char *name, const bt_field *field,
		 unsigned int depth)
{
	bt_field_class_type type = values->ctf->field_get_class_type(field);
	const bt_field *chosen;

	if (depth > MOST_DEPTH) {
		values->too_large = true;
	} else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
		walk_members(values, name, field, depth);
	} else if (is_type(type, BT_FIELD_CLASS_TYPE_OPTION)) {
		chosen = values->ctf->field_option_borrow_field_const(field);
		if (chosen)
			walk(values, name, chosen, depth + 1);
	} else if (is_type(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
		walk(values, name,
		     values->ctf->field_variant_borrow_selected_option_field_const(field),
		     depth + 1);
	} else {
		walk_leaf(values, name, field, type);
	}
}

/* Strings and arrays go behind the fields; then their places have their final offsets. */
static void finish(struct ctf_values *values)
{
	uint32_t where;
	size_t i;

	values->too_large |= values->size + values->length > 0xFFFF;
	if (values->too_large)
		return;
	for (i = 0; i < values->count; i++) {
		if (values->fields[i].kind != TRACE_AT)
			continue;
		memcpy(&where, values->raw + values->fields[i].offset, sizeof(where));
		where += values->size;
		memcpy(values->raw + values->fields[i].offset, &where, sizeof(where));
	}
	memcpy(values->raw + values->size, values->behind, values->length);
	values->size += values->length;
}

void ctf_values_read(struct ctf_values *values, const bt_event *event)
{
	const struct ctf_library *ctf = values->ctf;
	const bt_field *parts[] = {
		ctf->event_borrow_payload_field_const(event),
		ctf->event_borrow_common_context_field_const(event),
		ctf->event_borrow_specific_context_field_const(event),
	};
	size_t i;

	values->count = 0;
	values->size = 0;
	values->length = 0;
	values->too_large = false;
	values->tid = 0;
	values->pid = 0;
	values->comm[0] = 0;
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		values->in_context = i;
		if (parts[i])
			walk(values, "", parts[i], 0);
	}
	finish(values);
}

uint64_t ctf_values_key(const struct ctf_values *values, const bt_event_class *class)
{
	uint64_t key = map_mix(MAP_MIX, &class, sizeof(class));
	size_t i;

	for (i = 0; i < values->count; i++) {
		const struct trace_field *field = &values->fields[i];
		const uint32_t form[] = { field->size, field->element, field->kind, field->text,
					  field->is_signed };

		key = map_mix(key, field->name, strlen(field->name) + 1);
		key = map_mix(key, form, sizeof(form));
	}
	return key;
}

#endif
