// Decomposes random meshes of every kind with random options. Every result is valid and keeps its certified
// distance.

#include "decomposed.h"

// Cells of a small grid, some filled: solids that may touch themselves along edges and at corners.
static bvb_mesh random_cubes( fixture* f )
{
	cubes c = { 0 };
	double part = 0.2 + 0.6 * random_unit( f );
	for ( int i = 0; i < 4 * 4 * 3; ++i )
	{
		c.filled[i % 4][i / 4 % 4][i / 16] = i == 0 || random_unit( f ) < part;
	}
	return surface_of_cubes( f, &c );
}

static bvb_mesh random_triangles( fixture* f )
{
	bvb_mesh m = soup_create( f, 1 + (uint32_t)( 24 * random_unit( f ) ) );
	double size = random_unit( f );
	for ( uint32_t i = 0; i < m.triangle_count; ++i )
	{
		bv_vec3 at = random_point( f );
		for ( int k = 0; k < 3; ++k )
		{
			m.positions[3 * i + k] = plus( at, size, random_point( f ) );
		}
	}
	return m;
}

// Their surfaces cross, and inside of several the winding number is as large as they are many.
static bvb_mesh random_boxes( fixture* f )
{
	bvb_mesh all = { .vertex_count = 0 };
	uint32_t count = 2 + (uint32_t)( 4 * random_unit( f ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double x = 0.05 + random_unit( f );
		double y = 0.05 + random_unit( f );
		bvb_mesh box = box_mesh( f, x, y, 0.05 + random_unit( f ) );
		placement place = random_placement( f );
		put_mesh( &box, &place );
		all = combined( f, &all, &box );
	}
	return all;
}

// A ball with holes, a few or so many that little is left.
static bvb_mesh holed_ball( fixture* f )
{
	bvb_mesh m = bumpy_ball( f, 6 );
	double left = random_unit( f );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < m.triangle_count; ++i )
	{
		if ( i == 0 || random_unit( f ) < left )
		{
			m.triangles[kept++] = m.triangles[i];
		}
	}
	m.triangle_count = kept;
	return m;
}

static bvb_mesh body_with_sheets( fixture* f )
{
	bvb_mesh body = random_cubes( f );
	bvb_mesh sheets = random_triangles( f );
	return combined( f, &body, &sheets );
}

static bvb_mesh random_hull( fixture* f )
{
	bv_vec3 points[40];
	uint32_t count = 4 + (uint32_t)( 36 * random_unit( f ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = random_point( f );
	}
	return hull_mesh( f, points, count );
}

static bvb_mesh random_ring( fixture* f )
{
	return torus( f, 0.05 + 0.9 * random_unit( f ), 3 + (uint32_t)( 20 * random_unit( f ) ),
	              3 + (uint32_t)( 6 * random_unit( f ) ) );
}

// Squeezed along axes by up to ten million, turned, moved and scaled.
static bvb_mesh deformed( fixture* f, bvb_mesh mesh )
{
	bvb_mesh m = combined( f, &mesh, &( bvb_mesh ){ .vertex_count = 0 } );
	double by[3] = { 1, 1, 1 };
	for ( int k = 0; k < 3; ++k )
	{
		by[k] = random_unit( f ) < 0.2 ? pow( 10, -7 * random_unit( f ) ) : 1;
	}
	for ( uint32_t i = 0; i < m.vertex_count; ++i )
	{
		bv_vec3 p = m.positions[i];
		m.positions[i] = ( bv_vec3 ){ by[0] * p.x, by[1] * p.y, by[2] * p.z };
	}
	if ( random_unit( f ) < 0.5 )
	{
		placement place = random_placement( f );
		place.scale = random_unit( f ) < 0.3 ? pow( 10, 20 * random_unit( f ) - 10 ) : 1;
		place.offset =
			plus( place.offset, random_unit( f ) < 0.3 ? 100 * place.scale : 0, random_point( f ) );
		put_mesh( &m, &place );
	}
	return m;
}

// Some of them take minutes unless only little is searched for.
static bvb_decompose_options random_options( fixture* f, const bvb_mesh* mesh, bool thorough )
{
	bvb_decompose_options options = bvb_decompose_options_default();
	double diagonal = diagonal_of( mesh );
	uint32_t methods = 0;
	while ( bvb_decomposer_name( methods, NULL ) )
	{
		++methods;
	}
	if ( random_unit( f ) < 0.3 )
	{
		options.method = bvb_decomposer_name( (uint32_t)( methods * random_unit( f ) ), NULL );
	}
	options.mode = random_unit( f ) < 0.5 ? bvb_decompose_automatic
	                                      : (bvb_decompose_mode)( 1 + (int)( 2 * random_unit( f ) ) );
	options.tolerance = random_unit( f ) < 0.5 ? 0 : diagonal * pow( 10, -4 * random_unit( f ) );
	options.max_parts = 1 + (uint32_t)( pow( thorough ? 40 : 6, random_unit( f ) ) );
	options.max_vertices = 4 + (uint32_t)( ( BVB_MAX_PART_VERTICES - 3 ) * pow( random_unit( f ), 3 ) );
	options.min_thickness = random_unit( f ) < 0.2 ? diagonal * pow( 10, -4 * random_unit( f ) ) : 0;
	double effort = random_unit( f );
	options.effort = thorough ? (uint32_t)( ( BVB_MAX_DECOMPOSE_EFFORT + 1 ) * effort ) : 0;
	options.threads = 1 + (uint32_t)( 3 * random_unit( f ) );
	return options;
}

static void whatever_comes_in_is_covered_as_certified( void** state )
{
	(void)state;
	bvb_mesh ( *const kinds[] )( fixture* ) = { random_cubes,     random_triangles, random_boxes, holed_ball,
		                                        body_with_sheets, random_hull,      random_ring };
	const char* count = getenv( "BV_RANDOM_MESHES" );
	uint32_t meshes = count ? (uint32_t)atoi( count ) : 14;
	for ( uint32_t i = 0; i < meshes; ++i )
	{
		fixture one = { .arena = bvb_arena_create(),
			            .random = 88172645463325252u + 2654435761u * (uint64_t)i };
		for ( int k = 0; k < 20; ++k )
		{
			random_bits( &one );
		}
		uint32_t kind = i % ( sizeof kinds / sizeof *kinds );
		bvb_mesh raw = kinds[kind]( &one );
		raw = deformed( &one, raw );
		bvb_record_options record_options = bvb_record_options_default();
		bvb_record record;
		if ( bvb_mesh_record( &raw, &record_options, one.arena, &record, NULL ) == bv_ok )
		{
			bvb_mesh mesh = record.mesh;
			bvb_decompose_options options = random_options( &one, &mesh, count );
			print_message(
				"%u: kind %u, %u triangles, diagonal %g, reach %g; %s, mode %d, tolerance %g, %u parts, "
				"%u vertices, thickness %g, effort %u, threads %u\n",
				i, kind, mesh.triangle_count, diagonal_of( &mesh ), reach_of( &mesh ), options.method,
				options.mode, options.tolerance, options.max_parts, options.max_vertices,
				options.min_thickness, options.effort, options.threads );
			bvb_decomposition d = decompose( &one, &mesh, &options );
			print_message( "    %u parts, %u vertices, %s, [%g, %g], %g uncovered\n", d.part_count,
			               d.vertices, d.solid ? "solid" : "surface", d.concavity.lower, d.concavity.upper,
			               d.uncovered );
			check_parts( &one, &mesh, &options, &d );
			check_cover( &one, &mesh, &d, 200 );
			check_concavity( &mesh, &d, 300 );
			options.threads = options.threads % 3 + 1;
			bvb_decomposition again = decompose( &one, &mesh, &options );
			check_same( &d, &again );
		}
		bvb_arena_destroy( one.arena );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( whatever_comes_in_is_covered_as_certified ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
