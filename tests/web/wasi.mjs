// Runs a WebAssembly command of the C library wasi-libc: arguments, files to read in the current folder, standard output. Only the
// system calls that other_machine.c needs; node:wasi of Node 20 crashes at the end of long runs.
//
//   node wasi.mjs PROGRAM.wasm [ARGUMENT...]

import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { argv } from 'node:process';

const success = 0, badFile = 8, noEntry = 44, unsupported = 58;
const preopened = 3; // The current folder.
const program = argv[2];
const strings = [ program, ...argv.slice( 3 ) ].map( s => Buffer.from( s + '\0' ) );
const positions = new Map(); // Of open files.
let memory;

const view = () => new DataView( memory.buffer );
const bytes = ( at, length ) => new Uint8Array( memory.buffer, at, length );

class Exit extends Error
{
	constructor( code )
	{
		super( `exit ${ code }` );
		this.code = code;
	}
}

// Calls `transfer( bytes )` for each buffer of a list, and stores the sum of what it returns.
function transferAll( list, count, sumAt, transfer )
{
	let sum = 0;
	for ( let i = 0; i < count; ++i )
	{
		const moved = transfer( bytes( view().getUint32( list + 8 * i, true ), view().getUint32( list + 8 * i + 4, true ) ) );
		sum += moved;
	}
	view().setUint32( sumAt, sum, true );
	return success;
}

function describe( at, type )
{
	bytes( at, 24 ).fill( 0 );
	view().setUint8( at, type );
	view().setBigUint64( at + 8, 0xffffffffn, true ); // All rights.
	view().setBigUint64( at + 16, 0xffffffffn, true );
	return success;
}

const calls = {
	args_sizes_get( count, size )
	{
		view().setUint32( count, strings.length, true );
		view().setUint32( size, strings.reduce( ( sum, s ) => sum + s.length, 0 ), true );
		return success;
	},
	args_get( pointers, text )
	{
		for ( const string of strings )
		{
			view().setUint32( pointers, text, true );
			bytes( text, string.length ).set( string );
			pointers += 4;
			text += string.length;
		}
		return success;
	},
	fd_prestat_get( file, out )
	{
		if ( file !== preopened )
		{
			return badFile;
		}
		view().setUint32( out, 0, true );
		view().setUint32( out + 4, 1, true );
		return success;
	},
	fd_prestat_dir_name( file, path )
	{
		bytes( path, 1 ).set( Buffer.from( '.' ) );
		return success;
	},
	fd_fdstat_get: ( file, out ) => describe( out, file === preopened ? 3 : positions.has( file ) ? 4 : 2 ),
	fd_fdstat_set_flags: () => success,
	path_open( folder, lookup, path, length, flags, rights, inherited, more, out )
	{
		try
		{
			const file = openSync( Buffer.from( bytes( path, length ) ).toString() );
			positions.set( file, 0 );
			view().setUint32( out, file, true );
			return success;
		}
		catch
		{
			return noEntry;
		}
	},
	fd_read( file, list, count, out )
	{
		return transferAll( list, count, out, buffer =>
		{
			const read = readSync( file, buffer, 0, buffer.length, positions.get( file ) );
			positions.set( file, positions.get( file ) + read );
			return read;
		} );
	},
	fd_seek( file, offset, whence, out )
	{
		if ( !positions.has( file ) )
		{
			return unsupported;
		}
		positions.set( file, Number( offset ) + [ 0, positions.get( file ), fstatSync( file ).size ][whence] );
		view().setBigUint64( out, BigInt( positions.get( file ) ), true );
		return success;
	},
	fd_close( file )
	{
		positions.delete( file );
		closeSync( file );
		return success;
	},
	fd_write: ( file, list, count, out ) => transferAll( list, count, out, buffer => writeSync( file, buffer ) ),
	proc_exit( code )
	{
		throw new Exit( code );
	},
};

const { instance } = await WebAssembly.instantiate( readFileSync( program ), { wasi_snapshot_preview1: calls } );
memory = instance.exports.memory;
try
{
	instance.exports._start();
}
catch ( error )
{
	if ( !( error instanceof Exit ) )
	{
		throw error;
	}
	process.exitCode = error.code;
}
