// SPDX-License-Identifier: GPL-2.0
/*
 * A flame graph in a browser: fits frames and their figures to the window.
 * Without scripts, the picture is complete as it is.
 *
 * The SVG holds one group per frame, <g class="KIND" data-s="START"
 * data-w="WEIGHT">, in one group per depth, the root's first. All positions
 * follow from starts and weights; a frame's parent is the frame of the previous
 * depth that contains its start. data-n="COUNT" marks a merged frame that
 * stands for COUNT frames too narrow to draw; data-h="WEIGHT" is the weight of
 * a frame's children that are too narrow even when merged. A second rectangle is the
 * line to the frame's caller, which is of the other half of the stack.
 *
 * ctl.mk joins this with figures.js, graph.js and explore.js to one function, as
 * a page may have several graphs.
 */
const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const script = document.currentScript;
const svg = script && script.closest('svg') || document.documentElement;
const alone = svg === document.documentElement;
const data = svg.dataset;
const PAD = +data.pad, ROW = +data.row, BAR = +data.bar, TOP = +data.top, GAP = +data.gap;
const NARROW = 640, LINE = 16, MIN_CHARS = 4, KEY_GAP = 16;
const find = (selector) => svg.querySelector(selector);
const group = find('.frames'), foot = find('.foot'), head = find('.head');
const info = find('.info'), legend = find('.legend');

const frames = [];
let tools, rows, inner = 0;
let keys = [], charWidth = 7.2, labelWidth = 7.2, legendWidth = 0;

/* ---- the frames ---- */

/* The tree, with the members that graph.js expects. */
const tree = {
	root: null,
	noWeight: 0,
	parentOf: (frame) => frame.parent,
	childrenOf: (frame) => frame.children,
	weightOf: (frame) => frame.weight,
	startOf: (frame) => frame.start,
	hiddenOf: (frame) => frame.hidden,
	nameOf: (frame) => frame.name,
	/* the root and merged frames have no function's name */
	isFunction: (frame) => frame !== tree.root && !frame.stands,
	mayMerge: () => false,	/* svg.c has merged them */
	placeOf: (frame) => frame.depth + ',' + frame.g.dataset.s,
	nodeAt: (text) => {
		const [depth, start] = text.split(',');

		return (rows[+depth] || []).find((frame) => frame.g.dataset.s === start) ||
			tree.root;
	},
};

/* Make a frame of a group. Its title has weights, or a view's own text. */
function frameOf(g, depth, parent, exact)
{
	const start = exact(g.dataset.s), weight = exact(g.dataset.w);
	const title = g.querySelector('title');
	const [name, told] = title.textContent.split('\n');
	const stands = 'n' in g.dataset;
	const frame = {
		g, depth, parent, title, name, start, weight, stands,
		children: [], end: start + weight,
		told: g.dataset.told ? told : '',
		hidden: stands ? weight : exact(g.dataset.h || 0),
		rects: g.querySelectorAll('rect'),
		text: g.querySelector('text'),
	};

	if (parent)
		parent.children.push(frame);
	g.frame = frame;
	frames.push(frame);
	return frame;
}

/* Weights above 2^53 are compared exactly, but drawn as closely as possible. */
function load()
{
	const exact = Number.isSafeInteger(+data.total) ? Number : BigInt;

	rows = [];
	for (const row of group.children) {
		const depth = rows.length, above = rows[depth - 1] || [];
		let at = 0;

		rows.push(Array.from(row.children, (g) => {
			while (at < above.length - 1 && above[at].end <= exact(g.dataset.s))
				at++;
			return frameOf(g, depth, above[at] || null, exact);
		}));
	}
	tree.root = frames[0];
	tree.noWeight = exact(0);
}

function round(number)
{
	return String(Math.round(number * 100) / 100);
}

function set(element, name, value)
{
	if (element.getAttribute(name) !== value)
		element.setAttribute(name, value);
}

function place(frame, x, width)
{
	const room = Math.floor((width - 6) / labelWidth);

	for (const rect of frame.rects) {
		set(rect, 'x', round(x));
		set(rect, 'width', round(width > 2 ? width - 0.5 : width));
	}
	if (room < MIN_CHARS) {
		if (frame.text)
			frame.text.textContent = '';
		return;
	}
	if (!frame.text) {
		frame.text = document.createElementNS(SVG, 'text');
		frame.text.setAttribute('y', data.base);
		frame.g.appendChild(frame.text);
	}
	set(frame.text, 'x', round(x + 3));
	const label = fit(frame.name, room);
	if (frame.text.textContent !== label)
		frame.text.textContent = label;
}

class Picture extends Graph {
	/* Draw what is in view by weight, its ancestors full width; hide the rest. */
	draw()
	{
		const shown = new Map();

		this.lay(inner);
		for (const rect of this.rows.flat())
			shown.set(rect.node, rect);
		for (const frame of frames) {
			const rect = shown.get(frame);

			frame.g.classList.toggle('up', !!rect && rect.isUp);
			frame.g.classList.toggle('off', !rect);
			if (rect)
				place(frame, rect.x, rect.width);
		}
	}

	mark()
	{
		for (const frame of frames) {
			frame.g.classList.toggle('hit', this.isHit(frame));
			frame.g.classList.toggle('sel', frame === this.selected);
		}
	}

	/* A view may have its own text, such as that of a difference. */
	figures(frame)
	{
		return frame.told || super.figures(frame);
	}
}

const graph = new Picture(data.unit);

/* ---- the line of figures ---- */

function isIn(frame, outer)
{
	while (frame && frame !== outer)
		frame = frame.parent;
	return !!frame;
}

/* Show the figures of a frame, or of the view if there is none. */
function say(frame)
{
	const { view } = graph, room = Math.floor(inner / charWidth);
	const narrow = inner + 2 * PAD < NARROW;
	let text, rest = '';

	if (!frame && view === tree.root) {
		text = 'Click a frame to zoom; Ctrl-F searches.';
	} else {
		frame = frame || view;
		text = (data.nametype ? data.nametype + ' ' : '') + frame.name;
		rest = graph.figures(frame);
		if (!narrow && view !== tree.root && frame !== view && isIn(frame, view))
			rest += ', ' + percent(frame.weight, view.weight) + ' of view';
	}
	info.classList.toggle('hint', !rest);
	info.firstChild.textContent =
		fit(text, narrow ? room : Math.max(20, room - rest.length - 2));
	info.lastChild.textContent = narrow ? fit(rest, room) : rest;
	if (narrow) {
		info.lastChild.setAttribute('x', '0');
		info.lastChild.setAttribute('dx', '0');
		info.lastChild.setAttribute('dy', LINE);
	} else {
		info.lastChild.removeAttribute('x');
		info.lastChild.setAttribute('dy', '0');
		info.lastChild.setAttribute('dx', rest ? 2 * charWidth : 0);
	}
}

/* ---- the window ---- */

function cut(text, room)
{
	if (!text)
		return;
	const full = text.dataset.full;

	text.textContent = full;
	for (let n = full.length; n > 1 && text.getComputedTextLength() > room;
	     n = Math.floor(n * 0.95))
		text.textContent = full.slice(0, n - 1) + '…';
}

/* Wrap whole words to lines of @room cells; a longer word is cut. */
function linesOf(text, room)
{
	const lines = [];

	for (const word of text.split(' ')) {
		const last = lines.length - 1;

		if (last >= 0 && cellsOf(lines[last] + ' ' + word) <= room)
			lines[last] += ' ' + word;
		else
			lines.push(fit(word, room));
	}
	return lines;
}

/* Set the text of @fact; if it has several lines, it starts on a new one. */
function setLines(fact, lines)
{
	fact.textContent = '';
	lines.forEach((line, at) => {
		const span = document.createElementNS(SVG, 'tspan');

		span.textContent = line + (at < lines.length - 1 ? ' ' : '');
		if (at) {
			span.setAttribute('x', '0');
			span.setAttribute('dy', String(LINE));
		}
		fact.append(span);
	});
}

/*
 * Place facts in lines as the generator does, but never wider than the window.
 * Return: the height.
 */
function flow()
{
	const room = Math.floor(inner / charWidth * 12 / 11);
	let x = 0, y = 0;

	for (const fact of foot.querySelectorAll('.fact')) {
		fact.dataset.full = fact.dataset.full || fact.textContent;
		const note = fact.classList.contains('note');
		const lines = linesOf(fact.dataset.full, room);
		const width = cellsOf(lines[lines.length - 1]) * charWidth * 11 / 12;

		if (x && (note || lines.length > 1 || x + width > inner)) {
			x = 0;
			y += LINE;
		}
		setLines(fact, lines);
		fact.setAttribute('x', round(x));
		fact.setAttribute('y', String(y));
		y += (lines.length - 1) * LINE;
		x += note ? inner : width + 18;	/* nothing fits after a note */
	}
	return y;
}

/*
 * Place the legend in lines, below the facts or beside the search. Return: its
 * height.
 */
function flowLegend(parent, left, top, room)
{
	let x = 0, y = 0;

	parent.append(legend);
	legend.setAttribute('transform', `translate(${left} ${top})`);
	for (const key of keys) {
		if (x && x + key.width > room) {
			x = 0;
			y += LINE + 2;
		}
		for (const part of [key.box, key.text])
			part.setAttribute('transform', `translate(${round(x - key.left)} ${y - key.top})`);
		x += key.width + KEY_GAP;
	}
	return y + LINE;
}

function resize()
{
	const width = data.fixed ? +data.fixed :
		Math.max(320, svg.getBoundingClientRect().width);
	const narrow = width < NARROW;
	const top = TOP + (narrow ? LINE : 0);
	const bottom = top + rows.length * ROW;

	inner = width - 2 * PAD;
	group.setAttribute('transform', `translate(${PAD} ${top})`);
	foot.setAttribute('transform', `translate(${PAD} ${bottom + GAP})`);
	head.querySelector('.page').setAttribute('height', String(top - 4));

	const from = legendWidth <= inner - 400 ? legendWidth : 0;
	let height = flow();

	if (from)
		flowLegend(head, PAD, BAR, legendWidth);
	else
		height += flowLegend(foot, 0, height + 4, inner) + 4;
	height += bottom + GAP + PAD;
	svg.setAttribute('height', String(height));
	if (data.fixed)
		svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
	tools.setAttribute('x', String(PAD + from));
	tools.setAttribute('width', String(inner - from));
	cut(find('.title'), inner);
	cut(find('.sub'), inner);
	graph.draw();
	say(graph.selected);
}

/* Keep the head in sight while a tall graph scrolls. */
function stick()
{
	const limit = Math.max(0, +svg.getAttribute('height') - TOP - 40);

	head.setAttribute('transform',
			  `translate(0 ${Math.min(window.scrollY, limit)})`);
}

/*
 * Measure the advance of a character of the text in @parent. If characters
 * differ, use an upper estimate for an average one in a name.
 */
function advance(parent)
{
	const probe = document.createElementNS(SVG, 'text');
	const widths = ['m', 'tcp_v4_rcv '].map((sample) => {
		probe.textContent = sample.repeat(20);
		parent.appendChild(probe);
		return probe.getComputedTextLength() / sample.length / 20;
	});

	probe.remove();
	return (widths[1] < 0.97 * widths[0] ? widths[1] * 1.15 : widths[0]) ||
		charWidth;
}

function measure()
{
	charWidth = advance(foot);
	labelWidth = advance(group);
	keys = Array.from(legend.querySelectorAll('text'), (text) => {
		const box = text.previousElementSibling;
		const left = +box.getAttribute('x'), top = +text.getAttribute('y') - 16;
		const bounds = text.getBBox();

		return { text, box, left, top, width: bounds.x + bounds.width - left };
	});
	legendWidth = keys.reduce((sum, key) => sum + key.width + KEY_GAP, 0);
}
