// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The timeline: axis, processors, events, and the busiest processes. */
const LEFT = 118, AXIS = 24, LANE = 26, EVENT_LANE = 26, PROCESS_LANE = 34, GAP = 4;
const MOST_CPUS = 32, MOST_PROCESSES = 10, AXIS_STEPS = 1000;
const LOST = -2, NOT_KNOWN = -1;
const COLOURS = [212, 28, 150, 280, 48, 340, 180, 100, 255, 5, 130, 310];

function colourOf(process, light) {
	if (!process)
		return isDark() ? "#5a6573" : "#aab3bf";
	const hue = COLOURS[process.rank % COLOURS.length];
	const strength = process.rank < COLOURS.length ? 62 : 26;

	return `hsl(${hue} ${strength}% ${isDark() ? (light ? 62 : 54) : (light ? 60 : 48)}%)`;
}

function makeTimeline(canvas, tip) {
	const context = canvas.getContext("2d");
	let width = 0, height = 0, lanes = [], drag = null, left = LEFT;

	/* What stands below what; lanes of processes show samples if nothing is known of switches */
	function arrange() {
		const bySamples = !model.slices && model.samples;

		lanes = [];
		let y = AXIS;
		const add = (kind, size, more) => {
			lanes.push({ kind, y, size, ...more });
			y += size + GAP;
		};

		if (model.moments.count)
			add("events", EVENT_LANE, { label: "events, losses" });
		for (const cpu of model.cpus.slice(0, MOST_CPUS))
			add("cpu", LANE, { cpu, label: "CPU " + cpu.cpu });
		for (const lane of counterLanes())
			add("counter", PROCESS_LANE, { items: model.counts, isWanted: isChosen,
				text: countText, ...lane });
		if (model.requests && model.requests.count)
			["disk reads", "disk writes"].forEach((label, top) => add("counter",
				PROCESS_LANE, {
				label, top, bottom: -1, items: model.transfers,
					isWanted: isOwnerChosen("disk"), text: bytesText }));
		for (const [label, items, isWanted, text] of [
			["page faults", model.faults, isPageFault(), countText],
			["hard faults", model.faultWaits, isOwnerChosen("faults"), timeText],
			["interrupts", model.interruptTimes, () => true, timeText]])
			if (items && items.count)
				add("counter", PROCESS_LANE, { label, items, isWanted, text,
					top: -1, bottom: -1 });
		for (const process of model.ranked.slice(0, MOST_PROCESSES))
			add("process", PROCESS_LANE, { process, label: process.name || process.key,
						       items: bySamples ? model.samples :
							model.slices });
		height = Math.max(y, AXIS + 40);
	}
	/* Instructions per cycle where both were counted; otherwise the first counters as they are */
	function counterLanes() {
		const cycles = model.counters.indexOf("cycles"),
			top = model.counters.indexOf("instructions");

		if (cycles >= 0 && top >= 0)
			return [{ label: "IPC", top, bottom: cycles }];
		return model.counts ? model.counters.slice(0, 2).map((label, i) => ({ label,
			top: i, bottom: -1 })) : [];
	}
	function drawCounter(lane) {
		const counts = lane.items, [from, to] = model.view,
			per = (to - from) / (width - left);
		const pixels = Math.ceil(width - left), top = new Float64Array(pixels),
			bottom = new Float64Array(pixels);

		for (let i = lowerBound(counts.at, from); i < counts.count && counts.at[i] <= to;
			i++) {
			const x = Math.min(pixels - 1, Math.floor((counts.at[i] - from) / per));

			if (!lane.isWanted(counts.thread[i], counts.what[i]))
				continue;
			if (lane.top < 0 || counts.what[i] === lane.top)
				top[x] += counts.weight[i];
			else if (counts.what[i] === lane.bottom)
				bottom[x] += counts.weight[i];
		}
		const values = top.map((value, x) => lane.bottom < 0 ? value : bottom[x] ?
			value / bottom[x] : 0);

		lane.most = Math.max(...values);
		context.fillStyle = style("--idle");
		context.fillRect(left, lane.y, width - left, lane.size);
		context.fillStyle = style("--accent");
		values.forEach((value, x) => {
			const high = lane.most ? lane.size * value / lane.most : 0;

			context.fillRect(left + x, lane.y + lane.size - high, 1, high);
		});
	}
	function resize() {
		const ratio = window.devicePixelRatio || 1;

		arrange();
		width = canvas.clientWidth;
		left = width < 560 ? 76 : LEFT;
		canvas.style.height = height + "px";
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		draw();
	}
	function xOf(ns) {
		return left +
			(width - left) * (ns - model.view[0]) / (model.view[1] - model.view[0]);
	}
	function nsOf(x) {
		return model.view[0] +
			(model.view[1] - model.view[0]) * (x - left) / (width - left);
	}
	function step(span, room) {
		const least = span / Math.max(1, room / 80),
			power = 10 ** Math.floor(Math.log10(least));

		return [1, 2, 5, 10].map(n => n * power).find(n => n >= least);
	}
	function drawAxis() {
		const [from, to] = model.view, by = step(to - from, width - left);
		const places = Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(by))));

		context.fillStyle = style("--quiet");
		context.strokeStyle = style("--line");
		context.lineWidth = 1;
		context.beginPath();
		context.textAlign = "center";
		const first = Math.ceil(from / by);

		/* a sum of steps would stay where it is if the steps are below its precision */
		for (let i = 0; i <= AXIS_STEPS && (first + i) * by <= to; i++) {
			const at = (first + i) * by, x = Math.round(xOf(at)) + 0.5;

			context.moveTo(x, AXIS - 6);
			context.lineTo(x, height);
			if (x > left + 24 && x < width - 30)
				context.fillText((at / 1e9).toFixed(places) + " s", x, 13);
		}
		context.stroke();
		context.textAlign = "left";
	}
	function fitText(text, room) {
		if (context.measureText(text).width <= room)
			return text;
		let end = Math.floor(text.length * room / context.measureText(text).width);

		while (end > 1 && context.measureText(text.slice(0, end) + "…").width > room)
			end--;
		return end > 1 ? text.slice(0, end) + "…" : "";
	}
	function drawLabel(lane) {
		context.fillStyle = lane.process ? colourOf(lane.process) : style("--quiet");
		if (lane.process && lane.process.key === model.process)
			context.font = "bold 12px system-ui, sans-serif";
		context.fillText(fitText(lane.label, left - 16), 8, lane.y + lane.size / 2 + 4);
		context.font = "12px system-ui, sans-serif";
	}
	function sliceColour(thread) {
		if (thread === LOST)
			return style("--loss");
		if (thread < 0)
			return thread === NOT_KNOWN ? style("--unknown") : style("--line");
		return isChosen(thread) ? colourOf(processOf(thread)) : style("--line");
	}
	/* Where a processor's slices are narrower than a pixel: how busy it was, and with what most */
	function drawCpu(lane) {
		const { cpu, y, size } = lane, slices = model.slices, [from, to] = model.view;
		const pixels = Math.ceil(width - left), busy = new Float64Array(pixels);
		const best = new Float64Array(pixels),
			colour = new Int32Array(pixels).fill(NOT_KNOWN);
		const per = (to - from) / (width - left), first = xOf(cpu.first),
			last = xOf(cpu.last);
		let i = lowerBound(slices.at, from, cpu.begin, cpu.end);

		context.fillStyle = style("--idle");
		context.fillRect(Math.max(left, first), y, Math.max(0, Math.min(width,
			last) - Math.max(left, first)), size);
		for (i = Math.max(cpu.begin, i - 1); i < cpu.end && slices.at[i] < to; i++) {
			const begin = slices.at[i], end = begin + slices.length[i];

			if (end <= from)
				continue;
			const whole = slices.weight[i] === slices.length[i];

			if (whole && slices.length[i] >= 2 * per) {
				drawSlice(lane, i, Math.max(left, xOf(begin)), Math.min(width,
					xOf(end)));
				continue;
			}
			const share = slices.weight[i] / slices.length[i];

			for (let x = Math.max(0, Math.floor((begin - from) / per)); x < pixels &&
				from + x * per < end; x++) {
				const part = share * (Math.min(end, from +
					(x + 1) * per) - Math.max(begin, from + x * per));

				busy[x] += part;
				if (part > best[x]) {
					best[x] = part;
					colour[x] = slices.thread[i];
				}
			}
		}
		for (let x = 0; x < pixels; x++) {
			if (!busy[x])
				continue;
			const high = Math.max(1, size * Math.min(1, busy[x] / per));

			context.fillStyle = sliceColour(colour[x]);
			context.fillRect(left + x, y + size - high, 1, high);
		}
	}
	function drawSlice(lane, i, from, to) {
		const thread = model.slices.thread[i], info = model.threads[thread];

		context.fillStyle = sliceColour(thread);
		context.fillRect(from, lane.y, Math.max(0.5, to - from - (to - from > 4 ? 0.5 :
			0)), lane.size);
		if (to - from < 36)
			return;
		context.fillStyle = isChosen(thread) || thread < 0 ? "#fff" : style("--quiet");
		const name = thread === LOST ? "events lost" : thread === NOT_KNOWN ? "not known" :
			!info ? "others" : (info.process || "pid " + info.pid) + " " + info.tid;

		context.fillText(fitText(name, to - from - 8), from + 4, lane.y + lane.size / 2 +
			4);
	}
	/* Weight of a process by pixel */
	function activity(lane) {
		const { items, process } = lane, [from, to] = model.view,
			per = (to - from) / (width - left);
		const pixels = Math.ceil(width - left), sums = new Float64Array(pixels);
		const ranges = items === model.slices ? model.cpus :
			[{ begin: 0, end: items.count }];

		for (const range of ranges) {
			let i = lowerBound(items.at, from, range.begin, range.end);

			for (i = Math.max(range.begin, i - 1); i < range.end && items.at[i] < to;
				i++) {
				const thread = model.threads[items.thread[i]];

				if (!thread || thread.key !== process.key)
					continue;
				const begin = items.at[i], end = begin + items.length[i];

				if (!items.length[i]) {
					sums[Math.min(pixels - 1,
						Math.max(0, Math.floor((begin - from) / per)))] +=
						items.weight[i];
					continue;
				}
				const share = items.weight[i] / items.length[i];

				for (let x = Math.max(0, Math.floor((begin - from) / per));
					x < pixels && from + x * per < end; x++)
					sums[x] += share * (Math.min(end, from +
						(x + 1) * per) - Math.max(begin, from + x * per));
			}
		}
		return sums;
	}
	function drawProcess(lane) {
		const sums = activity(lane), per = (model.view[1] - model.view[0]) / (width - left);
		const most = lane.items === model.slices ? per * Math.max(1,
			Math.ceil(Math.max(...sums) / per - 0.01)) :
			Math.max(1, ...sums);
		const faded = model.process && lane.process.key !== model.process;

		context.fillStyle = style("--idle");
		context.fillRect(left, lane.y, width - left, lane.size);
		context.fillStyle = faded ? style("--line") : colourOf(lane.process, true);
		for (let x = 0; x < sums.length; x++)
			if (sums[x]) {
				const high = Math.max(1, lane.size * Math.min(1, sums[x] / most));

				context.fillRect(left + x, lane.y + lane.size - high, 1, high);
			}
		lane.most = most / per;
	}
	function drawEvents(lane) {
		const moments = model.moments, names = model.data.events.names,
			[from, to] = model.view;
		let i = lowerBound(moments.at, from), before = -1, text = left;

		context.fillStyle = style("--idle");
		context.fillRect(left, lane.y, width - left, lane.size);
		for (; i < moments.count && moments.at[i] <= to; i++) {
			const name = names[moments.what[i]], x = Math.round(xOf(moments.at[i]));
			const mark = name[0] === "#", loss = name[0] === "!";

			if (!mark && !loss && (x === before || !isChosen(moments.thread[i])))
				continue;
			before = x;
			context.fillStyle = loss ? style("--loss") : mark ? style("--accent") :
				style("--quiet");
			context.fillRect(x, lane.y + (mark || loss ? 0 : 10), mark || loss ? 2 : 1,
					 mark || loss ? lane.size : lane.size - 10);
			if (mark && x > text) {
				const label = fitText(name.slice(1), Math.min(160, width - x - 6));

				context.fillText(label, x + 5, lane.y + 12);
				text = x + 10 + context.measureText(label).width;
			}
		}
	}
	function drawSelection() {
		const range = drag && drag.kind === "select" ? [nsOf(drag.from),
			nsOf(drag.at)].sort((a, b) => a - b) :
			model.selection;

		if (!range)
			return;
		const from = Math.max(left, xOf(range[0])), to = Math.min(width, xOf(range[1]));

		if (to < left || from > width)
			return;
		context.fillStyle = style("--select");
		context.fillRect(from, 0, Math.max(1, to - from), height);
		context.fillStyle = style("--accent");
		context.fillRect(from - 0.5, 0, 1, height);
		context.fillRect(to - 0.5, 0, 1, height);
	}
	function draw() {
		context.clearRect(0, 0, width, height);
		context.font = "12px system-ui, sans-serif";
		drawAxis();
		for (const lane of lanes) {
			drawLabel(lane);
			context.save();
			context.beginPath();
			context.rect(left, lane.y, width - left, lane.size);
			context.clip();
			({ cpu: drawCpu, process: drawProcess, events: drawEvents,
				counter: drawCounter })[lane.kind](lane);
			context.restore();
		}
		if (!lanes.length) {
			context.fillStyle = style("--quiet");
			context.fillText("No context switches, samples or events of programs here.", left,
				AXIS + 22);
		}
		drawSelection();
	}
	let wanted = 0;

	function redraw() {
		wanted ||= requestAnimationFrame(() => { wanted = 0; draw(); });
	}
	function setView(from, to) {
		const all = model.to - model.from, least = Math.max(1000, precision());
		const span = Math.min(all, Math.max(least, to - from));

		from = Math.max(model.from, Math.min(model.to - span, from));
		model.view = [from, from + span];
		changed("view");
	}
	function zoomAt(x, factor) {
		const at = nsOf(Math.max(left, Math.min(width, x)));

		setView(at - (at - model.view[0]) * factor, at - (at - model.view[0]) * factor +
			(model.view[1] - model.view[0]) * factor);
	}
	function pan(part) {
		const by = (model.view[1] - model.view[0]) * part;

		setView(model.view[0] + by, model.view[1] + by);
	}
	function zoomToSelection() {
		if (model.selection)
			setView(...model.selection);
	}
	function laneAt(y) {
		return lanes.find(lane => y >= lane.y && y < lane.y + lane.size);
	}
	function describe(x, y) {
		const lane = laneAt(y), ns = nsOf(x), span = model.view[1] - model.view[0];
		let text = stampText(ns, span);

		if (!lane || x < left)
			return lane && lane.process ? lane.process.key + ": click to filter" :
				lane ? lane.label : "";
		if (lane.kind === "cpu") {
			const i = lowerBound(model.slices.at, ns + 0.5, lane.cpu.begin,
				lane.cpu.end) - 1;
			const within = i >= lane.cpu.begin && ns < model.slices.at[i] +
				model.slices.length[i];
			const info = within ? model.threads[model.slices.thread[i]] : null;

			text += "\n" + lane.label + ": " + (info ? info.key + ", thread " +
				info.tid +
				(info.thread ? " " + info.thread : "") + ", " +
					timeText(model.slices.weight[i]) :
				within ? (model.slices.thread[i] === LOST ? "events were lost" :
					"not known") :
				ns < lane.cpu.first || ns > lane.cpu.last ? "not recorded" :
					"idle");
		} else if (lane.kind === "process") {
			text += "\n" + lane.process.key + ": full height is " +
				(lane.items === model.slices ?
				countText(lane.most) + " CPU" : "the most samples");
		} else if (lane.kind === "counter") {
			text += "\n" + lane.label + ": full height is " + (lane.bottom < 0 ?
				lane.text(lane.most) :
				lane.most.toFixed(2));
		} else {
			text += eventText(ns, span);
		}
		return text;
	}
	function eventText(ns, span) {
		const near = span / (width - left) * 3, moments = model.moments,
			names = model.data.events.names;
		let text = "", shown = 0;

		for (let i = lowerBound(moments.at, ns - near); i < moments.count &&
			moments.at[i] <= ns + near; i++) {
			const name = names[moments.what[i]];

			if (++shown > 8)
				continue;
			text += "\n" + ({ "!": "lost: ", "#": "mark: " }[name[0]] || "") + name.slice(1);
		}
		return shown > 8 ? text + "\n… " + countText(shown) + " in all" : text;
	}
	function place(event) {
		const box = canvas.getBoundingClientRect();

		return [event.clientX - box.left, event.clientY - box.top];
	}
	canvas.addEventListener("pointerdown", event => {
		const [x, y] = place(event), lane = laneAt(y);

		canvas.focus({ preventScroll: true });
		if (x < left) {
			if (lane && lane.process)
				chooseProcess(model.process === lane.process.key ? null :
					lane.process.key);
			return;
		}
		canvas.setPointerCapture(event.pointerId);
		drag = { kind: event.shiftKey || event.button === 1 ? "pan" : "select", from: x,
			at: x, view: model.view };
		event.preventDefault();
	});
	canvas.addEventListener("pointermove", event => {
		const [x, y] = place(event);

		if (drag) {
			drag.at = Math.max(left, Math.min(width, x));
			if (drag.kind === "pan") {
				const by = (drag.from - x) * (drag.view[1] - drag.view[0]) / (width - left);

				setView(drag.view[0] + by, drag.view[1] + by);
			}
			redraw();
		}
		tip.show(event, describe(x, y));
	});
	canvas.addEventListener("pointerup", () => {
		if (drag && drag.kind === "select") {
			const { from, at } = drag;

			drag = null;
			if (Math.abs(at - from) > 3)
				select(nsOf(from), nsOf(at));
			else if (model.selection)
				select(0, 0);
		}
		drag = null;
		redraw();
	});
	canvas.addEventListener("pointercancel", () => { drag = null; redraw(); });
	canvas.addEventListener("pointerleave", () => tip.hide());
	canvas.addEventListener("wheel", event => {
		event.preventDefault();
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			pan((event.deltaX || event.deltaY) / 1000);
		else
			zoomAt(place(event)[0],
				Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))));
	}, { passive: false });
	const keys = {
		w: () => zoomAt((left + width) / 2, 0.5), s: () => zoomAt((left + width) / 2, 2),
		a: () => pan(-0.2), d: () => pan(0.2), z: zoomToSelection,
		0: () => setView(model.from, model.to),
	};

	keys.arrowup = keys.w;
	keys.arrowdown = keys.s;
	keys.arrowleft = keys.a;
	keys.arrowright = keys.d;
	window.addEventListener("resize", resize);
	model.listeners.push(redraw);
	return { resize, redraw, keys, zoomToSelection };
}
