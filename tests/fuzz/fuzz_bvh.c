// libFuzzer target: any bytes as a .bvh file. What opens must be safe for every accessor and query. Checksums
// are not compared in this build, or nothing would ever open.

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"
#include "tests/fuzz/query_all.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

static bool count_triangles( void* context, const bv_node_info* node )
{
	*(uint64_t*)context += node->children ? 0 : node->triangles;
	return true;
}

static bool stop_after_many( void* context, uint32_t a, uint32_t b )
{
	(void)a, (void)b;
	return --*(int*)context > 0;
}

// @param seed  of what queries ask
static void use( const bv_file* file, uint64_t seed )
{
	uint64_t triangles = 0;
	bv_mesh_info mesh = bv_file_get_mesh( file );
	bool has_tree = bv_file_get_hierarchy( file ).nodes > 0;
	if ( !bv_file_visit_nodes( file, count_triangles, &triangles ) ||
	     triangles != ( has_tree ? mesh.triangles : 0 ) )
	{
		abort();
	}
	for ( uint32_t i = 0; mesh.has_triangles && i < mesh.triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			bv_file_get_vertex( file, corner[k] );
		}
	}

	// One triangle may be all a thousand leaves' worth: the number of answers is bounded, so that time is.
	int answers = 1000;
	bv_collide_result result;
	bv_collide_options options = { .callback = stop_after_many, .context = &answers };
	if ( mesh.triangles < 200 )
	{
		bv_collide( file, file, NULL, &options, &result );
		query_all( file, seed );
	}

	bv_file_bounds bounds;
	bv_mass mass;
	bv_hull_info hull = bv_file_get_hull( file );
	bv_file_get_bounds( file, &bounds );
	bv_file_get_mass( file, bv_mass_of_hull, &mass );
	uint64_t sum = 0; // of all that is read, so that it is
	for ( uint32_t i = 0; i < hull.vertices; ++i )
	{
		const uint32_t* neighbor;
		uint32_t count = bv_file_get_hull_neighbors( file, i, &neighbor );
		bv_file_get_hull_position( file, i );
		for ( uint32_t k = 0; k < count; ++k )
		{
			sum += neighbor[k];
		}
	}
	bv_mesh_edge edge;
	for ( uint32_t i = 0; bv_file_get_mesh_edge( file, i, &edge ); ++i )
	{
		sum += edge.triangle[0];
	}
	double radius;
	for ( uint32_t i = 0; bv_file_get_node_radius( file, i, &radius ); ++i )
	{
		sum += radius > 0;
	}
	bv_node_quality quality;
	for ( uint32_t i = 0; bv_file_get_node_quality( file, i, &quality ); ++i )
	{
		sum += quality.worst > quality.area;
	}
	bv_node_faces faces;
	for ( uint32_t i = 0; bv_file_get_node_faces( file, i, &faces ); ++i )
	{
		sum += faces.two;
	}
	bv_hull_half_edge half_edge;
	for ( uint32_t i = 0; bv_file_get_hull_half_edge( file, i, &half_edge ); ++i )
	{
		sum += half_edge.twin;
	}
	if ( sum == UINT64_MAX )
	{
		abort();
	}
	for ( uint32_t i = 0; i < bv_file_get_info( file ).section_count; ++i )
	{
		bv_file_get_section( file, i );
	}

	bv_file_errors errors;
	bv_level_errors level;
	bv_recognised recognised;
	bv_primitive primitive;
	bool has_errors = bv_file_get_errors( file, &errors );
	for ( uint32_t i = 0; i <= bv_file_get_hierarchy( file ).depth; ++i )
	{
		if ( bv_file_get_level_errors( file, i, &level ) != has_errors )
		{
			abort();
		}
	}
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		if ( bv_file_get_primitive( file, (bv_primitive_kind)i, &primitive ) !=
		     bv_file_get_recognised( file, &recognised ) )
		{
			abort();
		}
	}

	bvb_arena* arena = bvb_arena_create_limited( 64 << 20 );
	bvb_error error;
	bvb_verify_result proved;
	char* text;
	bvb_file_verify( file, arena, &proved, &error );
	bvb_report_json( file, NULL, arena, &text, &error );
	bvb_arena_destroy( arena );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	// A block of exactly this size, aligned: a read behind its end is seen.
	void* memory = malloc( size ? size : 1 );
	const bv_file* file;
	memcpy( memory, data, size );
	uint64_t seed = size;
	for ( size_t i = 0; i < size; ++i )
	{
		seed = ( seed ^ data[i] ) * 0x100000001b3u; // FNV-1a
	}
	if ( bv_file_open( memory, size, &file ) == bv_ok )
	{
		use( file, seed );
	}
	free( memory );
	return 0;
}
