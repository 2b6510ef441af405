// The hierarchy of a file by the compiled parser: all nodes with decoded volumes, in the order of their numbers, and the
// rules of formats/bvh/README.md that tie nodes together.
"use strict";

const volumes = require("./volumes.js");

function check(condition, what)
{
	if (!condition)
	{
		throw new Error(what);
	}
}

const point = v => [v.x, v.y, v.z];
const frame = rotation => [rotation.axis0, rotation.axis1, rotation.axis2];

const box = b => ({ center: point(b.center), axes: frame(b.rotation), half_extents: b.half });
const rss = b => ({ ...box(b), half_extents: b.half.slice(0, 2), radius: b.half[2] });
const aabb = b => ({ lower: point(b.lower), upper: point(b.upper) });
const sphere = b => ({ center: point(b.center), radius: b.radius });

// Bounds of the directions that are used, at the places of these among all 13.
function kdop(lower, upper)
{
	const all = { k: 2 * lower.length, lower: new Array(13).fill(0), upper: new Array(13).fill(0) };
	volumes.used[lower.length].forEach((direction, i) =>
	{
		all.lower[direction] = lower[i];
		all.upper[direction] = upper[i];
	});
	return all;
}

const stored = {
	obb: v => box(v.box),
	rss: v => rss(v.box),
	prism: v => box(v.box),
	aabb,
	sphere,
	kdop14: v => kdop(v.lower, v.upper),
	kdop18: v => kdop(v.lower, v.upper),
	kdop26: v => kdop(v.lower, v.upper),
};

const center = v => [v.centerX, v.centerY, v.centerZ];
const decodedKdop = v => kdop(v.bounds.map(b => b.lower), v.bounds.map(b => b.upper));
const decodedBox = v => ({ center: center(v), axes: frame(v.frame), half_extents: [v.half0, v.half1, v.half2] });
const decoded = {
	obb: decodedBox,
	prism: decodedBox,
	rss: v => ({ center: center(v), axes: frame(v.frame), half_extents: [v.half0, v.half1], radius: v.half2 }),
	aabb: v => ({ lower: [v.lowerX, v.lowerY, v.lowerZ], upper: [v.upperX, v.upperY, v.upperZ] }),
	sphere: v => ({ center: center(v), radius: v.radius }),
	kdop14: decodedKdop,
	kdop18: decodedKdop,
	kdop26: decodedKdop,
};

function bytesOf(inner)
{
	const padded = bytes => bytes + (4 - bytes % 4) % 4;
	return 20 + padded(inner.children.length) + 4 * inner.links.length +
		inner.groups.reduce((sum, group) => sum + padded(group.numVolumes * group.bytesEach), 0);
}

// @return all nodes by number: { type, volume, level, children, triangles, first, inner }, of which `triangles` are all those
// below it, from `first` on
function read(section, typeNames, numTriangles)
{
	const rootType = typeNames[section.rootType].toLowerCase();
	const nodes = [{ type: rootType, volume: stored[rootType](section.root.volume), level: 0 }];
	const byPlace = new Map([[0, nodes[0]]]);
	const expected = [0]; // places that links have named and that nodes have not come to; the next one last
	let place = 0;
	let nextTriangle = 0;

	const makeLeaf = (node, triangles) =>
	{
		check(triangles >= 1, "a leaf has no triangles");
		node.children = [];
		node.first = nextTriangle;
		node.triangles = triangles;
		nextTriangle += triangles;
	};
	if (section.numRootTriangles > 0)
	{
		check(section.numWords === 0, "there are nodes below a leaf");
		makeLeaf(nodes[0], section.numRootTriangles);
	}
	for (const inner of section.inner.items)
	{
		check(expected.pop() === place, "a link does not lead to the next node");
		const node = byPlace.get(place);
		check(inner.firstChild === nodes.length, "children do not take the next numbers");
		check(inner.firstTriangle === nextTriangle, "a node does not take the next triangles");
		check(inner.links.length === inner.children.reduce((sum, c) => sum + (c.hasLink ? 1 : 0), 0), "links are too many");
		node.first = nextTriangle;
		node.children = [];
		const lanes = inner.groups.flatMap(group => group.volumes.decoded);
		const places = [];
		inner.children.forEach((child, i) =>
		{
			const type = typeNames[child.volumeType].toLowerCase();
			const next = { type, volume: decoded[type](lanes[i]), level: node.level + 1 };
			check(i === 0 || child.volumeType >= inner.children[i - 1].volumeType, "types descend");
			check(child.number === nodes.length, "a child's number");
			nodes.push(next);
			node.children.push(next);
			if (child.isInner)
			{
				places.push(child.place);
				byPlace.set(child.place, next);
			}
			else
			{
				makeLeaf(next, child.numTriangles);
			}
		});
		expected.push(...places.reverse());
		place += bytesOf(inner) / 4;
	}
	check(section.numRootTriangles > 0 || expected.length === 0, "a link leads beyond the last node");
	check(place === section.numWords, "inner nodes take other words than is said");
	check(nextTriangle === numTriangles, "leaves hold other triangles than there are");

	// A child's number is above its parent's.
	for (let i = nodes.length - 1; i >= 0; --i)
	{
		const node = nodes[i];
		node.triangles = node.children.reduce((sum, child) => sum + child.triangles, node.triangles || 0);
	}
	return nodes;
}

// The volume of every node encloses the triangles below it, up to the rounding of this computation.
function checkEnclosure(nodes, triangles, positions)
{
	nodes.forEach((node, number) =>
	{
		for (let i = node.first; i < node.first + node.triangles; ++i)
		{
			for (const vertex of triangles[i])
			{
				const p = positions[vertex];
				const tolerance = 1e-13 * (Math.abs(p[0]) + Math.abs(p[1]) + Math.abs(p[2]) + volumes.errorUnit(node.type, node.volume));
				const out = volumes.excess(node.type, node.volume, p);
				check(out <= tolerance, `vertex ${vertex} of triangle ${i} is ${out} outside of node ${number}, ${node.type}`);
			}
		}
	});
}

module.exports = { read, checkEnclosure, check, point, box, rss, aabb, sphere, kdop };
