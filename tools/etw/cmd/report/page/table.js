// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * Tables that sort and search. A column: { name, get, kind }, kinds as in cellText(); @signed: with
 * a plus; @kindOf: the kind of a row that has one
 */
const TABLE_ROWS = 20, TABLE_MOST = 10000;

function kindOf(name, value) {
	if (typeof value === "string")
		return "text";
	if (name.endsWith(" ns"))
		return name === "at ns" || name === "start ns" || name === "end ns" ? "stamp" :
			"time";
	if (name.startsWith("bytes") || name === "bytes")
		return "bytes";
	if (["pid", "tid", "cpu", "disk", "parent", "by", "holder", "readied by"].includes(name))
		return "id";
	return name.endsWith("%") || /\bper\b|IPC|rate/.test(name) ? "ratio" : "count";
}

/* The columns of rows of etw stat, as they are */
function columnsOf(rows, hidden = []) {
	const columns = new Map();

	for (const row of rows)
		for (const [name, value] of Object.entries(row)) {
			if (hidden.includes(name) || value === null || value === undefined ||
			    typeof value === "object")
				continue;
			if (!columns.has(name))
				columns.set(name, { name, kind: kindOf(name, value),
					get: r => r[name], any: false });
			columns.get(name).any ||= value !== 0;
		}
	/* what a row is of comes first */
	return [...columns.values()].filter(column => column.any || column.kind === "id")
		.sort((a, b) => (b.kind === "text") - (a.kind === "text"))
		.map(column => ({ ...column, name: column.name.replace(/ ns$/, "") }));
}

function cellText(column, value) {
	if (value === null || value === undefined || Number.isNaN(value))
		return "–";
	if (column.signed)
		return signedText({ ...column, signed: false }, value);
	switch (column.kind) {
	case "text": return value;
	case "id": return String(value);
	case "time": return timeText(value);
	case "stamp": return (value / 1e9).toFixed(6) + " s";
	case "bytes": return bytesText(value);
	case "ratio": return value.toFixed(2);
	case "percent": return value.toFixed(1) + " %";
	default: return countText(value);
	}
}

/* What rounds to nothing has no sign. */
function signedText(column, value) {
	const size = cellText(column, Math.abs(value));

	return size === cellText(column, 0) ? size : (value < 0 ? "−" : "+") + size;
}

function exactText(column, value) {
	if (column.kind === "time")
		return countText(value) + " ns";
	if (column.kind === "bytes")
		return countText(value) + " bytes";
	return column.kind === "text" ? value : undefined;
}

function cell(columnOfRows, row) {
	/* a row may have a unit of its own */
	const column = row.kind ? { ...columnOfRows, kind: columnOfRows.kindOf?.(row) ??
		columnOfRows.kind } : columnOfRows;
	const value = column.get(row), text = cellText(column, value), known = text !== "–";
	const node = element("td", {
		class: column.kind === "text" ? "text" : "number", "data-column": column.name,
		"data-value": known && column.kind !== "text" ? String(value) : undefined,
		title: known ? exactText(column, value) : undefined,
	});

	if (column.open && known)
		node.append(element("button", { class: "link", onclick: () => column.open(row) },
			text));
	else
		node.append(text);
	if (column.share !== undefined && known) {
		const bar = element("i");

		bar.style.width = Math.min(100, 100 * value / (column.share || 1)) + "%";
		node.append(element("span", { class: "share" }, bar));
	}
	return node;
}

function matches(columns, row) {
	const wanted = model.search.toLowerCase();

	return !wanted || columns.some(column => {
		const value = column.get(row);

		return (column.kind === "text" || column.kind === "id") && value !== null &&
			value !== undefined && String(value).toLowerCase().includes(wanted);
	});
}

function compareBy(column, down) {
	return (left, right) => {
		const a = column.get(left), b = column.get(right);
		const order = column.kind === "text" ? String(a || "").localeCompare(String(b ||
			"")) :
			(a ?? -Infinity) - (b ?? -Infinity);

		return down ? -order : order;
	};
}

/* @rows: () => rows; drawn again whenever the selection or the search changes */
function makeTable(name, title, columns, rows) {
	const box = element("div", { class: "scroll" }), head = title ? element("h2", {}, title) :
		null;
	const more = element("button", { class: "more", onclick: () => { all = !all; draw(); } });
	const node = element("div", { "data-table": name }, head, box, more);
	let sort = null, down = true, all = false;

	function header(list) {
		return element("tr", {}, ...list.map((column, i) => element("th", {
			class: column.kind === "text" ? "text" : "number", scope: "col",
				tabindex: "0",
			"aria-sort": i === sort ? (down ? "descending" : "ascending") : undefined,
			onclick: () => order(i, column), onkeydown: event => {
				if (event.key === "Enter" || event.key === " ") {
					event.preventDefault();
					order(i, column);
				}
			},
		}, column.name)));
	}
	function order(i, column) {
		down = sort === i ? !down : column.kind !== "text";
		sort = i;
		draw();
	}
	function draw() {
		const found = rows(), list = columns(found);
		const shown = found.filter(row => matches(list, row));

		if (sort !== null && list[sort])
			shown.sort(compareBy(list[sort], down));
		const part = shown.slice(0, all ? TABLE_MOST : TABLE_ROWS);

		box.replaceChildren(element("table", {}, element("thead", {}, header(list)),
			element("tbody", {}, ...part.map(row =>
				element("tr", {}, ...list.map(column => cell(column, row)))))));
		if (!shown.length)
			box.append(element("p", { class: "quiet" }, found.length ?
				"Nothing matches." :
				"Nothing here."));
		more.hidden = shown.length <= TABLE_ROWS;
		more.textContent = all ? "show the first " + TABLE_ROWS :
			(shown.length > TABLE_MOST ? "show " + countText(TABLE_MOST) + " of " :
				"show all ") +
			countText(shown.length);
		node.hidden = !found.length && !!title;
	}
	return { node, draw };
}
