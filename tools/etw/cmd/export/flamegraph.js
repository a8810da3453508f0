// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/*
 * The script of a flame graph: it draws the frames at the width of the window, and again after a
 * zoom. Without scripts the picture shows the frames that the tool drew.
 */
'use strict';
(() => {
	const SPACE = 'http://www.w3.org/2000/svg';
	// The geometry is that of flamegraph.c
	const ROW = 18, LEFT = 10, TOP = 76, BOTTOM = 12, CHARACTER = 6.7, LEAST = 0.4, GAP = 0.5;
	const svg = document.currentScript?.ownerSVGElement ?? document.documentElement;
	const part = (id) => svg.querySelector('#' + id);
	const rows = (id) => part(id).textContent.split('\n').filter((row) => row);
	const unit = Number(svg.dataset.unit), what = svg.dataset.what;
	const names = [''], kinds = ['p0'], nodes = [];
	let zoomed, pattern = null;

	for (const row of rows('names')) {
		kinds.push(row.slice(0, 2));
		names.push(row.slice(3));
	}
	for (const row of rows('nodes')) {
		// The fourth number is there in a comparison: the weight before, with callees
		const [parent, name, self, before] = row.split(' ').map(Number);
		const node = { name, self, before, all: self, children: [], parent: nodes[parent] };

		if (nodes.length)
			node.parent.children.push(node);
		else
			node.parent = null;
		nodes.push(node);
	}
	// A caller stands before its callees
	for (let i = nodes.length - 1; i > 0; i--)
		nodes[i].parent.all += nodes[i].all;
	for (const node of nodes)
		node.children.sort((a, b) => b.all - a.all);
	zoomed = nodes[0];

	const nameOf = (node) => node.parent ? names[node.name] : 'all';
	const count = (weight) => Math.floor(weight / unit).toLocaleString('en');
	const percent = (weight, of) => (of ? 100 * weight / of : 0).toFixed(2) + ' %';

	// Percentage points by which the share of all grew
	function growth(node) {
		const share = (weight, of) => of ? 100 * weight / of : 0;

		return share(node.all, nodes[0].all) - share(node.before, nodes[0].before);
	}

	// The levels are those of flamegraph.c
	function colour(node) {
		if (node.before === undefined)
			return kinds[node.name];
		const size = growth(node), level = [0.2, 1, 3, 10].filter(
			(step) => Math.abs(size) >= step).length;

		return (!level ? 'd' : size < 0 ? 's' : 'g') + level;
	}

	function describe(node) {
		let text = `${nameOf(node)}: ${count(node.all)} ${what}, ` +
			`${percent(node.all, nodes[0].all)}`;

		if (zoomed !== nodes[0])
			text += ` (${percent(node.all, zoomed.all)} of ${nameOf(zoomed)})`;
		if (node.before !== undefined)
			text += `; before ${percent(node.before, nodes[0].before)}, ` +
				(growth(node) < 0 ? '' : '+') + growth(node).toFixed(2);
		return text + `; itself ${count(node.self)}`;
	}

	function make(type, attributes, parent, text) {
		const element = document.createElementNS(SPACE, type);

		for (const [name, value] of Object.entries(attributes))
			element.setAttribute(name, value);
		if (text !== undefined)
			element.textContent = text;
		parent.appendChild(element);
		return element;
	}

	// The boxes from the node on, those first that are below others
	function boxes(width) {
		const found = [], path = [], left = [];
		let node;

		for (node = zoomed.parent; node; node = node.parent)
			path.unshift(node);
		path.forEach((node, depth) => found.push({ node, x: 0, width, depth, faded: true }));
		left.push({ node: zoomed, x: 0, width, depth: path.length });
		while (left.length) {
			const box = left.pop();
			let x = box.x;

			found.push(box);
			for (const child of box.node.children) {
				const wide = box.node.all ? box.width * child.all / box.node.all : 0;

				if (wide >= LEAST)
					left.push({ node: child, x, width: wide,
						    depth: box.depth + 1 });
				x += wide;
			}
		}
		return found;
	}

	// The function's name; the title has the module, too
	function label(node, width) {
		const name = nameOf(node), room = Math.floor((width - 6) / CHARACTER);
		const text = name.endsWith('!?') ? name : name.slice(name.indexOf('!') + 1);

		if (room < 3)
			return '';
		return text.length > room ? text.slice(0, room - 1) + '\u2026' : text;
	}

	function zoom(node) {
		zoomed = node;
		part('reset').setAttribute('visibility', node === nodes[0] ? 'hidden' : 'visible');
		draw();
	}

	function drawBox(box, deepest, group) {
		const y = TOP + (deepest - box.depth) * ROW, found = pattern?.test(nameOf(box.node));
		const g = make('g', { class: 'f', tabindex: 0 }, group);

		make('title', {}, g, describe(box.node));
		make('rect', { x: (LEFT + box.x).toFixed(2), y,
			       width: (box.width - (box.width > 2 ? GAP : 0)).toFixed(2),
			       height: ROW - 1, class: (found ? 'found' : colour(box.node)) +
			       (box.faded ? ' faded' : '') }, g);
		make('text', { x: (LEFT + box.x + 3).toFixed(2), y: y + 13 }, g,
		     label(box.node, box.width));
		g.addEventListener('click', () => zoom(box.node));
		g.addEventListener('keydown', (event) => event.key === 'Enter' && zoom(box.node));
		for (const event of ['mouseenter', 'focus'])
			g.addEventListener(event, () => {
				part('details').textContent = describe(box.node);
			});
		g.addEventListener('mouseleave', () => {
			part('details').textContent = '';
		});
	}

	function draw() {
		const full = Math.max(svg.ownerDocument.documentElement.clientWidth || 1280, 320);
		const found = boxes(full - 2 * LEFT), group = part('frames');
		const deepest = found.reduce((most, box) => Math.max(most, box.depth), 0);
		const height = TOP + (deepest + 1) * ROW + BOTTOM;

		svg.setAttribute('viewBox', `0 0 ${full} ${height}`);
		svg.setAttribute('width', full);
		svg.setAttribute('height', height);
		group.replaceChildren();
		for (const box of found)
			drawBox(box, deepest, group);
	}

	// What is found within a found frame counts once
	function matched() {
		const inside = new Set();
		let sum = 0;

		for (const node of nodes) {
			const within = node.parent && inside.has(node.parent);
			const found = pattern.test(nameOf(node));

			if (within || found)
				inside.add(node);
			if (found && !within)
				sum += node.all;
		}
		return sum;
	}

	function search(text) {
		let result = '';

		pattern = null;
		if (text) {
			try {
				pattern = new RegExp(text, 'i');
			} catch {
				pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
			}
			const sum = matched();

			result = `found: ${count(sum)} ${what}, ${percent(sum, nodes[0].all)}`;
		}
		part('result').textContent = result;
		draw();
	}

	const field = part('search');

	field.addEventListener('input', () => search(field.value));
	part('reset').addEventListener('click', () => zoom(nodes[0]));
	svg.ownerDocument.defaultView.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') {
			zoom(nodes[0]);
		} else if (event.key === '/' && event.target !== field) {
			field.focus();
			event.preventDefault();
		}
	});
	svg.ownerDocument.defaultView.addEventListener('resize', draw);
	part('controls').setAttribute('visibility', 'visible');
	draw();
})();
