// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Puts the page together. */
function makeTip() {
	const node = byId("tip");

	return {
		show(event, text) {
			node.hidden = !text;
			node.textContent = text;
			if (!text)
				return;
			const { offsetWidth: wide, offsetHeight: high } = node;

			node.style.left = Math.max(4, Math.min(innerWidth - wide - 4,
				event.clientX + 14)) + "px";
			node.style.top = (event.clientY + 18 + high > innerHeight ?
				event.clientY - high - 10 :
				event.clientY + 18) + "px";
		},
		hide() { node.hidden = true; },
	};
}

/* Sentences on the losses of a file; @name: before them */
function lossesOf(summary, name) {
	const lost = [];

	if (summary.events_lost)
		lost.push(name + countText(summary.events_lost) + " events were lost");
	if (summary.buffers_lost)
		lost.push(name + countText(summary.buffers_lost) + " buffers were lost");
	return lost;
}

function showFacts() {
	const { facts, other, summary: { data: summary } } = model.data, system = summary.system;
	const add = (name, value) => value && byId("facts").append(element("div", {}, element("dt",
		{}, name),
		element("dd", {}, value)));
	const lost = lossesOf(summary, "");

	document.title = (other ? facts.file + " compared with " + other.facts.file : facts.file) +
		" – etw report";
	byId("file").textContent = facts.file;
	byId("session").textContent = summary.session ? "session " + summary.session : "";
	add("started", summary.started.replace(/\.\d+/, ""));
	add("duration", timeText(summary.duration_ns) + (summary.closed ? "" : " (not closed)"));
	add("events", countText(summary.events));
	add("lost", countText(summary.events_lost) + " events");
	add("size", bytesText(facts.bytes));
	add("system", system.version + " build " + system.build + ", " + system.processors +
		" CPUs, " +
		system.pointer_bits + "-bit");
	add("clock", system.clock + ", " + countText(system.clock_hz) + " Hz");
	if (facts.filtered)
		add("filter", facts.ranged ? "a part: " + timeText(facts.to - facts.from) :
			"some events only");
	if (other) {
		add("compared with", other.facts.file);
		lost.push(...lossesOf(other.summary.data, other.facts.file + ": "));
	}
	byId("losses").hidden = !lost.length;
	byId("losses").textContent = lost.join(", ") +
		": numbers are too small, and times in red are not known.";
}

function showSelection() {
	const [from, to] = selected(), span = to - from;

	byId("range").textContent = (model.selection ? "Selected " : "All: ") + stampText(from,
		span) + " – " +
		stampText(to, span) + " (" + timeText(span) + ")";
	byId("range").dataset.from = from;
	byId("range").dataset.to = to;
	byId("chosen").hidden = !model.process;
	byId("chosen").replaceChildren(model.process || "", element("button", {
		"aria-label": "all processes", onclick: () => chooseProcess(null) }, "×"));
	byId("zoom").disabled = !model.selection;
	byId("clear").disabled = isWhole();
	byId("fit").disabled = model.view[0] === model.from && model.view[1] === model.to;
}

function showTabs(tip) {
	const tabs = makeTabs(tip), panels = [];
	let shown = 0, wasDark = false;

	function draw(i) {
		panels[i].parts ||= tabs[i][3]();
		if (!panels[i].filled)
			panels[i].node.append(notesOf(...tabs[i][2]),
				...panels[i].parts.map(part => part.node));
		panels[i].filled = true;
		panels[i].parts.forEach(part => part.draw());
	}
	function show(i) {
		shown = i;
		panels.forEach((panel, k) => {
			panel.node.hidden = k !== i;
			panel.button.setAttribute("aria-selected", k === i);
			panel.button.tabIndex = k === i ? 0 : -1;
		});
		draw(i);
	}
	tabs.forEach(([name], i) => {
		const id = "panel-" + i, button = element("button", { role: "tab", id: "tab-" + i,
			"aria-controls": id,
			onclick: () => show(i), onkeydown: event => {
				const to = { ArrowLeft: i - 1, ArrowRight: i + 1 }[event.key];

				if (to === undefined || !panels[to])
					return;
				event.stopPropagation();
				show(to);
				panels[to].button.focus();
			} }, name);
		const node = element("div", { class: "panel", role: "tabpanel", id,
			"aria-labelledby": "tab-" + i,
					      "data-tab": name, hidden: true });

		panels.push({ node, button });
		byId("tabs").append(button);
		byId("panels").append(node);
	});
	/* All tabs, on white paper */
	window.addEventListener("beforeprint", () => {
		wasDark = isDark();
		setTheme(false);
		changed("theme");
		panels.forEach((panel, i) => {
			panel.node.hidden = false;
			draw(i);
		});
	});
	window.addEventListener("afterprint", () => {
		setTheme(wasDark);
		changed("theme");
		show(shown);
	});
	model.listeners.push(what => { if (what !== "view") draw(shown); });
	show(0);
}

function setTheme(dark) {
	document.documentElement.dataset.theme = dark ? "dark" : "light";
	document.documentElement.style.colorScheme = dark ? "dark" : "light";
}

function listen(timeline) {
	const search = byId("search");

	byId("in").onclick = timeline.keys.w;
	byId("out").onclick = timeline.keys.s;
	byId("fit").onclick = timeline.keys[0];
	byId("zoom").onclick = timeline.zoomToSelection;
	byId("clear").onclick = clearSelection;
	byId("theme").onclick = () => {
		setTheme(!isDark());
		changed("theme");
	};
	search.addEventListener("input", () => {
		model.search = search.value.trim();
		changed("search");
	});
	document.addEventListener("keydown", event => {
		const writes = event.target.matches("input"), key = event.key.toLowerCase();
		const arrow = key.startsWith("arrow") && event.target.id !== "timeline";

		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (key === "escape") {
			if (writes)
				search.blur();
			else
				clearSelection();
		} else if (!writes && key === "/") {
			search.focus();
		} else if (!writes && key === "t") {
			byId("theme").click();
		} else if (!writes && !arrow && timeline.keys[key]) {
			timeline.keys[key]();
		} else {
			return;
		}
		event.preventDefault();
	});
}

async function start() {
	const tip = makeTip();

	setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
	loadModel(await readData());
	const timeline = makeTimeline(byId("timeline"), tip);

	showFacts();
	model.listeners.push(showSelection);
	showSelection();
	showTabs(tip);
	listen(timeline);
	timeline.resize();
	document.documentElement.dataset.ready = "";
}

start().catch(error => {
	byId("losses").hidden = false;
	byId("losses").textContent = "The page cannot be shown: " + error.message;
	console.error(error);
});
