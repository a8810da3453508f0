// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A stream that goes on in another file. */
#include <errno.h>
#include <stdlib.h>
#include "first_buffer.h"
#include "writer.h"

/* What went through as it came is in the file only. */
static int keep_header(struct writer *writer)
{
	return writer->header ? 0 : first_buffer_read(writer->fd, &writer->header, &writer->size);
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
	int err = whole ? keep_header(writer) : -EINVAL;

	/* it is the stream's, and so says where its clocks began */
	if (!err)
		err = begin(next, writer->header, writer->size);
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
