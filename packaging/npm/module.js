// The WebAssembly module: loading it, its memory, the array of numbers that arguments and results go through.

/** The names of bv_status. */
export const statusNames = [ 'ok', 'argument', 'input', 'unsupported', 'output', 'memory', 'limit', 'damaged', 'internal' ];

/** An error of the library: a broken file, an argument that it rejects, a lack of memory. */
export class BvError extends Error
{
	/**
	 * @param {string} status   the name of a bv_status without `bv_error_`, such as 'damaged' or 'argument'
	 * @param {string} message  one line
	 */
	constructor( status, message )
	{
		super( message );
		this.name = 'BvError';
		this.status = status;
	}
}

// Exports of the module, once it is loaded, and views of its memory, which are made again when it has grown.
let wasm = null;
let loading = null;
let floats, words, bytes;
let numbers = new Float64Array( 0 ); // As it is once the memory has grown.

/** Where arguments other than a placement begin in the array of numbers, as in glue.c. */
export const atArguments = 16;

async function bytesOf( source )
{
	if ( source instanceof Response )
	{
		source = await source.arrayBuffer();
	}
	else if ( typeof source === 'string' || source instanceof URL )
	{
		const url = new URL( source, import.meta.url );
		if ( url.protocol === 'file:' && typeof process === 'object' && process.versions?.node )
		{
			const { readFile } = await import( 'node:fs/promises' );
			return readFile( url );
		}
		const response = await fetch( url );
		if ( !response.ok )
		{
			throw new BvError( 'input', `${ url }: ${ response.status } ${ response.statusText }` );
		}
		source = await response.arrayBuffer();
	}
	return source;
}

/** @return a promise of the module from a URL, bytes, a Response or a module */
export async function moduleOf( source )
{
	const from = await bytesOf( await source );
	return from instanceof WebAssembly.Module ? from : WebAssembly.compile( from );
}

async function load( source )
{
	wasm = ( await WebAssembly.instantiate( await moduleOf( source ), {} ) ).exports;
}

/**
 * Loads the module. BvFile.open does so by itself; call this to load it from elsewhere, or before the first shape or scene.
 * @param source  URL, bytes, Response or WebAssembly.Module; default: bv.wasm beside this file. Ignored if it is loaded already
 */
export function init( source )
{
	loading ??= load( source ?? new URL( './bv.wasm', import.meta.url ) ).catch( error =>
	{
		loading = null; // It can be tried again.
		throw error;
	} );
	return loading;
}

/** @return the exports of the module */
export function library()
{
	if ( !wasm )
	{
		throw new BvError( 'argument', 'the module is not loaded: await init() first' );
	}
	return wasm;
}

function refresh()
{
	if ( numbers.length === 0 )
	{
		const { buffer } = library().memory;
		floats = new Float64Array( buffer );
		words = new Uint32Array( buffer );
		bytes = new Uint8Array( buffer );
		numbers = new Float64Array( buffer, wasm.numbers_at(), 512 );
	}
}

/** @return the array of numbers. Get it again after each call of the module */
export function exchange()
{
	if ( numbers.length === 0 )
	{
		refresh();
	}
	return numbers;
}

/** @return how many bytes the memory of the module has; it never shrinks */
export function memoryBytes()
{
	return library().memory.buffer.byteLength;
}

/** @return the address of new memory; BvError if there is none */
export function allocate( size )
{
	const at = library().malloc( Math.max( size, 1 ) ) >>> 0;
	if ( at === 0 )
	{
		throw new BvError( 'memory', `no memory for ${ size } bytes` );
	}
	return at;
}

/** Copies from and into the memory of the module. */
export const memory = {
	writeBytes( at, from )
	{
		refresh();
		bytes.set( from, at );
	},
	writeFloats( at, from )
	{
		refresh();
		floats.set( from, at / 8 );
	},
	floats( at, count )
	{
		refresh();
		return floats.slice( at / 8, at / 8 + count );
	},
	words( at, count )
	{
		refresh();
		return words.slice( at / 4, at / 4 + count );
	},
	bytes( at, count )
	{
		refresh();
		return bytes.slice( at, at + count );
	},
	text( at, length )
	{
		refresh();
		return new TextDecoder().decode( bytes.slice( at, at + length ) );
	},
	phrase( at )
	{
		refresh();
		return at === 0 ? '' : memory.text( at, bytes.indexOf( 0, at ) - at );
	},
};

/** The largest coordinate. */
export const maxLength = 2 ** 200;

/**
 * Throws unless a function of the module returned bv_ok.
 * @param why  function that finds out what is wrong with the arguments; undefined if that is not known
 */
export function check( status, what, why )
{
	if ( status !== 0 )
	{
		const name = statusNames[status] ?? 'internal';
		const reason = name === 'argument' ? why?.() : undefined;
		throw new BvError( name, `${ what }: ${ reason ?? memory.phrase( wasm.status_text( status ) ) }` );
	}
}

/** @return what the last query listed */
export function list()
{
	return memory.words( wasm.list_at() >>> 0, wasm.list_count() );
}

/** Something in the memory of the module that is freed by hand, by `using`, or when nothing refers to it any more. */
export class Owned
{
	static #registry = new FinalizationRegistry( release => release() );
	#release;
	#at;

	/**
	 * @param at       an address
	 * @param release  function of the address that frees it. It must not refer to this object
	 */
	constructor( at, release )
	{
		this.#at = at;
		this.#release = () => release( at );
		Owned.#registry.register( this, this.#release, this );
	}

	/** Its address; an exception after it was freed. */
	get address()
	{
		if ( this.#at === 0 )
		{
			throw new BvError( 'argument', `${ this.constructor.name } was freed` );
		}
		return this.#at;
	}

	/** Frees the memory. Using it afterwards is an exception; freeing it again is none. */
	free()
	{
		if ( this.#at !== 0 )
		{
			this.#at = 0;
			Owned.#registry.unregister( this );
			this.#release();
		}
	}
}

// `using` is newer than Node.js 20, which lacks the symbol; what compiles `using` for it looks for this one.
Symbol.dispose ??= Symbol( 'Symbol.dispose' );
Object.defineProperty( Owned.prototype, Symbol.dispose, {
	value()
	{
		this.free();
	},
} );
