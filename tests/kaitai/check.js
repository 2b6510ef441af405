// Reads many files as read.js does, and compares each with the output of `bvinspect --json` as compare.js
// does. One process handles all files, since starting node for each takes longer than reading it.
//
//   node check.js FOLDER LIST
//
// LIST has one line per file, with four fields separated by tabs: the .bvh file, the output of bvinspect, the
// output path for the parsed values, and a description of the file.
//
// Prints `pass` or `fail` with the check and the file, two lines per file.
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
