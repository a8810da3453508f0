// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Calls that control the private session: neither signals nor cancellation come over them. */
#include <signal.h>
#include <time.h>
#include "private.h"

/* What a write to the file can bring upon us, which the program gets as an error instead */
static const int of_writes[] = { SIGXFSZ, SIGPIPE };

/*
 * A handler of this thread that logs would wait for a seal of ours (C in private.h), and we
 * for it to return; one that controls the session, for the lock.
 */
void private_signals_begin(struct private_memory *memory, struct private_signals *quiet)
{
	sigset_t all;

	quiet->cancel = etw_cancel_disable();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &quiet->before);
	sigpending(&quiet->pending);
	private_lock(memory);
}

void private_signals_end(struct private_memory *memory, const struct private_signals *quiet)
{
	static const struct timespec now;
	unsigned int i;
	sigset_t one;

	pthread_mutex_unlock(&memory->lock);
	for (i = 0; i < sizeof(of_writes) / sizeof(of_writes[0]); i++) {
		if (sigismember(&quiet->pending, of_writes[i]))
			continue;
		sigemptyset(&one);
		sigaddset(&one, of_writes[i]);
		sigtimedwait(&one, NULL, &now);
	}
	pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
	etw_cancel_restore(quiet->cancel);
}
