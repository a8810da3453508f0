// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * etw-writer: reads a session of StartTrace() into its file. The process belongs to the session:
 * it ends with the session, not with the program that called StartTrace().
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "session_file.h"

/* Of errors of a file, write() is to return them; of a terminal there is none. */
static void set_signals(struct session_file *file)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ };
	unsigned int i;
	sigset_t mask;

	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	/* what the system sends before it shuts down: the file is to be closed */
	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	file->signals = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

/* Nothing of the program is left: its descriptors were closed before exec. */
static void detach(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd;

	setsid();
	if (chdir("/"))
		return;
	for (fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		if (fd != WRITER_SOCKET)
			dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}

int main(int argc, char **argv)
{
	static struct session_file file;

	(void)argv;
	if (argc > 1 || fcntl(WRITER_SOCKET, F_GETFD) < 0 || isatty(WRITER_SOCKET)) {
		fputs("etw-writer is started by StartTrace(), see Documentation/reference/libetw.rst\n",
		      stderr);
		return 2;
	}
	/* first: its descriptors take the numbers of standard output and error */
	detach();
	set_signals(&file);
	if (!handshake(&file))
		return 1;
	copy_session(&file);
	return file.error != ERROR_SUCCESS;
}
