// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The page around the data (declared in report.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef ETW_HAVE_ZLIB
#include <zlib.h>
#endif
#include "etw.h"
#include "generated/report_page.h"
#include "report.h"

/* Three bytes become four characters; the text of base64 can't end the element that it is in. */
static void put_base64(const unsigned char *bytes, size_t size, FILE *to)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char four[4];
	uint32_t three;
	size_t i, left;

	for (i = 0; i < size; i += 3) {
		left = size - i;
		three = bytes[i] << 16 | (left > 1 ? bytes[i + 1] << 8 : 0) |
			(left > 2 ? bytes[i + 2] : 0);
		four[0] = digit[three >> 18];
		four[1] = digit[three >> 12 & 63];
		four[2] = left > 1 ? digit[three >> 6 & 63] : '=';
		four[3] = left > 2 ? digit[three & 63] : '=';
		fwrite(four, 1, sizeof(four), to);
	}
}

#ifdef ETW_HAVE_ZLIB
/* The format that DecompressionStream calls "gzip" */
#define FORM		"gzip"
#define GZIP_WINDOW	(15 + 16)

/* Return: NULL: no memory, or more than zlib takes at once */
static unsigned char *pack(const char *data, size_t size, size_t *packed)
{
	z_stream stream = { .next_in = (unsigned char *)data, .avail_in = size };
	unsigned char *to = NULL;
	uLong bound;

	if (size > UINT32_MAX / 2 ||
	    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	bound = deflateBound(&stream, size);
	to = malloc(bound);
	stream.next_out = to;
	stream.avail_out = bound;
	if (to && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
		free(to);
		to = NULL;
	}
	*packed = stream.total_out;
	deflateEnd(&stream);
	return to;
}
#else
#define FORM		"plain"

static unsigned char *pack(const char *data, size_t size, size_t *packed)
{
	unsigned char *to = malloc(size);

	if (to)
		memcpy(to, data, size);
	*packed = size;
	return to;
}
#endif

int page_write(const char *data, size_t size, FILE *to)
{
	size_t packed_size;
	unsigned char *packed = pack(data, size, &packed_size);
	size_t i;

	if (!packed) {
		failed("the data of the page: %s", strerror(ENOMEM));
		return -1;
	}
	fputs(report_head, to);
	fputs("<style>\n", to);
	fputs(report_style, to);
	fputs("</style>\n</head>\n", to);
	fputs(report_body, to);
	fputs("<script type=\"text/plain\" id=\"data\" data-form=\"" FORM "\">", to);
	put_base64(packed, packed_size, to);
	fputs("</script>\n<script>\n\"use strict\";\n", to);
	for (i = 0; i < sizeof(report_scripts) / sizeof(report_scripts[0]); i++)
		fputs(report_scripts[i], to);
	fputs("</script>\n</body>\n</html>\n", to);
	free(packed);
	return ferror(to) ? -1 : 0;
}
