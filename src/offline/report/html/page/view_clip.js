// Plays a clip: the mesh at its samples, linear between them. Volumes, edges and bodies are those of the pose of the file, so they
// are hidden while another pose is shown.

( function( view )
{
	"use strict";

	const slow = 0.5; // seconds that a shorter clip takes

	// @param host  data, scene, element, and `changed`, which is called when another pose is shown
	view.createClip = function( host )
	{
		const { data, scene, element, changed } = host;
		const clip = data.clip;
		const last = clip.frames.length - 1;
		const length = Math.max( clip.end - clip.start, slow );
		let frame = null; // shown, with a fraction; null for the pose of the file
		let playing = false;
		let begin = 0;

		function timeOf( at )
		{
			return clip.start + ( clip.end - clip.start ) * Math.min( at * clip.stride / ( clip.samples - 1 ), 1 );
		}

		function place()
		{
			const positions = data.mesh.positions;
			if ( frame === null )
			{
				positions.set( clip.rest );
			}
			else
			{
				const from = clip.frames[Math.floor( frame )];
				const to = clip.frames[Math.min( Math.floor( frame ) + 1, last )];
				const share = frame - Math.floor( frame );
				for ( let i = 0; i < positions.length; ++i )
				{
					positions[i] = from[i] + share * ( to[i] - from[i] );
				}
			}
			scene.mesh.moved();
			element( "frame" ).value = frame === null ? Math.round( clip.record / clip.stride ) : Math.round( frame );
			element( "frame-text" ).textContent = frame === null ? "pose of the file" : timeOf( frame ).toFixed( 3 ) + " s";
			element( "frame" ).setAttribute( "aria-valuetext", element( "frame-text" ).textContent );
		}

		function set( at )
		{
			const rests = frame === null;
			frame = at;
			place();
			changed( rests !== ( frame === null ) );
		}

		function stop()
		{
			playing = false;
			element( "play" ).textContent = "Play";
			element( "play" ).setAttribute( "aria-pressed", "false" );
		}

		function advance( now )
		{
			if ( playing )
			{
				set( Math.max( now - begin, 0 ) / 1000 % length / length * last ); // a frame's time may be before the click
				requestAnimationFrame( advance );
			}
		}

		element( "clip-name" ).textContent = clip.name;
		element( "frame" ).max = last;
		element( "frame" ).addEventListener( "input", function( event )
		{
			event.stopPropagation();
			stop();
			set( Number( element( "frame" ).value ) );
		} );
		element( "play" ).addEventListener( "click", function()
		{
			if ( playing )
			{
				stop();
				return;
			}
			playing = true;
			element( "play" ).textContent = "Pause";
			element( "play" ).setAttribute( "aria-pressed", "true" );
			begin = performance.now() - 1000 * length * ( frame || 0 ) / last;
			requestAnimationFrame( advance );
		} );
		element( "rest" ).addEventListener( "click", function()
		{
			stop();
			set( null );
		} );
		place();

		return {
			atRest: function()
			{
				return frame === null;
			},

			// @return the sample that is shown, with a fraction; null for the pose of the file
			sample: function()
			{
				return frame === null ? null : Math.min( frame * clip.stride, clip.samples - 1 );
			},
			rest: function()
			{
				stop();
				set( null );
			},

			// @return whether the page has the sample, or one near it
			show: function( sample )
			{
				if ( !( sample >= 0 && sample < clip.samples ) )
				{
					return false;
				}
				stop();
				set( Math.min( Math.round( sample / clip.stride ), last ) );
				return true;
			},
		};
	};
} )( window.bvView );
