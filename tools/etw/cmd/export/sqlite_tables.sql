-- SPDX-License-Identifier: GPL-2.0
-- Copyright (C) 2026 The etw authors
-- Times are nanoseconds since the start of the session. thread and process are ids of the tables
-- threads and processes, because Linux gives a number to several threads, one after the other.
CREATE TABLE meta (name TEXT PRIMARY KEY, value);
CREATE TABLE clocks (ts INTEGER, reason TEXT, filetime INTEGER, monotonic INTEGER,
	monotonic_raw INTEGER, boottime INTEGER);
CREATE TABLE event_counts (name TEXT, events INTEGER);
CREATE TABLE losses (ts INTEGER, cpu INTEGER, cause TEXT, count INTEGER, total INTEGER);
CREATE TABLE processes (id INTEGER PRIMARY KEY, pid INTEGER, name TEXT, parent INTEGER,
	started INTEGER, ended INTEGER, status INTEGER, threads INTEGER, image TEXT, command TEXT,
	wanted INTEGER);
CREATE TABLE threads (id INTEGER PRIMARY KEY, tid INTEGER, process INTEGER, name TEXT,
	started INTEGER, ended INTEGER);
CREATE TABLE images (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	base INTEGER, size INTEGER, path TEXT);
CREATE TABLE files (key INTEGER PRIMARY KEY, path TEXT);
CREATE TABLE disks (disk INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE switches (ts INTEGER, cpu INTEGER, new_thread INTEGER, old_thread INTEGER,
	new_priority INTEGER, old_priority INTEGER, old_state TEXT, wait_reason TEXT);
CREATE TABLE ready (ts INTEGER, cpu INTEGER, thread INTEGER, in_interrupt INTEGER);
CREATE TABLE states (thread INTEGER, state TEXT, reason TEXT, ts INTEGER, dur INTEGER);
CREATE TABLE cpus (cpu INTEGER PRIMARY KEY, busy INTEGER, idle INTEGER, lost INTEGER,
	paused INTEGER, offline INTEGER, filtered_out INTEGER, total INTEGER, switches INTEGER);
CREATE TABLE waits (thread INTEGER, cpu INTEGER, reason TEXT, recorded TEXT, ts INTEGER,
	waiting INTEGER, ready INTEGER, how TEXT, waker INTEGER, holder INTEGER, stack INTEGER,
	waker_stack INTEGER);
CREATE TABLE samples (ts INTEGER, cpu INTEGER, thread INTEGER, source TEXT, count INTEGER,
	address INTEGER, stack INTEGER);
CREATE TABLE off_cpu (ts INTEGER, cpu INTEGER, thread INTEGER, waited INTEGER, stack INTEGER);
CREATE TABLE stacks (id INTEGER PRIMARY KEY, caller INTEGER, frame INTEGER);
CREATE TABLE frames (id INTEGER PRIMARY KEY, name TEXT, module TEXT, function TEXT,
	kernel INTEGER);
CREATE TABLE disk (ts INTEGER, op TEXT, disk INTEGER, process INTEGER, bytes INTEGER,
	offset INTEGER, file INTEGER, service INTEGER, io INTEGER);
CREATE TABLE interrupts (ts INTEGER, cpu INTEGER, kind TEXT, vector INTEGER, routine INTEGER,
	function TEXT, dur INTEGER);
CREATE TABLE faults (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	address INTEGER, code INTEGER);
CREATE TABLE hard_faults (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	address INTEGER, file INTEGER, offset INTEGER, bytes INTEGER, dur INTEGER);
CREATE TABLE file_io (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	irp INTEGER, object INTEGER, key INTEGER, offset INTEGER, bytes INTEGER, path TEXT,
	status INTEGER);
CREATE TABLE network (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	bytes INTEGER, source TEXT, source_port INTEGER, destination TEXT,
	destination_port INTEGER, connection INTEGER);
CREATE TABLE syscalls (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	address INTEGER, status INTEGER);
CREATE TABLE events (ts INTEGER, cpu INTEGER, thread INTEGER, process INTEGER, event TEXT,
	provider TEXT, id INTEGER, level INTEGER, opcode INTEGER, keyword INTEGER,
	activity TEXT, fields TEXT);
