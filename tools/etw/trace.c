// SPDX-License-Identifier: GPL-2.0
/* Loads a trace file and indexes its buffers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "etw.h"
#include "trace.h"

/* Pipes and devices: all of it into memory */
static int read_all(struct trace *trace, int fd)
{
	size_t room = 0, used = 0;
	uint8_t *bytes = NULL, *more;
	ssize_t n;

	for (;;) {
		if (used == room) {
			room = room ? 2 * room : 1 << 20;
			more = realloc(bytes, room);
			if (!more) {
				free(bytes);
				return -ENOMEM;
			}
			bytes = more;
		}
		n = read(fd, bytes + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			free(bytes);
			return -errno;
		}
		if (!n)
			break;
		used += n;
	}
	trace->bytes = bytes;
	trace->size = used;
	return 0;
}

static int load(struct trace *trace, int fd)
{
	struct stat stat;
	void *bytes;

	if (fstat(fd, &stat))
		return -errno;
	if (S_ISDIR(stat.st_mode))
		return -EISDIR;
	if (!S_ISREG(stat.st_mode) || !stat.st_size)
		return read_all(trace, fd);
	bytes = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return read_all(trace, fd);
	trace->bytes = bytes;
	trace->size = stat.st_size;
	trace->mapped = true;
	return 0;
}

int trace_load(struct trace *trace, const char *name)
{
	bool standard = !strcmp(name, "-");
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	int err;

	memset(trace, 0, sizeof(*trace));
	trace->name = standard ? "standard input" : name;
	if (fd < 0) {
		failed("%s: %s", name, strerror(errno));
		return -1;
	}
	err = load(trace, fd);
	if (!standard)
		close(fd);
	if (!err)
		return 0;
	failed("%s: %s", trace->name, strerror(-err));
	return -1;
}

int trace_index(struct trace *trace)
{
	enum etl_buffer_result result;
	struct etl_buffer buffer;
	struct etl_buffer *more;
	size_t room = 0;

	for (;;) {
		result = etl_buffer_at(trace->bytes, trace->size, trace->end, &buffer);
		if (result != ETL_BUFFER_OK)
			break;
		if (trace->count == room) {
			room = room ? 2 * room : 64;
			more = reallocarray(trace->buffers, room, sizeof(*more));
			if (!more) {
				failed("%s: %s", trace->name, strerror(ENOMEM));
				return -1;
			}
			trace->buffers = more;
		}
		trace->compressed += buffer.compressed;
		trace->buffers[trace->count++] = buffer;
		trace->end += buffer.header.buffer_size;
	}
	trace->torn = result != ETL_BUFFER_NONE;
	return 0;
}

int trace_open(struct trace *trace, const char *name)
{
	const char *wrong;

	if (trace_load(trace, name))
		return -1;
	wrong = etl_logfile_of(trace->bytes, trace->size, &trace->log);
	if (wrong) {
		failed("%s: this is no ETL file: %s", trace->name, wrong);
		trace_close(trace);
		return -1;
	}
	if (trace_index(trace)) {
		trace_close(trace);
		return -1;
	}
	return 0;
}

int trace_readable(const struct trace *trace)
{
	if (!trace->compressed)
		return 0;
	failed("%s: %zu of %zu buffers are compressed (XPRESS); reading them is not supported yet",
	       trace->name, trace->compressed, trace->count);
	return -1;
}

void trace_close(struct trace *trace)
{
	if (trace->mapped)
		munmap((void *)trace->bytes, trace->size);
	else
		free((void *)trace->bytes);
	free(trace->buffers);
	memset(trace, 0, sizeof(*trace));
}
