// SPDX-License-Identifier: GPL-2.0
/*
 * The graph: a tree drawn on a canvas. Only frames at least half a pixel wide
 * are visited and drawn, so that the cost depends on the picture, not on the
 * profile.
 */
'use strict';

class Graph {
	constructor(canvas, said)
	{
		this.canvas = canvas;
		this.said = said;	/* called with a frame, or -1 */
		this.tree = null;
		this.view = this.selected = this.hovered = 0;
		this.rows = [];
		this.isUp = true;	/* the root is at the bottom */
		this.pattern = null;
		this.hits = new Map();	/* by name */
		this.shades = new Map();
		canvas.addEventListener('mousemove', (event) => this.hover(event));
		canvas.addEventListener('mouseleave', () => this.hover(null));
	}

	show(tree, isUp)
	{
		this.tree = tree;
		this.isUp = isUp;
		this.view = 0;
		this.selected = this.hovered = -1;
		this.draw();
	}

	isHit(node)
	{
		const name = this.tree.name[node];

		/* the root is not a function */
		if (!this.pattern || !node)
			return false;
		if (!this.hits.has(name))
			this.hits.set(name, this.pattern.test(names[name]));
		return this.hits.get(name);
	}

	search(pattern)
	{
		this.pattern = pattern;
		this.hits.clear();
		this.draw();
	}

	/* Sum the weight of matches; those below others add nothing. */
	matched()
	{
		const { tree } = this, stack = [this.view];
		let weight = noWeight;

		while (stack.length) {
			const node = stack.pop();

			if (this.isHit(node)) {
				weight += tree.total[node];
				continue;
			}
			for (let child = tree.child[node]; child; child = tree.sibling[child])
				stack.push(child);
		}
		return weight;
	}

	/* ---- layout ---- */

	/* Rectangles by row, left to right; ancestors of the view span it. */
	lay(width)
	{
		const { tree } = this, rows = this.rows = [];
		const scale = width / Number(tree.total[this.view]);
		let level = [];

		for (let node = tree.parent[this.view]; node >= 0; node = tree.parent[node])
			rows.unshift([{ node, x: 0, width, isUp: true, narrow: 0 }]);
		level.push({ node: this.view, x: 0, width, isUp: false, narrow: 0 });
		while (level.length && rows.length < Graph.ROWS_MAX) {
			const next = [];

			rows.push(level);
			for (const rect of level)
				if (!rect.narrow)
					this.layChildren(rect, scale, next);
			level = next;
		}
		this.isCut = level.length > 0;
	}

	layChildren(parent, scale, to)
	{
		const { tree } = this;
		let x = parent.x, run = null;

		for (let node = tree.child[parent.node]; node; node = tree.sibling[node]) {
			const width = Number(tree.total[node]) * scale;

			/* merge narrow neighbours; losses are always shown */
			if (width < Graph.NARROW && tree.kind[node] !== 'l') {
				run = run || { node: parent.node, x, width: 0, isUp: false, narrow: 0 };
				run.width += width;
				run.narrow++;
			} else {
				if (run && run.width >= Graph.NARROW)
					to.push(run);
				run = null;
				to.push({ node, x, width, isUp: false, narrow: 0 });
			}
			x += width;
		}
		if (run && run.width >= Graph.NARROW)
			to.push(run);
	}

	/* ---- ink ---- */

	/* FNV-1a of the name, as graphs in SVG do; marks have their own. */
	shadeOf(name, kind)
	{
		const shades = this.colours[kind];

		if (kind === 'x')
			return shades[Math.max(0, data.marks.indexOf(names[name]))];
		let hash = this.shades.get(name);

		if (hash === undefined) {
			hash = 0x811c9dc5;
			for (const byte of new TextEncoder().encode(names[name]))
				hash = Math.imul(hash ^ byte, 0x01000193);
			hash = (hash ^ hash >>> 16) >>> 0;
			this.shades.set(name, hash);
		}
		return shades[hash % shades.length];
	}

	hatch(context)
	{
		const tile = document.createElement('canvas');
		const ink = tile.getContext('2d');

		tile.width = tile.height = 8;
		ink.fillStyle = this.colours.l[0];
		ink.fillRect(0, 0, 8, 8);
		ink.strokeStyle = this.colours.l[1];
		ink.lineWidth = 2.5;
		for (const from of [-8, 0, 8]) {
			ink.moveTo(from, 8);
			ink.lineTo(from + 8, 0);
		}
		ink.stroke();
		return context.createPattern(tile, 'repeat');
	}

	draw()
	{
		const width = this.canvas.clientWidth, ratio = window.devicePixelRatio || 1;
		const style = getComputedStyle(document.documentElement);

		if (!this.tree || !width)
			return;
		this.colours = data.shades[style.colorScheme === 'dark' ? 'dark' : 'light'];
		this.look = {
			ink: style.getPropertyValue('--ink'), hit: style.getPropertyValue('--hit'),
			label: style.getPropertyValue('--label'),
		};
		this.width = width;
		this.lay(width);
		const height = this.rows.length * Graph.ROW;

		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.height = height + 'px';
		const context = this.canvas.getContext('2d');

		context.scale(ratio, ratio);
		context.font = '12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace';
		context.textBaseline = 'middle';
		this.advance = context.measureText('m'.repeat(50)).width / 50;
		this.hatching = this.hatch(context);
		for (let row = 0; row < this.rows.length; row++)
			for (const rect of this.rows[row])
				this.drawRect(context, rect, this.top(row));
	}

	top(row)
	{
		return (this.isUp ? this.rows.length - 1 - row : row) * Graph.ROW;
	}

	drawRect(context, rect, y)
	{
		const { tree } = this, { node } = rect;
		const kind = rect.narrow ? 't' : tree.kind[node];
		const width = rect.width > 2 ? rect.width - 0.5 : rect.width;

		context.globalAlpha = rect.isUp ? 0.4 : 1;
		context.fillStyle = !rect.narrow && this.isHit(node) ? this.look.hit :
			kind === 'l' ? this.hatching : this.shadeOf(tree.name[node], kind);
		context.beginPath();
		context.roundRect(rect.x, y, width, Graph.ROW - 1, width > 4 ? 2 : 0);
		context.fill();
		context.globalAlpha = 1;
		if (!rect.narrow && (node === this.selected || node === this.hovered)) {
			context.strokeStyle = this.look.ink;
			context.lineWidth = node === this.selected ? 1.6 : 1;
			context.stroke();
		}
		this.drawLabel(context, rect, y);
	}

	drawLabel(context, rect, y)
	{
		const room = Math.floor((rect.width - 6) / this.advance);

		if (room < 4 || rect.narrow)
			return;
		const isLost = this.tree.kind[rect.node] === 'l';
		const label = Graph.fit(names[this.tree.name[rect.node]], room);

		/* on hatching, skip labels too short to be useful */
		if (isLost && room < 10)
			return;
		if (isLost) {
			context.fillStyle = this.colours.l[0];
			context.fillRect(rect.x + 1, y + 2,
					 label.length * this.advance + 4, Graph.ROW - 5);
		}
		context.fillStyle = rect.isUp ? this.look.ink : this.look.label;
		context.fillText(label, rect.x + 3, y + Graph.ROW / 2);
	}

	/* Return what fits of a name into @room monospaced cells. */
	static fit(name, room)
	{
		const chars = Array.from(name);
		let used = 0, cut = 0;

		for (let i = 0; i < chars.length && used <= room; i++) {
			used += chars[i].codePointAt(0) >= 0x1100 ? 2 : 1;
			if (used <= room - 1)
				cut = i + 1;
		}
		return used <= room ? name : chars.slice(0, cut).join('') + '…';
	}

	/* ---- places ---- */

	rectAt(x, y)
	{
		const line = Math.floor(y / Graph.ROW);
		const row = this.rows[this.isUp ? this.rows.length - 1 - line : line] || [];

		return row.find((rect) => x >= rect.x && x < rect.x + rect.width) || null;
	}

	rectOf(event)
	{
		const box = this.canvas.getBoundingClientRect();

		return this.rectAt(event.clientX - box.left, event.clientY - box.top);
	}

	hover(event)
	{
		const rect = event && this.rectOf(event);
		const node = rect && !rect.narrow ? rect.node : -1;

		if (node !== this.hovered) {
			this.hovered = node;
			this.draw();
		}
		this.said(rect, event);
	}

	zoom(node)
	{
		this.view = node;
		this.draw();
	}

	select(node)
	{
		this.selected = node;
		this.draw();
	}

	/* Arrow keys move to the widest child, the parent, or siblings. */
	walk(key)
	{
		const { tree } = this;
		const from = this.selected < 0 ? this.view : this.selected;
		const at = this.rows.findIndex((row) => row.some((r) => r.node === from && !r.narrow));
		const row = (this.rows[at] || []).filter((rect) => !rect.narrow);
		let to = -1;

		if (key === 'ArrowLeft' || key === 'ArrowRight') {
			const place = row.findIndex((rect) => rect.node === from) +
				(key === 'ArrowLeft' ? -1 : 1);

			to = row[place] ? row[place].node : -1;
		} else if (key === (this.isUp ? 'ArrowUp' : 'ArrowDown')) {
			for (const rect of this.rows[at + 1] || [])
				if (!rect.narrow && tree.parent[rect.node] === from &&
				    (to < 0 || tree.total[rect.node] > tree.total[to]))
					to = rect.node;
		} else {
			to = tree.parent[from];
		}
		if (to >= 0)
			this.select(to);
	}
}

Graph.ROW = 19;
Graph.NARROW = 0.5;
/* Browsers limit a canvas to a height of 32767 device pixels. */
Graph.ROWS_MAX = Math.floor(32767 / Graph.ROW / Math.max(1, window.devicePixelRatio || 1));
