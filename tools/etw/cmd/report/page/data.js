// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* What etw report wrote: gzip in base64. */
function bytesOf(text) {
	/* a multiple of four characters is one of three bytes */
	const step = 1 << 20, parts = [];

	for (let at = 0; at < text.length; at += step)
		parts.push(Uint8Array.from(atob(text.slice(at, at + step)), c => c.charCodeAt(0)));
	return parts;
}

async function readData() {
	const node = byId("data");
	let stream = new Blob(bytesOf(node.textContent)).stream();

	if (node.dataset.form === "gzip")
		stream = stream.pipeThrough(new DecompressionStream("gzip"));
	const text = await new Response(stream).text();

	node.remove();
	return JSON.parse(text);
}

/* Arrays of what etw report keeps as differences; in the order of time if @sort */
function unpackItems(items, sort) {
	const count = items.at.length, order = new Uint32Array(count),
		absolute = new Float64Array(count);
	const at = new Float64Array(count), length = new Float64Array(count);
	const weight = new Float64Array(count);
	const thread = new Int32Array(count), what = new Uint32Array(count);
	let now = 0;

	for (let i = 0; i < count; i++) {
		now += items.at[i];
		absolute[i] = now;
		order[i] = i;
	}
	if (sort)
		order.sort((a, b) => absolute[a] - absolute[b]);
	for (let i = 0; i < count; i++) {
		at[i] = absolute[order[i]];
		length[i] = items.length[order[i]];
		weight[i] = items.weight[order[i]];
		thread[i] = items.thread[order[i]];
		what[i] = items.what[order[i]];
	}
	return { grain: items.grain, count, at, length, weight, thread, what };
}

/* Index of the first element that is not less than @value */
function lowerBound(array, value, low = 0, high = array.length) {
	while (low < high) {
		const middle = (low + high) >> 1;

		if (array[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
