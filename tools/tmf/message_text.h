/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A message's text in the making: what its parts share. */
#ifndef ETW_MESSAGE_TEXT_H
#define ETW_MESSAGE_TEXT_H

#include "tmf.h"

/* A record of UTF-16 as UTF-8, and its format */
#define TEXT_ROOM	0x20000
/**
 * struct value - an argument of a record
 * @argument: what it is
 * @at: its bytes
 * @size: how many; of strings without what counts or ends them
 * @missing: the record ends before, or it can't be said where it is
 */
struct value {
	const struct tmf_argument *argument;
	const uint8_t *at;
	uint32_t size;
	bool missing;
};

/**
 * struct rendering - a text that is being made
 * @message: it
 * @record: contains the arguments
 * @log: of the record's file
 * @processor: which wrote the record
 * @value: them
 * @text: what there is of it
 * @used: bytes of that
 */
struct rendering {
	const struct tmf_message *message;
	const struct etl_record *record;
	const struct etl_logfile *log;
	unsigned int processor;
	struct value value[TMF_ARGUMENTS];
	char text[TEXT_ROOM];
	size_t used;
};

/**
 * struct spec - what stands between two ! behind a number
 * @flags: of printf
 * @width: or -1
 * @precision: or -1
 * @cut: bytes to which h and hh cut, or 0
 * @letter: what kind it is; 0: not said
 */
struct spec {
	char flags[10];
	int width;
	int precision;
	unsigned int cut;
	char letter;
};

/* message_value.c: more text, as far as there is room */
void text_put(struct rendering *r, const char *from, size_t bytes);
void text_put_string(struct rendering *r, const char *from);
/* With a format that is made there, of known flags and one letter */
void text_put_printf(struct rendering *r, const char *format, ...);
void text_put_padded(struct rendering *r, const struct spec *spec, const char *text);
void text_put_number(struct rendering *r, uint64_t number, unsigned int bytes,
		     enum tmf_class class, const struct spec *spec);
void text_put_value(struct rendering *r, const struct value *value, const struct spec *spec);
/* message_special.c: what has a form of its own, and values that have names */
void text_put_special(struct rendering *r, const struct value *value, const struct spec *spec);
void text_put_names(struct rendering *r, const struct value *value, const struct spec *spec);
uint64_t value_number(const struct value *value);
int64_t value_signed(uint64_t number, unsigned int bytes);

#endif /* ETW_MESSAGE_TEXT_H */
