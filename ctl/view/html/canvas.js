// SPDX-License-Identifier: GPL-2.0
/*
 * The graph of graph.js on a canvas. Only frames at least half a pixel wide are
 * visited and drawn, so that the cost depends on the picture, not on the profile.
 */
class CanvasGraph extends Graph {
	/* @pointed is called with the rectangle under the pointer, or null */
	constructor(canvas, unit, pointed)
	{
		super(unit);
		this.canvas = canvas;
		this.pointed = pointed;
		this.hovered = null;
		this.shades = new Map();
		this.narrow = 0.5;
		/* Browsers limit a canvas to a height of 32767 device pixels. */
		this.rowsMax = Math.floor(32767 / CanvasGraph.ROW /
					  Math.max(1, window.devicePixelRatio || 1));
		canvas.addEventListener('mousemove', (event) => this.hover(event));
		canvas.addEventListener('mouseleave', () => this.hover(null));
	}

	show(tree, isUp)
	{
		this.hovered = null;
		super.show(tree, isUp);
	}

	/* Return a node's figures, with its self weight if that is only a part. */
	figures(node)
	{
		const { tree } = this, self = tree.self[node];

		return super.figures(node) + (!self || self === tree.weightOf(node) ? '' :
			', self ' + percent(self, tree.weightOf(tree.root)));
	}

	/* ---- drawing ---- */

	/* Hash the name with FNV-1a, as graphs in SVG do; marks have their own shades. */
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
		const height = this.rows.length * CanvasGraph.ROW;

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
		return (this.isUp ? this.rows.length - 1 - row : row) * CanvasGraph.ROW;
	}

	/* Report whether the frame, or each of those merged, begins the other half. */
	isMeeting(rect)
	{
		const { tree } = this;

		if (!rect.narrow)
			return tree.meets(rect.node);
		for (let node = rect.first, left = rect.narrow; left; node = tree.sibling[node], left--)
			if (!tree.meets(node))
				return false;
		return true;
	}

	drawRect(context, rect, y)
	{
		const { tree } = this, { node } = rect;
		const kind = rect.narrow ? 't' : tree.familyOf(node);
		const width = rect.width > 2 ? rect.width - 0.5 : rect.width;

		context.globalAlpha = rect.isUp ? 0.4 : 1;
		context.fillStyle = !rect.narrow && this.isHit(node) ? this.look.hit :
			kind === 'l' ? this.hatching : this.shadeOf(tree.name[node], kind);
		context.beginPath();
		context.roundRect(rect.x, y, width, CanvasGraph.ROW - 1, width > 4 ? 2 : 0);
		context.fill();
		if (this.isMeeting(rect)) {
			context.fillStyle = this.look.ink;
			context.fillRect(rect.x, this.isUp ? y + CanvasGraph.ROW - 2 : y - 1, width, 2);
		}
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
		const label = fit(this.tree.nameOf(rect.node), room);

		/* on hatching, skip labels too short to be useful */
		if (isLost && room < 10)
			return;
		if (isLost) {
			context.fillStyle = this.colours.l[0];
			context.fillRect(rect.x + 1, y + 2,
					 label.length * this.advance + 4, CanvasGraph.ROW - 5);
		}
		context.fillStyle = rect.isUp ? this.look.ink : this.look.label;
		context.fillText(label, rect.x + 3, y + CanvasGraph.ROW / 2);
	}

	/* ---- the pointer ---- */

	rectAt(x, y)
	{
		const line = Math.floor(y / CanvasGraph.ROW);
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
		const node = rect && !rect.narrow ? rect.node : null;

		if (node !== this.hovered) {
			this.hovered = node;
			this.draw();
		}
		this.pointed(rect, event);
	}
}

CanvasGraph.ROW = 19;
