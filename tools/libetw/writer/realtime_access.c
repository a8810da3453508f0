// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw-writer: the right to read a session, which its node has. */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include "realtime.h"

/* More groups than a process can have */
#define MOST_GROUPS	65536

static bool is_member(int connection, const struct ucred *peer, gid_t group)
{
	static gid_t groups[MOST_GROUPS];
	socklen_t size = sizeof(groups), i;

	if (peer->gid == group)
		return true;
	if (getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, groups, &size))
		return false;
	for (i = 0; i < size / sizeof(groups[0]); i++)
		if (groups[i] == group)
			return true;
	return false;
}

/*
 * What open() of the node would allow. Access lists and capabilities of a user other than root are
 * not looked up. Therefore a node with an access list is root's only.
 */
bool realtime_may_read(int connection, int stream)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);
	struct stat node;

	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return false;
	if (!peer.uid)
		return true;
	if (fstat(stream, &node) || fgetxattr(stream, "system.posix_acl_access", NULL, 0) >= 0)
		return false;
	if (peer.uid == node.st_uid)
		return node.st_mode & 0400;
	if (is_member(connection, &peer, node.st_gid))
		return node.st_mode & 0040;
	return node.st_mode & 0004;
}
