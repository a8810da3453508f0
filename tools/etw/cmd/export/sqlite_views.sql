-- SPDX-License-Identifier: GPL-2.0
-- Copyright (C) 2026 The etw authors
CREATE INDEX index_switches_by_time ON switches (ts);
CREATE INDEX index_switches_by_thread ON switches (new_thread, ts);
CREATE INDEX index_ready_by_thread ON ready (thread, ts);
CREATE INDEX index_states_by_thread ON states (thread, ts);
CREATE INDEX index_waits_by_thread ON waits (thread, ts);
CREATE INDEX index_samples_by_stack ON samples (stack);
CREATE INDEX index_samples_by_time ON samples (ts);
CREATE INDEX index_off_cpu_by_stack ON off_cpu (stack);
CREATE INDEX index_stacks_by_caller ON stacks (caller);
CREATE INDEX index_disk_by_time ON disk (ts);
CREATE INDEX index_file_io_by_key ON file_io (key);
CREATE INDEX index_faults_by_thread ON faults (thread);
CREATE INDEX index_hard_faults_by_file ON hard_faults (file);
CREATE INDEX index_network_by_process ON network (process);
CREATE INDEX index_events_by_name ON events (event, ts);
CREATE INDEX index_events_by_activity ON events (activity) WHERE activity IS NOT NULL;
CREATE INDEX index_threads_by_tid ON threads (tid);
CREATE INDEX index_processes_by_pid ON processes (pid);

CREATE VIEW thread_names AS
SELECT threads.id AS thread, pid, tid, coalesce(processes.name, '') AS process_name,
	coalesce(threads.name, '') AS thread_name, process
FROM threads LEFT JOIN processes ON processes.id = process;

CREATE VIEW cpu_by_thread AS
SELECT pid, tid, process_name, thread_name,
	coalesce(sum(dur) FILTER (WHERE state = 'running'), 0) AS running,
	coalesce(sum(dur) FILTER (WHERE state = 'ready'), 0) AS ready,
	coalesce(sum(dur) FILTER (WHERE state = 'waiting'), 0) AS waiting,
	coalesce(sum(dur) FILTER (WHERE state = 'unknown'), 0) AS unknown,
	coalesce(max(dur) FILTER (WHERE state = 'ready'), 0) AS longest_ready
FROM states JOIN thread_names USING (thread) GROUP BY thread ORDER BY running DESC;

CREATE VIEW cpu_by_process AS
SELECT pid, process_name, count(DISTINCT thread) AS threads,
	coalesce(sum(dur) FILTER (WHERE state = 'running'), 0) AS running,
	coalesce(sum(dur) FILTER (WHERE state = 'ready'), 0) AS ready,
	coalesce(sum(dur) FILTER (WHERE state = 'waiting'), 0) AS waiting,
	coalesce(sum(dur) FILTER (WHERE state = 'unknown'), 0) AS unknown,
	coalesce(max(dur) FILTER (WHERE state = 'ready'), 0) AS longest_ready
FROM states JOIN thread_names USING (thread)
GROUP BY coalesce(process, -1 - thread) ORDER BY running DESC;

CREATE VIEW waits_by_recorded_reason AS
SELECT pid, tid, process_name, reason, count(*) AS waits, sum(dur) AS waiting
FROM states JOIN thread_names USING (thread) WHERE state = 'waiting'
GROUP BY thread, reason ORDER BY waiting DESC;

CREATE VIEW ready_percentiles AS
SELECT pid, process_name, count(*) AS times,
	min(dur) FILTER (WHERE place * 100 >= 50 * times) AS p50,
	min(dur) FILTER (WHERE place * 100 >= 90 * times) AS p90,
	min(dur) FILTER (WHERE place * 100 >= 99 * times) AS p99, max(dur) AS longest
FROM (SELECT pid, process_name, owner, dur,
		row_number() OVER (PARTITION BY owner ORDER BY dur) AS place,
		count(*) OVER (PARTITION BY owner) AS times
	FROM (SELECT pid, process_name, coalesce(process, -1 - thread) AS owner, dur
		FROM states JOIN thread_names USING (thread) WHERE state = 'ready'))
GROUP BY owner ORDER BY longest DESC;

CREATE VIEW waits_by_reason AS
SELECT reason, count(*) AS waits, sum(waiting) AS waiting, max(waiting) AS longest,
	sum(coalesce(ready, 0)) AS ready
FROM waits GROUP BY reason ORDER BY waiting DESC;

CREATE VIEW top_waits AS
SELECT ts, waits.waiting, waits.ready, cpu, own.pid, own.tid, own.process_name,
	own.thread_name, reason, recorded, how, other.tid AS waker_tid,
	other.process_name AS waker_process, waits.stack, waits.waker_stack
FROM waits JOIN thread_names AS own USING (thread)
LEFT JOIN thread_names AS other ON other.thread = waits.waker ORDER BY waits.waiting DESC;

CREATE VIEW stack_paths AS
SELECT stacks.id AS stack, (WITH RECURSIVE up (id, caller, frame) AS (
		SELECT id, caller, frame FROM stacks AS leaf WHERE leaf.id = stacks.id
		UNION ALL
		SELECT next.id, next.caller, next.frame FROM up JOIN stacks AS next
			ON next.id = up.caller)
	SELECT group_concat(name, ';') FROM (SELECT name FROM up JOIN frames
		ON frames.id = up.frame ORDER BY up.id)) AS path
FROM stacks;

CREATE VIEW off_cpu_by_stack AS
SELECT path, waits, waited FROM (SELECT stack, count(*) AS waits, sum(waited) AS waited
	FROM off_cpu GROUP BY stack) JOIN stack_paths USING (stack) ORDER BY waited DESC;

CREATE VIEW samples_by_stack AS
SELECT path, samples FROM (SELECT stack, sum(count) AS samples FROM samples GROUP BY stack)
JOIN stack_paths USING (stack) ORDER BY samples DESC;

CREATE VIEW samples_by_function AS
SELECT name, source, sum(count) AS samples FROM samples JOIN stacks ON stacks.id = stack
JOIN frames ON frames.id = frame GROUP BY name, source ORDER BY samples DESC;

CREATE VIEW samples_by_thread AS
SELECT pid, tid, process_name, thread_name, source, sum(count) AS samples
FROM samples JOIN thread_names USING (thread) GROUP BY thread, source ORDER BY samples DESC;

CREATE VIEW disk_by_disk AS
SELECT disk, disks.name, sum(op = 'read') AS reads,
	coalesce(sum(bytes) FILTER (WHERE op = 'read'), 0) AS bytes_read,
	sum(op = 'write') AS writes,
	coalesce(sum(bytes) FILTER (WHERE op = 'write'), 0) AS bytes_written,
	sum(op = 'flush') AS flushes, sum(service) AS service, max(service) AS longest_service,
	sum(io) AS io, max(io) AS longest_io
FROM disk LEFT JOIN disks USING (disk) GROUP BY disk ORDER BY service DESC;

CREATE VIEW disk_by_process AS
SELECT pid, name AS process_name, sum(op = 'read') AS reads,
	coalesce(sum(bytes) FILTER (WHERE op = 'read'), 0) AS bytes_read, sum(op = 'write') AS writes,
	coalesce(sum(bytes) FILTER (WHERE op = 'write'), 0) AS bytes_written,
	sum(op = 'flush') AS flushes,
	sum(service) AS service, max(service) AS longest_service, sum(io) AS io,
	max(io) AS longest_io
FROM disk LEFT JOIN processes ON processes.id = process GROUP BY process ORDER BY service DESC;

CREATE VIEW disk_by_file AS
SELECT file, path, sum(op = 'read') AS reads,
	coalesce(sum(bytes) FILTER (WHERE op = 'read'), 0) AS bytes_read,
	sum(op = 'write') AS writes,
	coalesce(sum(bytes) FILTER (WHERE op = 'write'), 0) AS bytes_written,
	sum(service) AS service, max(service) AS longest_service, sum(io) AS io,
	max(io) AS longest_io
FROM disk LEFT JOIN files ON key = file WHERE file IS NOT NULL GROUP BY file
ORDER BY service DESC;

CREATE VIEW dpc_by_routine AS
SELECT kind, vector, routine, function, count(*) AS times, sum(dur) AS took, max(dur) AS longest
FROM interrupts GROUP BY kind, vector, routine ORDER BY took DESC;

CREATE VIEW dpc_by_cpu AS
SELECT cpu, sum(kind != 'ISR') AS dpcs,
	coalesce(sum(dur) FILTER (WHERE kind != 'ISR'), 0) AS dpc,
	sum(kind = 'ISR') AS isrs, coalesce(sum(dur) FILTER (WHERE kind = 'ISR'), 0) AS isr
FROM interrupts GROUP BY cpu ORDER BY dpc DESC;

CREATE VIEW faults_by_thread AS
SELECT pid, tid, process_name, sum(event = 'Memory/TransitionFault') AS transition,
	sum(event = 'Memory/DemandZeroFault') AS demand_zero,
	sum(event = 'Memory/CopyOnWrite') AS copy_on_write,
	sum(event = 'Memory/GuardMemory') AS guard, sum(event = 'Memory/HardMemory') AS hard,
	sum(event = 'Memory/AccessViolation') AS violations
FROM faults JOIN thread_names USING (thread) GROUP BY thread ORDER BY count(*) DESC;

CREATE VIEW hard_faults_by_file AS
SELECT file, files.path, count(*) AS waits, sum(dur) AS waited, max(dur) AS longest,
	sum(bytes) AS bytes
FROM hard_faults LEFT JOIN files ON key = file GROUP BY file ORDER BY waited DESC;

CREATE VIEW file_io_by_file AS
SELECT coalesce(file_io.path, files.path) AS file_path, event, count(*) AS times,
	sum(bytes) AS bytes
FROM file_io LEFT JOIN files ON files.key = coalesce(file_io.key, object)
GROUP BY file_path, event ORDER BY bytes DESC;

CREATE VIEW network_by_process AS
SELECT pid, name AS process_name, event, count(*) AS times, sum(bytes) AS bytes
FROM network LEFT JOIN processes ON processes.id = process GROUP BY process, event
ORDER BY bytes DESC;

CREATE VIEW process_list AS
SELECT pid, parent, started, ended, status, threads, image, command FROM processes
WHERE wanted ORDER BY pid;
