/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks a range of time in a heat map with the mouse, and says how to get a
 * graph of it. A range is of whole slices, as flamectl's --range is.
 */
(function () {
	"use strict";

	var svg = document.currentScript.ownerSVGElement;
	var grid = svg.querySelector(".grid");
	var text = svg.querySelector(".range");
	var width = Number(grid.getAttribute("data-width"));
	var height = Number(grid.getAttribute("data-height"));
	var columns = Array.prototype.map.call(grid.querySelectorAll("g"), function (column) {
		return {
			begin: Number(column.getAttribute("data-b")),
			end: Number(column.getAttribute("data-e"))
		};
	});
	var begin = columns[0].begin;
	var span = columns[columns.length - 1].end - begin;
	var mark = null;
	var from = -1;

	function column_at(event) {
		var point = new DOMPoint(event.clientX, event.clientY)
			.matrixTransform(grid.getScreenCTM().inverse());
		var time = begin + point.x / width * span;
		var i = 0;

		while (i + 1 < columns.length && columns[i].end <= time)
			i++;
		return i;
	}

	/* As flamectl takes it: milliseconds, rounded so that no neighbour is touched. */
	function time_text(ns, up) {
		var ms = up ? Math.ceil(ns / 1e6) : Math.floor(ns / 1e6);

		return ms + "ms";
	}

	function quote(word) {
		return /^[\w.\/+-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
	}

	function show(a, b) {
		var first = columns[Math.min(a, b)], last = columns[Math.max(a, b)];
		var left = (first.begin - begin) / span * width;

		if (!mark) {
			mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
			mark.setAttribute("class", "mark");
			mark.setAttribute("height", height);
			grid.appendChild(mark);
		}
		mark.setAttribute("x", left);
		mark.setAttribute("width", (last.end - begin) / span * width - left);
		text.setAttribute("class", "range on");
		text.textContent = "flamectl svg --range " + time_text(first.begin, true) + "," +
			time_text(last.end, false) + " " + quote(svg.getAttribute("data-path"));
	}

	function clear() {
		if (mark)
			grid.removeChild(mark);
		mark = null;
		from = -1;
		text.setAttribute("class", "range");
		text.textContent = "mark a range of time with the mouse";
	}

	grid.addEventListener("mousedown", function (event) {
		if (event.button)
			return;
		event.preventDefault();
		from = column_at(event);
		show(from, from);
	});
	window.addEventListener("mousemove", function (event) {
		if (from >= 0 && event.buttons & 1)
			show(from, column_at(event));
	});
	window.addEventListener("mouseup", function () {
		from = -1;
	});
	window.addEventListener("keydown", function (event) {
		if (event.key === "Escape")
			clear();
	});
	clear();
}());
