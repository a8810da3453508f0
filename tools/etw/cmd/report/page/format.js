// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Numbers for people, and elements. Names of the trace only ever become text. */
function element(name, attributes, ...children) {
	const node = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {})) {
		if (value === undefined || value === false)
			continue;
		if (key === "class")
			node.className = value;
		else if (key.startsWith("on"))
			node.addEventListener(key.slice(2), value);
		else
			node.setAttribute(key, value === true ? "" : value);
	}
	for (const child of children)
		if (child !== null && child !== undefined)
			node.append(child);
	return node;
}

function byId(id) {
	return document.getElementById(id);
}

function countText(number) {
	return Math.round(number).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function digits(number) {
	const size = Math.abs(number);

	return size >= 100 ? number.toFixed(0) : size >= 10 ? number.toFixed(1) : number.toFixed(2);
}

function timeText(ns) {
	const size = Math.abs(ns);

	if (size >= 1e9)
		return countText(Math.trunc(ns / 1e9)).length > 3 ? countText(ns / 1e9) + " s" :
			digits(ns / 1e9) + " s";
	if (size >= 1e6)
		return digits(ns / 1e6) + " ms";
	if (size >= 1e3)
		return digits(ns / 1e3) + " µs";
	return Math.round(ns) + " ns";
}

/* A time stamp, with as many digits as a time of @span needs */
function stampText(ns, span) {
	const places = span >= 2e9 ? 3 : span >= 2e6 ? 6 : 9;

	return (ns / 1e9).toFixed(places) + " s";
}

function bytesText(bytes) {
	const units = ["B", "KB", "MB", "GB", "TB"];
	let at = 0;

	for (; Math.abs(bytes) >= 1024 && at < units.length - 1; at++)
		bytes /= 1024;
	return (at ? digits(bytes) : bytes) + " " + units[at];
}

function percentText(part, all) {
	return all ? (100 * part / all).toFixed(1) + " %" : "–";
}

function style(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function isDark() {
	return document.documentElement.dataset.theme === "dark";
}
