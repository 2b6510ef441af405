// Types of the builder. README.md explains it.

import type { Bytes } from './index.js';

/** Options of bvbuild in camel case, such as decompose: '1%', maxParts: 8, normalize: true. */
export interface BuildOptions
{
	/** The extension of the mesh file: 'obj', 'stl', 'ply', 'off', 'glb', 'gltf', '3mf' or 'wrl'. */
	format: string;
	/** What is in the file. An array is a list: [ 'source', '-hull' ] is 'source,-hull'; so are arrays of options that are not named here. */
	sections?: string | readonly string[];
	/** Types of the nodes' bounding volumes. An array is a list. */
	volume?: string | readonly string[];
	/** Patterns of names. An array gives the option several times. */
	object?: string | readonly string[];
	/** Conditions. An array gives the option several times. */
	gate?: string | readonly string[];
	[option: string]: string | number | boolean | undefined | readonly ( string | number )[];
}

export interface Built
{
	/** The bytes of the .bvh file, as bvbuild writes it. */
	file: Uint8Array;
	/** As `bvinspect --json`; missing if it was not wanted. */
	report: Record<string, any>;
	warnings: { kind: 'skipped' | 'gate' | 'problem' | 'lost object'; text: string; advice?: string }[];
	/** All conditions of the options hold. */
	passes: boolean;
	/** The report as a page, if it was asked for. */
	html?: string;
}

/** Builds a .bvh file from the bytes of a mesh file. In pages, call it in a worker: it takes its time. */
export function build( bytes: Bytes | Promise<Bytes>, options: BuildOptions, more?: {
	/** What messages and reports call the mesh. */
	name?: string;
	/** Default true. */
	report?: boolean;
	html?: boolean;
	onProgress?: ( stage: string, done: number | undefined ) => void;
} ): Promise<Built>;

/** The reports of a .bvh file that was built before. */
export function report( bytes: Bytes | Promise<Bytes>, more?: { html?: boolean } ): Promise<{ report: Record<string, any>; html?: string }>;

/** Loads the module, from build.wasm beside the package's files unless something else is given. */
export function initBuilder( source?: string | URL | Bytes | Response | WebAssembly.Module | Promise<Response> ): Promise<WebAssembly.Module>;

/** The options of a build. */
export function buildOptions(): Promise<{ name: string; values: string; help: string }[]>;
