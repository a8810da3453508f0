// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* TRACE_EVENT_INFO of events that describe themselves: TraceLogging. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/array.h"
#include "libetl/text.h"
#include "libetl/tracelogging_form.h"
#include "libetl/typed.h"
#include "tdh_private.h"

#define MAX_DEPTH	8
#define NO_NODE		UINT32_MAX
/* Bytes of a name at most; it is cut there */
#define NAME_BYTES	1024
/* Behind the name of an array: its number of members */
#define COUNT_SUFFIX	".Count"

/**
 * struct node - a field of the event, or the number of members of an array
 * @name: bytes of the schema, @length of them
 * @in: type; IN_STRUCT: a structure
 * @out: how it is shown
 * @is_count: the number of members of the next field
 * @counting: how that field is an array
 * @count: constant number of members
 * @first: member, of a structure; NO_NODE: none
 * @last: member
 * @members: of them
 * @next: field of the same structure
 * @index: of its property
 */
struct node {
	const uint8_t *name;
	size_t length;
	uint8_t in;
	uint8_t out;
	bool is_count;
	uint8_t counting;
	uint16_t count;
	uint32_t first;
	uint32_t last;
	uint32_t members;
	uint32_t next;
	uint32_t index;
};

/**
 * struct schema - the fields of an event
 * @at: the next byte of the event's description
 * @end: behind it
 * @node: @count of them; the first one is the event itself
 * @order: nodes by index of their property
 */
struct schema {
	const uint8_t *at;
	const uint8_t *end;
	struct node *node;
	size_t count;
	size_t room;
	uint32_t *order;
};

static const EVENT_HEADER_EXTENDED_DATA_ITEM *item_of(const EVENT_RECORD *event, USHORT type)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = event->ExtendedData;
	USHORT i;

	for (i = 0; item && i < event->ExtendedDataCount; i++, item++)
		if (item->ExtType == type)
			return item;
	return NULL;
}

static bool get_byte(struct schema *schema, uint8_t *value)
{
	if (schema->at == schema->end)
		return false;
	*value = *schema->at++;
	return true;
}

static bool get_word(struct schema *schema, uint16_t *value)
{
	if (schema->end - schema->at < 2)
		return false;
	*value = get16(schema->at);
	schema->at += 2;
	return true;
}

static bool skip_tags(struct schema *schema)
{
	uint8_t tag;

	do {
		if (!get_byte(schema, &tag))
			return false;
	} while (tag & TL_CHAIN);
	return true;
}

static bool get_name(struct schema *schema, struct node *node)
{
	const uint8_t *zero = memchr(schema->at, 0, schema->end - schema->at);

	if (!zero)
		return false;
	node->name = schema->at;
	node->length = zero - schema->at;
	schema->at = zero + 1;
	return true;
}

static bool get_field(struct schema *schema, struct node *node)
{
	uint8_t type, out = 0;
	uint16_t size;

	*node = (struct node){ .first = NO_NODE, .last = NO_NODE, .next = NO_NODE };
	if (!get_name(schema, node) || !get_byte(schema, &type))
		return false;
	if ((type & TL_CHAIN) &&
	    (!get_byte(schema, &out) || ((out & TL_CHAIN) && !skip_tags(schema))))
		return false;
	node->in = type & TL_TYPE_MASK;
	/* TDH's BINARY is bytes without their number, which TraceLogging writes before them */
	if (node->in == IN_BINARY)
		node->in = IN_COUNTED_BINARY;
	node->out = out & ~TL_CHAIN;
	node->counting = type & TL_COUNT_MASK;
	if (node->counting == TL_COUNT_CONSTANT)
		return get_word(schema, &node->count);
	if (node->counting != TL_COUNT_CUSTOM)
		return true;
	if (!get_word(schema, &size) || schema->end - schema->at < size)
		return false;
	schema->at += size;
	node->in = IN_COUNTED_BINARY;
	return true;
}

static bool add_node(struct schema *schema, const struct node *node, uint32_t parent)
{
	struct node *of;

	if (schema->count > USHRT_MAX ||
	    !array_grow((void **)&schema->node, &schema->room, schema->count + 1, sizeof(*node)))
		return false;
	schema->node[schema->count] = *node;
	of = &schema->node[parent];
	if (of->first == NO_NODE)
		of->first = schema->count;
	else
		schema->node[of->last].next = schema->count;
	of->last = schema->count++;
	of->members++;
	return true;
}

/* Behind the name of the event. A structure has the number of its fields in @out. */
static ULONG read_fields(struct schema *schema)
{
	uint32_t parent[MAX_DEPTH + 1] = { 0 }, left[MAX_DEPTH + 1] = { UINT32_MAX };
	unsigned int depth = 0;
	struct node node, count;

	while (schema->at < schema->end) {
		while (depth && !left[depth])
			depth--;
		left[depth]--;
		if (!get_field(schema, &node))
			return ERROR_EVT_INVALID_EVENT_DATA;
		count = node;
		count.is_count = true;
		if (node.counting == TL_COUNT_VARIABLE && !add_node(schema, &count, parent[depth]))
			return ERROR_OUTOFMEMORY;
		if (!add_node(schema, &node, parent[depth]))
			return ERROR_OUTOFMEMORY;
		if (node.in != IN_STRUCT)
			continue;
		if (++depth > MAX_DEPTH)
			return ERROR_EVT_INVALID_EVENT_DATA;
		parent[depth] = schema->count - 1;
		left[depth] = node.out;
	}
	return ERROR_SUCCESS;
}

/* The event's own fields come first; then the members of each structure, together. */
static bool give_indexes(struct schema *schema)
{
	uint32_t i, of, done = 0;

	schema->order = calloc(schema->count, sizeof(*schema->order));
	if (!schema->order)
		return false;
	for (i = 0; i < schema->count; i++) {
		/* order[i] is the i-th structure or field that got its index; 0 is the event */
		for (of = schema->node[schema->order[i]].first; of != NO_NODE;
		     of = schema->node[of].next) {
			schema->order[++done] = of;
			schema->node[of].index = done - 1;
		}
	}
	return true;
}

/* TraceLogging numbers them otherwise; how a hexadecimal number is shown depends on its size. */
static USHORT out_of(const struct node *node)
{
	static const uint8_t same[] = {
		[2] = TDH_OUTTYPE_STRING, [3] = TDH_OUTTYPE_BOOLEAN, [5] = TDH_OUTTYPE_PID,
		[6] = TDH_OUTTYPE_TID, [OUT_PORT] = TDH_OUTTYPE_PORT,
		[OUT_IPV4] = TDH_OUTTYPE_IPV4, [OUT_IPV6] = TDH_OUTTYPE_IPV6,
		[10] = TDH_OUTTYPE_SOCKETADDRESS, [11] = TDH_OUTTYPE_XML,
		[12] = TDH_OUTTYPE_JSON, [13] = TDH_OUTTYPE_WIN32ERROR,
		[OUT_NTSTATUS] = TDH_OUTTYPE_NTSTATUS, [OUT_HRESULT] = TDH_OUTTYPE_HRESULT,
		[16] = TDH_OUTTYPE_DATETIME, [35] = TDH_OUTTYPE_UTF8,
		[36] = TDH_OUTTYPE_PKCS7_WITH_TYPE_INFO,
		[OUT_CODE_POINTER] = TDH_OUTTYPE_CODE_POINTER, [38] = TDH_OUTTYPE_DATETIME_UTC,
	};
	uint32_t size = typed_number_size(node->in, 8);

	if (node->out == OUT_HEX)
		return size == 1 ? TDH_OUTTYPE_HEXINT8 : size == 2 ? TDH_OUTTYPE_HEXINT16 :
		       size == 8 ? TDH_OUTTYPE_HEXINT64 : TDH_OUTTYPE_HEXINT32;
	return node->out < sizeof(same) ? same[node->out] : TDH_OUTTYPE_NULL;
}

static void put_property(const struct schema *schema, const struct node *node,
			 EVENT_PROPERTY_INFO *property)
{
	bool is_struct = node->in == IN_STRUCT && !node->is_count;

	property->count = 1;
	if (is_struct) {
		property->Flags = PropertyStruct;
		property->structType.StructStartIndex =
			node->members ? schema->node[node->first].index : 0;
		property->structType.NumOfStructMembers = node->members;
	} else {
		property->nonStructType.InType = node->is_count ? TDH_INTYPE_UINT16 : node->in;
		property->nonStructType.OutType = node->is_count ? TDH_OUTTYPE_NULL : out_of(node);
	}
	if (node->is_count)
		return;
	if (node->counting == TL_COUNT_CONSTANT) {
		property->Flags |= PropertyParamFixedCount;
		property->count = node->count;
	} else if (node->counting == TL_COUNT_VARIABLE) {
		property->Flags |= PropertyParamCount;
		property->countPropertyIndex = node->index - 1;
	}
}

/* Return: the offset; 0 without a text */
static uint32_t put_text(struct tdh_info *info, const uint8_t *text, size_t bytes,
			 const char *suffix)
{
	char name[2 * NAME_BYTES + sizeof(COUNT_SUFFIX)];
	uint32_t at = info->size;
	size_t done, units;

	if (bytes > NAME_BYTES)
		bytes = NAME_BYTES;
	done = text_from_bytes(text, bytes, name, 2 * NAME_BYTES);
	strcpy(name + done, suffix);
	units = text_to_utf16(name, (uint16_t *)(info->bytes + at), bytes + strlen(suffix));
	info->size += 2 * (units + 1);
	return at;
}

static void put_names(const EVENT_RECORD *event, const struct node *name, struct tdh_info *info)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
		item_of(event, EVENT_HEADER_EXT_TYPE_PROV_TRAITS);
	TRACE_EVENT_INFO *to = (TRACE_EVENT_INFO *)info->bytes;
	const char *traits;

	to->ProviderGuid = event->EventHeader.ProviderId;
	to->EventDescriptor = event->EventHeader.EventDescriptor;
	to->DecodingSource = DecodingSourceTlg;
	if (item && item->DataSize > 2) {
		traits = (const char *)(uintptr_t)item->DataPtr + 2;
		to->ProviderNameOffset = put_text(info, (const uint8_t *)traits,
						  strnlen(traits, item->DataSize - 2), "");
	}
	to->TaskNameOffset = put_text(info, name->name, name->length, "");
	to->EventNameOffset = to->TaskNameOffset;
}

/* Of UTF-16 at most; a unit is of one byte at least */
static size_t text_room(const EVENT_RECORD *event, const struct schema *schema)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
		item_of(event, EVENT_HEADER_EXT_TYPE_PROV_TRAITS);
	size_t i, units = item ? item->DataSize : 0;

	for (i = 0; i < schema->count; i++)
		units += schema->node[i].length + sizeof(COUNT_SUFFIX);
	return 2 * (units + 2);
}

static ULONG put_info(const EVENT_RECORD *event, const struct schema *schema,
		      struct tdh_info *info)
{
	uint32_t i, count = schema->count - 1;
	size_t head = offsetof(TRACE_EVENT_INFO, EventPropertyInfoArray) +
		      count * sizeof(EVENT_PROPERTY_INFO);
	const struct node *node;
	TRACE_EVENT_INFO *to;

	info->bytes = calloc(1, head + text_room(event, schema));
	if (!info->bytes)
		return ERROR_OUTOFMEMORY;
	info->size = head;
	to = (TRACE_EVENT_INFO *)info->bytes;
	to->PropertyCount = count;
	to->TopLevelPropertyCount = schema->node[0].members;
	put_names(event, &schema->node[0], info);
	for (i = 0; i < count; i++) {
		node = &schema->node[schema->order[i + 1]];
		put_property(schema, node, &to->EventPropertyInfoArray[i]);
		to->EventPropertyInfoArray[i].NameOffset =
			put_text(info, node->name, node->length,
				 node->is_count ? COUNT_SUFFIX : "");
	}
	return ERROR_SUCCESS;
}

static ULONG read_schema(struct schema *schema, const EVENT_HEADER_EXTENDED_DATA_ITEM *item)
{
	struct node event = { .first = NO_NODE, .last = NO_NODE, .next = NO_NODE };
	uint16_t size;

	schema->at = (const uint8_t *)(uintptr_t)item->DataPtr;
	schema->end = schema->at + item->DataSize;
	if (!get_word(schema, &size) || size < 2 || size > item->DataSize)
		return ERROR_EVT_INVALID_EVENT_DATA;
	schema->end = schema->at - 2 + size;
	if (!skip_tags(schema) || !get_name(schema, &event))
		return ERROR_EVT_INVALID_EVENT_DATA;
	if (!array_grow((void **)&schema->node, &schema->room, 1, sizeof(event)))
		return ERROR_OUTOFMEMORY;
	schema->node[schema->count++] = event;
	return read_fields(schema);
}

ULONG tdh_describe_itself(const EVENT_RECORD *event, struct tdh_info *info)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item =
		item_of(event, EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL);
	struct schema schema = { };
	ULONG err;

	if (!item)
		return ERROR_NOT_FOUND;
	err = read_schema(&schema, item);
	if (!err && !give_indexes(&schema))
		err = ERROR_OUTOFMEMORY;
	if (!err)
		err = put_info(event, &schema, info);
	free(schema.node);
	free(schema.order);
	return err;
}
