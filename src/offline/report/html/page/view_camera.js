// A camera that turns around what it looks at, by mouse, touch and keyboard.
//
// One pointer turns, with shift or the other buttons it moves; two move and zoom. The wheel zooms when the canvas has the
// focus, so that a page with a view in it can still be scrolled.

( function( view )
{
	"use strict";

	const THREE = window.THREE;
	const turn = Math.PI / 16; // of a key
	const steepest = Math.PI / 2 - 0.001;

	// @param canvas    receives the events
	// @param onChange  called whenever something must be drawn again
	view.createCamera = function( canvas, onChange )
	{
		const camera = new THREE.PerspectiveCamera( 35, 1, 0.01, 100 );
		const pointers = new Map();
		const target = new THREE.Vector3();
		let distance = 4;
		let azimuth = 0.6;
		let elevation = 0.42;
		let up = "y";
		let flight = null;
		let moved = 0;

		// The unit vector from the target to the camera; with z up the frame is turned.
		function direction()
		{
			const flat = Math.cos( elevation );
			const x = flat * Math.sin( azimuth );
			const y = Math.sin( elevation );
			const z = flat * Math.cos( azimuth );
			return up === "y" ? new THREE.Vector3( x, y, z ) : new THREE.Vector3( x, -z, y );
		}

		function place()
		{
			camera.up.set( 0, up === "y" ? 1 : 0, up === "y" ? 0 : 1 );
			camera.position.copy( target ).addScaledVector( direction(), distance );
			camera.lookAt( target );
			camera.near = Math.max( distance / 200, distance - 6 );
			camera.far = distance + 8;
			camera.updateProjectionMatrix();
			camera.updateMatrixWorld( true );
		}

		function change()
		{
			elevation = Math.min( Math.max( elevation, -steepest ), steepest );
			distance = Math.min( Math.max( distance, 1e-4 ), 60 );
			place();
			onChange();
		}

		function rotate( right, upwards )
		{
			azimuth -= right;
			elevation += upwards;
			change();
		}

		// By parts of the canvas' height.
		function pan( right, upwards )
		{
			const height = 2 * distance * Math.tan( camera.fov * Math.PI / 360 );
			target.addScaledVector( new THREE.Vector3().setFromMatrixColumn( camera.matrix, 0 ), -right * height );
			target.addScaledVector( new THREE.Vector3().setFromMatrixColumn( camera.matrix, 1 ), -upwards * height );
			change();
		}

		function zoom( factor )
		{
			distance *= factor;
			change();
		}

		function distanceFor( radius )
		{
			const half = camera.fov * Math.PI / 360;
			return radius / Math.sin( Math.atan( Math.tan( half ) * Math.min( camera.aspect, 1 ) ) );
		}

		// The angles of direction() for a unit vector to the camera.
		function anglesOf( way )
		{
			const y = up === "y" ? way[1] : way[2];
			const z = up === "y" ? way[2] : -way[1];
			return { azimuth: Math.atan2( way[0], z ), elevation: Math.min( Math.max( Math.asin( Math.min( Math.max( y, -1 ), 1 ) ),
				-steepest ), steepest ) };
		}

		// Where the camera is from a ball that fills the view.
		function reach( radius )
		{
			return Math.min( Math.max( distanceFor( radius ), 1e-4 ), 60 );
		}

		// Goes to where a ball fills the view; at once, or in half a second.
		// @param way  unit vector from the ball to the camera; null for the present one
		function flyTo( center, radius, slowly, way )
		{
			const from = target.clone();
			const fromDistance = distance;
			const fromAzimuth = azimuth;
			const fromElevation = elevation;
			const to = way ? anglesOf( way ) : { azimuth: azimuth, elevation: elevation };
			const sweep = Math.atan2( Math.sin( to.azimuth - azimuth ), Math.cos( to.azimuth - azimuth ) );
			const toDistance = reach( radius );
			const start = performance.now();
			flight = null;
			if ( !slowly )
			{
				target.copy( center );
				distance = toDistance;
				azimuth = to.azimuth;
				elevation = to.elevation;
				change();
				return;
			}
			flight = function( now )
			{
				const share = Math.min( Math.max( ( now - start ) / 500, 0 ), 1 );
				const eased = share * share * ( 3 - 2 * share );
				target.lerpVectors( from, center, eased );
				distance = fromDistance * Math.pow( toDistance / fromDistance, eased );
				azimuth = share < 1 ? fromAzimuth + eased * sweep : to.azimuth;
				elevation = fromElevation + eased * ( to.elevation - fromElevation );
				flight = share < 1 ? flight : null;
				place();
			};
			onChange();
		}

		function middleAndSpread()
		{
			const points = Array.from( pointers.values() );
			const x = ( points[0].x + points[1].x ) / 2;
			const y = ( points[0].y + points[1].y ) / 2;
			return { x: x, y: y, spread: Math.hypot( points[0].x - points[1].x, points[0].y - points[1].y ) };
		}

		canvas.addEventListener( "pointerdown", function( event )
		{
			pointers.set( event.pointerId, { x: event.clientX, y: event.clientY } );
			moved = pointers.size > 1 ? Infinity : 0;
			flight = null;
			canvas.setPointerCapture( event.pointerId );
		} );
		canvas.addEventListener( "pointermove", function( event )
		{
			const last = pointers.get( event.pointerId );
			if ( !last )
			{
				return;
			}
			const height = canvas.clientHeight;
			const before = pointers.size === 2 && middleAndSpread();
			const right = event.clientX - last.x;
			const down = event.clientY - last.y;
			pointers.set( event.pointerId, { x: event.clientX, y: event.clientY } );
			moved += Math.hypot( right, down );
			if ( before )
			{
				const after = middleAndSpread();
				pan( ( after.x - before.x ) / height, -( after.y - before.y ) / height );
				zoom( before.spread / Math.max( after.spread, 1 ) );
			}
			else if ( event.shiftKey || event.buttons > 1 )
			{
				pan( right / height, -down / height );
			}
			else
			{
				rotate( right * Math.PI / height, down * Math.PI / height );
			}
		} );
		function release( event )
		{
			pointers.delete( event.pointerId );
		}
		canvas.addEventListener( "pointerup", release );
		canvas.addEventListener( "pointercancel", release );
		canvas.addEventListener( "contextmenu", function( event )
		{
			event.preventDefault();
		} );
		canvas.addEventListener( "wheel", function( event )
		{
			if ( document.activeElement === canvas || event.ctrlKey )
			{
				event.preventDefault();
				flight = null;
				zoom( Math.exp( Math.min( Math.max( event.deltaY, -200 ), 200 ) * 0.002 ) );
			}
		}, { passive: false } );

		// As if one dragged the way the arrow points.
		// @return whether the key moved the camera
		function key( event )
		{
			const act = event.shiftKey ? pan : rotate;
			const step = event.shiftKey ? 1 / 16 : turn;
			const actions = {
				ArrowLeft: function()
				{
					act( -step, 0 );
				},
				ArrowRight: function()
				{
					act( step, 0 );
				},
				ArrowUp: function()
				{
					act( 0, event.shiftKey ? step : -step );
				},
				ArrowDown: function()
				{
					act( 0, event.shiftKey ? -step : step );
				},
				"+": function()
				{
					zoom( 1 / 1.2 );
				},
				"-": function()
				{
					zoom( 1.2 );
				},
			};
			const name = event.key === "=" ? "+" : event.key;
			const action = Object.prototype.hasOwnProperty.call( actions, name ) && actions[name];
			if ( !action || event.ctrlKey || event.metaKey || event.altKey )
			{
				return false;
			}
			flight = null;
			action();
			return true;
		}

		place();
		return {
			camera: camera,
			target: target,
			flyTo: flyTo,
			reach: reach,
			key: key,
			place: place,

			// Whether the pointer that was just released has not moved, so that it was a click.
			wasClick: function()
			{
				return moved < 5;
			},
			distance: function()
			{
				return distance;
			},

			// @return 1 for y, 2 for z
			up: function()
			{
				return up === "y" ? 1 : 2;
			},
			setUp: function( axis )
			{
				up = axis;
				change();
			},

			// Goes on with a flight before a frame is drawn.
			// @return whether there is more of it
			advance: function( now )
			{
				if ( flight )
				{
					flight( now );
				}
				return flight !== null;
			},
		};
	};
} )( window.bvView );
