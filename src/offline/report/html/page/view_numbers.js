// Numbers as people read them: counts with separators, lengths with four digits, shares in percent.

window.bvView = {};

( function( view )
{
	"use strict";

	const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

	// The next number of so many significant digits in a direction, 1 for up, where the nearest one lies on the other side.
	function roundTowards( value, digits, direction )
	{
		const nearest = Number( value.toPrecision( digits ) );
		if ( direction * ( nearest - value ) >= 0 || !Number.isFinite( value ) )
		{
			return nearest;
		}
		const exponent = Number( value.toExponential().split( "e" )[1] ) - digits + 1;
		const steps = Math.round( Number( nearest.toExponential().split( "e" )[0] + "e" +
			( Number( nearest.toExponential().split( "e" )[1] ) - exponent ) ) );
		return Number( ( steps + direction ) + "e" + exponent );
	}

	// Of a number with so many significant digits, without zeros at its end, as in the rest of the page; to the nearest, or rounded
	// up for 1, down for -1.
	function formatNumber( value, digits, direction )
	{
		const rounded = direction ? roundTowards( value, digits, direction ) : Number( value.toPrecision( digits ) );
		const size = Math.abs( rounded );
		if ( size === 0 || ( size >= 1e-3 && size < 1e7 ) )
		{
			return rounded.toLocaleString( "en", { maximumSignificantDigits: digits } ).replace( "-", "−" );
		}
		const parts = rounded.toExponential().replace( "+", "" ).split( "e" );
		const exponent = parts[1].replace( "-", "⁻" ).replace( /[0-9]/g, function( digit )
		{
			return raised[digit];
		} );
		return parts[0].replace( "-", "−" ) + "×10" + exponent;
	}

	view.formatNumber = function( value )
	{
		return formatNumber( value, 4 );
	};

	view.formatCount = function( count )
	{
		return count.toLocaleString( "en" );
	};

	view.formatLength = function( length )
	{
		return formatNumber( length, 4 );
	};

	// Bounds are never rounded to the side on which they would not hold: a lower one is rounded down, an upper one up.
	view.formatLower = function( length )
	{
		return formatNumber( length, 4, -1 );
	};

	view.formatUpper = function( length )
	{
		return formatNumber( length, 4, 1 );
	};

	// An upper bound, and what part of another length it is at most.
	view.formatUpperWithShare = function( length, whole )
	{
		return view.formatUpper( length ) + view.unitText( 1 ) + " (" + formatNumber( 100 * length / whole, 3, 1 ) + " %)";
	};

	// With as many digits as say something of a number known to within `error`: the last one is worth that at most.
	view.formatWithin = function( value, error )
	{
		const digits = Math.ceil( Math.log10( Math.max( Math.abs( value ), error ) / error ) ) + 1;
		return formatNumber( value, Math.min( Math.max( digits, 1 ), 17 ) );
	};

	// "1 node", "2 nodes".
	view.formatPlural = function( count, one, many )
	{
		return view.formatCount( count ) + " " + ( count === 1 ? one : many || one + "s" );
	};
} )( window.bvView );
