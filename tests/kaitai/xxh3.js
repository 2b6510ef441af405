// XXH3-64 with seed 0, after Y. Collet's description of xxHash (doc/xxhash_spec.md, 2023); slow and plain.
"use strict";

const mask = (1n << 64n) - 1n;
const prime32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
const prime64 = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];

// The default secret.
const secret = Buffer.from(
	"b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221" +
	"b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
	"a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb" +
	"170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e",
	"hex");

const word = (bytes, at) => bytes.readBigUInt64LE(at);
const half = (bytes, at) => BigInt(bytes.readUInt32LE(at));
const rotate = (x, by) => (x << by | x >> 64n - by) & mask;

function foldedProduct(a, b)
{
	const product = a * b;
	return product & mask ^ product >> 64n;
}

function avalanche(x)
{
	x = (x ^ x >> 37n) * 0x165667919e3779f9n & mask;
	return x ^ x >> 32n;
}

function swapped(x)
{
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64LE(x);
	return bytes.readBigUInt64BE();
}

const mix = (bytes, at, key) => foldedProduct(word(bytes, at) ^ word(secret, key), word(bytes, at + 8) ^ word(secret, key + 8));

function upTo3(bytes, length)
{
	let x = BigInt((bytes[0] << 16 | bytes[length >> 1] << 24 | bytes[length - 1] | length << 8) >>> 0);
	x ^= half(secret, 0) ^ half(secret, 4);
	x = (x ^ x >> 33n) * prime64[1] & mask;
	x = (x ^ x >> 29n) * prime64[2] & mask;
	return x ^ x >> 32n;
}

function upTo8(bytes, length)
{
	let x = half(bytes, length - 4) + (half(bytes, 0) << 32n) ^ word(secret, 8) ^ word(secret, 16);
	x ^= rotate(x, 49n) ^ rotate(x, 24n);
	x = x * 0x9fb21c651e98df25n & mask;
	x ^= (x >> 35n) + BigInt(length);
	x = x * 0x9fb21c651e98df25n & mask;
	return x ^ x >> 28n;
}

function upTo16(bytes, length)
{
	const low = word(bytes, 0) ^ word(secret, 24) ^ word(secret, 32);
	const high = word(bytes, length - 8) ^ word(secret, 40) ^ word(secret, 48);
	return avalanche(BigInt(length) + swapped(low) + high + foldedProduct(low, high) & mask);
}

function upTo128(bytes, length)
{
	let sum = BigInt(length) * prime64[0];
	for (let i = Math.floor((length - 1) / 32); i >= 0; --i)
	{
		sum += mix(bytes, 16 * i, 32 * i) + mix(bytes, length - 16 * (i + 1), 32 * i + 16);
	}
	return avalanche(sum & mask);
}

function upTo240(bytes, length)
{
	let sum = BigInt(length) * prime64[0];
	for (let i = 0; i < 8; ++i)
	{
		sum += mix(bytes, 16 * i, 16 * i);
	}
	sum = avalanche(sum & mask);
	for (let i = 8; i < Math.floor(length / 16); ++i)
	{
		sum += mix(bytes, 16 * i, 16 * (i - 8) + 3);
	}
	return avalanche(sum + mix(bytes, length - 16, 119) & mask);
}

function accumulate(sums, bytes, at, key)
{
	for (let i = 0; i < 8; ++i)
	{
		const value = word(bytes, at + 8 * i);
		const keyed = value ^ word(secret, key + 8 * i);
		sums[i ^ 1] = sums[i ^ 1] + value & mask;
		sums[i] = sums[i] + (keyed & 0xffffffffn) * (keyed >> 32n) & mask;
	}
}

function long(bytes, length)
{
	const sums = [prime32[2], prime64[0], prime64[1], prime64[2], prime64[3], prime32[1], prime64[4], prime32[0]];
	const stripes = Math.floor((length - 1) / 64);
	for (let i = 0; i < stripes; ++i)
	{
		accumulate(sums, bytes, 64 * i, 8 * (i % 16));
		if (i % 16 === 15)
		{
			sums.forEach((x, k) => { sums[k] = (x ^ x >> 47n ^ word(secret, 128 + 8 * k)) * prime32[0] & mask; });
		}
	}
	accumulate(sums, bytes, length - 64, 121);
	let sum = BigInt(length) * prime64[0];
	for (let i = 0; i < 4; ++i)
	{
		sum += foldedProduct(sums[2 * i] ^ word(secret, 11 + 16 * i), sums[2 * i + 1] ^ word(secret, 19 + 16 * i));
	}
	return avalanche(sum & mask);
}

// @param bytes  a Buffer, not empty
module.exports = bytes =>
{
	const table = [[3, upTo3], [8, upTo8], [16, upTo16], [128, upTo128], [240, upTo240], [Infinity, long]];
	return table.find(([most]) => bytes.length <= most)[1](bytes, bytes.length);
};
