// Writes a file as a later minor version may have made it: node append.js IN.bvh OUT.bvh [required]
//
// Minor version 7, the bounds in a version 2 that nothing is known of, and a section XTRA of 5 bytes at the end.
"use strict";

const fs = require("fs");
const xxh3 = require("./xxh3.js");

const headerBytes = 64;
const entryBytes = 32;
const align = offset => Math.ceil(offset / 64) * 64;

const [source, target, required] = process.argv.slice(2);
const old = fs.readFileSync(source);
const sections = [];
for (let i = 0; i < old.readUInt32LE(32); ++i)
{
	const entry = Buffer.from(old.subarray(headerBytes + entryBytes * i, headerBytes + entryBytes * (i + 1)));
	const offset = Number(entry.readBigUInt64LE(8));
	sections.push({ entry, content: old.subarray(offset, offset + Number(entry.readBigUInt64LE(16))) });
}
sections.filter(section => section.entry.toString("latin1", 0, 4) === "BNDS").forEach(section => section.entry.writeUInt16LE(2, 4));
const extra = Buffer.alloc(entryBytes);
extra.write("XTRA");
extra.writeUInt16LE(3, 4);
extra.writeUInt16LE(required ? 1 : 0, 6);
sections.push({ entry: extra, content: Buffer.from("extra") });

const header = Buffer.from(old.subarray(0, headerBytes));
let end = headerBytes + entryBytes * sections.length;
for (const { entry, content } of sections)
{
	entry.writeBigUInt64LE(BigInt(align(end)), 8);
	entry.writeBigUInt64LE(BigInt(content.length), 16);
	entry.writeBigUInt64LE(xxh3(content), 24);
	end = align(end) + content.length;
}
header.writeUInt16LE(7, 22);
header.writeBigUInt64LE(BigInt(end), 24);
header.writeUInt32LE(sections.length, 32);

const bytes = Buffer.alloc(end);
Buffer.concat([header, ...sections.map(section => section.entry)]).copy(bytes);
sections.forEach(({ entry, content }) => content.copy(bytes, Number(entry.readBigUInt64LE(8))));
bytes.writeBigUInt64LE(xxh3(bytes.subarray(16, headerBytes + entryBytes * sections.length)), 8);
fs.writeFileSync(target, bytes);
