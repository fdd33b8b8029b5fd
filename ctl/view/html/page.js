// SPDX-License-Identifier: GPL-2.0
/*
 * The page's state (view, filters), and the event handlers that change it.
 * graph.js has zoom, search, and the address, which keeps all of it.
 */
const byId = (id) => document.getElementById(id);
const choices = { group: byId('group'), comm: byId('comm'), host: byId('host'),
	cgroup: byId('cgroup'), cpu: byId('cpu'), context: byId('context') };
const atFirst = { group: data.by.join() || 'none', comm: '-1', host: '-1', cgroup: '-1', cpu: '-1', context: '-1' };
/* Choices that the address stores as text. */
const texts = { comm: data.comms, host: data.hosts, cgroup: data.cgroups };
let view = 'flame', total = 0, callTree = null;

const graph = new CanvasGraph(byId('graph'), data.unit, tip);
const table = new FunctionTable(byId('functions'), byId('more'), (name) => {
	const exact = '^' + name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$';

	explorer.searchFor(byId('query').value === exact ? '' : exact);
});
const explorer = new Explorer(graph, {
	field: byId('query'), caseButton: byId('case'), resetButton: byId('reset'),
	matched: byId('matched'),
}, {
	hasAddress: true,
	said: () => say(graph.selected),
	searched: (pattern) => table.search(pattern),
	save, restore,
	hasFocus: (element) => element === graph.canvas,
});

/* ---- choices ---- */

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
	fillByWeight('cgroup');
	fillChoice(choices.cpu, 'all', Array.from(new Set(cpu)).sort((a, b) => a - b)
		.map((number) => [number, String(number)]));
	fillChoice(choices.context, 'all', Array.from(new Set(context)).sort((a, b) => a - b)
		.map((number) => [number, contexts[number]]));
	fillGroups();
}

/* Offer the levels available, and the grouping requested. */
function fillGroups()
{
	const words = { comm: 'command', host: 'host', cgroup: 'cgroup', cpu: 'CPU', context: 'context',
		pid: 'process', tid: 'thread' };

	option(choices.group, 'none', 'nothing');
	for (const name of ['comm', 'host', 'cgroup', 'cpu', 'context'])
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
	return { comm: number('comm'), host: number('host'), cgroup: number('cgroup'),
		cpu: number('cpu'), context: number('context') };
}

/* ---- what the page shows ---- */

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
}

function showBooks()
{
	const cpu = number('cpu');
	const books = data.books && cpu >= 0 ? data.cpus.find((one) => one.cpu === cpu) :
		data.books;

	byId('books').hidden = !books;
	if (!books)
		return;
	if (data.unit !== 'periods')
		byId('books-in').textContent = 'all ' + data.unit;
	byId('books-of').textContent = cpu >= 0 ? 'CPU ' + cpu : data.cpus.length === 1 ?
		'the one CPU' : 'all ' + data.cpus.length + ' CPUs';
	showSum(byId('sum'), books);
	byId('late').textContent = [data.late && `Of what is stored: ${data.late}.`,
		data.user && `${data.user}.`].filter(Boolean).join(' ');
	byId('advice').textContent = data.advice ? 'Fewer are lost so: ' + data.advice + '.' : '';
	showCpus(byId('by-cpu'), data.cpus);
}

function showLegend()
{
	const words = [['t', 'groups'], ['k', 'kernel'], ['m', 'modules'], ['u', 'user'],
		['i', 'idle'], ['w', 'waker'], ['o', callTree.hasWakers ? 'blocked' : 'off-CPU'],
		['l', 'lost']];
	const present = new Set(callTree.kind.map((kind, node) => callTree.familyOf(node)).slice(1));
	const marks = marksThere();
	const line = document.createElement('i');
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
	if (!callTree.kind.some((kind, node) => callTree.meets(node)))
		return;
	line.className = 'meeting';
	byId('legend').append(document.createElement('span'));
	byId('legend').lastChild.append(line, 'kernel meets user');
}

/* Return the marks in the tree, for the legend; "other marks" comes last. */
function marksThere()
{
	const there = new Set();

	callTree.kind.forEach((kind, node) => {
		if (kind === 'x' && callTree.familyOf(node) === 'x')
			there.add(Math.max(0, data.marks.indexOf(names[callTree.name[node]])));
	});
	return data.marks.map((text, shade) => ['x', text, shade]).filter(
		([, , shade]) => there.has(shade)).sort((a, b) => !a[2] - !b[2]);
}

function say(node)
{
	if (!total)
		byId('info').textContent = 'Nothing was sampled that these filters leave.';
	else if (node === null && graph.view === callTree.root)
		byId('info').textContent = weighed(total, data.unit) +
			(total === data.total ? '' : ', ' + percent(total, data.total) + ' of the profile') +
			'. Click a frame to zoom; / searches.' +
			(graph.isCut ? ' The deepest frames are not drawn: zoom in.' : '');
	else
		sayFrame(node === null ? graph.view : node);
}

function sayFrame(node)
{
	byId('info').textContent = callTree.nameOf(node) + '  ' + graph.figures(node);
}

/* Show a frame next to the pointer, and in the line above for other devices. */
function tip(rect, event)
{
	const box = byId('tip');

	box.hidden = !rect;
	if (!rect) {
		say(graph.selected);
		return;
	}
	box.textContent = rect.narrow ? counted(rect.narrow) + ' narrow frames' :
		callTree.nameOf(rect.node) + '\n' + graph.figures(rect.node);
	const x = Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8);
	const y = event.clientY + 18 + box.offsetHeight > window.innerHeight ?
		event.clientY - box.offsetHeight - 12 : event.clientY + 18;

	box.style.left = Math.max(8, x) + 'px';
	box.style.top = Math.max(8, y) + 'px';
	if (!rect.narrow)
		say(rect.node);
}

/* ---- the address ---- */

/* Store what differs from the page's initial state. */
function save(state)
{
	if (view !== 'flame')
		state.set('v', view);
	for (const name in choices)
		if (choices[name].value !== atFirst[name])
			state.set(name, texts[name] ? texts[name][number(name)] : choices[name].value);
}

function choose(name, value)
{
	const select = choices[name];

	select.value = value;
	if (select.selectedIndex < 0)
		select.value = atFirst[name];
}

function restore(state)
{
	view = ['icicle', 'callers'].includes(state.get('v')) ? state.get('v') : 'flame';
	for (const name of ['group', 'cpu', 'context'])
		choose(name, state.get(name) || atFirst[name]);
	for (const name in texts)
		choose(name, state.has(name) ? String(texts[name].indexOf(state.get(name))) : '-1');
	apply();
}

/* ---- input ---- */

function change()
{
	apply();
	explorer.applySearch();
	explorer.remember(true);
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
	byId('graph').addEventListener('click', (event) => {
		const rect = graph.rectOf(event);

		if (rect && !rect.narrow)
			explorer.go(rect.node);
	});
	byId('theme').addEventListener('click', () => {
		const now = document.documentElement.dataset.theme || 'auto';

		setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
		redraw();
	});
	new ResizeObserver(resized).observe(graph.canvas);
	window.addEventListener('scroll', () => { byId('tip').hidden = true; }, { passive: true });
	matchMedia('(prefers-color-scheme:dark)').addEventListener('change', redraw);
}

/* tools.css is for graphs in any page, too: only a class makes it apply here */
document.body.classList.add('flame-page');
setTheme(keptTheme());
document.title = byId('title').textContent = data.title;
byId('session').textContent = data.session.join(' · ');
fillChoices();
listen();
explorer.start();

/* Access for a browser's console and for tests, as the script has no globals. */
graph.canvas.page = {
	graph, choices, data, names, go: (node) => explorer.go(node),
	get callTree() { return callTree; },
};
