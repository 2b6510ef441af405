// libFuzzer target: skinned meshes, with any numbers. An input begins with a .bvh file; checksums are not compared in this build. The other
// bytes are weights of two skins of one mesh, and poses, regions, and refits of the mesh in between.
//
// What is required: documented statuses, and memory that an error leaves as it was; positions as in extended precision; nodes that enclose
// the skinned triangles, and those of the file; in regions the triangles and the results of queries that all vertices skinned have; the
// same bytes from all ways to skin all vertices, and from a refit to their positions.

#include "query_all.h"
#include "skinned.h"

#include "bvworld/deform_contact.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_steps = 10,
};

static void keep_before( const scene* s )
{
	memcpy( s->before[0], s->deform, s->bytes );
	for ( int i = 0; i < skins; ++i )
	{
		if ( s->of[i].skin )
		{
			memcpy( s->before[1 + i], s->of[i].skin, s->of[i].bytes );
		}
	}
}

static void expect_unchanged( const scene* s )
{
	expect( memcmp( s->before[0], s->deform, s->bytes ) == 0 );
	for ( int i = 0; i < skins; ++i )
	{
		expect( !s->of[i].skin || memcmp( s->before[1 + i], s->of[i].skin, s->of[i].bytes ) == 0 );
	}
}

static void expect_same_image( const bvw_deform* a, const bvw_deform* b )
{
	const bv_file* image = bvw_deform_file( a );
	expect( memcmp( image, bvw_deform_file( b ), image_bytes( image ) ) == 0 );
}

// All vertices are skinned, and volumes are those of a refit to their positions.
static void expect_whole( const scene* s )
{
	expect_same_image( s->deform, s->whole );
	bv_vec3 offset = bv_file_get_offset( s->mesh.file );
	if ( offset.x == 0 && offset.y == 0 && offset.z == 0 )
	{
		bvw_vertices v = { .floats = s->positions, .count = s->vertices };
		expect( bvw_deform_refit( s->plain, &v, NULL, 0, NULL ) == bv_ok );
		expect_same_image( s->deform, s->plain );
	}
}

// Takes the pose as the one that counts from now on.
static void take_pose_of( scene* s, const skinned* of, const bone_arrays* b )
{
	expect( bvw_skin_refit( of->whole, &b->bones, NULL ) == bv_ok );
	const bv_file* file = bvw_deform_file( s->whole );
	for ( uint32_t i = 0; i < s->vertices; ++i )
	{
		long double at[3];
		long double error[3];
		bv_vec3 stored = bvfile_local_vertex( file, i );
		bv_vec3 p[2] = { bv_file_get_vertex( file, i ) };
		expected_position( s, of, b, i, at, error );
		for ( int k = 0; k < 3; ++k )
		{
			double x = ( &stored.x )[k];
			expect( fabs( x ) <= BVW_MAX_POSITION * ( 1 + 0x1p-20 ) && fabsl( x - at[k] ) <= error[k] );
			s->positions[3 * i + (uint32_t)k] = (float)x;
		}
		expect( bvw_skin_get_positions( of->skin, i, 1, p + 1 ) == 1 );
		expect( memcmp( p, p + 1, sizeof *p ) == 0 );
	}
	expect_enclosed( file, NULL );
}

static bool is_region( const bv_aabb* r )
{
	return r->lower.x <= r->upper.x && r->lower.y <= r->upper.y && r->lower.z <= r->upper.z;
}

// Around a vertex of the pose, or anywhere.
static bv_aabb take_region( scene* s )
{
	numbers* n = &s->n;
	uint8_t kind = take_byte( n );
	subject of = subject_of( bvw_deform_file( s->whole ) );
	bv_vec3 a = take_point( n, &of );
	bv_vec3 b = kind & 1 ? take_point( n, &of ) : a;
	double size = kind & 2 ? ldexp( of.size, -( kind / 8 ) ) : 0;
	bv_aabb r;
	for ( int k = 0; k < 3; ++k )
	{
		double x = ( &a.x )[k];
		double y = ( &b.x )[k];
		( &r.lower.x )[k] = ( kind > 250 ? x : fmin( x, y ) ) - size;
		( &r.upper.x )[k] = ( kind > 250 ? y : fmax( x, y ) ) + size;
	}
	if ( kind % 16 == 4 )
	{
		( &r.lower.x )[kind / 16 % 3] = -INFINITY;
	}
	if ( kind % 16 == 8 )
	{
		( &r.upper.x )[kind / 16 % 3] = INFINITY;
	}
	return r;
}

static bool is_apart( const bv_aabb* r, const bv_vec3 t[3] )
{
	bool apart = false;
	for ( int k = 0; k < 3; ++k )
	{
		double lower = fmin( fmin( ( &t[0].x )[k], ( &t[1].x )[k] ), ( &t[2].x )[k] );
		double upper = fmax( fmax( ( &t[0].x )[k], ( &t[1].x )[k] ), ( &t[2].x )[k] );
		apart = apart || lower > ( &r->upper.x )[k] || upper < ( &r->lower.x )[k];
	}
	return apart;
}

static void get_corners( const bv_file* file, uint32_t triangle, bv_vec3 out[3] )
{
	uint32_t corner[3];
	bv_file_get_triangle( file, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = bv_file_get_vertex( file, corner[k] );
	}
}

typedef struct triangle_set
{
	uint8_t found[most_faces];
} triangle_set;

static bool add_triangle( void* context, uint32_t triangle )
{
	triangle_set* set = context;
	set->found[triangle] = 1;
	return true;
}

// Queries within a region have the results of the mesh that has all vertices skinned.
static void check_queries( scene* s, const bv_aabb* region )
{
	numbers* n = &s->n;
	const bv_file* file[2] = { bvw_deform_file( s->deform ), bvw_deform_file( s->whole ) };
	bv_vec3 p[2];
	double within = INFINITY;
	for ( int i = 0; i < 6; ++i )
	{
		double lower = ( &region->lower.x )[i % 3];
		double upper = ( &region->upper.x )[i % 3];
		double size = 4 * s->mesh.of.size;
		lower = fmax( lower, isfinite( upper ) ? upper - size : -size );
		upper = fmin( upper, lower + size );
		double at = lower + fabs( take_unit( n ) ) * ( upper - lower );
		at = fmin( fmax( at, lower ), upper );
		( &p[i / 3].x )[i % 3] = at;
		within = i < 3 ? fmin( within, fmin( at - ( &region->lower.x )[i], ( &region->upper.x )[i] - at ) )
		               : within;
	}
	bv_aabb box;
	for ( int k = 0; k < 3; ++k )
	{
		( &box.lower.x )[k] = fmin( ( &p[0].x )[k], ( &p[1].x )[k] );
		( &box.upper.x )[k] = fmax( ( &p[0].x )[k], ( &p[1].x )[k] );
	}
	bv_ray ray = { .origin = p[0], .direction = bv_sub( p[1], p[0] ), .to = 1 };
	bool is_there = true;
	triangle_set set[2] = { { .found = { 0 } } };
	bv_ray_result hit[2];
	bv_closest_result closest[2];
	for ( int i = 0; i < 2; ++i )
	{
		bv_overlap_options options = { .callback = add_triangle, .context = set + i };
		bv_overlap_result r;
		bool is_ok = bv_mesh_overlap_aabb( file[i], NULL, &box, &options, &r ) == bv_ok &&
		             bv_mesh_cast_ray( file[i], NULL, &ray, NULL, hit + i ) == bv_ok &&
		             bv_mesh_closest_point( file[i], NULL, p[0], NULL, closest + i ) == bv_ok;
		expect( i == 0 || is_ok == is_there );
		is_there = is_ok;
	}
	if ( is_there )
	{
		expect( memcmp( set, set + 1, sizeof *set ) == 0 );
		expect( hit[0].found == hit[1].found && ( !hit[0].found || hit[0].time == hit[1].time ) );
		bool is_near = fmin( closest[0].distance, closest[1].distance ) < within * ( 1 - 1e-9 );
		expect( !is_near || closest[0].distance == closest[1].distance );
	}
}

// Triangles of the file that are not the skinned ones do not reach into the region, and neither do the skinned ones.
static void check_region( scene* s, const bv_aabb* region )
{
	const bv_file* file = bvw_deform_file( s->deform );
	const bv_file* whole = bvw_deform_file( s->whole );
	for ( uint32_t i = 0; i < s->triangles; ++i )
	{
		bv_vec3 t[2][3];
		get_corners( file, i, t[0] );
		get_corners( whole, i, t[1] );
		expect( memcmp( t[0], t[1], sizeof *t ) == 0 ||
		        ( is_apart( region, t[0] ) && is_apart( region, t[1] ) ) );
	}
	check_queries( s, region );
}

// Nodes enclose the triangles in a region.
typedef struct region_visit
{
	const scene* s;
	const bv_aabb* region;
} region_visit;

static bool encloses_region( void* context, const bv_node_info* node )
{
	const region_visit* v = context;
	const bv_file* whole = bvw_deform_file( v->s->whole );
	const bvvol_kind* kind = bvvol_kind_of( node->volume.type );
	for ( uint32_t i = node->first_triangle; i < node->first_triangle + node->triangles; ++i )
	{
		bv_vec3 t[3];
		uint32_t corner[3];
		get_corners( whole, i, t );
		bv_file_get_triangle( whole, i, corner );
		for ( int k = 0; k < 3 && !is_apart( v->region, t ); ++k )
		{
			expect( kind->encloses( &node->volume, bvfile_local_vertex( whole, corner[k] ) ) );
		}
	}
	return true;
}

static void pose( scene* s, int which, bool all )
{
	skinned* of = s->of + which;
	bone_arrays* b = take_memory( sizeof *b );
	take_bones( s, of->weights.bones, b );
	bvw_deform_report report = { 0 };
	bv_status status =
		all ? bvw_skin_refit( of->skin, &b->bones, &report ) : bvw_skin_pose( of->skin, &b->bones, &report );
	check_taken( s, of, b, status == bv_ok );
	if ( status == bv_ok )
	{
		expect( report.vertices == ( all ? s->vertices : 0 ) );
		s->posed_by = which;
		s->by_boxes = !all;
		s->is_stale = false;
		take_pose_of( s, of, b );
		const bv_file* file = bvw_deform_file( s->deform );
		expect_enclosed( file, s->positions );
		expect_enclosed( file, NULL );
		if ( all )
		{
			expect_whole( s );
		}
	}
	else
	{
		expect( status == bv_error_argument );
		expect_unchanged( s );
	}
	free( b );
}

static void exact( scene* s, int which )
{
	uint8_t kind = take_byte( &s->n );
	bv_aabb region = take_region( s );
	bool all = kind < 64;
	bvw_deform_report report = { 0 };
	bv_status status = bvw_skin_exact( s->of[which].skin, all ? NULL : &region, &report );
	bool is_allowed = s->posed_by == which && ( all || is_region( &region ) );
	expect( status == ( is_allowed ? bv_ok : bv_error_argument ) );
	if ( status != bv_ok )
	{
		expect_unchanged( s );
		return;
	}
	if ( all )
	{
		expect( report.vertices == s->vertices );
		s->by_boxes = false;
		expect_whole( s );
		return;
	}
	expect( report.nodes == 0 && report.vertices <= s->vertices );
	const bv_file* file = bvw_deform_file( s->deform );
	expect_enclosed( file, s->positions );
	expect_enclosed( file, NULL );
	check_region( s, &region );
	// Once is enough.
	expect( bvw_skin_exact( s->of[which].skin, &region, &report ) == bv_ok && report.vertices == 0 );
}

static void near( scene* s, int which )
{
	skinned* of = s->of + which;
	bone_arrays* b = take_memory( sizeof *b );
	take_bones( s, of->weights.bones, b );
	bv_aabb region[BVW_MAX_REGIONS];
	uint8_t kind = take_byte( &s->n );
	uint32_t count = kind < 128 ? 1 : 1 + kind % 4;
	bool is_valid = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		region[i] = take_region( s );
		is_valid = is_valid && is_region( region + i );
	}
	count = kind == 255 ? 0 : kind == 254 ? BVW_MAX_REGIONS + 1 : count;
	is_valid = is_valid && kind < 254;
	bvw_deform_report report = { 0 };
	bv_status status = bvw_skin_near( of->skin, &b->bones, region, count, &report );
	if ( is_valid )
	{
		check_taken( s, of, b, status == bv_ok );
	}
	expect( is_valid || status != bv_ok );
	if ( status == bv_ok )
	{
		expect( report.vertices <= s->vertices && report.nodes > 0 );
		s->posed_by = -1;
		s->by_boxes = true;
		s->is_stale = true;
		take_pose_of( s, of, b );
		for ( uint32_t i = 0; i < count; ++i )
		{
			region_visit v = { s, region + i };
			expect( bvfile_local_visit_nodes( bvw_deform_file( s->deform ), encloses_region, &v ) );
			check_region( s, region + i );
		}
	}
	else
	{
		expect( status == bv_error_argument );
		expect_unchanged( s );
	}
	free( b );
}

// Vertices move without bones: all, some, or during a step.
static void refit( scene* s )
{
	uint8_t kind = take_byte( &s->n );
	double* positions = take_memory( 3 * sizeof *positions * s->vertices );
	const bv_file* file = bvw_deform_file( s->deform );
	numbers stream = take_stream( &s->n );
	for ( uint32_t i = 0; i < s->vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		if ( take_chance( &stream, kind ) )
		{
			p = take_vector( &stream, &s->mesh.of );
		}
		memcpy( positions + 3 * i, &p, sizeof p );
	}
	bvw_vertices v = { .positions = positions, .count = s->vertices };
	uint32_t list[4];
	for ( int i = 0; i < 4; ++i )
	{
		list[i] = (uint32_t)take_bits( &s->n, 2 ) % s->vertices;
	}
	bv_status status = kind % 3 == 0   ? bvw_deform_refit( s->deform, &v, NULL, 0, NULL )
	                   : kind % 3 == 1 ? bvw_deform_refit( s->deform, &v, list, kind % 5, NULL )
	                                   : bvw_deform_refit_motion( s->deform, &v, &v, NULL, NULL );
	free( positions );
	if ( status != bv_ok )
	{
		expect( status == bv_error_argument );
		expect_unchanged( s );
		return;
	}
	s->posed_by = -1;
	s->by_boxes = false;
	s->is_stale = false;
	expect_enclosed( file, NULL );
	bv_vec3 offset = bv_file_get_offset( s->mesh.file );
	if ( kind % 3 < 2 && offset.x == 0 && offset.y == 0 && offset.z == 0 )
	{
		double all[3 * most_vertices];
		for ( uint32_t i = 0; i < s->vertices; ++i )
		{
			bv_vec3 p = bv_file_get_vertex( file, i );
			memcpy( all + 3 * i, &p, sizeof p );
		}
		v.positions = all;
		expect( bvw_deform_refit( s->plain, &v, NULL, 0, NULL ) == bv_ok );
		expect_same_image( s->deform, s->plain );
	}
}

// What needs all vertices.
static void ask_whole( scene* s )
{
	bvw_deform_quality_result quality;
	bvw_self_collide_result pairs;
	bv_status expected = s->by_boxes ? bv_error_argument : bv_ok;
	expect( bvw_deform_self_collide( s->deform, NULL, &pairs ) == expected );
	expect( bvw_deform_quality( s->deform, &quality ) == expected );
	if ( s->by_boxes )
	{
		expect_unchanged( s );
	}
	expect( bvw_skin_get_positions( NULL, 0, 1, NULL ) == 0 );
	for ( int i = 0; i < skins; ++i )
	{
		const bvw_skin* skin = s->of[i].skin;
		uint32_t first = (uint32_t)take_bits( &s->n, 2 ) % ( s->vertices + 2 );
		uint32_t count = (uint32_t)take_bits( &s->n, 1 );
		uint32_t left = first < s->vertices ? s->vertices - first : 0;
		bv_vec3* out = take_memory( ( count + 1 ) * sizeof *out );
		expect( !skin ||
		        bvw_skin_get_positions( skin, first, count, out ) == ( count < left ? count : left ) );
		free( out );
	}
}

static void set_errors( scene* s )
{
	uint32_t nodes = bv_file_get_hierarchy( s->mesh.file ).nodes;
	float* error = take_memory( ( nodes + 1 ) * sizeof *error );
	numbers stream = take_stream( &s->n );
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		error[i] = take_byte( &stream );
	}
	bv_status status = bvw_deform_set_errors( s->deform, error, error, 0 );
	expect( status == ( s->options.errors && !s->by_boxes ? bv_ok : bv_error_argument ) );
	if ( status != bv_ok )
	{
		expect_unchanged( s );
	}
	free( error );
}

static void act( scene* s )
{
	uint8_t kind = take_byte( &s->n );
	int which = kind % 2;
	// Mostly the skin that posed the mesh.
	which = s->posed_by >= 0 && kind < 192 ? s->posed_by : which;
	which = s->of[which].skin ? which : 1 - which;
	keep_before( s );
	switch ( kind / 2 % 16 )
	{
	case 0:
	case 1: refit( s ); break;
	case 2: ask_whole( s ); break;
	case 3: set_errors( s ); break;
	case 4:
	case 5: pose( s, which, true ); break;
	case 6:
	case 7:
	case 8: near( s, which ); break;
	case 9:
	case 10:
	case 11: pose( s, which, false ); break;
	default: exact( s, which ); break;
	}
}

static bvw_deform* begin_deform( const scene* s, const bvw_deform_options* options )
{
	bvw_deform* deform = NULL;
	size_t bytes = bvw_deform_bytes( s->mesh.file, options );
	void* memory = take_memory( bytes ? bytes : 8 );
	if ( bytes == 0 || bvw_deform_begin( s->mesh.file, options, memory, bytes, &deform ) != bv_ok )
	{
		free( memory );
		return NULL;
	}
	return deform;
}

static void run( scene* s )
{
	uint8_t kind = take_byte( &s->n );
	s->options = ( bvw_deform_options ){ .frames = kind & 1 ? bvw_deform_turn : bvw_deform_keep,
		                                 .motion = kind & 2,
		                                 .errors = kind & 4,
		                                 .no_lists = kind / 8 % 4 == 0 };
	s->options.errors = s->options.errors && bvw_deform_bytes( s->mesh.file, &s->options ) > 0;
	s->bytes = bvw_deform_bytes( s->mesh.file, &s->options );
	s->deform = begin_deform( s, &s->options );
	s->whole = begin_deform( s, &s->options );
	s->plain = begin_deform( s, &s->options );
	s->posed_by = -1;
	for ( uint32_t i = 0; i < s->vertices && s->deform; ++i )
	{
		s->rest[i] = bvfile_local_vertex( bvw_deform_file( s->deform ), i );
	}
	for ( uint32_t i = 0; i < 3 * s->triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( s->mesh.file, i / 3, corner );
		s->used[corner[i % 3]] = true;
	}
	if ( s->deform )
	{
		s->before[0] = take_memory( s->bytes );
		for ( int i = 0; i < skins; ++i )
		{
			begin_skin( s, s->of + i );
			s->before[1 + i] = take_memory( s->of[i].bytes + 1 );
		}
	}
	bool has_skin = s->of[0].skin || s->of[1].skin;
	int steps = 1 + take_byte( &s->n ) % most_steps;
	for ( int i = 0; i < steps && has_skin; ++i )
	{
		act( s );
	}
	// fuzz_deform asks more.
	if ( has_skin && !s->is_stale && take_chance( &s->n, 32 ) )
	{
		subject of = subject_of( bvw_deform_file( s->deform ) );
		query_all( &s->n, &of, &s->mesh.of );
	}
	for ( int i = 0; i < skins; ++i )
	{
		free( s->of[i].skin );
		free( s->of[i].whole );
		free( s->before[1 + i] );
	}
	free( s->before[0] );
	free( s->deform );
	free( s->whole );
	free( s->plain );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	scene* s = calloc( 1, sizeof *s );
	expect( s );
	s->of = calloc( skins, sizeof *s->of );
	expect( s->of );
	size_t length = open_mesh( data, size, &s->mesh );
	s->n = numbers_begin( data + length, size - length );
	s->vertices = s->mesh.of.vertices;
	s->triangles = s->mesh.of.triangles;
	if ( s->vertices > 0 && s->vertices <= most_vertices && s->triangles <= most_faces )
	{
		run( s );
	}
	free( s->mesh.memory );
	free( s->of );
	free( s );
	return 0;
}
