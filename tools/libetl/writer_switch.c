// SPDX-License-Identifier: GPL-2.0
/* A stream that goes on in another file. */
#include <errno.h>
#include <stdlib.h>
#include "etw_abi.h"
#include "fileio.h"
#include "writer.h"

/* The header buffer is the stream's, and so says where its clocks began. */
static uint8_t *read_header(const struct writer *writer, uint32_t *size)
{
	struct wmi_buffer_header header;
	uint8_t *bytes;

	if (file_read_at(writer->fd, &header, sizeof(header), 0) ||
	    header.buffer_size <= sizeof(header))
		return NULL;
	*size = header.buffer_size;
	bytes = malloc(*size);
	if (bytes && !file_read_at(writer->fd, bytes, *size, 0))
		return bytes;
	free(bytes);
	return NULL;
}

static int begin(struct writer *next, const uint8_t *header, uint32_t size)
{
	next->renumber = true;
	if (writer_begin(next))
		return -1;
	writer_put(next, header, size);
	return next->error ? -1 : 0;
}

int writer_switch(struct writer *writer, struct writer *next)
{
	bool whole = writer->regular && next->regular && !writer->error && !writer->filled;
	uint32_t size = 0;
	uint8_t *header = whole ? read_header(writer, &size) : NULL;
	int err = header ? begin(next, header, size) : -1;

	free(header);
	if (err) {
		if (!next->error)
			next->error = whole ? EIO : EINVAL;
		writer_abandon(next);
		return -1;
	}
	if (writer_finish(writer))
		next->error = writer->error ? writer->error : EIO;
	return 0;
}
