// SPDX-License-Identifier: GPL-2.0
/*
 * The page's state (view, filters, search, zoom), which is kept in the address,
 * and the event handlers that change it.
 */
'use strict';

const byId = (id) => document.getElementById(id);
const choices = { group: byId('group'), comm: byId('comm'), host: byId('host'), cpu: byId('cpu'), context: byId('context') };
const atFirst = { group: data.by.join() || 'none', comm: '-1', host: '-1', cpu: '-1', context: '-1' };
/* Choices that the address stores as text. */
const texts = { comm: data.comms, host: data.hosts };
const query = byId('query'), caseButton = byId('case'), reset = byId('reset');
let view = 'flame', total = 0, callTree = null;

const graph = new Graph(byId('graph'), tell);
const table = new FunctionTable(byId('functions'), byId('more'), (name) => {
	const exact = '^' + name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$';

	query.value = query.value === exact ? '' : exact;
	applySearch();
	remember(false);
});

/* ---- what there is ---- */

function option(select, value, text)
{
	const one = document.createElement('option');

	one.value = value;
	one.textContent = text;
	select.append(one);
}

/* Hide a choice that has fewer than two values. */
function fillChoice(select, all, values)
{
	option(select, '-1', all);
	for (const [value, text] of values)
		option(select, String(value), text);
	select.parentElement.hidden = values.length < 2;
}

/* Sort by weight, the heaviest first. */
function fillByWeight(name)
{
	const { weight } = data.records, weights = new Map();

	data.records[name].forEach((number, i) =>
		weights.set(number, (weights.get(number) || noWeight) + weight[i]));
	fillChoice(choices[name], 'all', Array.from(weights.keys())
		.sort((a, b) => Number(weights.get(b) - weights.get(a)))
		.map((number) => [number, texts[name][number]]));
}

function fillChoices()
{
	const { cpu, context } = data.records;

	fillByWeight('comm');
	fillByWeight('host');
	fillChoice(choices.cpu, 'all', Array.from(new Set(cpu)).sort((a, b) => a - b)
		.map((number) => [number, String(number)]));
	fillChoice(choices.context, 'all', Array.from(new Set(context)).sort((a, b) => a - b)
		.map((number) => [number, contexts[number]]));
	fillGroups();
}

/* Offer the levels available, and the grouping requested. */
function fillGroups()
{
	const words = { comm: 'command', host: 'host', cpu: 'CPU', context: 'context',
		pid: 'process', tid: 'thread' };

	option(choices.group, 'none', 'nothing');
	for (const name of ['comm', 'host', 'cpu', 'context'])
		if (name === 'comm' || !choices[name].parentElement.hidden)
			option(choices.group, name, words[name]);
	choices.group.value = atFirst.group;
	if (choices.group.selectedIndex < 0)
		option(choices.group, atFirst.group,
			data.by.map((level) => words[level]).join(', '));
	choices.group.value = atFirst.group;
}

function levels()
{
	return choices.group.value === 'none' ? [] : choices.group.value.split(',');
}

function number(name)
{
	return +choices[name].value;
}

function filter()
{
	return { comm: number('comm'), host: number('host'), cpu: number('cpu'),
		context: number('context') };
}

/* ---- what is shown ---- */

function apply()
{
	callTree = makeTree(filter(), levels(), view === 'callers');
	total = callTree.total[0];
	graph.show(callTree, view === 'flame');
	table.show(sumFunctions(view === 'callers' ? makeTree(filter(), [], false) :
				callTree), total);
	for (const button of document.querySelectorAll('[data-view]'))
		button.setAttribute('aria-pressed', String(button.dataset.view === view));
	choices.group.disabled = view === 'callers';
	showBooks();
	showLegend();
	applyZoom();
}

function showBooks()
{
	const cpu = number('cpu');
	const books = cpu < 0 ? data.books : data.cpus.find((one) => one.cpu === cpu);

	byId('books').hidden = !books;
	if (!books)
		return;
	if (data.unit !== 'periods')
		byId('books-in').textContent = 'all ' + data.unit;
	byId('books-of').textContent = cpu >= 0 ? 'CPU ' + cpu : data.cpus.length === 1 ?
		'the one CPU' : 'all ' + data.cpus.length + ' CPUs';
	showSum(byId('sum'), books);
	byId('late').textContent = data.late ? `Of what is stored: ${data.late}.` : '';
	byId('advice').textContent = data.advice ? 'Fewer are lost so: ' + data.advice + '.' : '';
	showCpus(byId('by-cpu'), data.cpus);
}

function showLegend()
{
	const words = [['t', 'groups'], ['k', 'kernel'], ['m', 'modules'], ['u', 'user'],
		['i', 'idle'], ['l', 'lost']];
	const present = new Set(callTree.kind.slice(1));
	const marks = marksThere();
	const key = ([kind, text, shade]) => {
		const span = document.createElement('span'), box = document.createElement('i');
		const shades = graph.colours ? graph.colours[kind] : ['gray'];

		box.style.background = kind === 'l' ?
			`repeating-linear-gradient(135deg, ${shades[0]} 0 3px, ${shades[1]} 3px 5px)` :
			shades[(shade === undefined ? 3 : shade) % shades.length];
		span.append(box, text);
		return span;
	};

	byId('legend').replaceChildren(
		...words.filter(([kind]) => present.has(kind)).map(key), ...marks.map(key));
}

/* Return the marks in the tree, for the legend; "other marks" comes last. */
function marksThere()
{
	const there = new Set();

	callTree.kind.forEach((kind, node) => {
		if (kind === 'x')
			there.add(Math.max(0, data.marks.indexOf(names[callTree.name[node]])));
	});
	return data.marks.map((text, shade) => ['x', text, shade]).filter(
		([, , shade]) => there.has(shade)).sort((a, b) => !a[2] - !b[2]);
}

function figures(node)
{
	const weight = callTree.total[node], parent = callTree.parent[node];
	let text = weighed(weight, data.unit) + ', ' + percent(weight, total) + ' of all';

	if (parent >= 0)
		text += ', ' + percent(weight, callTree.total[parent]) + ' of parent';
	if (callTree.self[node] && weight !== callTree.self[node])
		text += ', self ' + percent(callTree.self[node], total);
	return text;
}

function say(node)
{
	if (!total)
		byId('info').textContent = 'Nothing was sampled that these filters leave.';
	else if (node < 0 && graph.view === 0)
		byId('info').textContent = weighed(total, data.unit) +
			(total === data.total ? '' : ', ' + percent(total, data.total) + ' of the profile') +
			'. Click a frame to zoom; / searches.' +
			(graph.isCut ? ' The deepest frames are not drawn: zoom in.' : '');
	else
		sayFrame(node < 0 ? graph.view : node);
}

function sayFrame(node)
{
	byId('info').textContent = names[callTree.name[node]] + '  ' + figures(node);
}

/* Show a frame next to the pointer, and in the line above for other devices. */
function tell(rect, event)
{
	const tip = byId('tip');

	tip.hidden = !rect;
	if (!rect) {
		say(graph.selected);
		return;
	}
	tip.textContent = rect.narrow ? counted(rect.narrow) + ' narrow frames' :
		names[callTree.name[rect.node]] + '\n' + figures(rect.node);
	const x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
	const y = event.clientY + 18 + tip.offsetHeight > window.innerHeight ?
		event.clientY - tip.offsetHeight - 12 : event.clientY + 18;

	tip.style.left = Math.max(8, x) + 'px';
	tip.style.top = Math.max(8, y) + 'px';
	if (!rect.narrow)
		say(rect.node);
}

function applyZoom()
{
	reset.disabled = graph.view === 0;
	showMatched();
	say(graph.selected);
}

function showMatched()
{
	byId('matched').textContent = query.classList.contains('bad') ? 'invalid expression' :
		!query.value ? '' :
		'matched: ' + percent(graph.matched(), callTree.total[graph.view]) +
		(graph.view ? ' of view' : '');
}

function applySearch()
{
	let pattern = null;

	query.classList.remove('bad');
	try {
		if (query.value)
			pattern = new RegExp(query.value,
				caseButton.getAttribute('aria-pressed') === 'true' ? 'i' : '');
	} catch (error) {
		query.classList.add('bad');
	}
	graph.search(pattern);
	table.search(pattern);
	showMatched();
}

/* ---- the address ---- */

/* Return a frame's path from the root: per name, its number among siblings. */
function pathOf(node)
{
	const path = [];

	for (; node > 0; node = callTree.parent[node]) {
		let place = 0;

		for (let at = callTree.child[callTree.parent[node]]; at !== node;
		     at = callTree.sibling[at])
			place++;
		path.unshift(place);
	}
	return path.join('.');
}

function nodeAt(path)
{
	let node = 0;

	for (const place of path ? path.split('.') : []) {
		let at = callTree.child[node];

		for (let i = +place; i > 0 && at; i--)
			at = callTree.sibling[at];
		if (!at)
			return 0;
		node = at;
	}
	return node;
}

function remember(step)
{
	const state = new URLSearchParams();

	if (view !== 'flame')
		state.set('v', view);
	for (const name in choices)
		if (choices[name].value !== atFirst[name])
			state.set(name, texts[name] ? texts[name][number(name)] : choices[name].value);
	if (query.value)
		state.set('q', query.value);
	if (caseButton.getAttribute('aria-pressed') === 'true')
		state.set('i', '1');
	if (graph.view)
		state.set('z', pathOf(graph.view));
	const hash = String(state);

	if ('#' + hash === (location.hash || '#'))
		return;
	try {
		history[step ? 'pushState' : 'replaceState'](null, '',
			hash ? '#' + hash : location.href.split('#')[0]);
	} catch (error) {
		/* the document has no address of its own */
	}
}

function choose(name, value)
{
	const select = choices[name];

	select.value = value;
	if (select.selectedIndex < 0)
		select.value = atFirst[name];
}

function recall()
{
	const state = new URLSearchParams(location.hash.slice(1));

	view = ['icicle', 'callers'].includes(state.get('v')) ? state.get('v') : 'flame';
	for (const name of ['group', 'cpu', 'context'])
		choose(name, state.get(name) || atFirst[name]);
	for (const name in texts)
		choose(name, state.has(name) ? String(texts[name].indexOf(state.get(name))) : '-1');
	query.value = state.get('q') || '';
	caseButton.setAttribute('aria-pressed', String(state.get('i') === '1'));
	apply();
	graph.zoom(nodeAt(state.get('z')));
	applySearch();
	applyZoom();
}

/* ---- hands ---- */

function go(node)
{
	if (node === graph.view)
		return;
	graph.zoom(node);
	applyZoom();
	remember(true);
}

function change()
{
	apply();
	applySearch();
	remember(true);
}

function escape()
{
	if (query.value) {
		query.value = '';
		applySearch();
		remember(false);
	} else {
		graph.select(-1);
		go(0);
	}
	query.blur();
}

function keydown(event)
{
	const { key } = event, typing = event.target.closest('input, select');

	if (((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'f') ||
	    key === 'F3' || (key === '/' && !typing)) {
		query.focus();
		query.select();
	} else if (event.ctrlKey || event.metaKey || event.altKey) {
		return;
	} else if (key === 'Escape') {
		escape();
	} else if (key.startsWith('Arrow') && event.target === graph.canvas) {
		graph.walk(key);
		say(graph.selected);
	} else if (key === 'Enter' && event.target === graph.canvas && graph.selected >= 0) {
		go(graph.selected);
	} else {
		return;
	}
	event.preventDefault();
}

function redraw()
{
	graph.draw();
	showLegend();
}

/* Redraw only on a change of width, as drawing changes the height. */
function resized()
{
	if (graph.canvas.clientWidth !== graph.width)
		redraw();
}

/* Switch between auto, light and dark; stored if the browser permits. */
const themes = ['auto', 'light', 'dark'];

function setTheme(theme)
{
	if (theme === 'auto')
		delete document.documentElement.dataset.theme;
	else
		document.documentElement.dataset.theme = theme;
	byId('theme').textContent = 'Theme: ' + theme;
	try {
		localStorage.setItem('flamectl-theme', theme);
	} catch (error) {
		/* not stored: lost when the page is closed */
	}
}

function keptTheme()
{
	try {
		const kept = localStorage.getItem('flamectl-theme');

		return themes.includes(kept) ? kept : 'auto';
	} catch (error) {
		return 'auto';
	}
}

function listen()
{
	for (const name in choices)
		choices[name].addEventListener('change', change);
	for (const button of document.querySelectorAll('[data-view]'))
		button.addEventListener('click', () => {
			view = button.dataset.view;
			change();
		});
	byId('tools').addEventListener('submit', (event) => event.preventDefault());
	query.addEventListener('input', () => { applySearch(); remember(false); });
	caseButton.addEventListener('click', () => {
		caseButton.setAttribute('aria-pressed',
			String(caseButton.getAttribute('aria-pressed') !== 'true'));
		applySearch();
		remember(false);
	});
	reset.addEventListener('click', () => go(0));
	byId('graph').addEventListener('click', (event) => {
		const rect = graph.rectOf(event);

		if (rect && !rect.narrow)
			go(rect.node);
	});
	byId('theme').addEventListener('click', () => {
		const now = document.documentElement.dataset.theme || 'auto';

		setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
		redraw();
	});
	window.addEventListener('keydown', keydown);
	new ResizeObserver(resized).observe(graph.canvas);
	window.addEventListener('popstate', recall);
	window.addEventListener('scroll', () => { byId('tip').hidden = true; }, { passive: true });
	matchMedia('(prefers-color-scheme:dark)').addEventListener('change', redraw);
}

setTheme(keptTheme());
document.title = byId('title').textContent = data.title;
byId('session').textContent = data.session.join(' · ');
fillChoices();
listen();
recall();

/* A way in, for a browser's console and for tests: the script has no globals. */
graph.canvas.page = {
	graph, choices, data, names, go,
	get callTree() { return callTree; },
};
