// SPDX-License-Identifier: GPL-2.0
/*
 * Interaction with a flame graph: zoom, search, links to a view, keys. It
 * continues flame.js.
 */
/* ---- zoom, search, and both in the address ---- */

function zoom(frame)
{
	view = frame;
	draw();
	resetButton.disabled = view === root;
	count();
	say(selected);
}

function pattern()
{
	try {
		return new RegExp(input.value,
			caseButton.getAttribute('aria-pressed') === 'true' ? 'i' : '');
	} catch (error) {
		return null;
	}
}

function search()
{
	const re = input.value ? pattern() : undefined;

	input.classList.toggle('bad', re === null);
	for (const frame of frames) {
		/* the root and merged frames have no function's name */
		frame.hit = !!re && frame !== root && !frame.stands &&
			re.test(frame.name);
		frame.g.classList.toggle('hit', frame.hit);
	}
	count();
}

/*
 * Show the share of the view that matches: matches in view, where one above
 * another adds nothing. The names of frames too narrow to draw are not here.
 */
function count()
{
	let weight = exact(0), hidden = exact(0);

	matched.title = '';
	if (input.classList.contains('bad')) {
		matched.textContent = 'invalid expression';
		return;
	}
	for (const frame of frames) {
		const parent = frame.parent;

		frame.covered = !!parent && parent.inside &&
			(parent.hit || parent.covered);
		if (!frame.inside || frame.covered)
			continue;
		if (frame.hit)
			weight += frame.weight;
		else
			hidden += frame.hidden;
	}

	const rest = percent(hidden, view.weight), tells = rest !== percent(0, 1);

	matched.textContent = !input.value ? '' :
		'matched: ' + (tells ? 'at least ' : '') + percent(weight, view.weight) +
		(view === root ? '' : ' of view') +
		(tells ? ', ' + rest + ' too narrow to search' : '');
	/* the full text, in case the window is too narrow for it */
	matched.title = matched.textContent;
}

/* Zooming adds a history entry, so that "back" zooms out. */
function remember(step)
{
	const parts = [];

	if (view !== root)
		parts.push('z=' + view.depth + ',' + view.g.dataset.s);
	if (input.value)
		parts.push('q=' + encodeURIComponent(input.value));
	if (caseButton.getAttribute('aria-pressed') === 'true')
		parts.push('i=1');
	if (!alone || '#' + parts.join('&') === (location.hash || '#'))
		return;
	try {
		history[step ? 'pushState' : 'replaceState'](null, '',
			parts.length ? '#' + parts.join('&') :
			location.href.split('#')[0]);
	} catch (error) {
		/* the document has no address of its own */
	}
}

function recall()
{
	const state = {};

	if (!alone)
		return;
	for (const part of location.hash.slice(1).split('&')) {
		const at = part.indexOf('=');

		if (at > 0)
			state[part.slice(0, at)] = part.slice(at + 1);
	}
	try {
		input.value = decodeURIComponent(state.q || '');
	} catch (error) {
		input.value = '';
	}
	caseButton.setAttribute('aria-pressed', String(state.i === '1'));
	const [depth, start] = (state.z || '0').split(',');
	search();
	zoom((rows[+depth] || []).find((frame) => frame.g.dataset.s === start) ||
	     root);
}

/* ---- hands ---- */

function make(parent, name, attributes, text)
{
	const element = document.createElementNS(XHTML, name);

	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	if (text)
		element.textContent = text;
	return parent.appendChild(element);
}

function addTools()
{
	tools = document.createElementNS(SVG, 'foreignObject');
	tools.setAttribute('y', String(BAR));
	tools.setAttribute('height', '26');
	head.appendChild(tools);

	const bar = make(tools, 'div', { class: 'tools' });
	matched = make(bar, 'span', { class: 'matched', role: 'status' });
	input = make(bar, 'input', {
		class: 'search', type: 'search', spellcheck: 'false',
		placeholder: 'Search (regexp)',
		'aria-label': 'Search, a regular expression',
	});
	caseButton = make(bar, 'button', {
		class: 'case', type: 'button', 'aria-pressed': 'false',
		title: 'Ignore case',
	}, 'Aa');
	resetButton = make(bar, 'button', { class: 'reset', type: 'button' },
			   'Reset zoom');
	resetButton.disabled = true;

	input.addEventListener('input', () => { search(); remember(false); });
	caseButton.addEventListener('click', () => {
		caseButton.setAttribute('aria-pressed',
			String(caseButton.getAttribute('aria-pressed') !== 'true'));
		search();
		remember(false);
	});
	resetButton.addEventListener('click', () => go(root));
}

function go(frame)
{
	if (frame === view)
		return;
	zoom(frame);
	remember(true);
}

function select(frame)
{
	if (selected)
		selected.g.classList.remove('sel');
	selected = frame;
	if (selected)
		selected.g.classList.add('sel');
	say(selected);
}

/* Arrow keys move outwards to the widest child, inwards, or to siblings. */
function walk(key)
{
	const from = selected && !selected.g.classList.contains('off') ?
		selected : view;
	const out = data.inverted ? 'ArrowDown' : 'ArrowUp';
	let to = null;

	if (key === 'ArrowLeft' || key === 'ArrowRight') {
		const row = rows[from.depth].filter(
			(frame) => !frame.g.classList.contains('off'));

		to = row[row.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)];
	} else if (key === out) {
		for (const frame of rows[from.depth + 1] || [])
			if (frame.parent === from && !frame.g.classList.contains('off') &&
			    (!to || frame.w > to.w))
				to = frame;
	} else {
		to = from.parent;
	}
	if (to)
		select(to);
}

function escape()
{
	if (input.value) {
		input.value = '';
		search();
		remember(false);
	} else if (document.activeElement !== input) {
		select(null);
		go(root);
	}
	input.blur();
}

function keydown(event)
{
	const typing = document.activeElement === input;
	const key = event.key;

	if (((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'f') ||
	    key === 'F3' || (key === '/' && !typing)) {
		input.focus();
		input.select();
	} else if (event.ctrlKey || event.metaKey || event.altKey) {
		return;
	} else if (key === 'Escape') {
		escape();
	} else if (key.startsWith('Arrow') && !typing) {
		walk(key);
	} else if (key === 'Enter' && selected &&
		   !tools.contains(document.activeElement)) {
		go(selected);
	} else {
		return;
	}
	event.preventDefault();
}

function frameOf(event)
{
	const g = event.target.closest && event.target.closest('g[data-w]');

	return g && g.frame || null;
}

function listen()
{
	group.addEventListener('click', (event) => {
		const frame = frameOf(event);

		if (frame)
			go(frame);
	});
	group.addEventListener('mouseover', (event) => {
		const frame = frameOf(event);

		if (!frame)
			return;
		say(frame);
		frame.title.textContent = frame.name + '\n' + figures(frame);
	});
	group.addEventListener('mouseout', () => say(selected));
	window.addEventListener('resize', resize);
	if (!alone)
		return;
	window.addEventListener('keydown', keydown);
	window.addEventListener('popstate', recall);
	window.addEventListener('scroll', stick, { passive: true });
}

function start()
{
	load();
	measure();
	if (!data.fixed) {
		svg.setAttribute('width', '100%');
		svg.removeAttribute('viewBox');
	}
	info.textContent = '';
	info.append(document.createElementNS(SVG, 'tspan'),
		    document.createElementNS(SVG, 'tspan'));
	addTools();
	resize();
	recall();
	listen();
}

start();
