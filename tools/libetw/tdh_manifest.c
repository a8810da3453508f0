// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Manifests that the program loads. Windows has a registry for these, too. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "consume.h"
#include "manifest/manifest.h"
#include "manifest/wevt.h"
#include "tdh_private.h"

/**
 * struct loaded - a manifest
 * @next: the one that was loaded after it
 * @name: as the program wrote it
 * @infos: descriptions of its events
 */
struct loaded {
	struct loaded *next;
	char *name;
	struct event_infos *infos;
};

/* Under tdh_lock() */
static struct loaded *loaded;

const struct event_infos *tdh_manifest_next(const struct event_infos *last)
{
	const struct loaded *at = loaded;

	while (last && at && at->infos != last)
		at = at->next;
	if (last && at)
		at = at->next;
	return at ? at->infos : NULL;
}

/* Return: where the manifest is in the list, or where the list ends */
static struct loaded **find(const char *name)
{
	struct loaded **at = &loaded;

	while (*at && strcmp((*at)->name, name))
		at = &(*at)->next;
	return at;
}

/* libxml2 would wait for a pipe */
static ULONG check_file(const char *name)
{
	struct stat file;

	if (stat(name, &file))
		return consume_file_error(errno);
	if (!S_ISREG(file.st_mode))
		return consume_file_error(EISDIR);
	return wevt_is_one(name) || xml_is_here() ? ERROR_SUCCESS : ERROR_MOD_NOT_FOUND;
}

static ULONG read_manifest(const char *name, struct event_infos **to)
{
	struct event_infos *infos = calloc(1, sizeof(*infos));
	ULONG err = ERROR_SUCCESS;

	if (!infos)
		return ERROR_OUTOFMEMORY;
	errno = 0;
	if (!manifest_read(infos, name))
		err = errno == ENOMEM ? ERROR_OUTOFMEMORY :
		      errno == EACCES ? ERROR_ACCESS_DENIED : ERROR_XML_PARSE_ERROR;
	else if (infos->ignored)
		err = ERROR_NOT_ENOUGH_QUOTA;
	if (err)
		event_infos_free(infos);
	else
		*to = infos;
	return err;
}

/* What was loaded by this name before stays unless the new one is complete. Takes @name */
static ULONG load(char *name)
{
	struct loaded **at = find(name), *new = NULL;
	struct event_infos *infos = NULL;
	ULONG err = check_file(name);

	if (!err)
		err = read_manifest(name, &infos);
	if (!err && !*at) {
		new = calloc(1, sizeof(*new));
		if (!new)
			err = ERROR_OUTOFMEMORY;
	}
	if (err || *at)
		free(name);
	if (err) {
		event_infos_free(infos);
		return err;
	}
	if (new) {
		new->name = name;
		*at = new;
	}
	event_infos_free((*at)->infos);
	(*at)->infos = infos;
	return ERROR_SUCCESS;
}

/**
 * TdhLoadManifest() - describes the events of a manifest from now on
 * @Manifest: path of the instrumentation XML, or of a binary template of mc.exe
 *
 * The calls of tdh.h of the whole process know the events. If several manifests describe an event,
 * the one that was loaded first counts; it counts more than a description in a file. A manifest
 * that is loaded again is read again.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER: no path; ERROR_FILE_NOT_FOUND,
 * ERROR_PATH_NOT_FOUND, ERROR_BAD_PATHNAME; ERROR_ACCESS_DENIED: no right to read it, or no file;
 * ERROR_MOD_NOT_FOUND: libxml2 is missing; ERROR_XML_PARSE_ERROR: no XML, or no manifest;
 * ERROR_NOT_ENOUGH_QUOTA: it has more than 64 MB of descriptions; ERROR_OUTOFMEMORY. After an
 * error, what was loaded before stays.
 */
TDHSTATUS TdhLoadManifest(PWSTR Manifest)
{
	char *name = NULL;
	int before;
	ULONG err;

	if (!Manifest)
		return ERROR_INVALID_PARAMETER;
	before = etw_cancel_disable();
	err = consume_copy_name(true, Manifest, &name);
	if (err) {
		free(name);
	} else {
		tdh_lock();
		err = load(name);
		tdh_unlock();
	}
	etw_cancel_restore(before);
	return err;
}

/**
 * TdhLoadManifestFromBinary() - describes the events of a program from now on
 * @BinaryPath: path of a PE file with a resource WEVT_TEMPLATE, such as a DLL of Windows
 *
 * Return: as TdhLoadManifest(); ERROR_XML_PARSE_ERROR: there is no such resource. TdhUnloadManifest()
 * with the same path forgets the events.
 */
TDHSTATUS TdhLoadManifestFromBinary(PWSTR BinaryPath)
{
	return TdhLoadManifest(BinaryPath);
}

/**
 * TdhUnloadManifest() - forgets the events of a manifest
 * @Manifest: path, as TdhLoadManifest() got it
 *
 * Return: ERROR_SUCCESS; ERROR_NOT_FOUND: it is not loaded; ERROR_INVALID_PARAMETER: no path;
 * ERROR_BAD_PATHNAME; ERROR_OUTOFMEMORY.
 */
TDHSTATUS TdhUnloadManifest(PWSTR Manifest)
{
	struct loaded **at, *gone;
	char *name = NULL;
	ULONG err;

	if (!Manifest)
		return ERROR_INVALID_PARAMETER;
	err = consume_copy_name(true, Manifest, &name);
	if (err) {
		free(name);
		return err;
	}
	tdh_lock();
	at = find(name);
	gone = *at;
	if (gone) {
		*at = gone->next;
		event_infos_free(gone->infos);
		free(gone->name);
		free(gone);
	}
	tdh_unlock();
	free(name);
	return gone ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}
