// Thick lines, which shine faintly through what is before them. WebGL draws lines of one pixel only; three.js has an example that
// draws each segment as a rectangle that faces the camera.

( function( view )
{
	"use strict";

	const THREE = window.THREE;

	// @param width  pixels
	view.createLines = function( scene, width )
	{
		const materials = [ { opacity: 1, depthTest: true }, { opacity: 0.3, depthTest: false } ].map( function( options )
		{
			const material = new THREE.LineMaterial( { linewidth: width, transparent: options.opacity < 1, depthTest: options.depthTest,
				depthWrite: options.depthTest, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4 } );
			material.uniforms.opacity.value = options.opacity;
			return material;
		} );
		const group = new THREE.Group();
		const objects = materials.map( function( material, i )
		{
			const object = new THREE.LineSegments2( new THREE.LineSegmentsGeometry(), material );
			object.frustumCulled = false;
			object.renderOrder = 5 - i;
			group.add( object );
			return object;
		} );
		let segments = new Float32Array( 0 );
		group.visible = false;
		scene.add( group );
		return {
			group: group,

			// @return six numbers per segment
			segments: function()
			{
				return segments;
			},
			setSegments: function( positions )
			{
				const geometry = new THREE.LineSegmentsGeometry();
				geometry.setPositions( positions );
				objects[0].geometry.dispose();
				for ( const object of objects )
				{
					object.geometry = geometry;
				}
				segments = positions;
			},
			setColor: function( color )
			{
				for ( const material of materials )
				{
					material.color.setHex( color );
				}
			},
			setWidth: function( pixels )
			{
				for ( const material of materials )
				{
					material.linewidth = pixels;
				}
			},
			resize: function( width, height )
			{
				for ( const material of materials )
				{
					material.resolution.set( width, height );
				}
			},
		};
	};

	// The segments between vertices, in pairs.
	view.segmentsOf = function( positions, ends )
	{
		const out = new Float32Array( 3 * ends.length );
		for ( let i = 0; i < ends.length; ++i )
		{
			out.set( positions.subarray( 3 * ends[i], 3 * ends[i] + 3 ), 3 * i );
		}
		return out;
	};
} )( window.bvView );
