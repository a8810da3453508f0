// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Two files: both values, and the change. Processes and threads are compared by their names. */

/* Tables: rows of a section, the columns that are compared by, and those that are compared */
const COMPARISONS = [
	{ name: "processes", title: "CPU by process", section: "cpu", keys: ["process"],
	  rows: data => data.rows, measures: () => ["running ns", "ready ns", "waiting ns",
		  "switches"] },
	{ name: "threads", title: "CPU by thread", section: "cpu", keys: ["process", "thread"],
	  rows: data => data.rows, measures: () => ["running ns", "ready ns", "waiting ns",
		  "switches"] },
	{ name: "functions", title: "Samples by function", section: "samples", keys: ["function"],
	  rows: data => functionSums(data, data.self).map(({ self, total, ...row }) =>
		  ({ ...row, itself: self, "with callees": total })),
	  measures: () => ["itself", "with callees"] },
	{ name: "waits", title: "Waits of 1 ms or more by reason", section: "waits",
	  keys: ["reason"], rows: data => data.groups,
	  measures: () => ["waiting ns", "waits", "ready ns"] },
	{ name: "disk", title: "Disk by process", section: "disk", keys: ["process"],
	  rows: data => data.processes, measures: () => ["bytes read", "bytes written", "reads",
		  "writes", "flushes", "service ns"] },
	{ name: "disk-files", title: "Disk by file", section: "disk", keys: ["name"],
	  rows: data => data.files.filter(row => row.name), measures: () => ["bytes read",
		  "bytes written", "reads", "writes", "service ns"] },
	{ name: "counters", title: "Counters by process", section: "counters", keys: ["process"],
	  rows: data => data.rows.map(({ process, values: { ns, ...values } }) =>
		  Object.assign(Object.create(null), values, { process, "running ns": ns })),
	  measures: countedMeasures },
];

/* The file before, and the file of the page */
function sides() {
	return [model.data.other, model.data];
}

/* Counters of both files, and the times in which they counted: ratios do not add up */
function countedMeasures() {
	const names = new Set();

	for (const side of sides())
		for (const name of side.summary.data.perf.counters)
			if (side.counters.data.columns.includes(name))
				names.add(name);
	return [...names, "running ns", "intervals"];
}

function lengthOf(side) {
	return side.facts.ranged ? side.facts.to - side.facts.from : side.summary.data.duration_ns;
}

/* Sums of both files by the key: { texts, values: [before, after] by measure } */
function comparedSums(comparison, measures) {
	const sums = new Map();

	sides().forEach((side, i) => {
		for (const row of comparison.rows(side[comparison.section].data)) {
			const texts = comparison.keys.map(name => row[name] || "–");
			const key = JSON.stringify(texts);

			if (!sums.has(key))
				sums.set(key, { texts, values: [measures.map(() => 0),
					measures.map(() => 0)] });
			const values = sums.get(key).values[i];

			measures.forEach((name, k) => { values[k] += row[name] || 0; });
		}
	});
	return [...sums.values()];
}

function changeColumns(kind, kindOfRow) {
	const more = { kind, kindOf: kindOfRow };

	return [
		{ ...more, name: "before", get: row => row.before },
		{ ...more, name: "after", get: row => row.after },
		{ ...more, name: "change", signed: true, get: row => row.after - row.before },
		{ name: "change %", kind: "percent", signed: true, get: row => row.before ?
			100 * (row.after - row.before) / row.before : null },
	];
}

function byChange(rows) {
	const size = row => Math.abs(row.after - row.before);

	return rows.sort((a, b) => size(b) - size(a) || b.after - a.after);
}

/* A table, and beside its title the choice of what is compared; [] if neither file has rows */
function makeComparison(comparison) {
	const measures = comparison.measures();
	const all = comparedSums(comparison, measures);

	if (!all.length)
		return [];
	const choice = element("select", { "aria-label": "compare " + comparison.title,
		onchange: () => table.draw() }, ...measures.map(name =>
		element("option", { value: name }, name.replace(/ ns$/, ""))));
	/* a number by the second has digits behind the point */
	const kind = () => {
		const wanted = kindOf(choice.value, 0);

		return wanted === "count" && model.perSecond ? "ratio" : wanted;
	};
	const table = makeTable("compare-" + comparison.name, "", () => [
		...comparison.keys.map((name, k) => ({ name, kind: "text",
			get: row => row.texts[k] })), ...changeColumns(kind())], rows);

	function rows() {
		const k = measures.indexOf(choice.value);
		const [before, after] = sides().map(side => model.perSecond ?
			1e9 / lengthOf(side) : 1);

		return byChange(all.map(({ texts, values }) => ({ texts,
			before: values[0][k] * before, after: values[1][k] * after }))
			.filter(row => row.before || row.after));
	}
	return [{ node: element("div", {}, element("div", { class: "tools choice" },
		element("h2", {}, comparison.title), choice), table.node), draw: table.draw }];
}

function summaryRows() {
	const busy = side => side.cpu.data ? sumOf(side.cpu.data.cpus, "busy ns") : null;
	const row = (text, kind, get) => {
		const [before, after] = sides().map(get);

		return { text, kind, before, after };
	};

	return [
		row("length", "time", lengthOf),
		row("events", "count", side => side.summary.data.events),
		row("events lost", "count", side => side.summary.data.events_lost),
		row("buffers lost", "count", side => side.summary.data.buffers_lost),
		row("events overwritten", "count", side => side.summary.data.events_overwritten),
		row("processors", "count", side => side.summary.data.system.processors),
		row("busy time of processors", "time", busy),
		row("size", "bytes", side => side.facts.bytes),
	].filter(({ before, after }) => before !== null && after !== null);
}

/* What makes numbers of the two files differ without a change of the programs */
function differences() {
	const [before, after] = sides(), times = lengthOf(after) / lengthOf(before), texts = [];
	const lost = sides().map(side => side.summary.data.events_lost);

	if (Number.isFinite(times) && (times < 0.95 || times > 1.05))
		texts.push(after.facts.file + " is " + times.toFixed(2) + " times as long as " +
			before.facts.file + ": compare per second.");
	if (lost[0] !== lost[1])
		texts.push(before.facts.file + " lost " + countText(lost[0]) + " events, " +
			after.facts.file + " lost " + countText(lost[1]) +
			": sums of the file with losses are too small.");
	if (before.facts.filtered || after.facts.filtered)
		texts.push("The filters of the page are of both files.");
	for (const { title, section } of COMPARISONS)
		for (const [side, there] of [[before, after], [after, before]])
			if (!side[section].data && there[section].data)
				texts.push(title + ": not compared, because " + side.facts.file +
					" has no data for it.");
	return texts;
}

function isCompared(section) {
	return sides().every(side => side[section].data);
}

function compareParts() {
	const [before, after] = sides();
	const box = element("input", { type: "checkbox", id: "per-second", onchange: () => {
		model.perSecond = box.checked;
		changed("rate");
	} });
	const head = element("div", {}, element("p", {}, "Before: " + before.facts.file +
		". After: " + after.facts.file + "."), ...differences().map(text =>
		element("p", { class: "note" }, text)), element("label", { class: "tools" }, box,
		"per second: divide by the length of each file"));
	const columns = () => [{ name: "", kind: "text", get: row => row.text },
		...changeColumns("count", row => row.kind)];

	return [{ node: head, draw() {} }, makeTable("compare-summary", "", columns, summaryRows),
		wholeNote(), ...COMPARISONS.filter(({ section }) => isCompared(section))
			.flatMap(makeComparison)];
}

/* The stacks of both files: nodes that only @then has come last, and callers before callees. */
function joinTrees(now, then) {
	const tree = { unit: now.unit, names: [...now.names], kernel: [...now.kernel],
		parent: [...now.parent], name: [...now.name], self: [...now.self] };
	const names = new Map(tree.names.map((text, i) => [text, i])), nodes = new Map();
	const keyOf = (parent, name) => parent * 2 ** 26 + name;
	const at = new Int32Array(then.parent.length), before = [];
	const nameOf = i => {
		const text = then.names[then.name[i]];

		if (!names.has(text)) {
			names.set(text, tree.names.length);
			tree.names.push(text);
			tree.kernel.push(then.kernel[then.name[i]]);
		}
		return names.get(text);
	};

	for (let i = 1; i < tree.parent.length; i++)
		nodes.set(keyOf(tree.parent[i], tree.name[i]), i);
	for (let i = 1; i < then.parent.length; i++) {
		const parent = at[then.parent[i]], name = nameOf(i), key = keyOf(parent, name);

		if (!nodes.has(key)) {
			nodes.set(key, tree.parent.length);
			tree.parent.push(parent);
			tree.name.push(name);
			tree.self.push(0);
		}
		at[i] = nodes.get(key);
	}
	for (let i = 0; i < tree.parent.length; i++)
		before.push(0);
	then.self.forEach((weight, i) => { before[at[i]] += weight; });
	tree.before = withCallees(tree, before);
	return tree;
}

function flameParts(name, tip) {
	const note = element("p", { class: "quiet note" }, "Widths are of " +
		model.data.facts.file + ". A frame is red where its share grew since " +
		model.data.other.facts.file + ", and blue where it shrank.");

	return [{ node: note, draw() {} }, wholeNote(), makeFlame(name, tip,
		joinTrees(model.data[name].data, model.data.other[name].data))];
}

/* As in makeTabs() */
function compareTabs(tip) {
	if (!model.data.other)
		return [];
	return [
		["Comparison", true, [], compareParts],
		["Comparison: CPU", isCompared("samples"), [], () => flameParts("samples", tip)],
		["Comparison: waiting", isCompared("waiting"), [],
		 () => flameParts("waiting", tip)],
	];
}
