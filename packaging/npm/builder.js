// Builds .bvh files from meshes, as the tool bvbuild does. Each build has an instance of the module build.wasm to itself, whose memory
// goes away with it.

import { BvError, moduleOf, statusNames } from './module.js';
import { bytesOf, optionsOf } from './values.js';

let loading = null;

/**
 * Loads the module. `build` does so by itself; call this to load it from elsewhere.
 * @param source  as for init; default: build.wasm beside this file
 */
export function initBuilder( source )
{
	loading ??= moduleOf( source ?? new URL( './build.wasm', import.meta.url ) ).catch( error =>
	{
		loading = null; // It can be tried again.
		throw error;
	} );
	return loading;
}

const badFile = 8; // There are no files.

// What the module imports: a clock, standard error, setjmp, and no files.
function hostOf( module, progress )
{
	const jump = Symbol( 'longjmp' );
	const host = { exports: null };
	let high = 0; // The upper half of a result.
	const view = () => new DataView( host.exports.memory.buffer );
	const known = {
		progress,
		setTempRet0: value => { high = value; },
		getTempRet0: () => high,
		emscripten_notify_memory_growth: () => {},
		_emscripten_throw_longjmp: () => { throw jump; },
		clock_time_get( clock, precision, at )
		{
			view().setBigUint64( at, BigInt( Math.round( 1e6 * ( clock === 0 ? Date.now() : performance.now() ) ) ), true );
			return 0;
		},
		environ_sizes_get( count, size )
		{
			view().setUint32( count, 0, true );
			view().setUint32( size, 0, true );
			return 0;
		},
		environ_get: () => 0,
		fd_write: () => badFile,
		fd_read: () => badFile,
		fd_seek: () => badFile,
		fd_close: () => badFile,
		__syscall_dup3: () => -badFile,
		proc_exit: code => { throw new BvError( 'internal', `the builder ended with ${ code }` ); },
	};
	// A call that setjmp may have to return from.
	const invoke = ( index, ...values ) =>
	{
		const { stackSave, stackRestore, setThrew, __indirect_function_table: table } = host.exports;
		const stack = stackSave();
		try
		{
			return table.get( index )( ...values );
		}
		catch ( error )
		{
			stackRestore( stack );
			if ( error !== jump )
			{
				throw error;
			}
			setThrew( 1, 0 );
			return 0;
		}
	};
	host.imports = {};
	for ( const { module: from, name } of WebAssembly.Module.imports( module ) )
	{
		host.imports[from] ??= {};
		host.imports[from][name] = name.startsWith( 'invoke_' ) ? invoke : known[name];
	}
	return host;
}

// An instance of the module, and functions of its memory.
async function begin( progress )
{
	const module = await initBuilder();
	const host = hostOf( module, progress );
	const { exports } = await WebAssembly.instantiate( module, host.imports );
	host.exports = exports;
	exports._initialize();
	const bytesAt = ( at, size ) => new Uint8Array( exports.memory.buffer, at >>> 0, size >>> 0 );
	return {
		exports,
		put( bytes )
		{
			const at = exports.reserve( Math.max( bytes.length, 1 ) ) >>> 0;
			if ( at === 0 )
			{
				throw new BvError( 'memory', `no memory for ${ bytes.length } bytes` );
			}
			bytesAt( at, bytes.length ).set( bytes );
			return at;
		},
		text( at )
		{
			const from = new Uint8Array( exports.memory.buffer, at >>> 0 );
			return new TextDecoder().decode( from.slice( 0, from.indexOf( 0 ) ) );
		},
		out: () => bytesAt( exports.out_data(), exports.out_size() ).slice(),
		// Texts with a zero character behind each.
		texts: () => decode( bytesAt( exports.out_data(), exports.out_size() ).slice() ).split( '\0' ).slice( 0, -1 ),
		check( status )
		{
			if ( status !== 0 )
			{
				const message = this.text( exports.error_text() );
				throw new BvError( statusNames[status] ?? 'internal', message || `the builder failed: ${ statusNames[status] }` );
			}
		},
	};
}

const encode = text => new TextEncoder().encode( text + '\0' );
const decode = bytes => new TextDecoder().decode( bytes );

// Options that can be given several times. Arrays of others are lists with commas.
const repeated = [ 'object', 'gate' ];

function checkOption( key, value, types )
{
	if ( !types.includes( typeof value ) || Number.isNaN( value ) )
	{
		throw new TypeError( `options.${ key }: expected text, a number, a boolean, or an array of texts and numbers` );
	}
	if ( String( value ).includes( '\0' ) )
	{
		throw new RangeError( `options.${ key }: has a zero character` );
	}
}

// { maxParts: 8, normalize: true } as names and values: max-parts, 8, normalize, none.
function optionsAsText( options )
{
	const named = [];
	for ( const [ key, value ] of Object.entries( options ) )
	{
		const name = key.replace( /[A-Z]/g, letter => `-${ letter.toLowerCase() }` );
		const isList = Array.isArray( value );
		( isList ? value : [] ).forEach( each => checkOption( key, each, [ 'string', 'number' ] ) );
		for ( const one of !isList ? [ value ] : repeated.includes( key ) ? value : [ value.join( ',' ) ] )
		{
			checkOption( key, one, [ 'string', 'number', 'boolean', 'undefined' ] );
			checkOption( key, name, [ 'string' ] );
			if ( one !== false && one !== undefined )
			{
				named.push( name, one === true ? '\x01' : String( one ) );
			}
		}
	}
	return named;
}

// Traps and a full stack end the instance, not the page.
function asBvError( error )
{
	const ended = error instanceof WebAssembly.RuntimeError || error instanceof RangeError && /stack/i.test( error.message );
	return ended ? new BvError( 'internal', `the builder failed: ${ error.message }` ) : error;
}

function reports( builder, html )
{
	const { exports } = builder;
	builder.check( exports.report() );
	const out = { report: JSON.parse( decode( builder.out() ) ) };
	if ( html )
	{
		builder.check( exports.page() );
		out.html = decode( builder.out() );
	}
	return out;
}

/**
 * Builds a .bvh file from the bytes of a mesh file.
 * @param bytes    ArrayBuffer or typed array, or a promise of one
 * @param options  format: 'obj', 'stl', 'ply', 'off', 'glb', 'gltf', '3mf' or 'wrl'; and the options of bvbuild by name, such as
 *                 decompose: '1%', maxParts: 8, units: 'mm', normalize: true. An array repeats the options object and gate, and is a list
 *                 with commas for others: sections: [ 'none', 'hull' ]
 * @param more     name: what messages and reports call the mesh; report: false if it is not wanted, which takes about as long as the
 *                 build; html: whether the report is wanted as a page, too; onProgress: function of the name of a stage and of how
 *                 much of it is done, 0 to 1, undefined if that is not known
 * @return { file: its bytes, report: as of bvinspect --json, warnings, passes, html }
 */
export async function build( bytes, options, more )
{
	const { name: called, report: wantsReport = true, html, onProgress } = optionsOf( more, [ 'name', 'report', 'html', 'onProgress' ], 'more' );
	const { format, ...named } = options ?? {};
	if ( typeof format !== 'string' || !/^[a-z0-9]{1,8}$/i.test( format ) )
	{
		throw new TypeError( "options.format: expected the extension of a mesh file, such as 'obj'" );
	}
	const from = bytesOf( await bytes, 'bytes' );
	const texts = optionsAsText( named );
	const name = String( called ?? `mesh.${ format }` );
	if ( name.includes( '\0' ) )
	{
		throw new RangeError( 'more.name: has a zero character' );
	}
	if ( onProgress !== undefined && typeof onProgress !== 'function' )
	{
		throw new TypeError( 'more.onProgress: expected a function' );
	}
	const names = [];
	let builder = null;
	builder = await begin( ( stage, done ) =>
	{
		names[stage] ??= builder.text( builder.exports.stage_name( stage ) );
		onProgress?.( names[stage], done >= 0 ? done : undefined );
	} );
	const { exports } = builder;
	try
	{
		builder.check( exports.build( builder.put( from ), from.length, builder.put( encode( format ) ), builder.put( encode( name ) ),
			builder.put( encode( texts.join( '\0' ) ) ), texts.length / 2 ) );
		const file = builder.out();
		const warnings = [];
		for ( let i = 0; i < exports.message_count(); ++i )
		{
			builder.check( exports.message( i ) );
			const [ kind, text, advice ] = builder.texts();
			warnings.push( advice === undefined ? { kind, text } : { kind, text, advice } );
		}
		const result = { file, warnings, passes: exports.passes() !== 0 };
		if ( wantsReport !== false )
		{
			Object.assign( result, reports( builder, html ) );
		}
		return result;
	}
	catch ( error )
	{
		throw asBvError( error );
	}
}

/**
 * The reports of a file that was built before.
 * @param bytes  of a .bvh file
 * @param more   html: whether the page is wanted
 * @return { report, html }
 */
export async function report( bytes, more )
{
	const { html } = optionsOf( more, [ 'html' ], 'more' );
	const from = bytesOf( await bytes, 'bytes' );
	const builder = await begin( () => {} );
	try
	{
		builder.check( builder.exports.open_file( builder.put( from ), from.length ) );
		return reports( builder, html );
	}
	catch ( error )
	{
		throw asBvError( error );
	}
}

/** @return a promise of the options of a build: [ { name, values, help } ] */
export async function buildOptions()
{
	const builder = await begin( () => {} );
	const all = [];
	for ( let i = 0;; ++i )
	{
		builder.check( builder.exports.option( i ) );
		const [ name, values, help ] = builder.texts();
		if ( name === undefined )
		{
			return all;
		}
		all.push( { name, values, help } );
	}
}
