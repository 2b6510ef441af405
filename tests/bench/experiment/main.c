// The experiment that selects presets: all builders x splitters x volumes x degrees x measures of quality on
// real meshes, evaluated by queries near contact. After Eckstein 1998, chapter 10, which used static tests
// of two scenes.
//
//   experiment run [--full] [--factor NAME] [--limit S] [--for S] [--most N] [--keep] TABLE.tsv MESHES POSES.csv...
//   experiment show [--factor NAME] [--keep] TABLE.tsv
//
// `run` varies one factor at a time around the preset `balanced`, on every pose file. --full takes the
// product of builders, splitters, volumes, degrees and qualities, without the errors of nodes; --factor
// takes one factor alone. A cell may take S seconds of CPU time (--limit, 10), and as much again for the
// errors of its nodes. Files whose meshes have more than N triangles together are skipped (--most). Each
// result is appended to the table at once and not measured again. --for ends a run after S seconds; the next
// run continues. Results of another program (by its bytes) are ignored, except with --keep. `show` prints
// the tables of docs/experiments/hierarchies.md from that file.
//
// Exit codes: 1 usage, 2 something can't be read, 4 there is more to measure.

#include "tests/bench/experiment/experiment.h"

#include <omp.h>

static int usage( void )
{
	fprintf( stderr,
	         "usage: experiment run [--full] [--factor NAME] [--limit S] [--for S] [--most N] [--keep] "
	         "TABLE.tsv MESHES POSES.csv...\n       experiment show [--factor NAME] [--keep] TABLE.tsv\n" );
	return 1;
}

static uint64_t hash_program( void )
{
	static unsigned char bytes[1 << 16];
	FILE* file = fopen( "/proc/self/exe", "rb" );
	uint64_t h = 0xcbf29ce484222325;
	for ( size_t size = 1; file && size > 0; )
	{
		size = fread( bytes, 1, sizeof bytes, file );
		for ( size_t i = 0; i < size; ++i )
		{
			h = ( h ^ bytes[i] ) * 0x100000001b3;
		}
	}
	if ( file )
	{
		fclose( file );
	}
	return h;
}

// @return the number of arguments that were options; -1 for one there is none of
static int read_options( int count, char** arguments, run_options* o, bool* keep )
{
	int at = 2;
	for ( ; at < count && strncmp( arguments[at], "--", 2 ) == 0; ++at )
	{
		const char* name = arguments[at] + 2;
		if ( strcmp( name, "full" ) == 0 )
		{
			o->full = true;
			continue;
		}
		if ( strcmp( name, "keep" ) == 0 )
		{
			*keep = true;
			continue;
		}
		if ( strcmp( name, "factor" ) == 0 && at + 1 < count )
		{
			o->only = find_factor( arguments[++at] );
			if ( o->only == factor_count )
			{
				return -1;
			}
			continue;
		}
		double value = at + 1 < count ? atof( arguments[at + 1] ) : 0;
		if ( !( value > 0 ) )
		{
			return -1;
		}
		at += 1;
		if ( strcmp( name, "limit" ) == 0 )
		{
			o->limit = value;
		}
		else if ( strcmp( name, "for" ) == 0 )
		{
			o->total = value;
		}
		else if ( strcmp( name, "most" ) == 0 )
		{
			o->most = (uint32_t)value;
		}
		else
		{
			return -1;
		}
	}
	return at;
}

int main( int count, char** arguments )
{
	// Processes that have had threads can't be forked and have them again.
	omp_set_num_threads( 1 );
	run_options o = { .limit = 10, .only = factor_count, .program = hash_program() };
	bool keep = false;
	int at = count > 1 ? read_options( count, arguments, &o, &keep ) : -1;
	if ( at < 0 || at >= count )
	{
		return usage();
	}
	results all;
	o.table = arguments[at];
	read_results( o.table, keep ? 0 : o.program, &all );
	if ( strcmp( arguments[1], "show" ) == 0 && count == at + 1 )
	{
		if ( o.only == factor_count )
		{
			print_tables( &all );
		}
		else
		{
			print_one_factor( &all, o.only );
		}
		return 0;
	}
	if ( strcmp( arguments[1], "run" ) != 0 || count < at + 3 )
	{
		return usage();
	}
	o.folder = arguments[at + 1];
	o.paths = arguments + at + 2;
	o.path_count = count - at - 2;
	return run_experiment( &o, &all ) ? 0 : 4;
}
