// The bench simulator: experiments of D. Leemann's thesis of 2017 on collision detection in simulations, run again, and piles of parts
// of meshes.
//
//   simulate [--quick] [--folder FOLDER] [-o CSV] gas|packing|brute-force|piles|mesh-piles... [FILE.bvh...]
//   simulate replay INCIDENTS
//
// Prints tables in Markdown. FOLDER receives scenes for pictures.py, and incidents. Files are those whose parts make up piles. Exit
// code 1: a bar is not met.

#include "tests/bench/simulate/simulate.h"

static const struct
{
	const char* name;
	void ( *run )( simulation* s );
} parts[] = {
	{ "gas", run_gas },     { "packing", run_packing },       { "brute-force", run_brute_force },
	{ "piles", run_piles }, { "mesh-piles", run_mesh_piles },
};

int main( int count, char** arguments )
{
	static simulation s = { .folder = "." };
	if ( count == 3 && strcmp( arguments[1], "replay" ) == 0 )
	{
		return replay_incidents( arguments[2] );
	}
	if ( !begin_verdicts( &s.v, count, arguments, &s.quick ) )
	{
		return 2;
	}
	s.files = sim_allocate( (size_t)count, sizeof *s.files );
	for ( int i = 1; i < count; ++i )
	{
		const char* dot = strrchr( arguments[i], '.' );
		if ( strcmp( arguments[i], "--folder" ) == 0 && i + 1 < count )
		{
			s.folder = arguments[++i];
		}
		else if ( dot && strcmp( dot, ".bvh" ) == 0 )
		{
			s.files[s.file_count++] = arguments[i];
		}
	}
	for ( int i = 1; i < count; ++i )
	{
		for ( size_t k = 0; k < sizeof parts / sizeof *parts; ++k )
		{
			if ( strcmp( arguments[i], parts[k].name ) == 0 )
			{
				parts[k].run( &s );
				fflush( stdout );
			}
		}
	}
	if ( s.v.csv )
	{
		fclose( s.v.csv );
	}
	free( s.files );
	return s.v.missed > 0;
}
