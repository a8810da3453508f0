// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The trace, what is selected of it, and sums over the selection. */
const model = {
	data: null,
	from: 0, to: 1,			/* ns: the whole of it */
	view: [0, 1],			/* what the timeline shows */
	selection: null,		/* [from, to] or null */
	process: null,			/* key of a process, or null */
	search: "",
	perSecond: false,		/* two files are compared by the second */
	grain: 0,
	threads: [],			/* { pid, tid, process, thread, key } */
	cpus: [],			/* { cpu, first, last, begin, end }: elements of slices */
	slices: null, samples: null, waiting: null, moments: null, counts: null,
	transfers: null, requests: null,	/* of disks: bytes, and how many */
	faults: null, faultWaits: null,	/* page faults: how many, and ns of waits */
	interrupts: null, interruptTimes: null,
	counters: [],			/* names of what is counted */
	containers: new Map(),		/* name of the container by key of the process */
	processes: new Map(),		/* key: { key, name, pid, ns, samples, colour } */
	listeners: [],
};

function changed(what) {
	for (const listener of model.listeners)
		listener(what);
}

function processKey(pid, name) {
	return pid === null ? "unknown process" : (name || "pid") + " (" + pid + ")";
}

function processOf(index) {
	const thread = model.threads[index];

	return thread ? model.processes.get(thread.key) : undefined;
}

function addProcess(thread) {
	if (!model.processes.has(thread.key))
		model.processes.set(thread.key, {
			key: thread.key, name: thread.process, pid: thread.pid, ns: 0, samples: 0,
		});
}

function splitByCpu(timeline) {
	const slices = model.slices;

	for (const cpu of timeline.cpus) {
		const begin = lowerBound(slices.what, cpu.cpu);

		model.cpus.push({ ...cpu, begin, end: lowerBound(slices.what, cpu.cpu + 1,
			begin) });
	}
}

function rankProcesses() {
	const all = [...model.processes.values()];

	for (let i = 0; model.slices && i < model.slices.count; i++) {
		const process = processOf(model.slices.thread[i]);

		if (process)
			process.ns += model.slices.weight[i];
	}
	for (let i = 0; model.samples && i < model.samples.count; i++) {
		const process = processOf(model.samples.thread[i]);

		if (process)
			process.samples += model.samples.weight[i];
	}
	all.sort((a, b) => b.ns - a.ns || b.samples - a.samples);
	all.forEach((process, rank) => { process.rank = rank; });
	model.ranked = all.filter(process => process.ns || process.samples);
}

/* ns: damaged files have times that a number of JavaScript has not to the ns */
function precision() {
	return Math.max(1, Math.max(Math.abs(model.from), Math.abs(model.to)) * 2 ** -40);
}

/* From the first to the last event with a time: a flight recorder runs for longer than that */
function extent(facts) {
	let from = Infinity, to = -Infinity;

	for (const items of [model.slices, model.samples, model.waiting, model.requests,
		model.moments, model.faults, model.interrupts])
		for (let i = 0; items && i < items.count; i++) {
			from = Math.min(from, items.at[i]);
			to = Math.max(to, items.at[i] + Math.max(items.length[i], items.grain));
		}
	for (const cpu of model.cpus) {
		from = Math.min(from, cpu.first);
		to = Math.max(to, cpu.last);
	}
	return from < to ? [Math.floor(from), Math.ceil(to)] : [facts.from, facts.to];
}

function loadModel(data) {
	const timeline = data.cpu.timeline, facts = data.facts;

	model.data = data;
	model.threads = data.threads.map(([pid, tid, process, thread]) =>
		({ pid, tid, process, thread, key: processKey(pid, process) }));
	model.threads.forEach(addProcess);
	if (timeline) {
		model.slices = unpackItems(timeline.items, false);
		splitByCpu(timeline);
	}
	for (const name of ["samples", "waiting"])
		if (data[name].data)
			model[name] = unpackItems(data[name].data.items, true);
	if (data.counters.timeline) {
		model.counts = unpackItems(data.counters.timeline, true);
		/* behind the time and the number of intervals */
		model.counters = data.counters.data.columns.slice(2);
	}
	if (data.disk.timeline) {
		model.transfers = unpackItems(data.disk.timeline.bytes, true);
		model.requests = unpackItems(data.disk.timeline.requests, true);
	}
	if (data.faults.timeline) {
		model.faults = unpackItems(data.faults.timeline.faults, true);
		model.faultWaits = unpackItems(data.faults.timeline.waits, true);
	}
	if (data.dpc.timeline) {
		model.interrupts = unpackItems(data.dpc.timeline.count, true);
		model.interruptTimes = unpackItems(data.dpc.timeline.times, true);
	}
	model.moments = unpackItems(data.events.items, true);
	model.grain = Math.max(...[model.slices, model.samples, model.waiting, model.counts,
		model.transfers, model.requests, model.faults, model.faultWaits, model.interrupts,
		model.interruptTimes].map(i => i ? i.grain : 0));
	[model.from, model.to] = facts.ranged ? [facts.from, facts.to] : extent(facts);
	model.to = Math.max(model.to, model.from + precision());
	model.view = [model.from, model.to];
	rankProcesses();
	noteContainers();
}

/* A trace without records of control groups has no column of them */
function noteContainers() {
	const rows = model.data.processes.data?.rows || [];

	if (rows.some(row => row.container !== "none"))
		for (const row of rows)
			model.containers.set(processKey(row.pid, row.image), row.container);
}

/* Merged items belong to multiples of the grain: what is selected ends there, too. */
function select(from, to) {
	const grain = model.grain;

	if (from > to)
		[from, to] = [to, from];
	if (grain) {
		from = Math.floor(from / grain) * grain;
		to = Math.ceil(to / grain) * grain;
	}
	from = Math.max(model.from, Math.round(from));
	to = Math.min(model.to, Math.round(to));
	model.selection = to > from ? [from, to] : null;
	changed("selection");
}

function clearSelection() {
	model.selection = null;
	model.process = null;
	changed("selection");
}

function chooseProcess(key) {
	model.process = key;
	changed("selection");
}

function isWhole() {
	return !model.selection && !model.process;
}

function selected() {
	return model.selection || [model.from, model.to];
}

function isChosen(index) {
	return !model.process || (model.threads[index] &&
		model.threads[index].key === model.process);
}

/* ns by index of the thread */
function threadTimes() {
	const sums = new Map(), [from, to] = selected(), slices = model.slices;

	for (const cpu of model.cpus) {
		for (let i = cpu.begin; i < cpu.end; i++) {
			const thread = slices.thread[i];
			const begin = Math.max(slices.at[i], from);
			const end = Math.min(slices.at[i] + slices.length[i], to);

			if (slices.at[i] >= to)
				break;
			if (thread < 0 || end <= begin || !isChosen(thread))
				continue;
			const part = slices.weight[i] === slices.length[i] ? end - begin :
				slices.weight[i] * (end - begin) / slices.length[i];

			sums.set(thread, (sums.get(thread) || 0) + part);
		}
	}
	return sums;
}

/* @section: whose timeline has the process at that index */
function isOwnerChosen(section) {
	return process => !model.process ||
		processKey(...model.data[section].timeline.processes[process]) === model.process;
}

/* A hard fault counts once, also if the trace has both an event of the fault and one of its wait. */
function isPageFault() {
	const isOwner = isOwnerChosen("faults"), kinds = model.data.faults.timeline?.kinds || [];
	const waits = model.faults && model.faults.what.includes(kinds.indexOf("hard")) ?
		kinds.indexOf("waits") : -1;

	return (process, kind) => kind !== waits && isOwner(process);
}

/* Calls @take with each item of samples or waits that is selected. */
function eachItem(items, take, isWanted = isChosen) {
	const [from, to] = selected();
	const end = model.selection ? to : Infinity;

	if (!items)
		return;
	for (let i = model.selection ? lowerBound(items.at, from) : 0; i < items.count; i++) {
		if (items.at[i] > end || (items.grain && items.at[i] >= end))
			break;
		if (isWanted(items.thread[i]))
			take(i);
	}
}

/* The weight that ended in each node of a tree */
function selfWeights(name) {
	const tree = model.data[name].data, items = model[name];

	if (isWhole())
		return tree.self;
	const weights = new Float64Array(tree.self.length);

	eachItem(items, i => { weights[items.what[i]] += items.weight[i]; });
	return weights;
}

/* The waits of the list that overlap the selection */
function selectedWaits() {
	const section = model.data.waits.data, [from, to] = selected();

	if (!section)
		return [];
	return section.waits.filter(wait => {
		const end = wait["at ns"] + wait["waiting ns"] + (wait["ready ns"] || 0);

		return (!model.selection || (wait["at ns"] <= to && end >= from)) &&
			(!model.process || processKey(wait.pid, wait.process) === model.process);
	});
}
