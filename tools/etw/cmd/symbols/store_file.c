// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Files of the store, which take their place when they are whole. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/unfinished.h"
#include "etw.h"
#include "store.h"

#define SUFFIX	".XXXXXX"

/* The file that is being written; one at a time */
static char temporary[STORE_PATH + sizeof(SUFFIX)];

/* Names of devices on Windows, also with an extension */
static bool is_device(const char *name)
{
	static const char *const devices[] = {
		"con", "prn", "aux", "nul", "conin$", "conout$", "com#", "lpt#",
		/* superscript 1, 2, 3 */
		"com\302\271", "com\302\262", "com\302\263", "lpt\302\271", "lpt\302\262",
		"lpt\302\263",
	};
	size_t i, k, length = strcspn(name, ".");

	while (length && name[length - 1] == ' ')
		length--;
	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		if (strlen(devices[i]) != length)
			continue;
		for (k = 0; k < length; k++)
			if (devices[i][k] == '#' ? !isdigit((uint8_t)name[k]) :
			    devices[i][k] != (char)tolower((uint8_t)name[k]))
				break;
		if (k == length)
			return true;
	}
	return false;
}

bool store_name_is_safe(const char *name)
{
	size_t length = strlen(name);
	const char *at;

	/* Windows ignores dots and blanks at the end; "." and ".." are no files anywhere */
	if (!length || length > 240 || strchr(". ", name[length - 1]) || is_device(name))
		return false;
	for (at = name; *at; at++)
		if ((uint8_t)*at < 0x20 || strchr("/\\:*?\"<>|\x7f", *at))
			return false;
	return true;
}

static bool fail(struct store *store, const char *path, const char *why)
{
	failed("symbols: %s: %s", path, why);
	store->failed = true;
	return false;
}

/* The folders on the way to a file */
static bool make_folders(char *path)
{
	char *at;
	int err;

	for (at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		err = mkdir(path, 0777) && errno != EEXIST;
		*at = '/';
		if (err)
			return false;
	}
	return true;
}

static bool full_path(struct store *store, const char *path, char to[STORE_PATH])
{
	int n = snprintf(to, STORE_PATH, "%s/%s", store->options->directory, path);

	if (n >= STORE_PATH)
		return fail(store, path, strerror(ENAMETOOLONG));
	return make_folders(to) || fail(store, to, strerror(errno));
}

FILE *store_create(struct store *store, const char *path)
{
	char to[STORE_PATH];
	FILE *file = NULL;
	mode_t mask;
	int fd;

	if (!full_path(store, path, to))
		return NULL;
	snprintf(temporary, sizeof(temporary), "%s" SUFFIX, to);
	unfinished_hold();
	fd = mkstemp(temporary);
	unfinished_begin(fd < 0 ? NULL : temporary);
	mask = umask(0);
	umask(mask);
	if (fd >= 0 && !fchmod(fd, 0666 & ~mask))
		file = fdopen(fd, "w");
	if (file)
		return file;
	fail(store, temporary, strerror(errno));
	if (fd >= 0)
		close(fd);
	unfinished_remove();
	unfinished_end();
	return NULL;
}

bool store_finish(struct store *store, FILE *file, const char *path, bool good)
{
	bool broken = ferror(file);
	char to[STORE_PATH];
	int err = 0;

	if (fclose(file) || broken)
		err = errno ? errno : EIO;
	if (good && !err && full_path(store, path, to) && rename(temporary, to))
		err = errno;
	if (!good || err || store->failed)
		unfinished_remove();
	unfinished_end();
	return good && !err ? !store->failed : err ? fail(store, path, strerror(err)) : false;
}

static bool copy_bytes(int from, int to)
{
	static uint8_t bytes[1 << 16];
	ssize_t n, written, at;

	while ((n = read(from, bytes, sizeof(bytes))) > 0) {
		for (at = 0; at < n; at += written) {
			written = write(to, bytes + at, n - at);
			if (written < 0)
				return false;
		}
	}
	return !n;
}

/* What was copied is looked at, because the file may have been replaced meanwhile. */
static bool has_id(const char *path, const uint8_t *id, unsigned int bytes)
{
	uint8_t found[ELF_LAYOUT_ID];

	return build_id_of_file(path, found, sizeof(found)) == bytes && !memcmp(found, id, bytes);
}

bool store_copy(struct store *store, const char *from, const char *path, const uint8_t *id,
		unsigned int bytes, bool *copied)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool good, same;
	FILE *file;

	*copied = false;
	if (fd < 0)
		return fail(store, from, strerror(errno));
	file = store_create(store, path);
	if (!file) {
		close(fd);
		return false;
	}
	good = copy_bytes(fd, fileno(file));
	if (!good)
		fail(store, path, strerror(errno));
	close(fd);
	same = good && has_id(temporary, id, bytes);
	*copied = store_finish(store, file, path, same) && same;
	return !store->failed;
}

bool store_link(struct store *store, const char *target, const char *path)
{
	char to[STORE_PATH];

	if (!full_path(store, path, to))
		return false;
	if (!symlink(target, to))
		return true;
	/* the same build-id has the same file, perhaps of another name */
	return errno == EEXIST || fail(store, to, strerror(errno));
}
