// libFuzzer target: deformable meshes, with any numbers. An input begins with a .bvh file; checksums are not compared in this build. The
// other bytes are options and a sequence of refits of all vertices, of lists and of steps, with positions in any form, and of rebuilds.
//
// What is required: documented statuses; a block that an error leaves as it was; nodes that enclose their triangles, at both ends of a
// step; triangles that are those of the file; the same bytes from a list as from a refit of all vertices; queries that end, with results of
// the file.

#include "bending.h"
#include "query_all.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_vertices = 3000,
	most_refits = 12,
};

typedef struct bending
{
	numbers n;
	subject of;
	const bv_file* file;
	uint32_t vertices;
	bvw_deform_options options;
	bvw_deform* deform;
	bvw_deform* other; // gets all vertices where the first one gets a list
	size_t bytes;
	double* now; // x, y, z of each vertex
	double* next;
	float* floats;
	uint32_t* index;
	uint32_t* list;
} bending;

static double take_coordinate( bending* b )
{
	// Most positions are good.
	double x = take_number( &b->n, &b->of );
	return take_chance( &b->n, 4 ) || fabs( x ) <= BVW_MAX_POSITION / 2 ? x : 0;
}

// A few vertices, or all of them together.
static void move_vertices( bending* b )
{
	memcpy( b->next, b->now, 3 * sizeof *b->now * b->vertices );
	uint8_t kind = take_byte( &b->n );
	if ( kind < 40 )
	{
		double by[3][3];
		for ( int i = 0; i < 9; ++i )
		{
			by[i / 3][i % 3] = take_unit( &b->n );
		}
		double scale = kind % 4 == 0 ? ldexp( 1, (int8_t)take_byte( &b->n ) ) : 1;
		for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
		{
			const double* p = b->now + i;
			for ( uint32_t k = 0; k < 3; ++k )
			{
				b->next[i + k] = scale * ( by[k][0] * p[0] + by[k][1] * p[1] + by[k][2] * p[2] );
			}
		}
		return;
	}
	uint32_t count = kind < 60 ? b->vertices : 1 + kind % 32;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t vertex = count == b->vertices ? i : (uint32_t)take_bits( &b->n, 2 ) % b->vertices;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			b->next[3 * vertex + k] = take_coordinate( b );
		}
	}
}

// @return whether positions are rounded on the way
static bvw_vertices take_form( bending* b, const double* positions )
{
	uint8_t kind = take_byte( &b->n );
	bvw_vertices v = { .positions = positions, .count = b->vertices };
	if ( kind & 1 )
	{
		for ( uint32_t i = 0; i < 3 * b->vertices; ++i )
		{
			b->floats[i] = (float)positions[i];
		}
		v.positions = NULL;
		v.floats = b->floats;
	}
	if ( kind & 2 )
	{
		for ( uint32_t i = 0; i < b->vertices; ++i )
		{
			b->index[i] = kind & 4 ? (uint32_t)take_byte( &b->n ) : i;
		}
		v.index = b->index;
	}
	if ( kind >= 224 )
	{
		v.stride = (uint32_t)take_bits( &b->n, 1 );
		v.count = v.stride > 12 ? b->vertices / 24 : v.count;
	}
	return v;
}

// @param later  of the end of a step; null without one
static void check_nodes( const bending* b, const float* later )
{
	const bv_file* file = bvw_deform_file( b->deform );
	expect_enclosed( file, NULL );
	if ( later )
	{
		expect_enclosed( file, later );
	}
}

static void check_same( const bending* b )
{
	const bv_file* image = bvw_deform_file( b->deform );
	expect( memcmp( image, bvw_deform_file( b->other ), image_bytes( image ) ) == 0 );
}

static void take_positions( bending* b )
{
	for ( uint32_t i = 0; i < b->vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( bvw_deform_file( b->deform ), i );
		memcpy( b->now + 3 * (size_t)i, &p, sizeof p );
	}
}

// An error leaves every byte as it was.
static void check_status( const bending* b, bv_status status, const unsigned char* before )
{
	expect( status == bv_ok || status == bv_error_argument );
	expect( status == bv_ok || memcmp( before, b->deform, b->bytes ) == 0 );
}

static void refit( bending* b, const unsigned char* before )
{
	move_vertices( b );
	bvw_vertices v = take_form( b, b->next );
	bvw_deform_report report = { 0 };
	bv_status status = bvw_deform_refit( b->deform, &v, NULL, 0, &report );
	check_status( b, status, before );
	if ( status == bv_ok )
	{
		expect( report.vertices == b->vertices );
		check_nodes( b, NULL );
		take_positions( b );
	}
}

static void refit_list( bending* b, const unsigned char* before )
{
	move_vertices( b );
	bvw_vertices v = take_form( b, b->next );
	uint32_t count = 0;
	uint8_t kind = take_byte( &b->n );
	uint32_t most = kind < 128 ? kind % 8 : b->vertices;
	for ( ; count < most; ++count )
	{
		uint32_t vertex = kind < 128 ? (uint32_t)take_bits( &b->n, 2 ) : count;
		b->list[count] = vertex % ( b->vertices + ( kind == 3 ? 1 : 0 ) );
	}
	bvw_deform_report report = { 0 };
	bv_status status = bvw_deform_refit( b->deform, &v, b->list, count, &report );
	check_status( b, status, before );
	if ( status == bv_ok )
	{
		expect( report.vertices == count );
		check_nodes( b, NULL );
		take_positions( b );
	}
}

// Positions are exact as they are stored, if no offset is added to them.
static void refit_all_of_other( bending* b )
{
	bv_vec3 offset = bv_file_get_offset( b->file );
	if ( offset.x == 0 && offset.y == 0 && offset.z == 0 )
	{
		bvw_vertices v = { .positions = b->now, .count = b->vertices };
		expect( bvw_deform_refit( b->other, &v, NULL, 0, NULL ) == bv_ok );
		check_same( b );
	}
}

static void refit_step( bending* b, const unsigned char* before )
{
	move_vertices( b );
	bvw_vertices from = { .positions = b->now, .count = b->vertices };
	bvw_vertices to = { .positions = b->next, .count = b->vertices };
	bv_status status = bvw_deform_refit_motion( b->deform, &from, &to, NULL, NULL );
	check_status( b, status, before );
	if ( status == bv_ok )
	{
		expect( b->options.motion );
		bv_vec3 offset = bv_file_get_offset( b->file );
		for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
		{
			b->floats[i] = (float)( b->next[i] - offset.x );
			b->floats[i + 1] = (float)( b->next[i + 1] - offset.y );
			b->floats[i + 2] = (float)( b->next[i + 2] - offset.z );
		}
		check_nodes( b, b->floats );
		take_positions( b );

		// Back to no motion.
		expect( bvw_deform_refit( b->deform, &from, b->list, 0, NULL ) == bv_ok || b->options.no_lists );
	}
}

// Each triangle of the file is there once.
static void check_triangles( const bending* b )
{
	uint32_t count = b->of.triangles;
	bool* seen = take_memory( count );
	memset( seen, 0, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t corner[2][3];
		uint32_t number = bvw_deform_triangle( b->deform, i );
		expect( number < count && !seen[number] );
		seen[number] = true;
		bv_file_get_triangle( bvw_deform_file( b->deform ), i, corner[0] );
		bv_file_get_triangle( b->file, number, corner[1] );
		expect( memcmp( corner[0], corner[1], sizeof corner[0] ) == 0 );
	}
	free( seen );
}

static void rebuild( bending* b, const unsigned char* before )
{
	uint8_t kind = take_byte( &b->n );
	uint32_t triangles = kind < 100 ? 0 : kind < 200 ? kind : (uint32_t)take_bits( &b->n, 2 );
	bvw_deform_rebuild_report report[2];
	bv_status status = bvw_deform_rebuild( b->deform, triangles, report );
	check_status( b, status, before );
	expect( bvw_deform_rebuild( b->other, triangles, report + 1 ) == status );
	if ( status == bv_ok )
	{
		expect( memcmp( report, report + 1, sizeof report[0] ) == 0 );
		expect( report->triangles <= ( triangles > 0 ? triangles : b->of.triangles ) );
		expect( report->gain >= 0 );
		check_nodes( b, NULL );
		check_triangles( b );
	}
}

static void bend( bending* b )
{
	unsigned char* before = take_memory( b->bytes );
	for ( int i = 0; i < most_refits && ( i == 0 || b->n.left > 0 ); ++i )
	{
		memcpy( before, b->deform, b->bytes );
		uint8_t kind = take_byte( &b->n );
		if ( kind < 90 )
		{
			refit( b, before );
			refit_all_of_other( b );
		}
		else if ( kind < 170 )
		{
			refit_list( b, before );
			refit_all_of_other( b );
		}
		else if ( kind < 210 )
		{
			bv_vec3 offset = bv_file_get_offset( b->file );
			bool is_same = offset.x == 0 && offset.y == 0 && offset.z == 0;
			if ( is_same || b->options.rebuild_triangles == 0 )
			{
				rebuild( b, before );
				check_same( b );
			}
		}
		else
		{
			refit_step( b, before );
		}
	}
	free( before );
	subject of = subject_of( bvw_deform_file( b->deform ) );
	query_all( &b->n, &of, &b->of );
}

static void begin( bending* b )
{
	uint8_t kind = take_byte( &b->n );
	b->options = ( bvw_deform_options ){ .frames = (bvw_deform_frames)( kind / 64 % 3 ),
		                                 .motion = kind & 1,
		                                 .no_lists = kind % 16 == 6,
		                                 .workers = kind & 2 ? 3 : 0 };
	b->options.rebuild_triangles = kind & 4 ? b->of.triangles : kind & 8 ? 7 : 0;
	bvw_deform_options other = b->options;
	other.no_lists = true;
	other.motion = false;
	b->bytes = bvw_deform_bytes( b->file, &b->options );
	expect( ( b->bytes == 0 ) ==
	        ( b->options.frames >= bvw_deform_rules || bv_file_get_hierarchy( b->file ).nodes == 0 ) );
	if ( b->bytes == 0 )
	{
		return;
	}
	void* memory = take_memory( b->bytes );
	expect( bvw_deform_begin( b->file, &b->options, memory, b->bytes - 1, &b->deform ) != bv_ok );
	bv_status status = bvw_deform_begin( b->file, &b->options, memory, b->bytes, &b->deform );
	expect( status == bv_ok || status == bv_error_argument );
	size_t bytes = bvw_deform_bytes( b->file, &other );
	void* memory_of_other = take_memory( bytes );
	expect( bvw_deform_begin( b->file, &other, memory_of_other, bytes, &b->other ) == status );
	if ( status == bv_ok )
	{
		check_nodes( b, NULL );
		check_same( b );
		take_positions( b );
		bend( b );
	}
	free( memory );
	free( memory_of_other );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	input_mesh mesh;
	size_t length = open_mesh( data, size, &mesh );
	bending b = { .of = mesh.of, .file = mesh.file, .vertices = mesh.of.vertices };
	if ( b.vertices > 0 && b.vertices <= most_vertices && b.of.triangles <= 2 * most_vertices )
	{
		b.n = numbers_begin( data + length, size - length );
		b.now = take_memory( 3 * sizeof *b.now * b.vertices );
		b.next = take_memory( 3 * sizeof *b.next * b.vertices );
		b.floats = take_memory( 3 * sizeof *b.floats * b.vertices );
		b.index = take_memory( sizeof *b.index * b.vertices );
		b.list = take_memory( sizeof *b.list * ( b.vertices + 8 ) ); // lists can repeat a vertex
		begin( &b );
		free( b.now );
		free( b.next );
		free( b.floats );
		free( b.index );
		free( b.list );
	}
	free( mesh.memory );
	return 0;
}
