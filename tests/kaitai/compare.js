// Compares what read.js prints with what `bvinspect --json` prints: node compare.js READ.json INSPECT.json
//
// Every key is in both. Numbers that are in the file agree to the last digit; those that both compute from it, by
// formulas whose order nothing fixes, to 1e-9.
"use strict";

const fs = require("fs");

// Computed by bvinspect alone.
const inspectOnly = [
	/\.principal$/,
	/^hierarchy\.cost\.(expected|measured|yardstick)$/,
	/^bounds\.\w+\.(optimum|ratio)$/,
	/^hierarchy\.(levels\.\d+\.)?(sah|occupancy|overlap|fit)$/,
	/^findings$/,
	/^problems$/,
	/^mesh\.unit$/,
];

const computed = [
	/^(bounds|recognised)\.\w+\.volume$/,
	/^hierarchy\.root\.volume$/,
	/^decomposition\.volume$/,
	/^hierarchy\.levels\.\d+\.(volume|area|diameter)\.(mean|max)$/,
	/^hierarchy\.hausdorff\.\w+\.\w+\.relative\.(lower|upper)$/,
	/^clip\.leaf_error$/,
	/^hierarchy\.(levels\.\d+\.)?(hausdorff|cut)\.\w+\.mean\.upper$/, // no mean is above the largest
];

const matches = (patterns, key) => patterns.some(pattern => pattern.test(key));

let wrong = 0;

function fail(key, text)
{
	console.error(`compare.js: ${key}: ${text}`);
	++wrong;
}

function compare(key, read, inspected)
{
	if (read !== null && inspected !== null && typeof read === "object" && typeof inspected === "object")
	{
		for (const name of new Set([...Object.keys(read), ...Object.keys(inspected)]))
		{
			const inner = key ? `${key}.${name}` : name;
			if (!(name in read) && matches(inspectOnly, inner))
			{
				continue;
			}
			if (!(name in read) || !(name in inspected))
			{
				fail(inner, name in read ? "bvinspect does not print it" : "read.js does not print it");
				continue;
			}
			compare(inner, read[name], inspected[name]);
		}
		return;
	}
	const near = matches(computed, key) && typeof read === "number" && typeof inspected === "number" &&
		Math.abs(read - inspected) <= 1e-9 * Math.max(Math.abs(read), Math.abs(inspected)) + 1e-12;
	if (read !== inspected && !near)
	{
		fail(key, `${read} and not ${inspected}`);
	}
}

// Whether two texts agree; what does not is told.
function agree(read, inspected)
{
	const before = wrong;
	compare("", JSON.parse(read), JSON.parse(inspected));
	return wrong === before;
}

if (require.main === module)
{
	process.exitCode = agree(...process.argv.slice(2).map(name => fs.readFileSync(name, "utf8"))) ? 0 : 1;
}
module.exports = { agree };
