// Numbers as people read them: counts with separators, lengths with four digits, shares in percent.

window.bvView = {};

( function( view )
{
	"use strict";

	// Of a number with so many significant digits, without zeros at its end.
	function formatNumber( value, digits )
	{
		if ( value === 0 )
		{
			return "0";
		}
		const size = Math.abs( value );
		const rounded = Number( value.toPrecision( digits ) );
		if ( size >= 1e7 || size < 1e-4 )
		{
			return rounded.toExponential().replace( "e+", "e" );
		}
		return rounded.toLocaleString( "en", { maximumSignificantDigits: digits } );
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

	view.formatShare = function( share )
	{
		return formatNumber( 100 * share, 3 ) + " %";
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
