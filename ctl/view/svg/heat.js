// SPDX-License-Identifier: GPL-2.0
/*
 * A heat map in a browser: fits the map to the window, and lets users mark a
 * range of time with the mouse. It then shows the command that draws a graph of
 * the range. A range consists of whole slices, as flamectl's --range does.
 * Without scripts, the picture is complete as it is.
 *
 * A column is a group of cells of width 1, which its transform stretches.
 */
(function () {
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const LINE = 16, MS = 1e6;
const svg = document.currentScript.ownerSVGElement;
const data = svg.dataset;
const LEFT = +data.left, RIGHT = +data.right, TOP = +data.top, AXIS = +data.axis;
const find = (selector) => svg.querySelector(selector);
const body = find('.body'), grid = find('.grid'), axis = find('.axis');
const foot = find('.foot'), range = find('.range'), books = find('.fact');
const height = +grid.dataset.height;
const columns = Array.from(grid.children, (g) => (
	{ g, begin: +g.dataset.b, end: +g.dataset.e }));
const begin = columns[0].begin;
const span = columns[columns.length - 1].end - begin;
const texts = new Map(['.title', '.sub', '.what', '.fact'].map(find).filter(
	(text) => text).map((text) => [text, text.textContent]));
let width = 0, inner = 0, bottom = 0;
let mark = null, marked = null, from = -1;

function add(parent, name, attributes)
{
	const element = document.createElementNS(SVG, name);

	for (const key of Object.keys(attributes))
		element.setAttribute(key, attributes[key]);
	parent.append(element);
	return element;
}

function x(ns)
{
	return (ns - begin) / span * width;
}

/* ---- texts ---- */

/*
 * Wrap text to lines of whole words, or of parts of longer words. All lines
 * joined are the exact text, so that it can be copied. Return: their number.
 */
function wrap(text, full, room)
{
	const at = { x: text.getAttribute('x') || 0 };
	let line, lines = 0;

	function put(piece)
	{
		const before = lines ? line.textContent : '';

		if (lines) {
			line.textContent += piece;
			if (!before || line.getComputedTextLength() <= room)
				return;
			line.textContent = before;
		}
		line = add(text, 'tspan', { x: at.x, dy: lines ? LINE : 0 });
		line.textContent = piece;
		lines++;
	}

	text.textContent = '';
	for (const word of full.match(/\S+\s*|\s+/g) || []) {
		put(word);
		if (line.getComputedTextLength() <= room)
			continue;
		line.textContent = line.textContent.slice(0, -word.length);
		Array.from(word).forEach(put);
	}
	return lines;
}

function cut(selector, room)
{
	const text = find(selector), full = texts.get(text);

	if (!text)
		return;
	text.textContent = full;
	for (let n = full.length; n > 1 && text.getComputedTextLength() > room;
	     n = Math.floor(n * 0.95))
		text.textContent = full.slice(0, n - 1) + '…';
}

/* ---- the window ---- */

/* Choose the distance of ticks as the generator does. */
function tick()
{
	const most = Math.floor(width / +axis.dataset.room) || 1;

	for (let power = MS;; power *= 10)
		for (const step of [1, 2, 5])
			if (span / (power * step) < most + 1)
				return power * step;
}

function drawAxis()
{
	const step = tick();

	axis.textContent = '';
	for (let at = Math.ceil(begin / step) * step; at - begin <= span; at += step) {
		const last = x(at) > width - axis.dataset.edge;

		add(axis, 'path', { class: 'tick', d: `M${x(at)} 0v5` });
		add(axis, 'text', { class: last ? 'time end' : 'time', x: x(at), y: 18 })
			.textContent = Math.round(at / MS) / 1000 + ' s';
	}
}

function drawColumns()
{
	for (const column of columns) {
		const left = x(column.begin), room = x(column.end) - left;

		column.g.setAttribute('transform',
			`translate(${left}) scale(${room > 6 ? room - 1 : room} 1)`);
	}
}

/* Place the text after the steps of heat, or below them if it does not fit. */
function drawLegend()
{
	const what = find('.what'), full = texts.get(what);
	const steps = what.previousElementSibling.previousElementSibling;
	const after = +steps.getAttribute('x') + +steps.getAttribute('width') + 8;

	what.setAttribute('x', after);
	what.setAttribute('y', 10);
	if (wrap(what, full, width - after) === 1)
		return 0;
	what.setAttribute('x', 0);
	what.setAttribute('y', 10 + LINE);
	return LINE * wrap(what, full, width);
}

/*
 * Return the command. The range is rounded inwards, so that it touches no
 * neighbour; data.rest, selection and file, is already quoted for a shell.
 */
function command(first, last)
{
	return 'flamectl svg --range ' + Math.ceil(first.begin / MS) + 'ms,' +
		Math.floor(last.end / MS) + 'ms' + data.rest;
}

/*
 * Draw the mark, show its command and the books below the map, and set the height.
 */
function drawRange()
{
	let text = 'mark a range of time with the mouse';

	if (mark)
		mark.remove();
	mark = null;
	if (marked) {
		const first = columns[Math.min(...marked)], last = columns[Math.max(...marked)];

		mark = add(body, 'rect', {
			class: 'mark', height,
			x: x(first.begin), width: x(last.end) - x(first.begin),
		});
		text = command(first, last);
	}
	range.classList.toggle('on', !!marked);

	const y = LINE * wrap(range, text, inner) + 4;

	books.setAttribute('y', y);
	const end = bottom + y + LINE * wrap(books, texts.get(books), inner);

	svg.setAttribute('height', end);
	if (data.fixed)
		svg.setAttribute('viewBox', `0 0 ${data.fixed} ${end}`);
}

function resize()
{
	const all = data.fixed ? +data.fixed :
		Math.max(320, svg.getBoundingClientRect().width);

	inner = all - 2 * RIGHT;
	width = all - LEFT - RIGHT;
	cut('.title', inner);
	cut('.sub', inner);

	const top = TOP + drawLegend();

	bottom = top + height + AXIS + LINE - 4;
	body.setAttribute('transform', `translate(${LEFT} ${top})`);
	foot.setAttribute('transform', `translate(${RIGHT} ${bottom})`);
	drawColumns();
	drawAxis();
	drawRange();
}

/* ---- the mouse ---- */

function columnAt(event)
{
	const point = new DOMPoint(event.clientX, event.clientY)
		.matrixTransform(grid.getScreenCTM().inverse());
	const time = begin + point.x / width * span;
	let i = 0;

	while (i + 1 < columns.length && columns[i].end <= time)
		i++;
	return i;
}

function select(a, b)
{
	marked = [a, b];
	drawRange();
}

grid.addEventListener('mousedown', (event) => {
	if (event.button)
		return;
	event.preventDefault();
	from = columnAt(event);
	select(from, from);
});
window.addEventListener('mousemove', (event) => {
	if (from >= 0 && event.buttons & 1)
		select(from, columnAt(event));
});
window.addEventListener('mouseup', () => {
	from = -1;
});
window.addEventListener('keydown', (event) => {
	if (event.key !== 'Escape')
		return;
	from = -1;
	marked = null;
	drawRange();
});
window.addEventListener('resize', resize);
if (!data.fixed) {
	svg.setAttribute('width', '100%');
	svg.removeAttribute('viewBox');
}
resize();
}());
