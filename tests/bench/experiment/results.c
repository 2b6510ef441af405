// The table of results: lines of tab-separated values, appended one by one, so that a run may end at any
// time. See experiment.h.

#include "tests/bench/experiment/experiment.h"

static const char* const endings[ending_count] = { "done", "time", "skipped", "wrong", "failed" };

static void* enlarge( void* old, size_t size )
{
	void* larger = realloc( old, size );
	if ( !larger )
	{
		fprintf( stderr, "experiment: out of memory\n" );
		exit( 2 );
	}
	return larger;
}

// FNV-1a.
static uint64_t hash( const char* key, const char* subject )
{
	uint64_t h = 0xcbf29ce484222325;
	for ( const char* c = key; *c; ++c )
	{
		h = ( h ^ (unsigned char)*c ) * 0x100000001b3;
	}
	for ( const char* c = subject; *c; ++c )
	{
		h = ( h ^ (unsigned char)*c ) * 0x100000001b3;
	}
	return h;
}

// The place of a line, or the free one where it would be.
static uint32_t* place_of( const results* all, const char* key, const char* subject )
{
	uint32_t mask = 4 * all->room - 1;
	uint32_t at = (uint32_t)hash( key, subject ) & mask;
	for ( ;; at = ( at + 1 ) & mask )
	{
		uint32_t line = all->places[at];
		if ( line == 0 || ( strcmp( all->lines[line - 1].key, key ) == 0 &&
		                    strcmp( all->lines[line - 1].subject, subject ) == 0 ) )
		{
			return all->places + at;
		}
	}
}

static void grow( results* all )
{
	all->room = all->room ? 2 * all->room : 1024;
	all->lines = enlarge( all->lines, all->room * sizeof *all->lines );
	all->places = enlarge( all->places, 4 * (size_t)all->room * sizeof *all->places );
	memset( all->places, 0, 4 * (size_t)all->room * sizeof *all->places );
	for ( uint32_t i = 0; i < all->count; ++i )
	{
		*place_of( all, all->lines[i].key, all->lines[i].subject ) = i + 1;
	}
}

static void put( results* all, const result* line )
{
	if ( all->count == all->room )
	{
		grow( all );
	}
	uint32_t* place = place_of( all, line->key, line->subject );
	if ( *place == 0 )
	{
		*place = ++all->count;
	}
	all->lines[*place - 1] = *line;
}

const result* find_result( const results* all, const char* key, const char* subject )
{
	uint32_t line = all->room ? *place_of( all, key, subject ) : 0;
	return line ? all->lines + line - 1 : NULL;
}

const result* find_tree( const results* all, uint64_t tree, const char* subject )
{
	for ( const result* r = all->lines; r < all->lines + all->count; ++r )
	{
		if ( r->tree == tree && ( r->end == ending_done || r->end == ending_wrong ) &&
		     strcmp( r->subject, subject ) == 0 )
		{
			return r;
		}
	}
	return NULL;
}

static void parse_cuts( char* text, result* out )
{
	char* at = text;
	for ( out->cut_count = 0; out->cut_count < most_cuts && *at >= '0' && *at <= '9'; ++out->cut_count )
	{
		cut* c = out->cuts + out->cut_count;
		c->nodes = (uint32_t)strtoul( at, &at, 10 );
		at += *at == ':';
		c->error = strtof( at, &at );
		at += *at == ',';
	}
}

// A line that was cut short is none.
static bool parse_line( char* line, result* out )
{
	enum
	{
		columns = 18,
	};
	char* field[columns];
	int count = 0;
	line[strcspn( line, "\n" )] = 0;
	for ( char* at = line; at && count < columns; ++count )
	{
		field[count] = at;
		at = strchr( at, '\t' );
		if ( at )
		{
			*at++ = 0;
		}
	}
	if ( count != columns )
	{
		return false;
	}
	*out = ( result ){ .program = strtoull( field[0], NULL, 16 ), .limit = atof( field[4] ) };
	snprintf( out->key, sizeof out->key, "%s", field[1] );
	snprintf( out->subject, sizeof out->subject, "%s", field[2] );
	for ( out->end = ending_done; out->end < ending_failed && strcmp( endings[out->end], field[3] ) != 0; )
	{
		out->end = (ending)( out->end + 1 );
	}
	out->triangles = (uint32_t)atoi( field[5] );
	out->poses = (uint32_t)atoi( field[6] );
	out->wrong = (uint32_t)atoi( field[7] );
	out->volume_tests = strtoull( field[8], NULL, 10 );
	out->triangle_tests = strtoull( field[9], NULL, 10 );
	out->cost = atof( field[10] );
	out->query = atof( field[11] );
	out->build = atof( field[12] );
	out->bytes = strtoull( field[13], NULL, 10 );
	out->nodes = (uint32_t)atoi( field[14] );
	out->depth = (uint32_t)atoi( field[15] );
	parse_cuts( field[16], out );
	out->tree = strtoull( field[17], NULL, 16 );
	return true;
}

void read_results( const char* path, uint64_t program, results* out )
{
	static char line[8192];
	*out = ( results ){ .lines = NULL };
	FILE* file = fopen( path, "r" );
	while ( file && fgets( line, sizeof line, file ) )
	{
		result r;
		if ( strchr( line, '\n' ) && parse_line( line, &r ) && ( program == 0 || r.program == program ) )
		{
			put( out, &r );
		}
	}
	if ( file )
	{
		fclose( file );
	}
}

void add_result( results* all, const char* path, const result* r )
{
	FILE* file = fopen( path, "a" );
	if ( !file )
	{
		perror( path );
		exit( 2 );
	}
	fprintf( file, "%016llx\t%s\t%s\t%s\t%g\t%u\t%u\t%u\t%llu\t%llu\t%.6g\t%.6g\t%.6g\t%llu\t%u\t%u\t",
	         (unsigned long long)r->program, r->key, r->subject, endings[r->end], r->limit, r->triangles,
	         r->poses, r->wrong, (unsigned long long)r->volume_tests, (unsigned long long)r->triangle_tests,
	         r->cost, r->query, r->build, (unsigned long long)r->bytes, r->nodes, r->depth );
	for ( uint32_t i = 0; i < r->cut_count; ++i )
	{
		fprintf( file, "%u:%.4g,", r->cuts[i].nodes, (double)r->cuts[i].error );
	}
	fprintf( file, "%s\t%016llx\n", r->cut_count ? "" : "-", (unsigned long long)r->tree );
	fclose( file );
	put( all, r );
}
