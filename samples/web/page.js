// The page: takes a mesh, has it built in the worker, and asks the file that comes back.

const { BvFile } = $file;
const { init } = $module;
const element = id => document.getElementById( id );
const formats = [ 'obj', 'stl', 'ply', 'off', 'glb', 'gltf', '3mf', 'wrl' ];
const view = makeView( element( 'view' ) );
const worker = new Worker( URL.createObjectURL( new Blob( [ element( 'worker' ).textContent ], { type: 'text/javascript' } ) ) );

/** What tests look at. */
const sample = window.sample = { state: 'loading', file: null, built: null, found: null, milliseconds: 0, error: null };
let current = 0; // The number of the build that is wanted.
let mode = 'pick';
let began = 0;

const digits = ( x, count = 4 ) => x.toPrecision( count ).replace( /\.?0+($|e)/, '$1' );
// Clocks of pages have steps of 0.1 ms.
const duration = time => time < 0.1 ? 'below 0.1 ms' : `${ digits( time, 2 ) } ms`;
const grouped = x => x.toLocaleString( 'en' );

function tell( list, rows )
{
	list.replaceChildren( ...rows.flatMap( ( [ name, value, kind ] ) =>
	{
		const term = document.createElement( 'dt' );
		const text = document.createElement( 'dd' );
		term.textContent = name;
		text.textContent = value;
		text.className = kind ?? '';
		return [ term, text ];
	} ) );
}

function say( text, bad = false )
{
	element( 'message' ).textContent = text;
	element( 'message' ).className = bad ? 'bad' : '';
}

function fail( text )
{
	sample.state = 'failed';
	sample.error = text;
	element( 'progress' ).hidden = true;
	say( text, true );
}

function start( name, bytes )
{
	const format = name.split( '.' ).pop().toLowerCase();
	sample.error = null;
	if ( !formats.includes( format ) )
	{
		fail( `${ name }: meshes are ${ formats.join( ', ' ) }` );
		return;
	}
	sample.state = 'building';
	began = performance.now();
	element( 'progress' ).hidden = false;
	element( 'bar' ).style.width = '0';
	element( 'stage' ).textContent = `${ name }: waiting`;
	say( '' );
	const options = { format, decompose: element( 'parts' ).value || undefined };
	worker.postMessage( { id: ++current, name, bytes, options }, [ bytes ] );
}

const stages = [ 'import', 'record', 'hierarchy', 'topology', 'hull', 'mass', 'fit', 'hausdorff', 'decompose' ];

worker.onerror = event => fail( `the worker failed: ${ event.message }` );
worker.onmessage = async ( { data } ) =>
{
	if ( data.id !== current )
	{
		return; // Another mesh was dropped meanwhile.
	}
	if ( data.error )
	{
		fail( data.error );
	}
	else if ( data.html )
	{
		sample.built.html = data.html;
		element( 'report' ).disabled = false;
	}
	else if ( data.stage )
	{
		const place = Math.max( stages.indexOf( data.stage ), 0 ) + ( data.done ?? 0 );
		element( 'bar' ).style.width = `${ 100 * place / stages.length }%`;
		element( 'stage' ).textContent = data.done === undefined ? data.stage : `${ data.stage }, ${ Math.round( 100 * data.done ) } %`;
	}
	else
	{
		await receive( data.built );
	}
};

async function receive( built )
{
	const file = await BvFile.open( built.file );
	sample.file?.free();
	Object.assign( sample, { state: 'ready', file, built, found: null, milliseconds: performance.now() - began } );
	element( 'progress' ).hidden = true;
	element( 'result' ).hidden = element( 'pointer' ).hidden = false;
	element( 'report' ).disabled = true; // Until it comes.
	const { info } = file;
	element( 'name' ).textContent = info.sourceName;
	const primitive = file.primitives?.best;
	tell( element( 'facts' ), [
		[ 'Triangles', grouped( info.triangles ) ],
		[ 'Surface', info.closed ? 'closed' : 'open', info.closed ? '' : 'hit' ],
		[ 'Components', grouped( info.components ) ],
		[ 'Hull', `${ grouped( info.hullVertices ) } corners` ],
		...( info.parts ? [ [ 'Convex parts', grouped( info.parts ) ] ] : [] ),
		...( primitive ? [ [ 'Looks like', `a ${ primitive }` ] ] : [] ),
		[ 'File', `${ grouped( Math.round( info.bytes / 1024 ) ) } kB` ],
		[ 'Built in', `${ digits( sample.milliseconds / 1000, 3 ) } s` ],
	] );
	const problems = built.warnings.filter( w => w.kind === 'problem' );
	say( problems.length ? problems.map( w => w.text ).join( ' · ' ) : 'No problems found.', problems.length > 0 );
	view.show( file.mesh, file.bounds, file.parts );
	choose( mode );
}

// The pointer casts a ray, or moves a second mesh of a third of the size.

function pick( x, y )
{
	const { origin, direction } = view.ray( x, y );
	const start = performance.now();
	const hit = sample.file.castRay( origin, direction );
	const time = performance.now() - start;
	sample.found = hit;
	view.clear();
	if ( !hit )
	{
		tell( element( 'found' ), [ [ 'Ray', 'hits nothing' ] ] );
		return;
	}
	view.mark( hit );
	const source = sample.file.source( hit.triangle );
	tell( element( 'found' ), [
		[ 'Triangle', grouped( hit.triangle ), 'hit' ],
		[ 'Face of the source', source ? grouped( source.face ) : '–' ],
		[ 'Object', source?.object || '–' ],
		[ 'Material', source?.material || '–' ],
		[ 'Point', hit.point.map( c => digits( c, 3 ) ).join( ', ' ) ],
		[ 'Normal', hit.normal.map( c => c.toFixed( 2 ) ).join( ', ' ) ],
		[ 'Query', duration( time ) ],
	] );
}

const scale = 1 / 3;

function move( x, y )
{
	const { center, radius } = sample.file.bounds.sphere;
	const { origin, direction } = view.ray( x, y );
	// It glides over the surface where the pointer is on the mesh, and over a plane elsewhere.
	const hit = sample.file.castRay( origin, direction );
	const at = hit ? hit.point : view.onPlane( x, y, center );
	const turn = new THREE.Quaternion().setFromEuler( new THREE.Euler( 0.4, 0.8, 0 ) );
	const middle = new THREE.Vector3( ...center ).multiplyScalar( scale ).applyQuaternion( turn );
	const matrix = new THREE.Matrix4().compose( new THREE.Vector3( ...at ).sub( middle ), turn, new THREE.Vector3( scale, scale, scale ) );
	const start = performance.now();
	const pairs = sample.file.collide( sample.file, matrix );
	const time = performance.now() - start;
	const nearest = pairs.length ? null : sample.file.distance( sample.file, matrix );
	const sides = [ 0, 1 ].map( side => [ ...new Set( pairs.filter( ( _, i ) => i % 2 === side ) ) ] );
	sample.found = { pairs: pairs.length / 2, distance: nearest?.distance ?? 0, radius };
	view.clear();
	view.place( matrix, sides[0], sides[1], nearest ? [ nearest.a.point, nearest.b.point ] : [] );
	tell( element( 'found' ), pairs.length
		? [ [ 'Collides', `${ grouped( pairs.length / 2 ) } pairs`, 'bad' ], [ 'Query', duration( time ) ] ]
		: [ [ 'Apart by', digits( nearest.distance ), 'hit' ], [ 'Query', duration( time ) ] ] );
}

function choose( what )
{
	mode = what;
	element( 'pick' ).setAttribute( 'aria-pressed', what === 'pick' );
	element( 'collide' ).setAttribute( 'aria-pressed', what === 'collide' );
	tell( element( 'found' ), [ [ what === 'pick' ? 'Point at the mesh' : 'Move over the mesh', '' ] ] );
	view.clear();
}

let pointer = null; // Where it is, until the next frame asks.
element( 'view' ).addEventListener( 'pointermove', event =>
{
	if ( event.buttons )
	{
		return; // The view turns.
	}
	if ( pointer === null )
	{
		requestAnimationFrame( () =>
		{
			const { x, y } = pointer;
			pointer = null;
			if ( sample.state === 'ready' )
			{
				( mode === 'pick' ? pick : move )( x, y );
			}
		} );
	}
	pointer = { x: event.clientX, y: event.clientY };
} );
element( 'pick' ).onclick = () => choose( 'pick' );
element( 'collide' ).onclick = () => choose( 'collide' );

// What comes out.

function save( bytes, type, name )
{
	const link = document.createElement( 'a' );
	link.href = URL.createObjectURL( new Blob( [ bytes ], { type } ) );
	link.download = name;
	link.click();
	setTimeout( () => URL.revokeObjectURL( link.href ), 10000 );
}

element( 'save' ).onclick = () => save( sample.built.file, 'application/octet-stream', sample.file.info.sourceName.replace( /\.\w+$/, '' ) + '.bvh' );
element( 'report' ).onclick = () => window.open( URL.createObjectURL( new Blob( [ sample.built.html ], { type: 'text/html' } ) ) );

// What goes in.

async function take( file )
{
	if ( file )
	{
		start( file.name, await file.arrayBuffer() );
	}
}

addEventListener( 'dragover', event =>
{
	event.preventDefault();
	document.body.classList.add( 'over' );
} );
addEventListener( 'dragleave', () => document.body.classList.remove( 'over' ) );
addEventListener( 'drop', event =>
{
	event.preventDefault();
	document.body.classList.remove( 'over' );
	take( event.dataTransfer.files[0] );
} );
element( 'file' ).onchange = event => take( event.target.files[0] );

// A torus knot as text: 240 by 24 quadrilaterals.
function knot()
{
	const curve = t => new THREE.Vector3( ( 2 + Math.cos( 3 * t ) ) * Math.cos( 2 * t ), ( 2 + Math.cos( 3 * t ) ) * Math.sin( 2 * t ), Math.sin( 3 * t ) );
	const [ around, sides ] = [ 240, 24 ];
	const lines = [ 'o knot' ];
	for ( let i = 0; i < around; ++i )
	{
		const t = 2 * Math.PI * i / around;
		const along = curve( t + 0.001 ).sub( curve( t - 0.001 ) ).normalize();
		const out = new THREE.Vector3( Math.cos( 2 * t ), Math.sin( 2 * t ), 0 ).cross( along ).normalize();
		const up = out.clone().cross( along );
		for ( let k = 0; k < sides; ++k )
		{
			const a = 2 * Math.PI * k / sides;
			lines.push( 'v ' + curve( t ).addScaledVector( out, 0.42 * Math.cos( a ) ).addScaledVector( up, 0.42 * Math.sin( a ) ).toArray().join( ' ' ) );
		}
	}
	const vertex = ( i, k ) => 1 + ( i % around ) * sides + k % sides;
	for ( let i = 0; i < around; ++i )
	{
		for ( let k = 0; k < sides; ++k )
		{
			lines.push( `f ${ vertex( i, k ) } ${ vertex( i + 1, k ) } ${ vertex( i + 1, k + 1 ) } ${ vertex( i, k + 1 ) }` );
		}
	}
	return new TextEncoder().encode( lines.join( '\n' ) + '\n' ).buffer;
}

element( 'example' ).onclick = () => start( 'knot.obj', knot() );

worker.postMessage( { module: await unpack( 'build-wasm' ) } );
await init( await unpack( 'bv-wasm' ) );
sample.state = 'waiting';
view.redraw();
