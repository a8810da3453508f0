// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The private logger's session: start, query, update, flush, stop, the program's end. */
#include <errno.h>
#include <linux/mm.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "libetl/text.h"
#include "private.h"

/* How long STOP waits for threads that are inside an event */
#define STOP_PATIENCE_US	3000000
#define FLUSH_PATIENCE_US	1000000

#define DEFAULT_BUFFER_KB	64
#define DEFAULT_BUFFERS		512
#define DEFAULT_FIRST_BUFFERS	4
#define LARGEST_BUFFER_KB	16384

/* What private loggers have; all else is a mode of other sessions, or of none */
#define KNOWN_MODES	(EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR | \
			 EVENT_TRACE_FILE_MODE_NEWFILE | EVENT_TRACE_USE_MS_FLUSH_TIMER | \
			 EVENT_TRACE_DELAY_OPEN_FILE_MODE | EVENT_TRACE_BUFFERING_MODE | \
			 EVENT_TRACE_PRIVATE_LOGGER_MODE | EVENT_TRACE_USE_KBYTES_FOR_SIZE | \
			 EVENT_TRACE_USE_GLOBAL_SEQUENCE | EVENT_TRACE_USE_LOCAL_SEQUENCE | \
			 EVENT_TRACE_RELOG_MODE | EVENT_TRACE_PRIVATE_IN_PROC)
/* Known, and not to be had here */
#define OTHER_MODES	(EVENT_TRACE_FILE_MODE_APPEND | EVENT_TRACE_FILE_MODE_PREALLOCATE)

/* How long exit() waits for a StopTrace() that waits for the flush thread */
#define EXIT_PATIENCE_US	10000000
#define LOOK_US			100

/* Of the last session; grows in a child, too: the next handle is another one */
static u16 last_id;

static int bits_of(u32 mode, u32 bits)
{
	return __builtin_popcount(mode & bits);
}

/* format.rst 6.4 */
static ULONG check_mode(const EVENT_TRACE_PROPERTIES *properties)
{
	const u32 one_of = EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR |
			   EVENT_TRACE_BUFFERING_MODE;
	const u32 sized = EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE;
	u32 mode = properties->LogFileMode;

	if (mode & ~(KNOWN_MODES | OTHER_MODES))
		return ERROR_INVALID_PARAMETER;
	if (bits_of(mode, one_of) > 1)
		return ERROR_INVALID_PARAMETER;
	if (mode & EVENT_TRACE_FILE_MODE_NEWFILE &&
	    mode & (EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_BUFFERING_MODE))
		return ERROR_INVALID_PARAMETER;
	if (bits_of(mode, EVENT_TRACE_USE_GLOBAL_SEQUENCE | EVENT_TRACE_USE_LOCAL_SEQUENCE) > 1)
		return ERROR_INVALID_PARAMETER;
	if (mode & sized && !properties->MaximumFileSize)
		return ERROR_INVALID_PARAMETER;
	return mode & OTHER_MODES ? ERROR_NOT_SUPPORTED : ERROR_SUCCESS;
}

static ULONG check_buffers(const EVENT_TRACE_PROPERTIES *properties)
{
	if (properties->BufferSize > LARGEST_BUFFER_KB)
		return ERROR_INVALID_PARAMETER;
	if (properties->MaximumBuffers && properties->MinimumBuffers > properties->MaximumBuffers)
		return ERROR_INVALID_PARAMETER;
	return ERROR_SUCCESS;
}

/* In ms */
static u32 flush_period(u32 timer, u32 mode)
{
	if (mode & EVENT_TRACE_USE_MS_FLUSH_TIMER)
		return timer;
	return timer > UINT32_MAX / 1000 ? UINT32_MAX : timer * 1000;
}

/* MinimumBuffers are those of one thread: each has a ring of its own. */
static void take_buffers(struct private_session *session, const EVENT_TRACE_PROPERTIES *properties)
{
	u32 kb = properties->BufferSize ? properties->BufferSize : DEFAULT_BUFFER_KB;

	/* the header buffer fits 4 KB, and so does every buffer of pages */
	session->buffer_size = (kb + 3) / 4 * 4096;
	session->first_buffers = properties->MinimumBuffers ? properties->MinimumBuffers :
							      DEFAULT_FIRST_BUFFERS;
	session->maximum_buffers = properties->MaximumBuffers ? properties->MaximumBuffers :
								DEFAULT_BUFFERS;
	session->first_buffers = min(session->first_buffers, session->maximum_buffers);
	session->first_buffers = min(max(session->first_buffers, 2U), PRIVATE_SLOTS);
	session->maximum_buffers = max(session->maximum_buffers, session->first_buffers);
}

/* As long as those of the module's sessions */
static bool is_name(const char *name)
{
	u16 units[ETW_MAX_LOGGER_NAME + 2];

	return text_to_utf16(name, units, ETW_MAX_LOGGER_NAME + 1) <= ETW_MAX_LOGGER_NAME;
}

/* Return: a Win32 code */
static ULONG fill_session(struct private_session *session, const char *name, const char *file,
			  const EVENT_TRACE_PROPERTIES *properties)
{
	*session = (struct private_session){
		.mode = properties->LogFileMode,
		.maximum_file_size = properties->MaximumFileSize,
		.flush_ms = flush_period(properties->FlushTimer, properties->LogFileMode),
		.enable_flags = properties->EnableFlags,
		.overwrite = !!(properties->LogFileMode & EVENT_TRACE_BUFFERING_MODE),
		.tid = gettid(),
	};
	if (!file || !file[0] ||
	    (properties->LogFileMode & EVENT_TRACE_FILE_MODE_NEWFILE && !strstr(file, "%d")))
		return ERROR_BAD_PATHNAME;
	if (!is_name(name) || strlen(file) >= sizeof(session->file))
		return ERROR_INVALID_PARAMETER;
	strcpy(session->name, name);
	strcpy(session->file, file);
	memcpy(&session->guid, &properties->Wnode.Guid, sizeof(session->guid));
	take_buffers(session, properties);
	return etw_error(private_clock_init(session, properties->Wnode.ClientContext));
}

/* Streams first, then the handle that everybody compares with */
static void open_streams(struct private_memory *memory, u64 handle)
{
	u32 i;

	for (i = 0; i < PRIVATE_STREAMS; i++)
		smp_store_release(&memory->stream[i].handle, handle ^ memory->fenced);
	smp_store_release(&memory->handle, handle);
}

/* D: no writer enters any more; waits for writers inside. Return: whether all have left */
static bool close_streams(struct private_memory *memory)
{
	u32 i;

	__atomic_store_n(&memory->handle, 0, __ATOMIC_SEQ_CST);
	for (i = 0; i < PRIVATE_STREAMS; i++)
		WRITE_ONCE(memory->stream[i].handle, 0);
	return private_drain_writers(memory, STOP_PATIENCE_US);
}

/*
 * What a thread that did not come out has in its open buffer can't be had: it is
 * lost, and counted. Its ring stays where it is, for good.
 */
static void abandon_ring(struct private_memory *memory, struct private_stream *stream)
{
	u64 events = etw_ring_buffered(stream->ring, NULL);

	memory->session.lost[ETW_LOSS_WRITER_STUCK] += events;
}

static void seal_ring(struct private_stream *stream)
{
	u64 ordinal;

	if (stream->ring && !smp_load_acquire(&stream->busy) &&
	    smp_load_acquire(&stream->owner) != PRIVATE_CONDEMNED)
		etw_ring_seal(stream->ring, &ordinal);
}

static void free_ring(struct private_session *session, struct private_stream *stream)
{
	struct etw_ring *ring = stream->ring;
	u32 cause;

	for (cause = 0; ring && cause < ETW_LOSS_CAUSES; cause++)
		session->lost[cause] += local_read(&ring->lost[cause]);

	WRITE_ONCE(stream->ring, NULL);
	WRITE_ONCE(stream->request, PRIVATE_NONE);
	stream->sealed = 0;
	if (!ring || smp_load_acquire(&stream->busy))
		return;
	etw_ring_destroy(ring);
	kvfree(ring);
}

/* No writer is left, or almost: everything into the file. Under memory->lock */
static ULONG finish(struct private_memory *memory)
{
	u32 i, n = smp_load_acquire(&memory->nr_streams);
	struct private_session *session = &memory->session;
	ULONG error;

	for (i = 0; i < n; i++)
		seal_ring(&memory->stream[i]);
	private_deliver(memory);
	for (i = 0; i < n; i++)
		if (memory->stream[i].ring)
			abandon_ring(memory, &memory->stream[i]);
	error = private_file_end(memory);
	for (i = 0; i < n; i++)
		free_ring(session, &memory->stream[i]);
	kvfree(session->internal);
	session->internal = NULL;
	return error;
}

/*
 * The file takes no more: as 'etw record' does, the session ends, but it can be
 * asked about until it is stopped. Under memory->lock.
 */
void private_file_is_full(struct private_memory *memory)
{
	memory->full_handle = memory->handle;
	close_streams(memory);
}

/* The flush thread takes the lock itself: it ends without, and no session begins meanwhile. */
static void end_flushing(struct private_memory *memory)
{
	memory->stopping = true;
	pthread_mutex_unlock(&memory->lock);
	private_flush_end(memory);
	private_lock(memory);
}

/* The thread first: a file that is there is not touched before all else is. */
static int open_session(struct private_memory *memory)
{
	int err = private_flush_start(memory);

	if (err)
		return err;
	err = private_file_begin(memory);
	if (!err)
		return 0;
	private_file_abandon(memory);
	end_flushing(memory);
	memory->stopping = false;
	return err;
}

static ULONG start_locked(struct private_memory *memory, TRACEHANDLE *handle, const char *name,
			  const char *file, const EVENT_TRACE_PROPERTIES *properties)
{
	struct private_session *session = &memory->session;
	ULONG error;
	int err;

	if (memory->handle || memory->full_handle || memory->stopping)
		return ERROR_ALREADY_EXISTS;
	error = fill_session(session, name, file, properties);
	if (error)
		return error;
	session->internal = kvmalloc_node(session->buffer_size, GFP_KERNEL, -1);
	if (!session->internal)
		return ERROR_NOT_ENOUGH_MEMORY;
	err = open_session(memory);
	if (err) {
		kvfree(session->internal);
		return private_file_error(err);
	}
	private_faults_begin();
	last_id = last_id == 0xFFFE ? 1 : last_id + 1;
	*handle = ETW_HANDLE_PRIVATE | last_id;
	open_streams(memory, *handle);
	return ERROR_SUCCESS;
}

ULONG private_start(TRACEHANDLE *handle, const char *name, const char *file,
		    EVENT_TRACE_PROPERTIES *properties)
{
	struct private_memory *memory;
	ULONG error = check_mode(properties);
	struct private_signals quiet;

	if (!error)
		error = check_buffers(properties);
	if (error)
		return error;
	memory = private_new_memory();
	if (!memory)
		return ERROR_NOT_ENOUGH_MEMORY;
	private_signals_begin(memory, &quiet);
	error = start_locked(memory, handle, name, file, properties);
	private_signals_end(memory, &quiet);
	return error;
}

static u32 count_free(struct private_memory *memory)
{
	u32 i, sum = 0, n = smp_load_acquire(&memory->nr_streams);
	struct etw_ring *ring;

	for (i = 0; i < n; i++) {
		ring = smp_load_acquire(&memory->stream[i].ring);
		sum += ring ? etw_ring_free(ring) : 0;
	}
	return sum;
}

/* Until it is stopped, also when its file is full. Under memory->lock. Return: handle, or 0 */
static u64 running(const struct private_memory *memory)
{
	return memory->handle ? memory->handle : memory->full_handle;
}

/* Fills in the properties, for QUERY and every other call. Under memory->lock */
static void fill_in(struct private_memory *memory, EVENT_TRACE_PROPERTIES *properties, char *name,
		    char *file)
{
	struct private_session *session = &memory->session;
	u32 ms = session->mode & EVENT_TRACE_USE_MS_FLUSH_TIMER ? 1 : 1000;

	memcpy(&properties->Wnode.Guid, &session->guid, sizeof(session->guid));
	properties->Wnode.ClientContext = session->clock_type;
	properties->Wnode.HistoricalContext = running(memory);
	properties->BufferSize = session->buffer_size / 1024;
	properties->MinimumBuffers = session->first_buffers;
	properties->MaximumBuffers = session->maximum_buffers;
	properties->MaximumFileSize = session->maximum_file_size;
	properties->LogFileMode = session->mode;
	properties->FlushTimer = session->flush_ms / ms;
	properties->EnableFlags = session->enable_flags;
	properties->NumberOfBuffers = READ_ONCE(session->buffers);
	properties->FreeBuffers = count_free(memory);
	properties->EventsLost = min(private_events_lost(memory), (u64)UINT32_MAX);
	properties->BuffersWritten = session->delivered + 1;
	properties->LogBuffersLost = session->writer.dropped + session->writer.unwritten.buffers;
	properties->RealTimeBuffersLost = 0;
	if (name)
		strcpy(name, session->name);
	if (file)
		strcpy(file, session->file);
}

/* The two that mean something here; as of other sessions, no other file. Under memory->lock */
static ULONG update(struct private_memory *memory, const EVENT_TRACE_PROPERTIES *properties,
		    const char *file)
{
	struct private_session *session = &memory->session;

	if (file && file[0] && strcmp(file, session->file))
		return ERROR_NOT_SUPPORTED;
	if (properties->LogFileMode & EVENT_TRACE_REAL_TIME_MODE)
		return ERROR_NOT_SUPPORTED;
	if (properties->MaximumBuffers && properties->MaximumBuffers < session->first_buffers)
		return ERROR_INVALID_PARAMETER;
	if (properties->MaximumBuffers)
		WRITE_ONCE(session->maximum_buffers, properties->MaximumBuffers);
	if (properties->FlushTimer)
		session->flush_ms = flush_period(properties->FlushTimer, session->mode);
	irq_work_queue(&memory->wake);
	return ERROR_SUCCESS;
}

static ULONG flush(struct private_memory *memory)
{
	if (memory->full_handle)
		return ERROR_LOG_FILE_FULL;
	private_report(memory, ETW_ANCHOR_PERIOD);
	private_flush_now(memory, FLUSH_PATIENCE_US);
	private_internal_flush(memory, 0);
	return memory->session.writer.error ? private_file_error(memory->session.writer.error) :
					     ERROR_SUCCESS;
}

/* The bit alone is whatever session there is: QueryAllTraces() asks so. */
static bool is_meant(struct private_memory *memory, TRACEHANDLE handle, const char *wanted)
{
	if (!running(memory) || memory->stopping)
		return false;
	if (!handle)
		return wanted && text_is_same_name(wanted, memory->session.name);
	return handle == ETW_HANDLE_PRIVATE || private_key(handle) == running(memory);
}

static ULONG no_such(TRACEHANDLE handle)
{
	return handle ? ERROR_INVALID_HANDLE : ERROR_WMI_INSTANCE_NOT_FOUND;
}

static ULONG stop(struct private_memory *memory, EVENT_TRACE_PROPERTIES *properties, char *name,
		  char *file)
{
	ULONG error;
	bool alone;

	alone = close_streams(memory);
	memory->full_handle = 0;
	end_flushing(memory);
	error = finish(memory);
	if (properties)
		fill_in(memory, properties, name, file);
	/* a writer that is still inside may yet access a bad address */
	if (alone)
		private_faults_end();
	memory->stopping = false;
	return error;
}

static ULONG control_locked(struct private_memory *memory, EVENT_TRACE_PROPERTIES *properties,
			    char *name, char *file, ULONG code)
{
	ULONG error = ERROR_SUCCESS;

	switch (code) {
	case EVENT_TRACE_CONTROL_QUERY:
		break;
	case EVENT_TRACE_CONTROL_STOP:
		return stop(memory, properties, name, file);
	case EVENT_TRACE_CONTROL_UPDATE:
		error = update(memory, properties, file);
		break;
	case EVENT_TRACE_CONTROL_FLUSH:
		error = flush(memory);
		break;
	case EVENT_TRACE_CONTROL_INCREMENT_FILE:
		return ERROR_NOT_SUPPORTED;
	default:
		return ERROR_INVALID_PARAMETER;
	}
	fill_in(memory, properties, name, file);
	return error;
}

ULONG private_control(TRACEHANDLE handle, const char *wanted, EVENT_TRACE_PROPERTIES *properties,
		      char *name, char *file, ULONG code)
{
	struct private_memory *memory = private_memory();
	TRACEHANDLE ended = 0;
	struct private_signals quiet;
	ULONG error;

	if (!memory)
		return no_such(handle);
	private_signals_begin(memory, &quiet);
	if (is_meant(memory, handle, wanted)) {
		/* whatever becomes of its file */
		if (code == EVENT_TRACE_CONTROL_STOP)
			ended = running(memory);
		error = control_locked(memory, properties, name, file, code);
	} else {
		error = no_such(handle);
	}
	private_signals_end(memory, &quiet);
	/* without the lock: it calls the program's callbacks, which may control sessions */
	if (ended)
		etw_leave_private(ended);
	return error;
}

/* Another thread's, which has no lock while it waits for the flush thread; under the lock */
static void wait_for_stop(struct private_memory *memory)
{
	u32 waited;

	for (waited = 0; memory->stopping && waited < EXIT_PATIENCE_US; waited += LOOK_US) {
		pthread_mutex_unlock(&memory->lock);
		usleep(LOOK_US);
		private_lock(memory);
	}
}

/* exit(), or the return from main(): what was written is in a closed file. */
__attribute__((destructor)) static void program_ends(void)
{
	struct private_memory *memory = private_memory();
	struct private_signals quiet;

	if (!memory)
		return;
	private_signals_begin(memory, &quiet);
	wait_for_stop(memory);
	if (memory->handle || memory->full_handle)
		stop(memory, NULL, NULL, NULL);
	private_signals_end(memory, &quiet);
}
