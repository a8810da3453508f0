// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The tabs: which tables and flame graphs there are, and what is in them. */
function notesOf(...names) {
	const file = model.data.facts.file, seen = new Set();
	const box = element("div", { class: "notes" });

	for (const name of names)
		for (const note of model.data[name].notes) {
			/* without the path in front of the file's name */
			const text = note.includes(file + ": ") ?
				note.slice(note.indexOf(file + ": ") + file.length + 2) :
					note.replace("warning: ", "");

			if (seen.has(text))
				continue;
			seen.add(text);
			box.append(element("p", { class: "quiet note" }, text.charAt(0).toUpperCase() +
				text.slice(1)));
		}
	return box;
}

function openProcess(row) {
	chooseProcess(processKey(row.pid, row.process));
}

const PROCESS = { name: "process", kind: "text", get: row => row.process || "–",
	open: openProcess };
const PID = { name: "pid", kind: "id", get: row => row.pid };
const TID = { name: "tid", kind: "id", get: row => row.tid };
const THREAD = { name: "thread", kind: "text", get: row => row.thread };

const CONTAINER = { name: "container", kind: "text",
	get: row => model.containers.get(processKey(row.pid, row.process)) || "none" };

/* With the container of each process, which the search finds, if the trace has containers */
function withContainers(columns) {
	return model.containers.size ? [...columns, CONTAINER] : columns;
}

/* Samples of each thread, by index */
function threadSamples() {
	const sums = new Map();

	eachItem(model.samples, i => {
		sums.set(model.samples.thread[i], (sums.get(model.samples.thread[i]) || 0) +
			model.samples.weight[i]);
	});
	return sums;
}

/* Rows of etw stat cpu if nothing is selected; otherwise sums of the timeline */
function threadRows() {
	const times = threadTimes(), samples = threadSamples(), known = new Map();
	const section = model.data.cpu.data;

	if (section && isWhole())
		return section.rows.map(row => ({ ...row, cpu: row["running ns"] }));
	for (const index of new Set([...times.keys(), ...samples.keys()])) {
		const thread = model.threads[index];

		if (thread)
			known.set(index, { ...thread, cpu: times.get(index) || 0,
				samples: samples.get(index) || 0 });
	}
	return [...known.values()].sort((a, b) => b.cpu - a.cpu || b.samples - a.samples);
}

function sumOf(rows, name) {
	return rows.reduce((sum, row) => sum + (row[name] || 0), 0);
}

function threadColumns(rows) {
	const [from, to] = selected(), list = [PROCESS, PID, TID, THREAD];

	if (model.slices)
		list.push({ name: "running", kind: "time", get: row => row.cpu, share: to - from },
			  { name: "% of a CPU", kind: "percent",
				get: row => 100 * row.cpu / (to - from) });
	if (rows.some(row => row.samples))
		list.push({ name: "samples", kind: "count", get: row => row.samples,
			share: sumOf(rows, "samples") });
	if (rows.some(row => "ready ns" in row))
		list.push({ name: "ready", kind: "time", get: row => row["ready ns"] },
			  { name: "waiting", kind: "time", get: row => row["waiting ns"] },
			  { name: "switches", kind: "count", get: row => row.switches },
			  { name: "longest ready", kind: "time",
				get: row => row["longest ready ns"] },
			  { name: "readied by", kind: "id", get: row => row["readied by"] });
	return withContainers(list);
}

function processRows() {
	const sums = new Map();

	for (const row of threadRows()) {
		const key = processKey(row.pid, row.process);

		if (!sums.has(key))
			sums.set(key, { pid: row.pid, process: row.process, threads: 0, cpu: 0,
				samples: 0 });
		const sum = sums.get(key);

		sum.threads++;
		sum.cpu += row.cpu || 0;
		sum.samples += row.samples || 0;
	}
	return [...sums.values()].sort((a, b) => b.cpu - a.cpu || b.samples - a.samples);
}

function processColumns(rows) {
	const list = threadColumns(rows).filter(column => ![TID, THREAD].includes(column));

	return [...list, { name: "threads", kind: "count", get: row => row.threads }];
}

function cpuRows() {
	const section = model.data.cpu.data, [from, to] = selected(), slices = model.slices;

	if (!section)
		return [];
	if (isWhole())
		return section.cpus;
	return model.cpus.map(cpu => {
		let busy = 0;

		for (let i = cpu.begin; i < cpu.end; i++) {
			const end = Math.min(slices.at[i] + slices.length[i], to);
			const part = end - Math.max(slices.at[i], from);

			if (part > 0 && slices.thread[i] >= 0 && isChosen(slices.thread[i]))
				busy += slices.weight[i] * part / slices.length[i];
		}
		return { cpu: cpu.cpu, "busy ns": busy };
	});
}

/* Groups of etw stat waits by reason if nothing is selected, otherwise of the list */
function waitGroups(by) {
	const section = model.data.waits.data, groups = new Map();

	if (!section)
		return [];
	if (isWhole() && by === "reason")
		return section.groups;
	for (const wait of selectedWaits()) {
		const label = by === "reason" ? wait.reason : by === "waker" ?
			(wait.by === null ? wait.how : (wait["by process"] || "") + " (" +
				wait.by + ")") :
			(wait.process || "") + " (" + wait.tid + ")";

		if (!groups.has(label))
			groups.set(label, { [by]: label, waits: 0, "waiting ns": 0,
				"longest waiting ns": 0, "ready ns": 0 });
		const group = groups.get(label);

		group.waits++;
		group["waiting ns"] += wait["waiting ns"];
		group["longest waiting ns"] = Math.max(group["longest waiting ns"],
			wait["waiting ns"]);
		group["ready ns"] += wait["ready ns"] || 0;
	}
	return [...groups.values()].sort((a, b) => b["waiting ns"] - a["waiting ns"]);
}

function groupColumns(by) {
	return () => [
		{ name: by, kind: "text", get: row => row[by] },
		{ name: "waits", kind: "count", get: row => row.waits },
		{ name: "waiting", kind: "time", get: row => row["waiting ns"] },
		{ name: "longest waiting", kind: "time", get: row => row["longest waiting ns"] },
		{ name: "ready", kind: "time", get: row => row["ready ns"] },
	];
}

function showWait(row) {
	select(row["at ns"], row["at ns"] + row["waiting ns"] + (row["ready ns"] || 0));
}

const waitColumns = () => [
	{ name: "at", kind: "stamp", get: row => row["at ns"], open: showWait },
	{ name: "waiting", kind: "time", get: row => row["waiting ns"] },
	{ name: "ready", kind: "time", get: row => row["ready ns"] },
	PROCESS, TID,
	{ name: "reason", kind: "text", get: row => row.reason },
	{ name: "made ready by", kind: "text", get: row => row.by === null ? row.how :
		(row["by process"] || "") + " (" + row.by + ")" },
	{ name: "caller", kind: "text", get: row => row.caller },
	{ name: "chain", kind: "text", get: row => row.chain },
	{ name: "stack", kind: "text", get: row => row.stack },
];

/* Reads and writes of the selected time by process: a request counts where it ends */
function selectedTransfers() {
	const sums = new Map(), operations = ["reads", "writes", "flushes"];
	const add = items => i => {
		const [pid, process] = model.data.disk.timeline.processes[items.thread[i]];
		const key = processKey(pid, process);

		if (!sums.has(key))
			sums.set(key, { process, pid, reads: 0, "bytes read": 0, writes: 0,
				"bytes written": 0, flushes: 0 });
		const name = items === model.requests ? operations[items.what[i]] :
			items.what[i] ? "bytes written" : "bytes read";

		sums.get(key)[name] += items.weight[i];
	};

	eachItem(model.requests, add(model.requests), isOwnerChosen("disk"));
	eachItem(model.transfers, add(model.transfers), isOwnerChosen("disk"));
	return [...sums.values()].sort((a, b) => b["bytes read"] +
		b["bytes written"] - a["bytes read"] - a["bytes written"]);
}

/* Faults of the selected time by process: a wait counts where it ends */
function faultRows() {
	const { processes, kinds } = model.data.faults.timeline, sums = new Map();
	const add = items => i => {
		const [pid, process] = processes[items.thread[i]], key = processKey(pid, process);

		if (!sums.has(key))
			sums.set(key, { process, pid, ...Object.fromEntries(kinds.map(x => [x, 0])),
				"waited ns": 0 });
		sums.get(key)[items === model.faults ? kinds[items.what[i]] : "waited ns"] +=
			items.weight[i];
	};

	eachItem(model.faults, add(model.faults), isOwnerChosen("faults"));
	eachItem(model.faultWaits, add(model.faultWaits), isOwnerChosen("faults"));
	return [...sums.values()].sort((a, b) => b["waited ns"] - a["waited ns"] ||
		sumOf([b], "demand zero") - sumOf([a], "demand zero"));
}

/* Interrupts of the selected time by processor: one counts where it ends */
function interruptRows() {
	const sums = new Map(), names = [["DPCs", "ISRs"], ["DPC ns", "ISR ns"]];
	const add = (items, list) => i => {
		const cpu = items.thread[i];

		if (!sums.has(cpu))
			sums.set(cpu, { cpu, DPCs: 0, "DPC ns": 0, ISRs: 0, "ISR ns": 0 });
		sums.get(cpu)[list[items.what[i]]] += items.weight[i];
	};

	if (!model.selection)
		return plainRows("dpc", "cpus");
	eachItem(model.interrupts, add(model.interrupts, names[0]), () => true);
	eachItem(model.interruptTimes, add(model.interruptTimes, names[1]), () => true);
	return [...sums.values()].sort((a, b) => b["DPC ns"] + b["ISR ns"] - a["DPC ns"] -
		a["ISR ns"]);
}

function diskRows() {
	return model.selection ? selectedTransfers() : plainRows("disk", "processes");
}

/* Rows as etw stat has them: of one process if they name one */
function plainRows(section, list) {
	const data = model.data[section].data;

	if (!data || !data[list])
		return [];
	return data[list].filter(row => !model.process || row.process === undefined ||
		row.pid === undefined ||
		processKey(row.pid, row.process) === model.process);
}

function plainTable(section, list, title, hidden) {
	return makeTable(section + "-" + list, title, rows => columnsOf(rows, hidden),
		() => plainRows(section, list));
}

/* Counters of the selected time: an interval counts where it ends, as in etw stat */
function selectedCounts() {
	const sums = new Map(), { counts, counters } = model;

	eachItem(counts, i => {
		const { pid, process } = model.threads[counts.thread[i]], key = processKey(pid,
			process);

		/* without a prototype: a counter may have the name of one of its members */
		if (!sums.has(key))
			sums.set(key, Object.assign(Object.create(null), { process, pid }));
		const sum = sums.get(key), name = counters[counts.what[i]];

		sum[name] = (sum[name] || 0) + counts.weight[i];
	});
	for (const sum of sums.values())
		if (sum.cycles)
			sum.IPC = (sum.instructions || 0) / sum.cycles;
	return [...sums.values()].sort((a, b) => (b[counters[0]] || 0) - (a[counters[0]] || 0));
}

function counterRows(list) {
	const data = model.data.counters.data;

	if (list === "rows" && model.selection)
		return selectedCounts();

	if (!data)
		return [];
	return plainRows("counters", list).map(({ values: { ns, ...values }, ...row }) =>
		({ ...row, "running ns": ns, ...values }));
}

function imageRows() {
	const data = model.data.processes.data;

	return data ? data.rows.filter(row => !model.process || processKey(row.pid,
		row.image) === model.process) : [];
}

function eventRows() {
	const sums = new Map(), names = model.data.events.names;

	if (isWhole())
		return model.data.summary.data.types;
	eachItem(model.moments, i => {
		const name = names[model.moments.what[i]];

		if (name[0] === "=")
			sums.set(name, (sums.get(name) || 0) + model.moments.weight[i]);
	});
	return [...sums].map(([name, events]) => ({ name: name.slice(1), events })).sort((a,
		b) => b.events - a.events);
}

const functionColumns = rows => [
	{ name: "function", kind: "text", get: row => row.function },
	{ name: "itself", kind: "count", get: row => row.self, share: sumOf(rows, "self") },
	{ name: "with callees", kind: "count", get: row => row.total },
];

/* Parts of tables that no time selects say so */
function wholeNote() {
	const node = element("p", { class: "quiet note" },
		"These numbers are of the whole report, not of the " +
		"selected time: 'etw report --range FROM-TO' makes them of a part.");

	return { node, draw: () => { node.hidden = !model.selection; } };
}

/* What a list leaves out is said where it matters. */
function note(text, isWanted) {
	const node = element("p", { class: "loss" }, text);

	return { node, draw: () => { node.hidden = !isWanted(); } };
}

function waitsNote() {
	const { waits, groups } = model.data.waits.data, count = sumOf(groups, "waits");

	return note("The list has the " + countText(waits.length) + " longest of " +
		countText(count) + " waits. Sums of a " +
		"selection, by waker and by thread are of these.", () => waits.length < count);
}

function cpuParts() {
	return [makeTable("processes", "Processes", processColumns, processRows),
		makeTable("threads", "Threads", threadColumns, threadRows),
		makeTable("cpus", "Processors", columnsOf, cpuRows)];
}

function sampleParts(tip) {
	return [makeFlame("samples", tip),
		makeTable("functions", "Functions", functionColumns, () => functionRows("samples"))];
}

function waitParts() {
	const groups = ["reason", "waker", "thread"].map(by =>
		makeTable("waits-" + by, "Waits of 1 ms or more by " + by, groupColumns(by),
			  () => waitGroups(by)));

	return [waitsNote(), ...groups,
		makeTable("waits", "The longest waits", waitColumns, selectedWaits),
		makeTable("idle", "Idle time of processors by cause", columnsOf,
			  () => plainRows("waits", "idle"))];
}

function diskParts() {
	return [makeTable("disk-processes", "Processes", rows => withContainers(columnsOf(rows)),
		diskRows),
		wholeNote(), plainTable("disk", "disks", "Disks"),
		plainTable("disk", "files", "Files", ["file"])];
}

function faultParts() {
	return [makeTable("faults-processes", "Processes",
		rows => withContainers(columnsOf(rows)), faultRows), wholeNote(),
		plainTable("faults", "threads", "Threads"),
		plainTable("faults", "files", "Files", ["file"]),
		plainTable("faults", "ranges", "Addresses")];
}

function interruptParts() {
	return [makeTable("dpc-cpus", "Processors", columnsOf, interruptRows), wholeNote(),
		plainTable("dpc", "routines", "Routines")];
}

function counterParts() {
	return [makeTable("counters", "Processes", rows => withContainers(columnsOf(rows)),
		() => counterRows("rows")),
		wholeNote(),
		makeTable("counters-cpus", "Processors", columnsOf, () => counterRows("cpus"))];
}

function eventParts() {
	const unnamed = model.data.events.unnamed;
	const columns = rows => [
		{ name: "event", kind: "text", get: row => row.name },
		{ name: "events", kind: "count", get: row => row.events,
		  share: sumOf(rows, "events") },
	];

	return [note(countText(unnamed) + " events of more than 4,096 names are not on the " +
		"timeline.", () => unnamed), makeTable("events", "Events", columns, eventRows)];
}

function missingParts() {
	const missing = Object.keys(model.data).filter(name => model.data[name].data === null);
	const text = element("p", {}, "The trace has no data for these parts:");

	return [{ node: element("div", {}, text, notesOf(...missing)), draw() {} }];
}

/* Name, whether it is there, the sections whose notes it shows, its parts: { node, draw } each */
function makeTabs(tip) {
	const has = name => model.data[name].data;
	const someMissing = Object.values(model.data).some(section => section.data === null);

	return [
		...compareTabs(tip),
		["CPU", has("cpu") || has("samples"), ["cpu"], cpuParts],
		["Flame graph: CPU", has("samples"), ["samples"], () => sampleParts(tip)],
		["Waits", has("waits"), ["waits"], waitParts],
		["Flame graph: waiting", has("waiting"), ["waiting"],
		 () => [makeFlame("waiting", tip)]],
		["Disk", has("disk"), ["disk"], diskParts],
		["Page faults", has("faults"), ["faults"], faultParts],
		["Interrupts", has("dpc"), ["dpc"], interruptParts],
		["Counters", has("counters"), ["counters"], counterParts],
		["Events", true, [], eventParts],
		["Processes", has("processes"), ["processes"],
		 () => [wholeNote(), makeTable("images", "Processes", columnsOf, imageRows)]],
		["Not recorded", someMissing, [], missingParts],
	].filter(([, there]) => there);
}
