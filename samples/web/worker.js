// Builds files, one after another. The first message is the module. A report follows its file.

const { build, initBuilder, report } = $builder;
let queue = Promise.resolve();

async function make( { id, bytes, options, name } )
{
	try
	{
		const onProgress = ( stage, done ) => postMessage( { id, stage, done } );
		const { file, warnings } = await build( bytes, options, { name, report: false, onProgress } );
		postMessage( { id, built: { file, warnings } } );
		postMessage( { id, html: ( await report( file, { html: true } ) ).html } );
	}
	catch ( error )
	{
		postMessage( { id, error: error.message } );
	}
}

onmessage = ( { data } ) =>
{
	queue = queue.then( () => data.module ? initBuilder( data.module ) : make( data ) );
};
