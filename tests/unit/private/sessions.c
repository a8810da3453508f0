// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions: control, modes, a burst, a file that is closed behind our back. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "one.h"

static ULONG start_code(ULONG mode, const char *file, ULONG size)
{
	struct session other;
	TRACEHANDLE made;
	ULONG error;

	session_clear(&other, file);
	other.fixed.LogFileMode |= mode;
	other.fixed.MaximumFileSize = size;
	error = session_start(&other, &made);
	if (!error)
		session_control(&other, made, EVENT_TRACE_CONTROL_STOP);
	return error;
}

static bool without_threads;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument);

/* A thread that begins its work when the test lets it */
struct late {
	void *(*function)(void *);
	void *argument;
};

static bool with_late_threads;
static atomic_bool let_go;

static void *begin_late(void *argument)
{
	const struct late late = *(struct late *)argument;

	free(argument);
	while (!let_go)
		usleep(1000);
	return late.function(late.argument);
}

/* The library's as well: see test_private */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*function)(void *), void *argument)
{
	if (without_threads)
		return EAGAIN;
	if (with_late_threads) {
		struct late *late = malloc(sizeof(*late));

		*late = (struct late){ function, argument };
		function = begin_late;
		argument = late;
	}
	return __real_pthread_create(thread, attributes, function, argument);
}

/* A start that fails leaves what was in the file before. */
static void test_failing_start(void)
{
	const char *file = file_of("before");
	FILE *stream = fopen(file, "w");
	struct stat stat_of;

	fputs("mine", stream);
	fclose(stream);
	without_threads = true;
	check_code("StartTrace() when there are no threads", start_code(0, file, 0),
		   ERROR_NO_SYSTEM_RESOURCES);
	check("the file is as it was", !stat(file, &stat_of) && stat_of.st_size == 4);
	unlink(file);
	check_code("the same without a file", start_code(0, file, 0), ERROR_NO_SYSTEM_RESOURCES);
	check("none is made", stat(file, &stat_of));
	without_threads = false;
	check_code("the next one starts", start_code(0, file, 0), 0);
}

static ULONG start_named(const char *name)
{
	struct session other;
	TRACEHANDLE made;
	ULONG error;

	session_clear(&other, file_of("named"));
	other.fixed.LoggerNameOffset = 0;
	error = StartTraceA(&made, name, &other.fixed);
	if (!error)
		ControlTraceA(0, name, &other.fixed, EVENT_TRACE_CONTROL_STOP);
	return error;
}

/* As of the module's sessions: 255 units of UTF-16, which are up to three times the bytes */
static void test_names(void)
{
	char name[3 * 256 + 1] = "";
	int i;

	for (i = 0; i < 255; i++)
		strcat(name, "\u20ac");
	check_code("a name of 255 units", start_named(name), 0);
	strcat(name, "x");
	check_code("a longer one", start_named(name), ERROR_INVALID_PARAMETER);
}

static void test_control(void)
{
	const char *file = file_of("control");
	struct records *records;
	struct session asked;

	check_code("both sequence modes", start_code(0xC000, file, 0), ERROR_INVALID_PARAMETER);
	check_code("sequential and circular", start_code(3, file, 1), ERROR_INVALID_PARAMETER);
	check_code("circular without a size", start_code(2, file, 0), ERROR_INVALID_PARAMETER);
	check_code("no such directory", start_code(0, "/nonexistent/x.etl", 0),
		   ERROR_PATH_NOT_FOUND);
	start("control", 0, 0, 0);
	check_code("a second one", start_code(0, file, 0), ERROR_ALREADY_EXISTS);
	event_fill(&event, 1, 8);
	send(&event.header);
	session_clear(&asked, "");
	check_code("QUERY by name", ControlTraceA(0, LOGGER, &asked.fixed, 0), 0);
	check("QUERY returns file, size of buffers, mode", strstr(asked.file, path) &&
	      asked.fixed.BufferSize == 64 && asked.fixed.LogFileMode & 0x800);
	check_code("FLUSH", session_control(&session, handle, EVENT_TRACE_CONTROL_FLUSH), 0);
	records = read_records();
	check("after FLUSH the event is in the file, which is unclosed", records->count == 1 &&
	      !take_bytes(records->file.bytes + 0x8C, 4));
	free(records->file.bytes);
	session.fixed.FlushTimer = 4294968;
	check_code("UPDATE to a FlushTimer of 50 days",
		   session_control(&session, handle, EVENT_TRACE_CONTROL_UPDATE), 0);
	check("it is no shorter", session.fixed.FlushTimer == UINT32_MAX / 1000);
	strcpy(session.file, "/tmp/another.etl");
	check_code("UPDATE to another file",
		   session_control(&session, handle, EVENT_TRACE_CONTROL_UPDATE),
		   ERROR_NOT_SUPPORTED);
	session.file[0] = 0;
	session.fixed.LogFileMode |= EVENT_TRACE_REAL_TIME_MODE;
	check_code("UPDATE to real time",
		   session_control(&session, handle, EVENT_TRACE_CONTROL_UPDATE),
		   ERROR_NOT_SUPPORTED);
	stop();
	check_code("STOP again", session_control(&session, handle, EVENT_TRACE_CONTROL_STOP),
		   ERROR_INVALID_HANDLE);
}

static uint64_t size_of_file(void)
{
	struct stat stat_of;

	return stat(path, &stat_of) ? 0 : stat_of.st_size;
}

/* A session with a file of 128 KB, eight buffers */
static void start_sized(const char *name, ULONG mode)
{
	session_clear(&session, file_of(name));
	session.fixed.LogFileMode |= mode | EVENT_TRACE_USE_KBYTES_FOR_SIZE;
	session.fixed.MaximumFileSize = 128;
	session.fixed.BufferSize = 16;
	session_start(&session, &handle);
}

/* An hour, and then a second: no call waits for the hour */
static void test_flush_timer(void)
{
	uint64_t before;
	int i;

	session_clear(&session, file_of("timer"));
	session.fixed.FlushTimer = 3600;
	session_start(&session, &handle);
	before = size_of_file();
	event_fill(&event, 1, 8);
	send(&event.header);
	session.fixed.FlushTimer = 1;
	check_code("UPDATE to a shorter FlushTimer",
		   session_control(&session, handle, EVENT_TRACE_CONTROL_UPDATE), 0);
	for (i = 0; i < 600 && size_of_file() == before; i++)
		usleep(100000);
	check("the event is in the file then", size_of_file() > before);
	stop();
}

static void test_modes(void)
{
	uint32_t i, ok = 0, newest = 0;
	ULONG error = 0;
	struct records *records;

	start_sized("sized", EVENT_TRACE_FILE_MODE_SEQUENTIAL);
	event_fill(&event, 1, 200);
	for (i = 0; i < 200000 && error != ERROR_LOG_FILE_FULL; i++) {
		error = send(&event.header);
		ok += !error;
		if (error == ERROR_NOT_ENOUGH_MEMORY)
			usleep(100);
	}
	/* as Microsoft's headers have it */
	check_code("a sequential file becomes full: ERROR_LOG_FILE_FULL", error, 1502);
	stop();
	check("it is not larger than it may be", size_of_file() == 128 * 1024);
	records = read_records();
	check("what did not fit is counted as lost", records->count < ok &&
	      session.fixed.EventsLost >= ok - records->count);
	free(records->file.bytes);

	start("buffering", EVENT_TRACE_BUFFERING_MODE, 16, 4);
	for (i = 0; i < 10000; i++) {
		event_fill(&event, 1, 4);
		memcpy(event.data, &i, 4);
		send(&event.header);
	}
	check("buffering: nothing is in the file before a FLUSH", size_of_file() == 16 * 1024);
	session_control(&session, handle, EVENT_TRACE_CONTROL_FLUSH);
	records = read_records();
	for (i = 0; i < records->count; i++)
		newest = take_bytes(records->record[i] + 0x30, 4);
	check("buffering: FLUSH writes the newest", records->count > 400 && newest == 9999);
	free(records->file.bytes);
	stop();

	start_sized("circular", EVENT_TRACE_FILE_MODE_CIRCULAR);
	for (i = 0; i < 10000; i++) {
		event_fill(&event, 1, 4);
		memcpy(event.data, &i, 4);
		while (send(&event.header))
			usleep(100);
	}
	stop();
	check("a circular file is not larger than it may be", size_of_file() <= 128 * 1024);
	records = read_records();
	for (newest = 0, i = 0; i < records->count; i++)
		newest = take_bytes(records->record[i] + 0x30, 4);
	check("it holds the newest", records->count > 1000 && newest == 9999);
	free(records->file.bytes);
}

/* Closes what is open of a file of ours. Return: a file of the program's of that number */
static int take_number(const struct stat *of_file, const char *other)
{
	struct stat of_fd;
	int fd, opened = -1;

	for (fd = 3; fd < 1024; fd++) {
		if (fstat(fd, &of_fd) || of_fd.st_ino != of_file->st_ino ||
		    of_fd.st_dev != of_file->st_dev)
			continue;
		close(fd);
		opened = open(other, O_RDWR | O_CREAT | O_TRUNC, 0600);
		if (opened != fd) {
			dup2(opened, fd);
			close(opened);
		}
		opened = fd;
	}
	return opened;
}

static int child_lacks(int fd)
{
	struct stat stat_of;
	int status = -1;
	pid_t child = fork();

	if (!child)
		_exit(!!fstat(fd, &stat_of));
	waitpid(child, &status, 0);
	return status;
}

/* As daemons do it; another file gets the number then */
static void test_closed(const char *name, ULONG mode)
{
	char other[600], *percent;
	struct stat of_file, after;
	int opened, i;
	ULONG sent;

	session_clear(&session, file_of(name));
	session.fixed.LogFileMode |= mode;
	session.fixed.MaximumFileSize = mode ? 1 : 0;
	check_code("a session starts", session_start(&session, &handle), 0);
	event_fill(&event, 1, 60000);
	send(&event.header);
	snprintf(other, sizeof(other), "%s/other", directory);
	percent = strstr(path, "%d");
	if (percent)
		memmove(percent + 1, percent + 2, strlen(percent + 1));
	if (percent)
		*percent = '1';
	stat(path, &of_file);
	opened = take_number(&of_file, other);
	check("the program closed our file and has another of its number", opened > 0);
	check("a child has it, too", !child_lacks(opened));
	/* more than a file of that size holds */
	for (sent = 1, i = 1; i < 40; i++)
		while (sent++, send(&event.header))
			usleep(100);
	check("FLUSH says that the file is gone",
	      session_control(&session, handle, EVENT_TRACE_CONTROL_FLUSH));
	session_control(&session, handle, EVENT_TRACE_CONTROL_QUERY);
	check("the events are counted as lost", session.fixed.EventsLost == sent);
	check("STOP says it, too",
	      session_control(&session, handle, EVENT_TRACE_CONTROL_STOP));
	check("nothing was written to the other one", !stat(other, &after) && !after.st_size);
	check("it is still open", !fstat(opened, &after));
	close(opened);
}

/* Events of 80 bytes, 4 MB of them */
#define BURST	50000U

static void count_one(void *context, const uint8_t *record, uint32_t size, uint32_t processor)
{
	uint32_t *next = context;

	(void)processor;
	if (is_ours(record, size))
		*next += take_bytes(record + 0x30, 4) == *next;
}

/* Return: whether the session comes to have fewer buffers than that */
static bool comes_below(ULONG buffers)
{
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		session_control(&session, handle, EVENT_TRACE_CONTROL_QUERY);
		if (session.fixed.NumberOfBuffers < buffers)
			return true;
		usleep(10000);
	}
	return false;
}

/* The flush thread does not run before the burst is over. */
static void test_burst(void)
{
	uint32_t i, refused = 0, found = 0;
	struct file file;
	ULONG buffers;

	with_late_threads = true;
	start("burst", 0, 0, 0);
	with_late_threads = false;
	for (i = 0; i < BURST; i++) {
		event_fill(&event, 1, 0x20);
		memcpy(event.data, &i, sizeof(i));
		refused += send(&event.header) != 0;
	}
	session_control(&session, handle, EVENT_TRACE_CONTROL_QUERY);
	buffers = session.fixed.NumberOfBuffers;
	check("the session has its maximum of buffers at most", buffers <= 512);
	let_go = true;
	check("buffers that the burst needed are given back later", comes_below(buffers));
	stop();
	check("a burst of 4 MB finds buffers with default properties, without the flush thread",
	      !refused && !session.fixed.EventsLost);
	check("each event of the burst is in the file, in its order",
	      file_load(&file, path) && file_walk(&file, count_one, &found) && found == BURST);
	free(file.bytes);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	directory = argv[1];
	test_failing_start();
	test_names();
	test_control();
	test_burst();
	test_flush_timer();
	test_modes();
	test_closed("closed", 0);
	test_closed("closed%d", EVENT_TRACE_FILE_MODE_NEWFILE);
	return 0;
}
