// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The flush thread: full buffers into the file, buffers for rings that run short, the timer. */
#include <errno.h>
#include <linux/futex.h>
#include <linux/mm.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "private.h"

/* How often streams of dead threads, and buffers to spare, are looked for */
#define HOUSEKEEPING_MS		1000
/* How long a timer's flush waits for threads that are inside an event */
#define TIMER_PATIENCE_US	2000

/*
 * A buffer is full. The flush thread compares @queued with what it saw before
 * it looked for buffers, so a wake-up in between is not lost; the system call
 * is made only while it sleeps.
 */
void irq_work_queue(struct irq_work *work)
{
	int saved = errno;

	__atomic_add_fetch(&work->queued, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&work->asleep, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &work->queued, FUTEX_WAKE_PRIVATE, 1);
	errno = saved;
}

static void sleep_until_woken(struct irq_work *work, u32 seen, u32 ms)
{
	struct timespec length = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	__atomic_store_n(&work->asleep, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &work->queued, FUTEX_WAIT_PRIVATE, seen, &length);
	__atomic_store_n(&work->asleep, 0, __ATOMIC_SEQ_CST);
}

static u64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/*
 * Nothing that was written may wait: for FLUSH, and for the timer. Under
 * memory->lock.
 */
void private_flush_now(struct private_memory *memory, u32 patience_us)
{
	private_seal_all(memory, patience_us);
	private_deliver(memory);
}

/* Under memory->lock. Return: ms until there is something to do without being woken */
static u32 work(struct private_memory *memory, u64 *next_flush, u64 *next_look)
{
	u32 done = 0;
	struct private_session *session = &memory->session;
	u32 flush_ms = session->overwrite ? 0 : session->flush_ms;
	u64 now = now_ms();

	/* UPDATE may have made it shorter */
	*next_flush = min(*next_flush, now + flush_ms);
	if (flush_ms && now >= *next_flush) {
		private_report(memory, ETW_ANCHOR_PERIOD);
		private_flush_now(memory, TIMER_PATIENCE_US);
		/* a killed program stops no session: its losses would be in no file */
		if (session->internal_losses)
			private_internal_flush(memory, 0);
		*next_flush = now + flush_ms;
	} else if (!session->overwrite) {
		done = private_deliver(memory);
	}
	if (now >= *next_look) {
		private_streams_reclaim(memory);
		private_shrink(memory);
		*next_look = now + HOUSEKEEPING_MS;
	}
	if (done)
		return 0;
	if (flush_ms && *next_flush < *next_look)
		return *next_flush > now ? *next_flush - now : 0;
	return *next_look - now;
}

/* For control: comes before the flush thread's next piece of work */
void private_lock(struct private_memory *memory)
{
	__atomic_add_fetch(&memory->waiting, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&memory->lock);
	__atomic_sub_fetch(&memory->waiting, 1, __ATOMIC_RELAXED);
}

static void *flush_thread(void *argument)
{
	struct private_memory *memory = argument;
	u64 next_flush = now_ms() + memory->session.flush_ms;
	u64 next_look = now_ms() + HOUSEKEEPING_MS;
	u32 seen, ms;

	while (!__atomic_load_n(&memory->ending, __ATOMIC_ACQUIRE)) {
		seen = smp_load_acquire(&memory->wake.queued);
		/* mutexes aren't fair, and we may have work without end */
		while (READ_ONCE(memory->waiting))
			usleep(20);
		pthread_mutex_lock(&memory->lock);
		ms = memory->handle ? work(memory, &next_flush, &next_look) : HOUSEKEEPING_MS;
		pthread_mutex_unlock(&memory->lock);
		if (ms)
			sleep_until_woken(&memory->wake, seen, ms);
	}
	return NULL;
}

/* The program's signals are not for our thread. Return: 0 or an errno */
int private_flush_start(struct private_memory *memory)
{
	sigset_t all, old;
	int err;

	memory->ending = false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&memory->thread, NULL, flush_thread, memory);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	memory->running = !err;
	return err;
}

/* Not under memory->lock */
void private_flush_end(struct private_memory *memory)
{
	if (!memory->running)
		return;
	__atomic_store_n(&memory->ending, true, __ATOMIC_RELEASE);
	irq_work_queue(&memory->wake);
	pthread_join(memory->thread, NULL);
	memory->running = false;
}
