// Reads .bvh files by the parser that formats/bvh/bvh.ksy compiles to: an independent reader, made from the specification
// alone. Checks that every node encloses its triangles and prints what `bvinspect --json` prints, without the keys that are
// not in the file but computed from it.
//
//   node read.js FOLDER FILE.bvh     FOLDER holds the parser, Bvh.js
"use strict";

const fs = require("fs");
const path = require("path");
const { KaitaiStream } = require("kaitai-struct");
const volumes = require("./volumes.js");
const hierarchy = require("./hierarchy.js");
const xxh3 = require("./xxh3.js");
const { check, point, box, rss, aabb, sphere, kdop } = hierarchy;

const [folder, file] = process.argv.slice(2);
const { Bvh } = require(path.resolve(folder, "Bvh.js"));

// Instances are evaluated, and what must hold of them checked, only when they are asked for.
function evaluateAll(root)
{
	const seen = new Set();
	const waiting = [root];
	while (waiting.length > 0)
	{
		const object = waiting.pop();
		if (object === null || typeof object !== "object" || ArrayBuffer.isView(object) || seen.has(object))
		{
			continue;
		}
		seen.add(object);
		if (Array.isArray(object))
		{
			waiting.push(...object.filter(item => typeof item === "object"));
			continue;
		}
		const getters = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object));
		const keys = Object.keys(object).filter(key => !key.startsWith("_"));
		keys.push(...Object.keys(getters).filter(key => getters[key].get));
		for (const key of keys)
		{
			waiting.push(object[key]);
		}
	}
}

const withVolume = (type, volume) => ({ ...volume, volume: volumes.sizes(type, volume).volume });
const interval = i => ({ lower: i.lower, upper: i.upper });
const nothing = { lower: null, upper: null };
const names = (keys, value) => Object.fromEntries(keys.map(key => [key, value]));

function readBody(body, has)
{
	return has ? { center_of_mass: point(body.centerOfMass), inertia: body.inertia.map(point) }
		: { center_of_mass: null, inertia: null };
}

function readMovingBody(section)
{
	return {
		of: section ? ["solid", "surface", "hull"][section.of] : null,
		given: section ? ["density", "mass"][section.fromMass] : null,
		density: section ? section.density : null,
		mass: section ? section.body.mass : null,
		...readBody(section && section.body, section),
	};
}

function readTool(origin)
{
	const lines = origin.parameters.split("\n").filter(line => line.length > 0);
	const parameters = lines.map(line => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
	return { version: origin.tool.slice(origin.tool.lastIndexOf(" ") + 1), parameters: Object.fromEntries(parameters) };
}

function readMesh(mesh, mass)
{
	const kinds = ["convex", "concave", "flat", "boundary", "flipped", "non_manifold"];
	return {
		triangles: mesh.numTriangles,
		vertices: mesh.numVertices,
		edges: mesh.numEdges,
		edges_of_kind: Object.fromEntries(kinds.map((kind, i) => [kind, mesh.edgesOfKind[i]])),
		components: mesh.numComponents,
		closed: mesh.closed === 1,
		manifold: mesh.manifold === 1,
		oriented: mesh.oriented === 1,
		double_sided: mesh.numDoubleSided,
		removed: {
			degenerate: mesh.removedDegenerate,
			duplicate: mesh.removedDuplicates,
			non_finite: mesh.removedNotFinite,
			unused_vertices: mesh.unusedVertices,
			merged_vertices: mesh.mergedVertices,
		},
		volume: mass && mass.hasSolid ? mass.solid.mass : null,
		area: mesh.area,
		...readBody(mass && mass.solid, mass && mass.hasSolid),
		surface: readBody(mass && mass.surface, mass && mass.hasSurface),
		largest_displacement: mesh.largestDisplacement,
		offset: mesh.offset ? point(mesh.offset) : [0, 0, 0],
	};
}

function readCapsule(capsule)
{
	const ends = capsule.ends.map(point);
	const half = volumes.length(volumes.subtract(ends[1], ends[0])) / 2;
	return { ends, radius: capsule.radius, volume: volumes.swept(half, 0, capsule.radius).volume };
}

function readCylinder(cylinder)
{
	const ends = cylinder.ends.map(point);
	const length = volumes.length(volumes.subtract(ends[1], ends[0]));
	return { ends, radius: cylinder.radius, volume: Math.PI * cylinder.radius * cylinder.radius * length };
}

function readBounds(bounds)
{
	return bounds ? {
		aabb: withVolume("aabb", aabb(bounds.aabb)),
		sphere: withVolume("sphere", sphere(bounds.sphere)),
		obb: withVolume("obb", box(bounds.obb)),
		kdop: withVolume("kdop26", kdop(bounds.kdop.lower, bounds.kdop.upper)),
		capsule: readCapsule(bounds.capsule),
		rss: withVolume("rss", rss(bounds.rss)),
	} : names(["aabb", "sphere", "obb", "kdop", "capsule", "rss"], null);
}

// A flat hull is one polygon, which the file needs no faces for.
function readHull(hull, topology, mass)
{
	const flat = hull && hull.kind === Bvh.HullKind.POLYGON;
	return {
		vertices: hull ? hull.numVertices : null,
		faces: hull ? hull.numFaces + (flat ? 1 : 0) : null,
		volume: hull ? hull.volume : null,
		polygons: topology ? topology.numPolygons : null,
		edges: topology ? topology.numHalfEdges / 2 : null,
		...readBody(mass && mass.hull, mass && mass.hasHull),
	};
}

function readRecognised(primitives)
{
	const kinds = ["box", "sphere", "capsule", "cylinder"];
	if (!primitives)
	{
		return { best: null, tolerance: null, ...names(kinds, null) };
	}
	const shapes = [withVolume("obb", box(primitives.box)), withVolume("sphere", sphere(primitives.sphere)),
		readCapsule(primitives.capsule), readCylinder(primitives.cylinder)];
	const of = i => ({
		...shapes[i],
		error: interval(primitives.errors[i].error),
		from_surface: interval(primitives.errors[i].fromSurface),
		from_mesh: interval(primitives.errors[i].fromMesh),
	});
	return {
		best: kinds[primitives.best] || null,
		tolerance: primitives.tolerance,
		...Object.fromEntries(kinds.map((kind, i) => [kind, of(i)])),
	};
}

function readCosts(section, types)
{
	if (!section)
	{
		return names(["triangle_test", "opening", "leaf", "volume_test"], null);
	}
	const numbers = Object.fromEntries(Object.keys(Bvh.VolumeType).filter(key => isNaN(key))
		.map(key => [key.toLowerCase(), Bvh.VolumeType[key]]));
	const prism = numbers.prism;
	const cost = (a, b) => a === prism ? section.prismCosts[b] : b === prism ? section.prismCosts[a] : section.costs[7 * a + b];
	const row = a => Object.fromEntries(Object.keys(types).map(b => [b, cost(numbers[a], numbers[b])]));
	return {
		triangle_test: section.triangleCost,
		opening: section.openingCost,
		leaf: section.leafCost,
		volume_test: Object.fromEntries(Object.keys(types).map(a => [a, row(a)])),
	};
}

function count(items, keyOf)
{
	const counts = {};
	for (const item of items)
	{
		counts[keyOf(item)] = (counts[keyOf(item)] || 0) + 1;
	}
	return counts;
}

const summaryOf = summary => ({
	surface: { mean: summary ? interval(summary.surfaceMean) : nothing, max: summary ? interval(summary.surfaceMax) : nothing },
	solid: { mean: summary ? interval(summary.solidMean) : nothing, max: summary ? interval(summary.solidMax) : nothing },
});

function readLevel(level, nodes, errors)
{
	const own = nodes.filter(node => node.level === level);
	const spread = key => ({
		mean: own.reduce((sum, node) => sum + node.sizes[key], 0) / own.length,
		max: Math.max(...own.map(node => node.sizes[key])),
	});
	return {
		nodes: own.length,
		leaves: own.filter(node => node.children.length === 0).length,
		triangles: own.reduce((sum, node) => sum + node.triangles, 0),
		volume: spread("volume"),
		area: spread("area"),
		diameter: spread("diameter"),
		hausdorff: summaryOf(errors && errors.levels[level].nodes),
		cut: summaryOf(errors && errors.levels[level].cut),
	};
}

function readHausdorff(errors, root)
{
	const error = i => ({
		...(i ? interval(i) : nothing),
		relative: i ? { lower: i.lower / root.sizes.diameter, upper: i.upper / root.sizes.diameter } : nothing,
	});
	const measure = (own, max, mean) => ({ root: error(own), max: error(max), mean: error(mean) });
	return {
		surface: errors ? measure(errors.rootSurface, errors.all.surfaceMax, errors.all.surfaceMean) : measure(),
		solid: errors ? measure(errors.rootSolid, errors.all.solidMax, errors.all.solidMean) : measure(),
		tolerance: { relative: errors ? errors.relative : null, floor: errors ? errors.floor : null },
	};
}

function readHierarchy(section, nodes, errors)
{
	if (!section)
	{
		return { ...names(["nodes", "leaves", "depth", "degrees", "types", "root", "levels"], null), cost: readCosts(),
			hausdorff: readHausdorff() };
	}
	nodes.forEach(node => { node.sizes = volumes.sizes(node.type, node.volume); });
	const types = count(nodes, node => node.type);
	const depth = Math.max(...nodes.map(node => node.level));
	return {
		nodes: nodes.length,
		leaves: nodes.filter(node => node.children.length === 0).length,
		depth,
		degrees: count(nodes.filter(node => node.children.length > 0), node => node.children.length),
		types,
		cost: readCosts(section, types),
		root: withVolume(nodes[0].type, nodes[0].volume),
		levels: Array.from({ length: depth + 1 }, (_, level) => readLevel(level, nodes, errors)),
		hausdorff: readHausdorff(errors, nodes[0]),
	};
}

// What NODE says of its nodes as a whole, counted.
function checkCounts(section, nodes)
{
	check(section.numNodes === nodes.length, "NODE counts other nodes");
	check(section.numLeaves === nodes.filter(node => node.children.length === 0).length, "NODE counts other leaves");
	check(section.depth === Math.max(...nodes.map(node => node.level)), "NODE tells of another depth");
	const types = count(nodes, node => Bvh.VolumeType[node.type.toUpperCase()]);
	check([...section.numOfType, section.numPrisms].every((n, type) => n === (types[type] || 0)), "NODE counts other types");
}

// A code is rounded up to at most a sixteenth above the bound it stands for, or 2^-13.9 of the node's size: so is the greatest
// of all above the greatest that the section has in full.
function checkErrors(errors, nodes)
{
	for (const [measure, greatest] of [["surface", errors.all.surfaceMax.upper], ["solid", errors.all.solidMax.upper]])
	{
		const units = nodes.map(node => volumes.errorUnit(node.type, node.volume));
		const decoded = errors.nodes.map((node, i) => units[i] * node[measure].factor);
		const max = Math.max(...decoded);
		check(max >= greatest, `no node's ${measure} error reaches the greatest`);
		check(max <= greatest * 17 / 16 + Math.max(...units) * Math.pow(2, -13.9), `a node's ${measure} error is above the greatest`);
	}
}

// Bounds of how far nodes reach are rounded up to an f32, and writers may be less exact by a little.
function checkRadii(radii, nodes)
{
	nodes.forEach((node, i) =>
	{
		const reach = volumes.reach(node.type, node.volume);
		check(radii.items[i] >= reach * (1 - 1e-15), `node ${i} reaches ${reach} and not ${radii.items[i]}`);
		check(radii.items[i] <= reach * (1 + 1e-6), `node ${i} reaches only ${reach}, not ${radii.items[i]}`);
	});
}

// The worst of an inner node's children is the greatest of their qualities; the root is its own unit.
function checkQualities(qualities, nodes)
{
	const number = new Map(nodes.map((node, i) => [node, i]));
	check(qualities.items[0].quality === 1, "the root's area is not the unit");
	nodes.forEach((node, i) =>
	{
		const own = node.children.length > 0 ? node.children.map(child => number.get(child)) : [i];
		const worst = Math.max(...own.map(k => qualities.items[k].quality));
		check(qualities.items[i].worst === worst, `node ${i} has a child of ${worst}, not ${qualities.items[i].worst}`);
	});
}

// Two faces stand only for what is thin.
function checkFaces(faces)
{
	faces.boxes.forEach((box, i) =>
	{
		const size = (box.half[0] + box.half[1]) + box.half[2];
		check(faces.two[i] === 0 || 2 * box.half[2] < faces.share * size, `node ${i} is not thin`);
	});
}

// Each edge has its two vertices in ascending order, belongs to the triangles that it names and is of a kind as often as
// MESH says.
function checkAdjacency(adjacency, mesh, triangles)
{
	const kinds = count(adjacency.items, edge => edge.kind);
	check(mesh.edgesOfKind.every((n, kind) => n === (kinds[kind] || 0)), "ADJC counts other kinds");
	for (const edge of adjacency.items)
	{
		check(edge.vertices[0] < edge.vertices[1], "vertices of an edge descend");
		for (const triangle of edge.triangles.filter(t => t !== 0xffffffff))
		{
			check(edge.vertices.every(vertex => triangles[triangle].includes(vertex)), "an edge of another triangle");
		}
	}
}

// Polygons are bounded by half-edges that each have a twin; no vertex of the hull is above a polygon's plane.
function checkTopology(topology, hull, positions)
{
	topology.halfEdges.forEach((edge, i) =>
	{
		const twin = topology.halfEdges[edge.twin];
		check(twin.twin === i && twin.origin === topology.halfEdges[edge.next].origin, "a half-edge has another twin");
		check(topology.halfEdges[edge.next].polygon === edge.polygon, "a polygon goes on in another");
	});
	for (const polygon of topology.polygons)
	{
		const n = point(polygon.normal);
		const above = Math.max(...hull.map(p => (n[0] * p[0] + n[1] * p[1]) + n[2] * p[2]));
		check(above === polygon.offset, "a polygon's offset is not the greatest product");
	}
}

// The areas of all triangles, summed up plainly, against the one in the file: positions and corners are decoded right.
function checkArea(mesh, triangles, positions)
{
	const sum = triangles.reduce((area, corners) =>
	{
		const [a, b, c] = corners.map(vertex => positions[vertex]);
		return area + volumes.length(volumes.cross(volumes.subtract(b, a), volumes.subtract(c, a))) / 2;
	}, 0);
	check(Math.abs(sum - mesh.area) <= 1e-12 * mesh.area, `the triangles' area is ${sum} and not ${mesh.area}`);
}

// What each part has, taken out of the lists of all parts.
function splitParts(parts, triangles)
{
	const ends = (key, count) => [...parts.items.slice(1).map(part => part[key]), count];
	const vertexEnds = ends("firstVertex", parts.numVertices);
	const neighbourEnds = ends("firstNeighbour", parts.numNeighbours);
	return parts.items.map((part, i) => ({
		box: aabb(part.box),
		mass: part.mass,
		concavity: part.concavity,
		vertices: parts.vertices.slice(part.firstVertex, vertexEnds[i]).map(point),
		faces: parts.faces.slice(2 * part.firstVertex - 4 * i, 2 * vertexEnds[i] - 4 * (i + 1)).map(face => face.vertices),
		neighbours: parts.neighbours.slice(part.firstNeighbour, neighbourEnds[i]),
		triangles: triangles && triangles.triangles.slice(triangles.firstTriangles[i], triangles.firstTriangles[i + 1]),
	}));
}

// The signed volume under faces, seen from their first vertex.
function volumeOf(part)
{
	const from = part.vertices[0];
	return part.faces.reduce((volume, face) =>
	{
		const [a, b, c] = face.map(vertex => volumes.subtract(part.vertices[vertex], from));
		return volume + volumes.dot(a, volumes.cross(b, c)) / 6;
	}, 0);
}

const encloses = (outer, inner) => outer.lower.every((x, k) => x <= inner.lower[k]) && outer.upper.every((x, k) => x >= inner.upper[k]);
const ascends = list => list.every((x, i) => i === 0 || list[i - 1] < x);

// Faces close each part round the volume it has, its box is the least, and neighbours are mutual; triangles are of the part's list.
function checkParts(parts)
{
	parts.forEach((part, i) =>
	{
		const sides = new Set(part.faces.flatMap(face => face.map((vertex, k) => `${vertex} ${face[(k + 1) % 3]}`)));
		check(sides.size === 3 * part.faces.length, "a side of a part is run through twice");
		check([...sides].every(side => sides.has(side.split(" ").reverse().join(" "))), "a part is not closed");
		check(Math.abs(volumeOf(part) - part.mass.mass) <= 1e-6 * part.mass.mass, "a part has another volume");
		[0, 1, 2].forEach(k =>
		{
			const x = part.vertices.map(vertex => vertex[k]);
			check(part.box.lower[k] === Math.min(...x) && part.box.upper[k] === Math.max(...x), "a part's box is another one");
		});
		check(ascends(part.neighbours) && part.neighbours.every(k => k !== i && parts[k].neighbours.includes(i)),
			"a neighbour is none");
		check(!part.triangles || ascends(part.triangles), "triangles of a part do not ascend");
	});
}

// Walks from node to child, and finds each node, and each part in order.
function checkPartNodes(nodes, parts)
{
	let found = 0;
	let visited = 0;
	const visit = index =>
	{
		const node = nodes[index];
		++visited;
		if (node.part !== 0xffffffff)
		{
			check(node.part === found++ && node.next === index + 1, "a leaf is out of order");
			check(encloses(aabb(node.box), parts[node.part].box), "a leaf does not enclose its part");
			return;
		}
		const second = nodes[index + 1].next;
		check(nodes[second].next === node.next, "a node over parts ends elsewhere than its second child");
		[index + 1, second].forEach(child =>
		{
			check(encloses(aabb(node.box), aabb(nodes[child].box)), "a node over parts does not enclose its children");
			visit(child);
		});
	};
	visit(0);
	check(visited === nodes.length && found === parts.length && nodes[0].next === nodes.length, "a node over parts is lost");
}

function readParts(section, parts)
{
	if (!section)
	{
		return { ...names(["parts", "tolerance", "vertices", "faces", "uncovered", "mode", "out_of_time", "hulls", "volume"], null),
			concavity: nothing };
	}
	return {
		parts: section.numParts,
		tolerance: section.tolerance,
		concavity: interval(section.concavity),
		vertices: section.numVertices,
		faces: section.faces.length,
		uncovered: section.uncovered,
		mode: section.solid ? "solid" : "surface",
		out_of_time: section.outOfTime === 1,
		hulls: parts.map(part => ({
			vertices: part.vertices.length,
			faces: part.faces.length,
			volume: part.mass.mass,
			center_of_mass: point(part.mass.centerOfMass),
			concavity: interval(part.concavity),
			neighbors: part.neighbours.length,
			triangles: part.triangles ? part.triangles.length : null,
		})),
		volume: parts.reduce((sum, part) => sum + part.mass.mass, 0),
	};
}

// Vertices are numbered by first use, and none is left.
function readProxy(proxy)
{
	if (!proxy)
	{
		return { ...names(["triangles", "vertices", "tolerance", "enclosed"], null), from_proxy: nothing, from_mesh: nothing };
	}
	let next = 0;
	for (const vertex of proxy.triangles.flatMap(triangle => triangle.vertices))
	{
		check(vertex <= next, "a vertex of the proxy is out of order");
		next = Math.max(next, vertex + 1);
	}
	check(next === proxy.numVertices, "a vertex of the proxy is not used");
	return {
		triangles: proxy.numTriangles,
		vertices: proxy.numVertices,
		tolerance: proxy.tolerance,
		from_proxy: interval(proxy.fromProxy),
		from_mesh: interval(proxy.fromMesh),
		enclosed: proxy.numEnclosed,
	};
}

// Boxes of parents enclose those of children; the whole box encloses those of segments.
function checkClip(clip, nodes)
{
	const axes = ["x", "y", "z"];
	const number = new Map(nodes.map((node, i) => [node, i]));
	const encloses = (a, b) => axes.every(k => a.lower[k] <= b.lower[k] && a.upper[k] >= b.upper[k]);
	for (let set = 0; set < clip.numSets; ++set)
	{
		const box = node => clip.boxes[set * nodes.length + node];
		nodes.forEach((node, i) =>
		{
			check(axes.every(k => box(i).lower[k] <= box(i).upper[k]), "a box of the clip is empty");
			check(node.children.every(child => encloses(box(i), box(number.get(child)))),
				"a box of the clip does not enclose that of a child");
			check(encloses(clip.boxes[i], box(i)), "the box of a segment is not in that of the clip");
		});
	}
}

const ratio = (a, b) => b > 0 && a > 0 ? a / b : null;

function readClip(clip, nodes, bytes)
{
	const keys = ["name", "start", "end", "samples", "segments", "record", "moves", "has_frames", "step", "bytes", "cost",
		"worst_sample", "worst", "to_rebuilt", "root_error", "leaf_error", "candidates", "frames"];
	if (!clip)
	{
		return names(keys, null);
	}
	const costs = clip.samples.map(sample => sample.cost);
	const largest = Math.max(...costs);
	const rest = costs[clip.record];
	const leaves = nodes.map((node, i) => i).filter(i => nodes[i].children.length === 0);
	const last = clip.numSamples - 1;
	return {
		name: clip.name,
		start: clip.start,
		end: clip.endTime,
		samples: clip.numSamples,
		segments: clip.numSegments,
		record: clip.record,
		moves: clip.moves === 1,
		has_frames: clip.hasFrames === 1,
		step: clip.step,
		bytes,
		cost: clip.candidates[clip.chosen].cost,
		worst_sample: costs.indexOf(largest),
		worst: ratio(largest, rest),
		to_rebuilt: Math.max(...clip.samples.map(sample => ratio(sample.cost, sample.rebuilt) || 0)) || null,
		root_error: clip.boxes[0].error,
		leaf_error: leaves.reduce((sum, i) => sum + clip.boxes[i].error, 0) / leaves.length,
		candidates: clip.candidates.map((c, i) => ({ sample: c.sample, nodes: c.numNodes, cost: c.cost, chosen: i === clip.chosen })),
		frames: clip.samples.map((sample, i) => ({
			time: i === 0 ? clip.start : i === last ? clip.endTime : clip.start + (clip.endTime - clip.start) * i / last,
			cost: sample.cost,
			relative: ratio(sample.cost, rest),
			to_rebuilt: ratio(sample.cost, sample.rebuilt),
		})),
	};
}

const known = entry => !ArrayBuffer.isView(entry.body);

// Sections follow one another, with zeros between, and have the hashes that the table says.
function checkTable(bvh, bytes)
{
	let end = 64 + 32 * bvh.entries.length;
	check(xxh3(bytes.subarray(16, end)) === Buffer.from(bvh.header.hash).readBigUInt64LE(), "the header has another hash");
	for (const entry of bvh.entries)
	{
		const offset = Math.ceil(end / 64) * 64;
		check(entry.offset === offset, `${entry.name} is at ${entry.offset} and not at ${offset}`);
		check(bytes.subarray(end, offset).every(byte => byte === 0), `the bytes before ${entry.name} are not 0`);
		end = offset + entry.size;
		check(xxh3(bytes.subarray(offset, end)) === Buffer.from(entry.hash).readBigUInt64LE(), `${entry.name} has another hash`);
		check(known(entry) || !entry.required, `${entry.name} is required and not known`);
	}
	check(end === bytes.length, "the file goes on behind the last section");
	check(new Set(bvh.entries.map(entry => entry.name)).size === bvh.entries.length, "two sections have one name");
}

function readFile(bvh)
{
	const sections = Object.fromEntries(bvh.entries.filter(known).map(entry => [entry.name, entry.body]));
	const mesh = sections.MESH;
	const positions = sections.POSN && sections.POSN.items.map(point);
	const triangles = sections.TRIS && sections.TRIS.items.map(t => [t.vertex0, t.vertex1, t.vertex2]);
	const nodes = sections.NODE && hierarchy.read(sections.NODE, Bvh.VolumeType, mesh.numTriangles);
	const hull = sections.HULL && sections.HULL.vertices.map(v => v.vertex === undefined ? point(v) : positions[v.vertex]);
	if (triangles)
	{
		checkArea(mesh, triangles, positions);
	}
	if (nodes)
	{
		checkCounts(sections.NODE, nodes);
		hierarchy.checkEnclosure(nodes, triangles, positions);
	}
	if (sections.ERRS)
	{
		checkErrors(sections.ERRS, nodes);
	}
	if (sections.RADI)
	{
		checkRadii(sections.RADI, nodes);
	}
	if (sections.NQAL)
	{
		checkQualities(sections.NQAL, nodes);
	}
	if (sections.NFAC)
	{
		checkFaces(sections.NFAC);
	}
	if (sections.ADJC)
	{
		checkAdjacency(sections.ADJC, mesh, triangles);
	}
	if (sections.HTOP)
	{
		checkTopology(sections.HTOP, hull);
	}
	if (sections.CLIP)
	{
		checkClip(sections.CLIP, nodes);
	}
	const parts = sections.PART && splitParts(sections.PART, sections.PTRI);
	if (parts)
	{
		checkParts(parts);
		checkPartNodes(sections.PART.nodes, parts);
	}
	const origin = sections.ORGN;
	const report = {
		schema: "bvbuild-report/1",
		tool: readTool(origin),
		source: { name: origin.name, format: origin.format, hash: Buffer.from(origin.sourceHash).toString("hex") },
		mesh: readMesh(mesh, sections.MASS),
		body: readMovingBody(sections.BODY),
		bounds: readBounds(sections.BNDS),
		hull: readHull(sections.HULL, sections.HTOP, sections.MASS),
		recognised: readRecognised(sections.PRIM),
		decomposition: readParts(sections.PART, parts),
		proxy: readProxy(sections.PRXY),
		hierarchy: readHierarchy(sections.NODE, nodes, sections.ERRS),
		clip: readClip(sections.CLIP, nodes, (bvh.entries.find(entry => entry.name === "CLIP") || {}).size),
		file: {
			bytes: bvh.header.fileSize,
			bytes_per_triangle: bvh.header.fileSize / mesh.numTriangles,
			sections: bvh.entries.map(entry => ({ name: entry.name, version: entry.version, required: entry.required,
				known: known(entry), bytes: entry.size })),
		},
	};
	return mesh.offset ? placeAll(report, report.mesh.offset) : report;
}

// Adds the offset to every place in a part of the report: points, and bounds along the directions of a k-DOP.
function placeAll(value, offset)
{
	const moved = p => p.map((x, k) => x + offset[k]);
	const along = bounds => bounds.map((x, i) => x + volumes.dot(volumes.directions[i], offset));
	const places = { center: moved, center_of_mass: moved, ends: list => list.map(moved),
		lower: b => b.length === 3 ? moved(b) : along(b), upper: b => b.length === 3 ? moved(b) : along(b) };
	for (const [key, item] of Object.entries(value || {}))
	{
		if (Array.isArray(item) && places[key])
		{
			value[key] = places[key](item);
		}
		else if (typeof item === "object")
		{
			placeAll(item, offset);
		}
	}
	return value;
}

// What is to be printed of a file, or null after a message.
function read(name)
{
	try
	{
		const bytes = fs.readFileSync(name);
		const bvh = new Bvh(new KaitaiStream(bytes));
		checkTable(bvh, bytes);
		evaluateAll(bvh);
		return JSON.stringify(readFile(bvh), null, "\t") + "\n";
	}
	catch (error)
	{
		console.error(`read.js: ${name}: ${process.env.V ? error.stack : error.message}`);
		return null;
	}
}

if (require.main === module)
{
	const text = read(file);
	process.stdout.write(text || "");
	process.exitCode = text === null ? 1 : 0;
}
module.exports = { read };
