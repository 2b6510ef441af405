// Tests of the builder of the npm package in Node.js: files have the bytes of bvbuild's, errors are exceptions, the builds before leave no
// trace.
//
//   BV_PACKAGE=FOLDER BV_BUILD=FOLDER-WITH-bvbuild BV_MESHES='MESH.obj...' node test_builder.mjs

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

const folder = resolve( process.env.BV_PACKAGE );
const { build, buildOptions, report: reportOf } = await import( `${ folder }/builder.js` );
const { BvError, BvFile } = await import( `${ folder }/index.js` );
const bvbuild = join( process.env.BV_BUILD, 'bvbuild' );
const scratch = mkdtempSync( join( tmpdir(), 'bv-builder-' ) );
process.on( 'exit', () => rmSync( scratch, { recursive: true } ) );
const meshes = process.env.BV_MESHES.split( ' ' );

// What the tool makes of the same bytes.
function native( name, bytes, options = [] )
{
	const input = join( scratch, name );
	writeFileSync( input, bytes );
	const output = join( scratch, 'native.bvh' );
	const run = spawnSync( bvbuild, [ '--quiet', ...options, input, '-o', output ], { encoding: 'utf8' } );
	assert.equal( run.status, 0, run.stderr );
	return readFileSync( output );
}

async function isTheSame( name, bytes, options = {}, words = [] )
{
	const built = await build( bytes, { format: name.split( '.' ).pop(), ...options }, { name } );
	assert.deepEqual( Buffer.from( built.file ), native( name, bytes, words ), `${ name } ${ words }` );
	return built;
}

await test( 'files have the bytes that bvbuild writes, whatever the options', async () =>
{
	for ( const path of meshes )
	{
		await isTheSame( basename( path ), readFileSync( path ) );
	}
	const bytes = readFileSync( meshes[0] );
	const name = basename( meshes[0] );
	await isTheSame( name, bytes, { decompose: '5%', maxParts: 8 }, [ '--decompose=5%', '--max-parts', '8' ] );
	await isTheSame( name, bytes, { normalize: true, positions: 'quantized' }, [ '--normalize', '--positions', 'quantized' ] );
	await isTheSame( name, bytes, { preset: 'fast', simplify: '5%' }, [ '--preset', 'fast', '--simplify=5%' ] );
	await isTheSame( name, bytes, { units: 'mm', density: 3, strict: false }, [ '--units', 'mm', '--density', '3' ] );
} );

// A ZIP archive.
function zip( files )
{
	const entries = [];
	let offset = 0;
	for ( const [ name, content ] of Object.entries( files ) )
	{
		const data = deflateRawSync( content );
		const path = Buffer.from( name );
		const head = Buffer.alloc( 26 );
		head.writeUInt16LE( 20, 0 );
		head.writeUInt16LE( 8, 4 );
		head.writeUInt32LE( crc32( content ), 10 );
		head.writeUInt32LE( data.length, 14 );
		head.writeUInt32LE( Buffer.byteLength( content ), 18 );
		head.writeUInt16LE( path.length, 22 );
		const local = Buffer.concat( [ Buffer.from( 'PK\x03\x04' ), head, path, data ] );
		const more = Buffer.alloc( 14 );
		more.writeUInt32LE( offset, 10 );
		entries.push( { local, central: Buffer.concat( [ Buffer.from( 'PK\x01\x02\x14\x00' ), head, more, path ] ) } );
		offset += local.length;
	}
	const central = Buffer.concat( entries.map( each => each.central ) );
	const end = Buffer.alloc( 22 );
	end.write( 'PK\x05\x06' );
	end.writeUInt16LE( entries.length, 8 );
	end.writeUInt16LE( entries.length, 10 );
	end.writeUInt32LE( central.length, 12 );
	end.writeUInt32LE( offset, 16 );
	return Buffer.concat( [ ...entries.map( each => each.local ), central, end ] );
}

const corners = [ [ 0, 0, 0 ], [ 1, 0, 0 ], [ 0, 2, 0 ], [ 0, 0, 3 ] ];
const faces = [ [ 0, 2, 1 ], [ 0, 1, 3 ], [ 1, 2, 3 ], [ 0, 3, 2 ] ];
const lines = list => list.map( each => each.join( ' ' ) ).join( '\n' );

function binaryStl()
{
	const out = Buffer.alloc( 84 + 50 * faces.length );
	out.writeUInt32LE( faces.length, 80 );
	faces.forEach( ( face, i ) => face.forEach( ( v, k ) => corners[v].forEach( ( x, j ) => out.writeFloatLE( x, 84 + 50 * i + 12 + 12 * k + 4 * j ) ) ) );
	return out;
}

function glb( node = {} )
{
	const bin = Buffer.alloc( 12 * corners.length + 2 * 3 * faces.length );
	corners.flat().forEach( ( x, i ) => bin.writeFloatLE( x, 4 * i ) );
	faces.flat().forEach( ( v, i ) => bin.writeUInt16LE( v, 48 + 2 * i ) );
	const json = JSON.stringify( {
		asset: { version: '2.0' }, scene: 0, scenes: [ { nodes: [ 0, 1 ] } ], nodes: [ { mesh: 0 }, node ], buffers: [ { byteLength: bin.length } ],
		meshes: [ { primitives: [ { attributes: { POSITION: 0 }, indices: 1 } ] } ],
		bufferViews: [ { buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 24 } ],
		accessors: [ { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [ 0, 0, 0 ], max: [ 1, 2, 3 ] }, { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' } ],
	} );
	const text = Buffer.from( json.padEnd( Math.ceil( json.length / 4 ) * 4 ) );
	const numbers = ( ...all ) => Buffer.from( Uint32Array.from( all ).buffer );
	return Buffer.concat( [ Buffer.from( 'glTF' ), numbers( 2, 28 + text.length + bin.length, text.length ), Buffer.from( 'JSON' ), text, numbers( bin.length ), Buffer.from( 'BIN\0' ), bin ] );
}

const model = `<?xml version="1.0"?><model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><object id="1" type="model"><mesh><vertices>${
	corners.map( c => `<vertex x="${ c[0] }" y="${ c[1] }" z="${ c[2] }"/>` ).join( '' ) }</vertices><triangles>${
	faces.map( f => `<triangle v1="${ f[0] }" v2="${ f[1] }" v3="${ f[2] }"/>` ).join( '' ) }</triangles></mesh></object></resources><build><item objectid="1"/></build></model>`;
const relations = '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="m" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>';
const wrl = `#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [ ${ corners.map( c => c.join( ' ' ) ).join( ', ' ) } ] } coordIndex [ ${ faces.map( f => f.join( ' ' ) + ' -1' ).join( ' ' ) } ] } }\n`;

const samples = {
	'four.obj': `${ corners.map( c => `v ${ c.join( ' ' ) }` ).join( '\n' ) }\n${ faces.map( f => `f ${ f.map( v => v + 1 ).join( ' ' ) }` ).join( '\n' ) }\n`,
	'four.off': `OFF\n4 4 0\n${ lines( corners ) }\n${ lines( faces.map( f => [ 3, ...f ] ) ) }\n`,
	'four.ply': `ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n${ lines( corners ) }\n${ lines( faces.map( f => [ 3, ...f ] ) ) }\n`,
	'four.stl': binaryStl(),
	'four.glb': glb(),
	'four.3mf': zip( { '_rels/.rels': relations, '3D/3dmodel.model': model } ),
	'four.wrl': wrl,
	'packed.wrl': gzipSync( wrl ),
};

await test( 'each of our own readers is there', async () =>
{
	for ( const [ name, content ] of Object.entries( samples ) )
	{
		const { report } = await isTheSame( name, Buffer.from( content ) );
		assert.equal( report.mesh.triangles, 4, name );
	}
} );

await test( 'the result is a file, a report, a page, warnings and progress', async () =>
{
	const stages = new Set();
	const { file, report, html, warnings, passes } = await build( Promise.resolve( readFileSync( meshes[0] ) ), { format: 'OBJ', gate: [ 'mesh.triangles < 3', 'mesh.closed' ] }, {
		name: 'stone.obj',
		html: true,
		onProgress( stage, done )
		{
			assert.ok( done === undefined || done >= 0 && done <= 1 );
			stages.add( stage );
		},
	} );
	assert.ok( stages.has( 'import' ) && stages.has( 'hierarchy' ), [ ...stages ].join() );
	assert.ok( file instanceof Uint8Array );
	const opened = await BvFile.open( file );
	assert.equal( opened.info.triangles, report.mesh.triangles );
	assert.equal( opened.info.sourceName, 'stone.obj' );
	opened.free();
	assert.ok( html.startsWith( '<!' ) && html.includes( 'stone.obj' ) );
	assert.equal( passes, false );
	assert.ok( warnings.some( w => w.kind === 'gate' && w.text.includes( 'mesh.triangles' ) ), JSON.stringify( warnings ) );
} );

await test( 'newlines in names and conditions stay in the text of a warning', async () =>
{
	const bytes = glb( { name: 'line1\nline2\nline3', mesh: 0, scale: [ 0, 0, 0 ] } );
	const { warnings } = await build( bytes, { format: 'glb', gate: 'mesh.triangles\n<\n3' } );
	const lost = warnings.find( w => w.kind === 'lost object' );
	assert.match( lost.text, /^nothing is left of object 'line1.{1,4}line2.{1,4}line3': /s );
	const gate = warnings.find( w => w.kind === 'gate' );
	assert.match( gate.text, /^mesh\.triangles.<.3 /s );
	// There is advice for problems only.
	for ( const warning of warnings )
	{
		assert.equal( 'advice' in warning, warning.kind === 'problem', JSON.stringify( warning ) );
		assert.notEqual( warning.advice, '' );
	}
	assert.ok( warnings.some( w => w.kind === 'problem' ), JSON.stringify( warnings ) );
} );

await test( 'arrays are lists with commas; objects and gates are given several times', async () =>
{
	const bytes = readFileSync( meshes[0] );
	const name = basename( meshes[0] );
	await isTheSame( name, bytes, { sections: [ 'source', '-hull' ] }, [ '--sections', 'source,-hull' ] );
	await isTheSame( name, bytes, { volume: [ 'obb', 'sphere' ] }, [ '--volume', 'obb,sphere' ] );
	const three = Buffer.from( `o a\n${ samples['four.obj'] }o b\nf 1 2 3\no c\nv 0 0 9\nf 1 2 5\n` );
	await isTheSame( 'three.obj', three, { object: [ 'a', 'b' ] }, [ '--object', 'a', '--object', 'b' ] );
	const { warnings } = await build( bytes, { format: 'obj', gate: [ 'mesh.triangles < 3', 'mesh.triangles < 2' ] } );
	assert.equal( warnings.filter( w => w.kind === 'gate' ).length, 2 );
	await assert.rejects( build( bytes, { format: 'obj', sections: [ [ 'hull' ] ] } ), TypeError );
} );

await test( 'a file that was built before has the same report, except for times', async () =>
{
	const { file, report } = await build( readFileSync( meshes[0] ), { format: 'obj' } );
	const { time, memory, ...rest } = report;
	assert.ok( time && memory );
	const again = await reportOf( file, { html: true } );
	assert.deepEqual( again.report, rest );
	assert.ok( again.html.startsWith( '<!' ) );
	assert.equal( ( await build( readFileSync( meshes[0] ), { format: 'obj' }, { report: false } ) ).report, undefined );
	await assert.rejects( reportOf( file.subarray( 0, 100 ) ), { name: 'BvError', status: 'damaged' } );
} );

await test( 'options are those of bvbuild', async () =>
{
	const all = await buildOptions();
	assert.ok( all.length > 20 );
	assert.ok( all.some( o => o.name === 'max-parts' && o.help.length > 10 ) );
	const sections = all.find( o => o.name === 'sections' );
	assert.equal( sections.values, 'NAME,...' );
	assert.ok( sections.help.split( '\n' ).length > 2, 'newlines stay in texts' );
} );

const obj = samples['four.obj'];
for ( const [ what, bytes, options, status, message ] of [
	[ 'an unknown option', obj, { format: 'obj', splitterr: 'x' }, 'argument', /splitterr/ ],
	[ 'a value out of range', obj, { format: 'obj', maxParts: -1 }, 'argument', /max-parts/ ],
	[ 'options that exclude each other', obj, { format: 'obj', density: 1, mass: 2 }, 'argument', /mass/ ],
	[ 'too many patterns', obj, { format: 'obj', object: Array( 100 ).fill( '*' ) }, 'argument', /--object can be given 64 times/ ],
	[ 'a list for an option that has none', obj, { format: 'obj', maxParts: [ 1, 2 ] }, 'argument', /max-parts.*1,2/ ],
	[ 'a broken mesh', 'v 1 2\n', { format: 'obj' }, 'input', /mesh\.obj/ ],
	[ 'no triangles', 'v 1 2 3\n', { format: 'obj' }, 'input', /mesh\.obj/ ],
	[ 'no bytes', '', { format: 'stl' }, 'input', /mesh\.stl/ ],
	[ 'a format that Assimp reads', 'x', { format: 'fbx' }, 'unsupported', /fbx/ ],
	[ 'a file of Blender', 'BLENDER-v300', { format: 'blend' }, 'unsupported', /blend/ ],
	[ 'an unknown format', 'x', { format: 'docx' }, 'unsupported', /docx/ ],
	[ 'a damaged ZIP archive', samples['four.3mf'].subarray( 0, 100 ), { format: '3mf' }, 'input', /mesh\.3mf/ ],
	[ 'a glTF file that needs others', '{"asset":{"version":"2.0"},"buffers":[{"uri":"x.bin","byteLength":8}]}', { format: 'gltf' }, 'input', /./ ],
] )
{
	await test( `${ what } is an exception`, () => assert.rejects( build( Buffer.from( bytes ), options ), error =>
	{
		assert.ok( error instanceof BvError, error.stack );
		assert.equal( error.status, status, error.message );
		assert.match( error.message, message );
		assert.ok( !error.message.includes( '\n' ) );
		return true;
	} ) );
}

await test( 'wrong arguments are exceptions', async () =>
{
	await assert.rejects( build( 'v 1 2 3', { format: 'obj' } ), TypeError );
	await assert.rejects( build( Buffer.from( obj ) ), TypeError );
	await assert.rejects( build( Buffer.from( obj ), { format: '../x' } ), TypeError );
	await assert.rejects( build( Buffer.from( obj ), { format: 'obj', decompose: {} } ), TypeError );
	await assert.rejects( build( Buffer.from( obj ), { format: 'obj', maxParts: NaN } ), TypeError );
	await assert.rejects( build( Buffer.from( obj ), { format: 'obj', decompose: '1\0' } ), RangeError );
	await assert.rejects( build( Buffer.from( obj ), { format: 'obj' }, { onProgress: 1 } ), TypeError );
	await assert.rejects( build( Buffer.from( obj ), { format: 'obj' }, { onprogress() {} } ), { name: 'TypeError', message: /"onprogress"/ } );
	await assert.rejects( build( Buffer.from( obj ), { format: 'obj' }, { name: 'a\0b' } ), RangeError );
	await assert.rejects( reportOf( Buffer.from( obj ), { HTML: true } ), { name: 'TypeError', message: /"HTML"/ } );
} );

await test( 'damaged meshes are built or are exceptions', async () =>
{
	let seed = 7;
	for ( const [ name, content ] of Object.entries( samples ) )
	{
		for ( let i = 0; i < 12; ++i )
		{
			const damaged = Buffer.from( content );
			for ( let k = 0; k < 3; ++k )
			{
				seed = ( Math.imul( seed, 1664525 ) + 1013904223 ) >>> 0;
				damaged[seed % damaged.length] = seed >>> 24;
			}
			await build( damaged, { format: name.split( '.' ).pop() } ).catch( error =>
			{
				assert.ok( error instanceof BvError && error.status !== 'internal', `${ name } ${ i }: ${ error.stack }` );
			} );
		}
	}
} );
