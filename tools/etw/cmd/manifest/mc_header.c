// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: the header. */
#include <stdlib.h>
#include "mc.h"

#define NAME_BYTES	256
#define INFO_COUNT	0x64
#define INFO_TOP	0x68

/* Lists whose elements may have a symbol, and the attribute that is its value; NULL: channels */
static const struct {
	const char *list;
	const char *of;
	const char *value;
} symbols[] = {
	{ "keywords", "keyword", "mask" }, { "levels", "level", "value" },
	{ "tasks", "task", "value" }, { "opcodes", "opcode", "value" },
	{ "channels", "channel", NULL }, { "channels", "importChannel", NULL },
};

/* @attribute: NULL: of a channel. Return: 0, or -1 after a message */
static int value_of(const struct manifest *manifest, const struct xml_node *at,
		    const char *attribute, uint64_t *value)
{
	return attribute ? manifest_number(manifest, at, attribute, UINT64_MAX, value) :
			   manifest_channel(manifest, at, value);
}

static int put_symbols(FILE *to, const struct manifest *manifest)
{
	const struct xml_node *at;
	char name[NAME_BYTES];
	const char *symbol;
	uint64_t value;
	size_t i;

	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		at = xml_child(manifest_list(manifest, symbols[i].list), symbols[i].of);
		for (; at; at = xml_next(at, symbols[i].of)) {
			symbol = xml_attribute(at, "symbol");
			if (!symbol)
				continue;
			if (value_of(manifest, at, symbols[i].value, &value))
				return -1;
			if (mc_symbol(manifest, at, symbol, name, sizeof(name)))
				return -1;
			fprintf(to, "#define %s 0x%llx\n", name, (unsigned long long)value);
		}
	}
	return 0;
}

static void put_provider(FILE *to, const struct manifest *manifest, const char *symbol)
{
	const struct etw_guid *guid = &manifest->guid;
	const uint8_t *d = guid->data4;
	char name[NAME_BYTES];

	mc_name(manifest->name, name, sizeof(name));
	fprintf(to, "\n/* Provider %s */\n", name);
	fprintf(to, "ETW_MC_CONSTANT const GUID %s = {\n\t0x%08x, 0x%04x, 0x%04x, "
		"{ 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x, 0x%02x }\n};\n",
		symbol, guid->data1, guid->data2, guid->data3, d[0], d[1], d[2], d[3], d[4], d[5],
		d[6], d[7]);
	fprintf(to, "ETW_MC_GLOBAL struct _tlgProvider_t %s_Context = {\n"
		"\t0, NULL, 0, 0, 0, &%s, NULL, NULL\n};\n", symbol, symbol);
	fprintf(to, "#define EventRegister%s() EtwMcRegister(&%s_Context)\n"
		"#define EventUnregister%s() EtwMcUnregister(&%s_Context)\n", name, symbol, name,
		symbol);
}

static int put_events(FILE *to, const struct manifest *manifest, const char *symbol)
{
	const struct xml_node *at = xml_child(manifest_list(manifest, "events"), "event");
	struct blob blob = { };
	struct event_info info;
	int err = 0;

	for (; !err && at; at = xml_next(at, "event")) {
		blob.size = 0;
		err = manifest_event(manifest, at, &blob);
		if (err)
			break;
		info = (struct event_info){
			.bytes = blob.bytes, .size = blob.size,
			.count = get32(blob.bytes + INFO_COUNT), .top = get32(blob.bytes + INFO_TOP),
		};
		err = mc_write_event(to, manifest, at, &info, symbol);
	}
	free(blob.bytes);
	return err;
}

int mc_write_header(FILE *to, struct manifest *manifest)
{
	const char *name;
	char symbol[NAME_BYTES];

	fputs("/* Made by etw mc */\n#pragma once\n#include <etw_mc.h>\n", to);
	for (; manifest->provider; manifest->provider = xml_next(manifest->provider, "provider")) {
		if (manifest_enter(manifest))
			return -1;
		name = xml_attribute(manifest->provider, "symbol");
		if (!name || !*name)
			return manifest_wrong(manifest, manifest->provider,
					      "the provider has no symbol");
		if (mc_symbol(manifest, manifest->provider, name, symbol, sizeof(symbol)))
			return -1;
		put_provider(to, manifest, symbol);
		if (put_symbols(to, manifest) || put_events(to, manifest, symbol))
			return -1;
	}
	return 0;
}
