// Bounding volumes as decoded from a file: what they measure, and whether a point is inside. Written from
// formats/bvh/README.md alone, so that it can judge the programs; slow and plain.
"use strict";

const directions = [
	[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [1, 1, 0], [1, 0, 1], [0, 1, 1],
	[1, -1, 0], [1, 0, -1], [0, 1, -1],
];

// Of the directions that a k-DOP uses, by its number of them.
const used = { 7: [0, 1, 2, 3, 4, 5, 6], 9: [0, 1, 2, 7, 8, 9, 10, 11, 12], 13: directions.map((_, i) => i) };

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = a => Math.sqrt(dot(a, a));
const largest = a => Math.max(...a.map(Math.abs));

// Bodies that are swept by a ball: a rectangle with half sides a and b (a point or a segment if they are 0) and radius r.
// The volume is Steiner's formula, the area its derivative.
const swept = (a, b, r) => ({
	volume: 8 * a * b * r + 2 * Math.PI * r * r * (a + b) + 4 / 3 * Math.PI * r * r * r,
	area: 8 * a * b + 4 * Math.PI * r * (a + b) + 4 * Math.PI * r * r,
	diameter: 2 * Math.sqrt(a * a + b * b) + 2 * r,
});

const brick = (a, b, c) => ({
	volume: 8 * a * b * c,
	area: 8 * (a * b + b * c + c * a),
	diameter: 2 * Math.sqrt(a * a + b * b + c * c),
});

// The corners of { p : lower <= d . p <= upper }: every point common to three planes that none of the others cuts off.
function corners(planes, tolerance)
{
	const found = [];
	for (let i = 0; i < planes.length; ++i)
	{
		for (let k = i + 1; k < planes.length; ++k)
		{
			for (let m = k + 1; m < planes.length; ++m)
			{
				const [a, b, c] = [planes[i], planes[k], planes[m]];
				const determinant = dot(a.normal, cross(b.normal, c.normal));
				if (Math.abs(determinant) < 0.5)
				{
					continue; // whole numbers: parallel
				}
				const p = scale(add(add(scale(cross(b.normal, c.normal), a.offset),
					scale(cross(c.normal, a.normal), b.offset)), scale(cross(a.normal, b.normal), c.offset)), 1 / determinant);
				if (planes.every(plane => dot(plane.normal, p) <= plane.offset + tolerance))
				{
					found.push(p);
				}
			}
		}
	}
	return found;
}

// Area of the convex polygon of those corners that lie on the plane, each perhaps there several times.
function faceArea(plane, points, tolerance)
{
	const on = points.filter(p => Math.abs(dot(plane.normal, p) - plane.offset) <= tolerance);
	if (on.length < 3)
	{
		return 0;
	}
	const unit = scale(plane.normal, 1 / length(plane.normal));
	const center = scale(on.reduce(add, [0, 0, 0]), 1 / on.length);
	const u = cross(unit, Math.abs(unit[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]);
	const v = cross(unit, u);
	const flat = on.map(p => [dot(subtract(p, center), u) / dot(u, u), dot(subtract(p, center), v) / dot(v, v)]);
	flat.sort((p, q) => Math.atan2(p[1], p[0]) - Math.atan2(q[1], q[0]));
	const twice = flat.reduce((sum, p, i) =>
	{
		const q = flat[(i + 1) % flat.length];
		return sum + p[0] * q[1] - p[1] * q[0];
	}, 0);
	return Math.abs(twice) / 2 * length(u) * length(v);
}

function polytope(kdop)
{
	const middle = [0, 1, 2].map(i => (kdop.lower[i] + kdop.upper[i]) / 2);
	const reach = largest([0, 1, 2].map(i => kdop.upper[i] - kdop.lower[i]));
	const planes = [];
	for (const i of used[kdop.k / 2])
	{
		const d = directions[i];
		planes.push({ normal: d, offset: kdop.upper[i] - dot(d, middle) });
		planes.push({ normal: scale(d, -1), offset: dot(d, middle) - kdop.lower[i] });
	}
	const points = corners(planes, 1e-9 * reach);
	const sum = { volume: 0, area: 0, diameter: 0 };
	for (const plane of planes)
	{
		const area = faceArea(plane, points, 1e-9 * reach);
		sum.area += area;
		sum.volume += area * plane.offset / length(plane.normal) / 3;
	}
	points.forEach((p, i) => points.slice(i + 1).forEach(q =>
	{
		sum.diameter = Math.max(sum.diameter, length(subtract(p, q)));
	}));
	return sum;
}

// How far a point sticks out of a volume, and how large the numbers were that this was computed from.
const excess = {
	obb: (v, p) =>
	{
		const d = subtract(p, v.center);
		return Math.max(...v.axes.map((axis, i) => Math.abs(dot(axis, d)) - v.half_extents[i]));
	},
	aabb: (v, p) => Math.max(...p.map((x, i) => Math.max(v.lower[i] - x, x - v.upper[i]))),
	sphere: (v, p) => length(subtract(p, v.center)) - v.radius,
	rss: (v, p) =>
	{
		const d = subtract(p, v.center);
		const beyond = v.axes.map((axis, i) => Math.max(0, Math.abs(dot(axis, d)) - (i < 2 ? v.half_extents[i] : 0)));
		return length(beyond) - v.radius;
	},
	prism: (v, p) =>
	{
		const d = subtract(p, v.center);
		const [s, t, w] = v.axes.map(axis => dot(axis, d));
		const [a, b, c] = v.half_extents;
		const slant = Math.hypot(a, 2 * b);
		const legs = slant > 0 ? (2 * b * Math.abs(s) + a * (t - b)) / slant : -Infinity;
		return Math.max(Math.abs(s) - a, Math.abs(t) - b, Math.abs(w) - c, legs);
	},
	kdop: (v, p) => Math.max(...used[v.k / 2].map(i =>
		Math.max(v.lower[i] - dot(directions[i], p), dot(directions[i], p) - v.upper[i]))),
};

const sizes = {
	obb: v => brick(...v.half_extents),
	aabb: v => brick(...v.upper.map((x, i) => (x - v.lower[i]) / 2)),
	sphere: v => swept(0, 0, v.radius),
	rss: v => swept(v.half_extents[0], v.half_extents[1], v.radius),
	prism: v =>
	{
		const [base, height, long] = v.half_extents.map(x => 2 * x);
		const leg = Math.hypot(base / 2, height);
		return {
			volume: base * height / 2 * long,
			area: base * height + (base + 2 * leg) * long,
			diameter: Math.hypot(Math.max(base, leg), long),
		};
	},
	kdop: polytope,
};

// What codes of errors count in: half the sum of the sides of the volume's box, in the order of the specification.
const halfSides = v => (v.upper[0] - v.lower[0]) / 2 + (v.upper[1] - v.lower[1]) / 2 + (v.upper[2] - v.lower[2]) / 2;
const errorUnits = {
	obb: v => (v.half_extents[0] + v.half_extents[1]) + v.half_extents[2],
	prism: v => (v.half_extents[0] + v.half_extents[1]) + v.half_extents[2],
	aabb: halfSides,
	sphere: v => (v.radius + v.radius) + v.radius,
	rss: v => ((v.half_extents[0] + v.radius) + (v.half_extents[1] + v.radius)) + v.radius,
	kdop: halfSides,
};

// How far a volume reaches from the origin: a convex one to the farthest of its corners; of a k-DOP its box is taken.
const signs = [-1, 1];
function reachOf(center, axes, halfExtents, radius)
{
	const corners = signs.flatMap(a => signs.flatMap(b => signs.map(c =>
		[a, b, c].reduce((p, sign, i) => add(p, scale(axes[i], sign * halfExtents[i])), center))));
	return Math.max(...corners.map(length)) + radius;
}
const reachOfBox = v => length(v.lower.slice(0, 3).map((x, i) => Math.max(Math.abs(x), Math.abs(v.upper[i]))));
const reaches = {
	obb: v => reachOf(v.center, v.axes, v.half_extents, 0),
	aabb: reachOfBox,
	sphere: v => length(v.center) + v.radius,
	rss: v => reachOf(v.center, v.axes, [...v.half_extents, 0], v.radius),
	prism: v => Math.max(...[-1, 1, 0].flatMap(side => signs.map(end => length([[0, side * v.half_extents[0]],
		[1, side === 0 ? v.half_extents[1] : -v.half_extents[1]], [2, end * v.half_extents[2]]].reduce((p, [i, x]) =>
		add(p, scale(v.axes[i], x)), v.center))))),
	kdop: reachOfBox,
};

const kindOf = type => type.startsWith("kdop") ? "kdop" : type;

module.exports = {
	add, subtract, cross, dot, length, swept, brick, used, directions,
	excess: (type, volume, point) => excess[kindOf(type)](volume, point),
	sizes: (type, volume) => sizes[kindOf(type)](volume),
	reach: (type, volume) => reaches[kindOf(type)](volume),
	errorUnit: (type, volume) => errorUnits[kindOf(type)](volume),
};
