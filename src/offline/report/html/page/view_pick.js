// What a ray meets first among triangles (Möller, Trumbore 1997), and the balls around things that the camera goes to, about the
// middle of their box.

( function( view )
{
	"use strict";

	// @param origin, direction  arrays of three
	// @param positions          three numbers a vertex
	// @param corners            three vertices a triangle
	// @return { triangle, distance } in units of the direction's length, or null
	view.pickTriangle = function( origin, direction, positions, corners )
	{
		const ox = origin[0];
		const oy = origin[1];
		const oz = origin[2];
		const dx = direction[0];
		const dy = direction[1];
		const dz = direction[2];
		let nearest = Infinity;
		let found = -1;
		for ( let i = 0; i < corners.length; i += 3 )
		{
			const a = 3 * corners[i];
			const b = 3 * corners[i + 1];
			const c = 3 * corners[i + 2];
			const ax = positions[a];
			const ay = positions[a + 1];
			const az = positions[a + 2];
			const ux = positions[b] - ax;
			const uy = positions[b + 1] - ay;
			const uz = positions[b + 2] - az;
			const vx = positions[c] - ax;
			const vy = positions[c + 1] - ay;
			const vz = positions[c + 2] - az;
			const px = dy * vz - dz * vy;
			const py = dz * vx - dx * vz;
			const pz = dx * vy - dy * vx;
			const determinant = ux * px + uy * py + uz * pz;
			if ( determinant === 0 )
			{
				continue;
			}
			const inverse = 1 / determinant;
			const sx = ox - ax;
			const sy = oy - ay;
			const sz = oz - az;
			const s = inverse * ( sx * px + sy * py + sz * pz );
			if ( s < 0 || s > 1 )
			{
				continue;
			}
			const qx = sy * uz - sz * uy;
			const qy = sz * ux - sx * uz;
			const qz = sx * uy - sy * ux;
			const t = inverse * ( dx * qx + dy * qy + dz * qz );
			const distance = inverse * ( vx * qx + vy * qy + vz * qz );
			if ( t >= 0 && s + t <= 1 && distance > 0 && distance < nearest )
			{
				nearest = distance;
				found = i / 3;
			}
		}
		return found < 0 ? null : { triangle: found, distance: nearest };
	};

	// The ball around vertices `first` to `end`, less one.
	view.ballAround = function( positions, first, end )
	{
		const lower = [ Infinity, Infinity, Infinity ];
		const upper = [ -Infinity, -Infinity, -Infinity ];
		for ( let i = 3 * first; i < 3 * end; ++i )
		{
			lower[i % 3] = Math.min( lower[i % 3], positions[i] );
			upper[i % 3] = Math.max( upper[i % 3], positions[i] );
		}
		if ( end <= first )
		{
			return null;
		}
		const center = [ 0, 1, 2 ].map( function( i )
		{
			return ( lower[i] + upper[i] ) / 2;
		} );
		let square = 0;
		for ( let i = 3 * first; i < 3 * end; i += 3 )
		{
			const x = positions[i] - center[0];
			const y = positions[i + 1] - center[1];
			const z = positions[i + 2] - center[2];
			square = Math.max( square, x * x + y * y + z * z );
		}
		return { center: center, radius: Math.sqrt( square ) };
	};

	// The corners of a triangle, nine numbers.
	view.cornersOf = function( mesh, triangle )
	{
		const out = new Float32Array( 9 );
		for ( let k = 0; k < 3; ++k )
		{
			const vertex = 3 * mesh.corners[3 * triangle + k];
			out.set( mesh.positions.subarray( vertex, vertex + 3 ), 3 * k );
		}
		return out;
	};

	// Half the length of the cross product of two sides.
	view.areaOf = function( corners )
	{
		const u = [ 0, 1, 2 ].map( function( i )
		{
			return corners[3 + i] - corners[i];
		} );
		const v = [ 0, 1, 2 ].map( function( i )
		{
			return corners[6 + i] - corners[i];
		} );
		return Math.hypot( u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0] ) / 2;
	};
} )( window.bvView );
