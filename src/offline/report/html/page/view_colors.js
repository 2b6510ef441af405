// Colors of the view: light and dark themes, the scale of errors, and colors that tell parts or levels apart.
//
// The scale is that of exports, and the same in light and dark. See src/offline/export/scale.c.

( function( view )
{
	"use strict";

	const themes = {
		light: { background: 0xf6f7f9, mesh: 0xb4bfcc, back: 0xcf9a7c, line: 0x2a3340, hull: 0x2f7fb8, primitive: 0x5a6fd0, proxy: 0x9a8fe0,
			picked: 0x0057ff, boundary: 0xc2185b, flipped: 0x7b1fa2, non_manifold: 0xd84315 },
		dark: { background: 0x14181d, mesh: 0x8b97a5, back: 0xa5664a, line: 0xdfe6ee, hull: 0x58b4f0, primitive: 0x93a5ff, proxy: 0xa79df0,
			picked: 0x59b7ff, boundary: 0xff5c93, flipped: 0xd18bff, non_manifold: 0xff8a50 },
	};

	function encode( x )
	{
		const bounded = Math.min( Math.max( x, 0 ), 1 );
		return bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * Math.pow( bounded, 1 / 2.4 ) - 0.055;
	}

	// From Oklab to sRGB, each from 0 to 1.
	function fromOklab( lightness, a, b )
	{
		const l = Math.pow( lightness + 0.3963377774 * a + 0.2158037573 * b, 3 );
		const m = Math.pow( lightness - 0.1055613458 * a - 0.0638541728 * b, 3 );
		const s = Math.pow( lightness - 0.0894841775 * a - 1.2914855480 * b, 3 );
		return [ encode( 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s ),
			encode( -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s ),
			encode( -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s ) ];
	}

	function polar( lightness, chroma, hue )
	{
		const angle = hue * Math.PI / 180;
		return [ lightness, chroma * Math.cos( angle ), chroma * Math.sin( angle ) ];
	}

	view.theme = function( dark )
	{
		return dark ? themes.dark : themes.light;
	};

	// @param errors  diagonal, mesh units; limits as fractions of it; colors of 0 to 255, one more than limits
	view.errorScale = function( errors )
	{
		const stepOf = function( error )
		{
			const step = errors.limits.findIndex( function( limit )
			{
				return error <= limit * errors.diagonal;
			} );
			return step < 0 ? errors.limits.length : step;
		};
		return {
			stepOf: stepOf,

			// @return array of three, from 0 to 1
			colorOf: function( error )
			{
				return errors.colors[stepOf( error )].map( function( x )
				{
					return x / 255;
				} );
			},
		};
	};

	// The color of one of many: hues that follow one another by the golden ratio, in three lightnesses.
	view.oneOfMany = function( index, dark )
	{
		const lab = polar( ( dark ? 0.66 : 0.68 ) + ( index % 3 - 1 ) * 0.07, 0.12, ( 222.5 * index + 250 ) % 360 );
		return fromOklab( lab[0], lab[1], lab[2] );
	};

	view.cssColor = function( color )
	{
		return "rgb(" + color.map( function( x )
		{
			return Math.round( 255 * x );
		} ).join( "," ) + ")";
	};

	// Numbers from `low` to `high`, above 0, to shares of a logarithmic scale.
	view.logScale = function( low, high )
	{
		const width = Math.log( high / low );
		return {
			low: low,
			high: high,
			share: function( value )
			{
				return width > 0 && value > low ? Math.min( Math.log( value / low ) / width, 1 ) : value < high ? 0 : 1;
			},
			value: function( share )
			{
				return share >= 1 ? high : low * Math.exp( share * width );
			},
		};
	};

	// A scale for numbers of which the least may be 0: down to a thousandth of the largest.
	view.scaleOf = function( numbers )
	{
		const high = numbers.reduce( function( most, x )
		{
			return Math.max( most, x );
		}, 0 );
		const low = numbers.reduce( function( least, x )
		{
			return x > 0 ? Math.min( least, x ) : least;
		}, high );
		return view.logScale( Math.max( low, high / 1000 ) || 1, high || 1 );
	};
} )( window.bvView );
