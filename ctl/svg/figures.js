// SPDX-License-Identifier: GPL-2.0
/*
 * Figures in a browser, as the program tells them in titles and reports.
 */
'use strict';

/* "1,234,567" */
function counted(number)
{
	return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/* Nanoseconds. */
function time(ns)
{
	const units = [['us', 1e3], ['ms', 1e6], ['s', 1e9]];

	if (ns < 1000)
		return ns + ' ns';
	const [unit, scale] = units.find(([, one]) => ns < 999.995 * one) || units[2];
	return (Math.floor(ns / (scale / 100) + 0.5) / 100).toFixed(2) + ' ' + unit;
}

/* "1,234", or "12.34 ms" where weights are time */
function figure(weight, unit)
{
	return unit === 'nanoseconds' ? time(weight) : counted(weight);
}

/* "1,234 samples"; a weight past 2^53 is to be given as text */
function weighed(weight, unit)
{
	const word = unit === 'nanoseconds' ? '' :
		String(weight) === '1' ? unit.replace(/(..)s$/, '$1') : unit;

	return figure(weight, unit) + (word ? ' ' + word : '');
}

function percent(part, whole)
{
	return (whole ? 100 * part / whole : 0).toFixed(2) + ' %';
}
