// Reads many files as read.js does, and compares each with what `bvinspect --json` printed, as compare.js does: starting node for each
// takes longer than reading it.
//
//   node check.js FOLDER LIST     LIST has a line a file: the .bvh file, what bvinspect printed, where to write what is read, and
//                                 what the file is, with tabs between them
//
// Prints `pass` or `fail` and what of which file, two lines for each.
"use strict";

const fs = require("fs");
const { read } = require("./read.js");
const { agree } = require("./compare.js");

for (const line of fs.readFileSync(process.argv[3], "utf8").split("\n").filter(line => line))
{
	const [file, inspected, to, what] = line.split("\t");
	const text = read(file);
	console.log(`${text === null ? "fail" : "pass"} the reader refuses ${what}`);
	let same = false;
	if (text !== null)
	{
		fs.writeFileSync(to, text);
		try
		{
			same = agree(text, fs.readFileSync(inspected, "utf8"));
		}
		catch (error)
		{
			console.error(`check.js: ${what}: ${error.message}`);
		}
	}
	console.log(`${same ? "pass" : "fail"} the reader reads something else in ${what}`);
}
