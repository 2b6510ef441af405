// Buttons that copy the command beside them. They are hidden without scripts, when the command can be selected by hand.

( function()
{
	"use strict";

	const shownFor = 2000; // milliseconds that a button says it has copied

	// For pages that may not use the clipboard directly: copies what is selected.
	function copySelected( code )
	{
		const range = document.createRange();
		const selection = window.getSelection();
		range.selectNodeContents( code );
		selection.removeAllRanges();
		selection.addRange( range );
		return document.execCommand( "copy" );
	}

	function copy( button )
	{
		const code = button.parentNode.querySelector( "code" );
		const say = function( copied )
		{
			button.textContent = copied ? "Copied" : "Press Ctrl+C";
			setTimeout( function()
			{
				button.textContent = "Copy";
			}, shownFor );
		};
		const other = function()
		{
			say( copySelected( code ) );
		};
		if ( navigator.clipboard )
		{
			navigator.clipboard.writeText( code.textContent ).then( function()
			{
				say( true );
			}, other );
		}
		else
		{
			other();
		}
	}

	function start()
	{
		for ( const button of document.querySelectorAll( "button.copy" ) )
		{
			button.hidden = false;
			button.addEventListener( "click", function()
			{
				copy( button );
			} );
		}
	}

	if ( document.readyState === "loading" )
	{
		document.addEventListener( "DOMContentLoaded", start );
	}
	else
	{
		start();
	}
} )();
