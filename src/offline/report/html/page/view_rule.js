// What tells sizes and directions in the view: a scale bar with the file's unit, and the three axes.

( function( view )
{
	"use strict";

	const shortest = 60; // pixels of the scale bar
	const reach = 26;    // of an axis, in units of the drawing
	let unit = "";

	// @param name  of the file's unit: "m" or "mesh units"
	view.setUnit = function( name )
	{
		unit = name;
	};

	// What follows a number: the unit if there is one, squared for areas, cubed for volumes.
	view.unitText = function( power )
	{
		return unit === "m" ? " m" + [ "", "", "²", "³" ][power] : "";
	};

	// The least of 1, 2, 5, 10, 20, ... that is not below.
	function roundUp( length )
	{
		const decade = Math.pow( 10, Math.floor( Math.log10( length ) ) );
		return [ 1, 2, 5, 10 ].map( function( digit )
		{
			return digit * decade;
		} ).find( function( round )
		{
			return round >= 0.999999 * length;
		} );
	}

	// @param bar    element whose width is the length
	// @param text   element that names it
	// @param pixel  mesh units per pixel, in the plane through what the camera looks at
	// @return length in mesh units, and pixels
	view.setRule = function( bar, text, pixel )
	{
		const length = roundUp( shortest * pixel );
		bar.style.width = length / pixel + "px";
		text.textContent = view.formatLength( length ) + " " + unit;
		return { length: length, pixels: length / pixel, text: text.textContent };
	};

	// Turns the lines and letters of the axes with the camera.
	// @param lines, letters  SVG elements, one per axis
	// @param matrix          from the scene to the camera, column by column
	view.setAxes = function( lines, letters, matrix )
	{
		for ( let i = 0; i < 3; ++i )
		{
			const x = reach * matrix[4 * i];
			const y = -reach * matrix[4 * i + 1];
			lines[i].setAttribute( "x2", x.toFixed( 2 ) );
			lines[i].setAttribute( "y2", y.toFixed( 2 ) );
			letters[i].setAttribute( "x", ( 1.3 * x ).toFixed( 2 ) );
			letters[i].setAttribute( "y", ( 1.3 * y ).toFixed( 2 ) );
		}
	};
} )( window.bvView );
