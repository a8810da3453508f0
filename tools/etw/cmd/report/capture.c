// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What a report of etw stat writes, into memory (declared in report.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "etw.h"
#include "report.h"

/* Where what was written waits: as large as the JSON of a report */
static int spool(void)
{
	FILE *file = tmpfile();
	int fd = file ? dup(fileno(file)) : -1;

	if (file)
		fclose(file);
	return fd;
}

int capture_begin(struct capture *capture)
{
	memset(capture, 0, sizeof(*capture));
	fflush(stdout);
	capture->output = dup(STDOUT_FILENO);
	capture->file = spool();
	capture->messages = open_memstream(&capture->text, &capture->size);
	if (capture->output < 0 || capture->file < 0 || !capture->messages ||
	    dup2(capture->file, STDOUT_FILENO) < 0) {
		failed("temporary file: %s", strerror(errno));
		return -1;
	}
	messages_collect(capture->messages);
	return 0;
}

int capture_copy(int from, FILE *to)
{
	char block[65536];
	ssize_t bytes;

	if (lseek(from, 0, SEEK_SET) < 0)
		return -1;
	while ((bytes = read(from, block, sizeof(block))) > 0)
		if (fwrite(block, 1, bytes, to) != (size_t)bytes)
			return -1;
	return bytes ? -1 : 0;
}

int capture_end(struct capture *capture, FILE *to)
{
	int err = fflush(stdout) || ferror(stdout) ? -1 : 0;

	messages_collect(NULL);
	if (!err)
		err = capture_copy(capture->file, to);
	if (err)
		failed("temporary file: %s", strerror(errno));
	clearerr(stdout);
	if (dup2(capture->output, STDOUT_FILENO) < 0)
		err = failed("standard output: %s", strerror(errno));
	close(capture->output);
	close(capture->file);
	if (fclose(capture->messages))
		err = failed("%s", strerror(ENOMEM));
	return err ? -1 : 0;
}

void capture_free(struct capture *capture)
{
	free(capture->text);
}
