// SPDX-License-Identifier: GPL-2.0
/*
 * Shared by graphs in SVG and the page: the places of frames, zoom, search, keys,
 * and the state in the address.
 *
 * A graph shows a tree. Its nodes may be values of any type; a tree has
 *
 *   root, noWeight
 *   parentOf(node)        null for the root
 *   childrenOf(node)      from left to right
 *   weightOf(node)        a Number; or a BigInt, for all nodes of the tree
 *   startOf(node)         the weight to the left of the node, in the whole tree
 *   hiddenOf(node)        the weight of children that the tree does not have
 *   nameOf(node)
 *   isFunction(node)      whether a search looks at its name
 *   mayMerge(node)        whether it may be drawn together with narrow neighbours
 *   placeOf(node)         as text, for the address
 *   nodeAt(text)          the reverse; the root if there is no such node
 */

/* ---- text ---- */

/* Width in cells of a monospaced font; the generator counts the same way. */
function cells(character)
{
	return character.codePointAt(0) >= 0x1100 ? 2 : 1;
}

function cellsOf(text)
{
	return Array.from(text).reduce((sum, character) => sum + cells(character), 0);
}

/* Return a name, cut if it does not fit into @room cells. */
function fit(name, room)
{
	const chars = Array.from(name);
	let used = 0, cut = 0;

	for (let i = 0; i < chars.length && used <= room; i++) {
		used += cells(chars[i]);
		if (used <= room - 1)
			cut = i + 1;
	}
	return used <= room ? name : chars.slice(0, cut).join('') + '…';
}

/* ---- the graph ---- */

/*
 * Subclasses have draw(), which calls lay(). They may have mark(), which is called
 * if the selection or matches change, but rectangles stay where they are.
 */
class Graph {
	constructor(unit)
	{
		this.unit = unit;
		this.tree = null;
		this.view = this.selected = null;
		this.rows = [];
		this.isUp = true;	/* the root is at the bottom */
		this.narrow = 0;	/* pixels; narrower neighbours are merged */
		this.rowsMax = Infinity;
		this.pattern = null;
		this.hits = new Map();	/* by name */
	}

	show(tree, isUp)
	{
		this.tree = tree;
		this.isUp = isUp;
		this.view = tree.root;
		this.selected = null;
		this.draw();
	}

	zoom(node)
	{
		this.view = node;
		this.draw();
	}

	select(node)
	{
		this.selected = node;
		this.mark();
	}

	search(pattern)
	{
		this.pattern = pattern;
		this.hits.clear();
		this.mark();
	}

	mark()
	{
		this.draw();
	}

	/*
	 * Set the rectangles: rows from the root's outwards, each from left to
	 * right. Ancestors of the view span it. A rectangle that stands for
	 * @narrow merged nodes has their parent as its node, and the first of them.
	 */
	lay(width)
	{
		const { tree } = this, rows = this.rows = [];
		const scale = width / Number(tree.weightOf(this.view));
		let level = [{ node: this.view, x: 0, width, isUp: false, narrow: 0 }];

		for (let node = tree.parentOf(this.view); node !== null; node = tree.parentOf(node))
			rows.unshift([{ node, x: 0, width, isUp: true, narrow: 0 }]);
		while (level.length && rows.length < this.rowsMax) {
			const next = [];

			rows.push(level);
			for (const rect of level)
				if (!rect.narrow)
					this.layChildren(rect.node, scale, next);
			level = next;
		}
		this.isCut = level.length > 0;
	}

	layChildren(parent, scale, to)
	{
		const { tree } = this, begin = tree.startOf(this.view);
		let run = null;

		for (const node of tree.childrenOf(parent)) {
			const x = Number(tree.startOf(node) - begin) * scale;
			const width = Number(tree.weightOf(node)) * scale;

			if (width < this.narrow && tree.mayMerge(node)) {
				run = run || { node: parent, first: node, x, width: 0,
					isUp: false, narrow: 0 };
				run.width += width;
				run.narrow++;
				continue;
			}
			if (run && run.width >= this.narrow)
				to.push(run);
			run = null;
			to.push({ node, x, width, isUp: false, narrow: 0 });
		}
		if (run && run.width >= this.narrow)
			to.push(run);
	}

	isHit(node)
	{
		if (!this.pattern || !this.tree.isFunction(node))
			return false;
		const name = this.tree.nameOf(node);

		if (!this.hits.has(name))
			this.hits.set(name, this.pattern.test(name));
		return this.hits.get(name);
	}

	/*
	 * Sum the weight of matches in view; a match above another one adds
	 * nothing. Also sum the weight of hidden children, which have no name
	 * here to search.
	 */
	matched()
	{
		const { tree } = this, stack = [this.view];
		let weight = tree.noWeight, hidden = tree.noWeight;

		while (stack.length) {
			const node = stack.pop();

			if (this.isHit(node)) {
				weight += tree.weightOf(node);
				continue;
			}
			hidden += tree.hiddenOf(node);
			for (const child of tree.childrenOf(node))
				stack.push(child);
		}
		return { weight, hidden };
	}

	/* Select the widest child, the parent or a sibling, depending on the arrow key. */
	walk(key)
	{
		const nodes = this.rows.map((row) => row.filter((rect) => !rect.narrow)
			.map((rect) => rect.node));
		const rowOf = (node) => nodes.findIndex((row) => row.includes(node));
		const from = rowOf(this.selected) < 0 ? this.view : this.selected;
		const at = rowOf(from), row = nodes[at] || [];
		let to = null;

		if (key === 'ArrowLeft')
			to = row[row.indexOf(from) - 1];
		else if (key === 'ArrowRight')
			to = row[row.indexOf(from) + 1];
		else if (key === (this.isUp ? 'ArrowUp' : 'ArrowDown'))
			to = this.widest((nodes[at + 1] || []).filter(
				(node) => this.tree.parentOf(node) === from));
		else
			to = this.tree.parentOf(from);
		if (to !== null && to !== undefined)
			this.select(to);
	}

	widest(nodes)
	{
		const { tree } = this;

		return nodes.reduce((most, node) => most !== null &&
			tree.weightOf(most) >= tree.weightOf(node) ? most : node, null);
	}

	/* Return "1,234 samples, 1.23 % of all, 4.56 % of parent". */
	figures(node)
	{
		const { tree } = this, weight = tree.weightOf(node), parent = tree.parentOf(node);
		let text = weighed(weight, this.unit) + ', ' +
			percent(weight, tree.weightOf(tree.root)) + ' of all';

		if (parent !== null)
			text += ', ' + percent(weight, tree.weightOf(parent)) + ' of parent';
		return text;
	}
}

/* ---- the search ---- */

/* A field for a regular expression, and a button to ignore case. */
class Search {
	constructor(field, button, changed)
	{
		this.field = field;
		this.button = button;
		field.addEventListener('input', changed);
		button.addEventListener('click', () => {
			this.set(this.text, !this.ignoresCase);
			changed();
		});
	}

	get text()
	{
		return this.field.value;
	}

	get ignoresCase()
	{
		return this.button.getAttribute('aria-pressed') === 'true';
	}

	get isBad()
	{
		return this.field.classList.contains('bad');
	}

	set(text, ignoresCase)
	{
		this.field.value = text;
		this.button.setAttribute('aria-pressed', String(ignoresCase));
	}

	/* Return the expression, or null if there is none or it is bad. */
	pattern()
	{
		this.field.classList.remove('bad');
		if (!this.text)
			return null;
		try {
			return new RegExp(this.text, this.ignoresCase ? 'i' : '');
		} catch (error) {
			this.field.classList.add('bad');
			return null;
		}
	}
}

/* ---- zoom, search, keys, and the state in the address ---- */

/*
 * @parts are elements: field, caseButton, resetButton, matched. @host has
 *
 *   hasAddress            whether the address keeps the state
 *   said()                called after view, selection or search changed
 *   searched(pattern)     called with a new expression or null
 *   save(state)           adds to the state in the address, URLSearchParams
 *   restore(state)        the reverse; shows a tree
 *   hasFocus(element)     whether arrow keys on this element are for the graph
 */
class Explorer {
	constructor(graph, parts, host)
	{
		this.graph = graph;
		this.parts = parts;
		this.host = host;
		this.search = new Search(parts.field, parts.caseButton, () => {
			this.applySearch();
			this.remember(false);
		});
		parts.resetButton.addEventListener('click', () => this.go(graph.tree.root));
	}

	/* Update the texts about what is shown; also after a change of tree. */
	tell()
	{
		const { graph, parts, host } = this;

		parts.resetButton.disabled = graph.view === graph.tree.root;
		parts.matched.textContent = this.matchedText();
		/* the full text, in case the window is too narrow for it */
		parts.matched.title = parts.matched.textContent;
		host.said();
	}

	/* Return a text with the share of the view that matches. */
	matchedText()
	{
		const { graph, search } = this, { tree } = graph;

		if (search.isBad)
			return 'invalid expression';
		if (!search.text)
			return '';
		const { weight, hidden } = graph.matched();
		const all = tree.weightOf(graph.view), rest = percent(hidden, all);
		const isPart = rest !== percent(0, 1);

		return 'matched: ' + (isPart ? 'at least ' : '') + percent(weight, all) +
			(graph.view === tree.root ? '' : ' of view') +
			(isPart ? ', ' + rest + ' too narrow to search' : '');
	}

	applySearch()
	{
		const pattern = this.search.pattern();

		this.graph.search(pattern);
		this.host.searched(pattern);
		this.tell();
	}

	searchFor(text)
	{
		this.search.set(text, this.search.ignoresCase);
		this.applySearch();
		this.remember(false);
	}

	go(node)
	{
		if (node === this.graph.view)
			return;
		this.graph.zoom(node);
		this.tell();
		this.remember(true);
	}

	select(node)
	{
		this.graph.select(node);
		this.host.said();
	}

	/* A step, such as zooming, adds a history entry: "back" undoes it. */
	remember(isStep)
	{
		const { graph, search, host } = this, state = new URLSearchParams();

		host.save(state);
		if (search.text)
			state.set('q', search.text);
		if (search.ignoresCase)
			state.set('i', '1');
		if (graph.view !== graph.tree.root)
			state.set('z', graph.tree.placeOf(graph.view));
		const hash = String(state) && '#' + state;

		if (!host.hasAddress || hash === location.hash)
			return;
		try {
			history[isStep ? 'pushState' : 'replaceState'](null, '',
				hash || location.href.split('#')[0]);
		} catch (error) {
			/* the document has no address of its own */
		}
	}

	recall()
	{
		const { graph, search, host } = this;
		const state = new URLSearchParams(host.hasAddress ? location.hash.slice(1) : '');

		host.restore(state);
		search.set(state.get('q') || '', state.get('i') === '1');
		graph.zoom(graph.tree.nodeAt(state.get('z') || ''));
		this.applySearch();
	}

	escape()
	{
		const { field } = this.parts;

		if (this.search.text) {
			this.searchFor('');
		} else if (document.activeElement !== field) {
			this.select(null);
			this.go(this.graph.tree.root);
		}
		field.blur();
	}

	keydown(event)
	{
		const { graph, host, parts } = this, { key } = event;
		const focus = document.activeElement || document.documentElement;
		const isCommand = event.ctrlKey || event.metaKey;

		if ((isCommand && key.toLowerCase() === 'f') || key === 'F3' ||
		    (key === '/' && !focus.closest('input, select'))) {
			parts.field.focus();
			parts.field.select();
		} else if (isCommand || event.altKey) {
			return;
		} else if (key === 'Escape') {
			this.escape();
		} else if (key.startsWith('Arrow') && host.hasFocus(focus)) {
			graph.walk(key);
			host.said();
		} else if (key === 'Enter' && graph.selected !== null &&
			   host.hasFocus(focus) && !focus.closest('button')) {
			this.go(graph.selected);
		} else {
			return;
		}
		event.preventDefault();
	}

	/* Start: take the state from the address, and listen to keys. */
	start()
	{
		this.recall();
		if (!this.host.hasAddress)
			return;
		window.addEventListener('keydown', (event) => this.keydown(event));
		window.addEventListener('popstate', () => this.recall());
	}
}
