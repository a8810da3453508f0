/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* The decoded fields of an event, as text and as JSON. */
#ifndef ETW_PRINT_FIELDS_H
#define ETW_PRINT_FIELDS_H

#include <stdio.h>
#include <jansson.h>
#include "libetl/fields.h"
#include "text_out.h"

/* The value alone, as text prints it but without quotes; strings raw */
void field_value(const struct field *field, FILE *to);
void fields_print(const struct fields *fields, FILE *to);
void text_out_fields(struct text_out *out, const struct fields *fields);
void fields_json(const struct fields *fields, json_t *to);
void text_print_quoted(const char *text, FILE *to);
/* Within an element or an attribute of XML */
void text_print_xml(const char *text, size_t size, FILE *to);
void text_print_csv(const char *text, FILE *to);
/* The name of an event: in text, and as a column of CSV, with quotes only where it needs them */
void text_print_event(const char *text, FILE *to);
void text_out_event(struct text_out *out, const char *text);
void text_print_event_csv(const char *text, FILE *to);

#endif /* ETW_PRINT_FIELDS_H */
