// SPDX-License-Identifier: GPL-2.0
/*
 * Input to a flame graph in SVG: its search field and buttons, the mouse, and the
 * start of the script. It continues flame.js.
 */
function make(parent, name, attributes, text)
{
	const element = document.createElementNS(XHTML, name);

	for (const key in attributes)
		element.setAttribute(key, attributes[key]);
	if (text)
		element.textContent = text;
	return parent.appendChild(element);
}

/* Add the search field and buttons. Return the parts of an Explorer. */
function addTools()
{
	tools = document.createElementNS(SVG, 'foreignObject');
	tools.setAttribute('y', String(BAR));
	tools.setAttribute('height', '26');
	head.appendChild(tools);

	const bar = make(tools, 'div', { class: 'tools' });

	return {
		matched: make(bar, 'span', { class: 'matched', role: 'status' }),
		field: make(bar, 'input', {
			class: 'search', type: 'search', spellcheck: 'false',
			placeholder: 'Search (regexp)',
			'aria-label': 'Search, a regular expression',
		}),
		caseButton: make(bar, 'button', {
			class: 'case', type: 'button', 'aria-pressed': 'false',
			title: 'Ignore case',
		}, 'Aa'),
		resetButton: make(bar, 'button', { class: 'reset', type: 'button' },
				  'Reset zoom'),
	};
}

/* A graph within a page leaves keys and the address to that page. */
const host = {
	hasAddress: alone,
	said: () => say(graph.selected),
	searched: () => {},
	save: () => {},
	restore: () => {},
	hasFocus: (element) => !element.closest('input'),
};

function frameAt(event)
{
	const g = event.target.closest && event.target.closest('g[data-w]');

	return g && g.frame || null;
}

function listen(explorer)
{
	group.addEventListener('click', (event) => {
		const frame = frameAt(event);

		if (frame)
			explorer.go(frame);
	});
	group.addEventListener('mouseover', (event) => {
		const frame = frameAt(event);

		if (!frame)
			return;
		say(frame);
		frame.title.textContent = frame.name + '\n' + graph.figures(frame);
	});
	group.addEventListener('mouseout', () => say(graph.selected));
	window.addEventListener('resize', resize);
	if (alone)
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

	const explorer = new Explorer(graph, addTools(), host);

	graph.tree = tree;
	graph.view = tree.root;
	graph.isUp = !data.inverted;
	resize();
	explorer.start();
	listen(explorer);
}

start();
