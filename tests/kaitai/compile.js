// Compiles formats/bvh/bvh.ksy into a JavaScript parser: node compile.js KSY FOLDER
"use strict";

const fs = require("fs");
const path = require("path");
const yaml = require("js-yaml");
const compiler = require("kaitai-struct-compiler");

const [source, folder] = process.argv.slice(2);

compiler.compile("javascript", yaml.load(fs.readFileSync(source, "utf8")), null, false).then(files =>
{
	for (const name of Object.keys(files))
	{
		fs.writeFileSync(path.join(folder, name), files[name]);
	}
}).catch(error =>
{
	console.error(`${source}: ${error.message || error}`);
	process.exit(1);
});
