// Prints the nodes of a .bvh file as read by the parser compiled from formats/bvh/bvh.ksy. The output is a
// list in the order of node numbers, each with type, decoded volume, level, numbers of its children, and the
// number of triangles in its subtree. It is null for files without a hierarchy.
//
//   node nodes.js FOLDER FILE.bvh     FOLDER holds the parser, Bvh.js
"use strict";

const fs = require("fs");
const path = require("path");
const { KaitaiStream } = require("kaitai-struct");
const hierarchy = require("./hierarchy.js");

const [folder, name] = process.argv.slice(2);
const { Bvh } = require(path.resolve(folder, "Bvh.js"));
const bvh = new Bvh(new KaitaiStream(fs.readFileSync(name)));
const sections = Object.fromEntries(bvh.entries.filter(e => !ArrayBuffer.isView(e.body)).map(e => [e.name, e.body]));
if (!sections.NODE)
{
	process.stdout.write("null\n");
}
else
{
	const nodes = hierarchy.read(sections.NODE, Bvh.VolumeType, sections.MESH.numTriangles);
	const number = new Map(nodes.map((node, i) => [node, i]));
	process.stdout.write(JSON.stringify(nodes.map(node => ({
		type: node.type,
		volume: node.volume,
		level: node.level,
		triangles: node.triangles,
		children: node.children.map(child => number.get(child)),
	}))) + "\n");
}
