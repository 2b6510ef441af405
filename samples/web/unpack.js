// The bytes of a module that the page carries as text.
async function unpack( id )
{
	const bytes = Uint8Array.from( atob( document.getElementById( id ).textContent ), letter => letter.charCodeAt( 0 ) );
	return new Response( new Blob( [ bytes ] ).stream().pipeThrough( new DecompressionStream( 'gzip' ) ) ).arrayBuffer();
}
