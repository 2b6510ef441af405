// Numbers as people read them: counts with separators, lengths with four digits, shares in percent.

window.bvView = {};

( function( view )
{
	"use strict";

	const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

	// Of a number with so many significant digits, without zeros at its end, as in the rest of the page.
	function formatNumber( value, digits )
	{
		const rounded = Number( value.toPrecision( digits ) );
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

	view.formatShort = function( value )
	{
		return formatNumber( value, 2 );
	};

	view.formatShare = function( share )
	{
		return formatNumber( 100 * share, 3 ) + " %";
	};

	// A length, and what part of another one it is.
	view.formatWithShare = function( length, whole )
	{
		return view.formatLength( length ) + " (" + view.formatShare( length / whole ) + ")";
	};

	// With as many digits as say something of a number known to within `error`.
	view.formatWithin = function( value, error )
	{
		const digits = Math.ceil( Math.log10( Math.max( Math.abs( value ), error ) / error ) ) + 1;
		return formatNumber( value, Math.min( Math.max( digits, 1 ), 7 ) );
	};

	// "1 node", "2 nodes".
	view.formatPlural = function( count, one, many )
	{
		return view.formatCount( count ) + " " + ( count === 1 ? one : many || one + "s" );
	};
} )( window.bvView );
