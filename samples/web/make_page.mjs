// Makes one page of everything: the npm package, both modules, three.js, the worker. Such a page works from the file system, where
// browsers load neither modules nor workers from other files.
//
//   node make_page.mjs PACKAGE-FOLDER THREE-FOLDER OUT.html

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname( fileURLToPath( import.meta.url ) );
const [ packageFolder, threeFolder, out ] = process.argv.slice( 2 );

// A module of the package as a function scope: what it imports are members of the scopes before it.
function scope( name )
{
	const exported = [];
	const text = readFileSync( join( packageFolder, `${ name }.js` ), 'utf8' )
		.replace( /^import (\{[^}]*\}) from '\.\/(\w+)\.js';$/gm, ( _, names, from ) => `const ${ names } = $${ from };` )
		.replace( /^export (async function|function|class|const) (\w+)/gm, ( _, kind, what ) =>
		{
			exported.push( what );
			return `${ kind } ${ what }`;
		} )
		.replaceAll( 'import.meta.url', 'location.href' );
	if ( /^(import|export) /m.test( text ) )
	{
		throw new Error( `${ name }.js: an import or export of a form that is not known here` );
	}
	return `const $${ name } = ( () => {\n${ text }\nreturn { ${ exported.join( ', ' ) } };\n} )();\n`;
}

const scopes = names => names.map( scope ).join( '' );
const own = name => readFileSync( join( here, name ), 'utf8' );
const three = name => readFileSync( join( threeFolder, name ), 'utf8' );
// In a script, its end tag would end it.
const script = ( text, attributes = '' ) => `<script${ attributes }>${ text.replaceAll( '</script', '<\\/script' ) }</script>\n`;
const packed = name => gzipSync( readFileSync( join( packageFolder, name ) ), { level: 9 } ).toString( 'base64' );
const data = ( id, text ) => script( text, ` type="text/plain" id="${ id }"` );

const parts = {
	DATA: data( 'bv-wasm', packed( 'bv.wasm' ) ) + data( 'build-wasm', packed( 'build.wasm' ) ) +
		data( 'worker', scopes( [ 'module', 'values', 'builder' ] ) + own( 'worker.js' ) ),
	STYLE: `<style>\n${ own( 'page.css' ) }</style>`,
	SCRIPTS: script( three( 'three.min.js' ) ) + script( three( 'examples/js/controls/OrbitControls.js' ) ) +
		script( scopes( [ 'module', 'values', 'convex', 'file' ] ) + own( 'unpack.js' ) + own( 'view.js' ) + own( 'page.js' ), ' type="module"' ),
};
writeFileSync( out, own( 'page.html' ).replace( /<!-- (DATA|STYLE|SCRIPTS) -->/g, ( _, name ) => parts[name] ) );
