// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A flame graph of a tree of stacks: the root on top, callees below. */
const FRAME = 19, FLAME_LEAST = 0.4, FLAME_DEEPEST = 400;

/*
 * @joined: a tree instead of the section's, as joinTrees() makes it: another file's weights are
 * compared with, and no selection counts
 */
function makeFlame(name, tip, joined) {
	const tree = joined || model.data[name].data;
	const canvas = element("canvas", { class: "flame", tabindex: "0", role: "img",
		"aria-label": "flame graph: a click zooms, Escape shows all" });
	const result = element("span", { class: "quiet", role: "status" });
	const back = element("button", { onclick: () => zoomTo(0) }, "all stacks");
	const compare = element("button", { onclick: () => toggle(),
		title: "colours show the difference of a later selection from this one" },
	"compare with this");
	const node = element("div", { "data-flame": joined ? "compare-" + name : name },
		element("div", { class: "tools" }, back, joined ? null : compare, result), canvas);
	const context = canvas.getContext("2d");
	const children = tree.parent.map(() => []);
	let all = null, self = null, zoomed = 0, boxes = [], width = 0, hover = null;
	/* with callees, of the selection or file that is compared with */
	let before = joined ? joined.before : null;

	for (let i = 1; i < tree.parent.length; i++)
		children[tree.parent[i]].push(i);
	function amount(weight) {
		return tree.unit > 1 ? timeText(weight) : countText(weight) + (weight === 1 ?
			" sample" : " samples");
	}
	function textOf(i) {
		return i ? tree.names[tree.name[i]] : "all";
	}
	function add() {
		self = joined ? tree.self : selfWeights(name);
		all = withCallees(tree, self);
		for (const list of children)
			list.sort((a, b) => all[b] - all[a] || a - b);
		if (!all[zoomed])
			zoomed = 0;
	}
	function isMatch(i) {
		return i && model.search &&
			textOf(i).toLowerCase().includes(model.search.toLowerCase());
	}
	/* Weight of the stacks with a match: that of the outermost matching frame of each */
	function matched(i) {
		const stack = [i];
		let sum = 0;

		while (stack.length) {
			const at = stack.pop();

			if (isMatch(at))
				sum += all[at];
			else
				for (const child of children[at])
					if (all[child])
						stack.push(child);
		}
		return sum;
	}
	function layOut() {
		const above = [];

		boxes = [];
		for (let i = zoomed; i; i = tree.parent[i])
			above.unshift(tree.parent[i]);
		above.forEach((i, depth) => boxes.push({ i, x: 0, width, depth, faded: true }));
		const stack = [{ i: zoomed, x: 0, width, depth: above.length }];

		while (stack.length) {
			const box = stack.pop();
			let x = box.x;

			boxes.push(box);
			if (box.depth >= FLAME_DEEPEST)
				continue;
			for (const child of children[box.i]) {
				const wide = all[box.i] ? box.width * all[child] / all[box.i] : 0;

				if (wide >= FLAME_LEAST)
					stack.push({ i: child, x, width: wide, depth: box.depth +
						1 });
				x += wide;
			}
		}
	}
	function toggle() {
		before = before ? null : Float64Array.from(all);
		compare.textContent = before ? "compare no more" : "compare with this";
		draw();
	}
	/* Percentage points by which the share of all grew */
	function growth(i) {
		const share = (weight, of) => of ? 100 * weight / of : 0;

		return share(all[i], all[0]) - share(before[i], before[0]);
	}
	/* As in the pictures of etw export --diff: red is a larger share, blue a smaller one */
	function colourOfGrowth(i) {
		const size = growth(i), level = [0.2, 1, 3, 10].filter(x => Math.abs(size) >= x)
			.length;
		const light = isDark() ? 30 + 6 * level : 88 - 7 * level;

		return level ? `hsl(${size < 0 ? 212 : 10} ${40 + 10 * level}% ${light}%)` :
			`hsl(215 8% ${isDark() ? 34 : 86}%)`;
	}
	/* Grey: processes; warm: programs; blue: the kernel */
	function colourOfFrame(i) {
		const text = textOf(i);
		let hash = 7;

		if (isMatch(i))
			return style("--match");
		if (before)
			return colourOfGrowth(i);
		for (let k = 0; k < text.length; k++)
			hash = (hash * 31 + text.charCodeAt(k)) | 0;
		const shade = (isDark() ? 38 : 68) + (hash >>> 3) % 10;

		if (!i || (!text.includes("!") && !tree.kernel[tree.name[i]]))
			return `hsl(215 12% ${shade}%)`;
		return tree.kernel[tree.name[i]] ? `hsl(${205 + hash % 12} 58% ${shade}%)` :
			`hsl(${28 + hash % 14} 74% ${shade - 4}%)`;
	}
	function label(box) {
		const text = textOf(box.i), bang = text.indexOf("!");
		const shown = bang > 0 && !text.endsWith("!?") ? text.slice(bang + 1) : text;
		const room = Math.floor((box.width - 8) / 6.6);

		return room < 3 ? "" : shown.length <= room ? shown : shown.slice(0, room - 1) +
			"…";
	}
	function draw() {
		if (!canvas.clientWidth)
			return;
		const ratio = window.devicePixelRatio || 1;

		width = canvas.clientWidth;
		layOut();
		const deep = boxes.reduce((most, box) => Math.max(most, box.depth), 0) + 1;

		canvas.style.height = deep * FRAME + "px";
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(deep * FRAME * ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.font = "11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
		for (const box of boxes) {
			context.globalAlpha = box.faded ? 0.55 : 1;
			context.fillStyle = colourOfFrame(box.i);
			context.fillRect(box.x, box.depth * FRAME, Math.max(0.4,
				box.width - (box.width > 3 ? 1 : 0)), FRAME - 1);
			if (box === hover) {
				context.strokeStyle = style("--text");
				context.strokeRect(box.x + 0.5, box.depth * FRAME + 0.5,
					Math.max(1, box.width - 2), FRAME - 2);
			}
			context.fillStyle = isMatch(box.i) ? "#fff" : isDark() ? "#f2f4f7" :
				"#16202c";
			context.fillText(label(box), box.x + 4, box.depth * FRAME + 13);
		}
		context.globalAlpha = 1;
		const found = model.search ? matched(0) : 0;

		result.textContent = amount(all[0]) + (model.search ? "; “" + model.search +
			"” in " + amount(found) + ", " +
			percentText(found, all[0]) : "") +
			(before ? "; compared with " + amount(before[0]) +
			": red is a larger share, blue a smaller one" : "");
		result.dataset.compared = before ? before[0] : "";
		result.dataset.weight = all[0];
		result.dataset.matched = found;
		back.disabled = !zoomed;
	}
	function boxAt(event) {
		const place = canvas.getBoundingClientRect(),
			depth = Math.floor((event.clientY - place.top) / FRAME);
		const x = event.clientX - place.left;

		return boxes.find(box => box.depth === depth && x >= box.x && x < box.x +
			box.width) || null;
	}
	function zoomTo(i) {
		zoomed = i;
		hover = null;
		node.dataset.zoomed = textOf(i);
		draw();
	}
	function update() {
		add();
		draw();
	}
	canvas.addEventListener("click", event => {
		const box = boxAt(event);

		if (box)
			zoomTo(box.i);
	});
	canvas.addEventListener("pointermove", event => {
		const box = boxAt(event);

		if (box !== hover) {
			hover = box;
			draw();
		}
		tip.show(event, box ? textOf(box.i) + "\n" + amount(all[box.i]) + ", " +
			percentText(all[box.i], all[0]) +
			(self[box.i] ? "\nitself " + amount(self[box.i]) : "") +
			(before ? "\nbefore " + percentText(before[box.i], before[0]) + ", " +
			(growth(box.i) < 0 ? "" : "+") + growth(box.i).toFixed(2) : "") : "");
	});
	canvas.addEventListener("pointerleave", () => {
		hover = null;
		tip.hide();
		draw();
	});
	/* The keyboard walks over frames: parent, heaviest child, neighbours */
	canvas.addEventListener("keydown", event => {
		const at = hover ? hover.i : zoomed, siblings = at ? children[tree.parent[at]] : [];
		const to = { ArrowUp: at ? tree.parent[at] : at, ArrowDown: children[at][0],
			ArrowLeft: siblings[siblings.indexOf(at) - 1],
				ArrowRight: siblings[siblings.indexOf(at) + 1] }[event.key];

		if (event.key === "Enter") {
			zoomTo(at);
		} else if (event.key === "Escape" && zoomed) {
			zoomTo(0);
		} else if (event.key.startsWith("Arrow")) {
			hover = boxes.find(box => box.i === to) || hover;
			draw();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	});
	window.addEventListener("resize", draw);
	return { node, draw: update };
}

/* Callers stand before their callees */
function withCallees(tree, self) {
	const all = Float64Array.from(self);

	for (let i = all.length - 1; i > 0; i--)
		all[tree.parent[i]] += all[i];
	return all;
}

/* By node: 1: no caller has the same name. Damaged files have stacks of thousands of frames. */
function outermostFrames(tree) {
	const count = tree.parent.length, child = new Int32Array(count),
		next = new Int32Array(count);
	const above = new Int32Array(tree.names.length), found = new Uint8Array(count);
	let at = 0;

	for (let i = count - 1; i > 0; i--) {
		next[i] = child[tree.parent[i]];
		child[tree.parent[i]] = i;
	}
	for (;;) {
		let to = child[at];

		/* up, until a caller has another callee */
		for (; !to && at; at = tree.parent[at]) {
			above[tree.name[at]]--;
			to = next[at];
		}
		if (!to)
			return found;
		found[to] = above[tree.name[to]]++ === 0;
		at = to;
	}
}

/* By function: the samples that ended in it, and those with it in their stacks */
function functionRows(name) {
	return functionSums(model.data[name].data, selfWeights(name));
}

function functionSums(tree, self) {
	const all = withCallees(tree, self);
	const rows = new Map(), outermost = outermostFrames(tree);
	const row = i => {
		if (!rows.has(tree.name[i]))
			rows.set(tree.name[i], { function: tree.names[tree.name[i]], self: 0,
				total: 0 });
		return rows.get(tree.name[i]);
	};

	for (let i = 1; i < all.length; i++) {
		if (!all[i])
			continue;
		row(i).self += self[i];
		/* a function that calls itself counts once */
		if (outermost[i])
			row(i).total += all[i];
	}
	/* processes are no functions: nothing ends in them */
	return [...rows.values()].filter(found => found.self ||
		found.function.includes("!")).sort((a, b) => b.self - a.self || b.total - a.total);
}
