// Boxes cut into prisms: distances in groups against 113 bits, intervals of all nodes of trees over sets of every kind against
// samples and against regions, which share nothing with prisms but the index.

#include "offline/hausdorff/group.h"
#include "offline/hausdorff/prisms.h"
#include "shapes.h"
#include "support.h"
#include "tests/reference/sampling.h"

enum
{
	lanes = bvhaus_lanes_of_group,
	kinds = 8,
	most_triangles = 200,
};

static const char* const kind_names[kinds] = { "soup", "sheet", "slivers",  "points",
	                                           "flat", "cube",  "parallel", "line" };

static bv_vec3 unit_vector( fixture* f )
{
	for ( ;; )
	{
		bv_vec3 v = { random_unit( f ) - 0.5, random_unit( f ) - 0.5, random_unit( f ) - 0.5 };
		double length = sqrt( v.x * v.x + v.y * v.y + v.z * v.z );
		if ( length > 0.1 )
		{
			return ( bv_vec3 ){ v.x / length, v.y / length, v.z / length };
		}
	}
}

// Axes of a box: any rotation.
static void random_axes( fixture* f, bv_vec3 axis[3] )
{
	axis[0] = unit_vector( f );
	double length;
	do
	{
		bv_vec3 v = unit_vector( f );
		axis[1] = ( bv_vec3 ){ axis[0].y * v.z - axis[0].z * v.y, axis[0].z * v.x - axis[0].x * v.z,
			                   axis[0].x * v.y - axis[0].y * v.x };
		length = sqrt( axis[1].x * axis[1].x + axis[1].y * axis[1].y + axis[1].z * axis[1].z );
	} while ( length < 0.1 );
	axis[1] = ( bv_vec3 ){ axis[1].x / length, axis[1].y / length, axis[1].z / length };
	axis[2] = ( bv_vec3 ){ axis[0].y * axis[1].z - axis[0].z * axis[1].y,
		                   axis[0].z * axis[1].x - axis[0].x * axis[1].z,
		                   axis[0].x * axis[1].y - axis[0].y * axis[1].x };
}

static bv_vec3 random_near( fixture* f, bv_vec3 p, double size )
{
	return ( bv_vec3 ){ p.x + size * ( random_unit( f ) - 0.5 ), p.y + size * ( random_unit( f ) - 0.5 ),
		                p.z + size * ( random_unit( f ) - 0.5 ) };
}

static void stored( bv_vec3* p, double scale, bv_vec3 offset )
{
	*p = ( bv_vec3 ){ (float)( scale * p->x + offset.x ), (float)( scale * p->y + offset.y ),
		              (float)( scale * p->z + offset.z ) };
}

static void quad( bvb_mesh* mesh, uint32_t at, bv_vec3 corner, bv_vec3 a, bv_vec3 b )
{
	bv_vec3 p = { corner.x + a.x, corner.y + a.y, corner.z + a.z };
	bv_vec3 q = { corner.x + b.x, corner.y + b.y, corner.z + b.z };
	bv_vec3 r = { p.x + b.x, p.y + b.y, p.z + b.z };
	set_triangle( mesh, at, corner, p, q );
	set_triangle( mesh, at + 1, p, r, q );
}

// Corners one by one: a set of triangles within a unit or so of the origin.
static uint32_t fill_set( fixture* f, bvb_mesh* mesh, int kind, uint32_t count )
{
	bv_vec3 origin = { 0, 0, 0 };
	bv_vec3 along = unit_vector( f );
	for ( uint32_t i = 0; i < count; i += 2 )
	{
		bv_vec3 at = random_near( f, origin, 1 );
		double x = ( i / 2 ) % 10 * 0.1;
		double y = ( i / 20 ) * 0.1;
		double bulge = 0.02 * random_unit( f );
		switch ( kind )
		{
		case 1:
			quad( mesh, i, ( bv_vec3 ){ x, y, bulge }, ( bv_vec3 ){ 0.1, 0, 0.01 },
			      ( bv_vec3 ){ 0, 0.1, 0 } );
			break;
		case 2: quad( mesh, i, at, unit_vector( f ), ( bv_vec3 ){ 1e-5, 1e-6, 0 } ); break;
		case 3: quad( mesh, i, at, ( bv_vec3 ){ 1e-4, 0, 0 }, ( bv_vec3 ){ 0, 1e-4, 1e-4 } ); break;
		case 4:
			quad( mesh, i, ( bv_vec3 ){ x, y, 0 }, ( bv_vec3 ){ 0.1, 0, 0 }, ( bv_vec3 ){ 0, 0.1, 0 } );
			break;
		case 6:
			quad( mesh, i, ( bv_vec3 ){ x, y, i % 4 * 0.2 }, ( bv_vec3 ){ 0.1, 0, 0 },
			      ( bv_vec3 ){ 0, 0.1, 0 } );
			break;
		case 7:
			quad( mesh, i, ( bv_vec3 ){ x * along.x * i, x * along.y * i, x * along.z * i }, along,
			      ( bv_vec3 ){ 1e-3, 0, 1e-3 } );
			break;
		default:
			set_triangle( mesh, i, at, random_near( f, at, 0.4 ), random_near( f, at, 0.4 ) );
			set_triangle( mesh, i + 1, at, random_near( f, at, 1 ), random_near( f, at, 0.1 ) );
			break;
		}
	}
	return count;
}

// As it would be stored, in any place and of any size. Without triangles that come out as less than that.
static bvb_mesh random_set( fixture* f, int kind )
{
	static const double scales[] = { 1, 1, 1e-20, 1e15 };
	static const double offsets[] = { 0, 0, 10, 3000 };
	bvb_mesh mesh = soup_create( f, most_triangles );
	uint32_t count;
	if ( kind == 5 )
	{
		cubes c = { 0 };
		fill_cubes( &c, ( const int[] ){ 0, 0, 0 }, ( const int[] ){ 2, 2, 2 }, true );
		mesh = surface_of_cubes( f, &c );
		count = mesh.triangle_count;
	}
	else
	{
		count =
			fill_set( f, &mesh, kind, 2 + 2 * (uint32_t)( random_bits( f ) % ( most_triangles / 2 - 1 ) ) );
	}
	double scale = scales[random_bits( f ) % 4];
	double offset = scale * offsets[random_bits( f ) % 4];
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3* c = mesh.positions + 3 * kept;
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = mesh.positions[3 * i + (uint32_t)k];
			stored( &c[k], scale, ( bv_vec3 ){ offset, -offset, 2 * offset } );
		}
		bv_vec3 a = { c[1].x - c[0].x, c[1].y - c[0].y, c[1].z - c[0].z };
		bv_vec3 b = { c[2].x - c[0].x, c[2].y - c[0].y, c[2].z - c[0].z };
		bv_vec3 n = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
		kept += fabs( n.x ) + fabs( n.y ) + fabs( n.z ) > 0;
	}
	mesh.triangle_count = kept;
	return mesh;
}

// What the nodes of one set came to.
typedef struct tally
{
	uint32_t nodes;
	uint32_t measured;
	uint32_t surfaces; // that differ from the solid
} tally;

static void assert_meets( const char* name, const char* what, const bvb_hausdorff* found,
                          const bvb_hausdorff* other, double rounding )
{
	if ( !( found->lower <= other->upper + rounding && other->lower <= found->upper + rounding ) )
	{
		fail_msg( "%s, %s: [%.9g, %.9g] and [%.9g, %.9g]", name, what, found->lower, found->upper,
		          other->lower, other->upper );
	}
}

static void assert_holds_samples( fixture* f, const char* name, const bvb_mesh* mesh,
                                  const bvhaus_index_node* node, const bv_obb* box,
                                  const bvb_hausdorff* found, bool surface )
{
	nearest_faces faces;
	volume* v = volume_of_obb( box );
	assert_non_null( v );
	assert_true( nearest_prepare( mesh, node->first_triangle, node->triangles, &faces ) );
	sampling_options s = sampling_options_default();
	s.measure = surface ? bvb_hausdorff_surface : bvb_hausdorff_solid;
	s.samples = 200;
	s.climb = 60;
	s.seed = random_bits( f );
	sampling_result r;
	assert_true( sampling_farthest( v, &faces, &s, &r ) );
	if ( !( r.distance <= found->upper ) )
	{
		fail_msg( "%s: a %s point is %.9g away, above %.9g", name, surface ? "surface" : "solid", r.distance,
		          found->upper );
	}
	nearest_free( &faces );
	volume_free( v );
}

static void assert_kept( const char* name, const bvb_hausdorff* found, const bvhaus_goal* goal )
{
	double wanted = fmax( found->lower * ( 1 + goal->relative ), found->lower + goal->absolute );
	if ( !( found->lower >= 0 && found->lower <= found->upper && found->upper <= wanted * ( 1 + 1e-12 ) ) )
	{
		fail_msg( "%s: [%.9g, %.9g] is wider than was asked for", name, found->lower, found->upper );
	}
}

static void measure_set( fixture* f, int kind, tally* c )
{
	static const double tolerances[] = { 0.5, 0.1, 0.1, 0.01 };
	const char* name = kind_names[kind];
	bvb_mesh mesh = random_set( f, kind );
	bvb_hierarchy_options how = box_tree_options();
	how.leaf_triangles = 1 + (uint32_t)( random_bits( f ) % 9 );
	how.collapse = random_bits( f ) % 2 ? BVB_MAX_CHILDREN : 0;
	bvb_tree* tree;
	if ( mesh.triangle_count == 0 )
	{
		return;
	}
	assert_int_equal( bvb_hierarchy_build( &mesh, &how, f->arena, &tree, NULL ), bv_ok );
	bvhaus_index* index = bvhaus_index_of_tree( &mesh, tree, f->arena );
	bvhaus_prisms* prisms = bvhaus_prisms_create( f->arena );
	double tolerance = tolerances[random_bits( f ) % 4];
	assert_true( index && prisms );
	for ( uint32_t i = bvb_tree_node_count( tree ); i-- > 0; )
	{
		bvhaus_index_ref ref = index->tree[i];
		if ( bvhaus_ref_is_triangle( ref ) )
		{
			continue;
		}
		const bvhaus_index_node* node = index->nodes + ref;
		bvb_node shown = bvb_tree_node( tree, i );
		const bv_obb* box = &shown.volume.obb;
		double diagonal = bvb_diameter_of( &shown.volume );
		double size = fabs( box->center.x ) + fabs( box->center.y ) + fabs( box->center.z ) + diagonal;
		bvhaus_goal goal = { .relative = tolerance, .absolute = 0.1 * tolerance * diagonal };
		bvb_hausdorff found[2];
		bvb_hausdorff other[2];
		bvb_hausdorff_target* target;
		uint32_t which[most_triangles];
		for ( uint32_t k = 0; k < node->triangles; ++k )
		{
			which[k] = node->first_triangle + k;
		}
		assert_int_equal(
			bvb_hausdorff_target_create( &mesh, which, node->triangles, f->arena, &target, NULL ), bv_ok );
		for ( int surface = 0; surface < 2; ++surface )
		{
			bvb_hausdorff_options options = { .measure =
				                                  surface ? bvb_hausdorff_surface : bvb_hausdorff_solid,
				                              .relative = 0.01,
				                              .absolute = 1e-3 * diagonal };
			assert_int_equal( bvb_hausdorff_obb( target, box, &options, &other[surface] ), bv_ok );
		}
		double thin = random_bits( f ) % 2 ? 0.25 * goal.absolute : 0;
		c->nodes += 1;
		if ( bvhaus_prisms_measure( prisms, index, ref, &goal, size, thin, &found[0], &found[1] ) )
		{
			c->measured += 1;
			c->surfaces += found[1].upper < found[0].lower;
			assert_kept( name, &found[0], &goal );
			for ( int surface = 0; surface < 2; ++surface )
			{
				assert_meets( name, surface ? "surface" : "solid", &found[surface], &other[surface],
				              1e-13 * size );
				assert_holds_samples( f, name, &mesh, node, box, &found[surface], surface );
			}
		}
		index->nodes[ref].error = other[0].upper;
	}
}

static void intervals_hold_what_samples_find_and_meet_those_of_regions( void** state )
{
	fixture* f = *state;
	const char* rounds = getenv( "BV_PRISM_ROUNDS" );
	uint32_t surfaces = 0;
	for ( int kind = 0; kind < kinds; ++kind )
	{
		tally c = { 0 };
		for ( int round = 0; round < ( rounds ? atoi( rounds ) : 4 ); ++round )
		{
			bvb_arena* arena = f->arena;
			f->arena = bvb_arena_create();
			measure_set( f, kind, &c );
			bvb_arena_destroy( f->arena );
			f->arena = arena;
		}
		surfaces += c.surfaces;

		// Far away and at narrow tolerances binary32 is no good, and some need too many prisms; most do not.
		if ( !( c.nodes > 4 && 2 * c.measured > c.nodes ) )
		{
			fail_msg( "%s: %u of %u nodes were measured", kind_names[kind], c.measured, c.nodes );
		}
	}
	assert_true( surfaces > 0 );
}

static bv_vec3 point_in( const bvhaus_local_frame* frame, const double at[3] )
{
	bv_vec3 p = frame->center;
	for ( int i = 0; i < 3; ++i )
	{
		double t = at[i] / frame->scale;
		p.x += t * frame->axis[i].x;
		p.y += t * frame->axis[i].y;
		p.z += t * frame->axis[i].z;
	}
	return p;
}

// Of slivers, too, and of triangles that are next to nothing.
static void groups_are_as_far_as_their_triangles( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 2000; ++round )
	{
		bvhaus_framed_triangle framed[lanes];
		const bvhaus_framed_triangle* triangles[lanes];
		nearest_faces faces[lanes];
		bvhaus_local_frame frame = { .scale = ldexp( 1, (int)( random_bits( f ) % 80 ) - 40 ) };
		frame.center = random_near( f, ( bv_vec3 ){ 0, 0, 0 }, 4 / frame.scale );
		random_axes( f, frame.axis );
		int count = 1 + (int)( random_bits( f ) % lanes );
		for ( int i = 0; i < count; ++i )
		{
			double thin = ldexp( 1, -(int)( random_bits( f ) % 40 ) );
			double length = ldexp( 1, -(int)( random_bits( f ) % 12 ) );
			bvb_mesh mesh = soup_create( f, 1 );
			bv_vec3 a = random_near( f, frame.center, 1 / frame.scale );
			bv_vec3 b = random_near( f, a, length / frame.scale );
			double t = random_unit( f );
			bv_vec3 c = { a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ) };
			set_triangle( &mesh, 0, a, b, random_near( f, c, thin * length / frame.scale ) );
			framed[i] = bvhaus_frame_triangle( mesh.positions );
			triangles[i] = &framed[i];
			assert_true( nearest_prepare( &mesh, 0, 1, &faces[i] ) );
		}
		bvhaus_triangle_group group;
		float at[3] = { (float)random_unit( f ) - 0.5f, (float)random_unit( f ) - 0.5f,
			            (float)random_unit( f ) };
		bvhaus_segments segment = { &at[0], &at[1], 1, -at[2], at[2] };
		float most[1][lanes];
		float least[1][2][lanes];
		for ( int i = 0; i < 2 * lanes; ++i )
		{
			least[0][i / lanes][i % lanes] = INFINITY;
		}
		assert_true( bvhaus_triangle_group_set( &group, triangles, count, &frame ) < 4 );
		bvhaus_triangle_group_squares( &group, &segment, most, least );
		for ( int i = 0; i < lanes; ++i )
		{
			double expected[2] = { INFINITY, INFINITY };
			for ( int end = 0; end < 2 && i < count; ++end )
			{
				double p[3] = { at[0], at[1], end ? at[2] : -at[2] };
				expected[end] = frame.scale * nearest_distance( &faces[i], point_in( &frame, p ), NULL );
				assert_true( fabs( sqrt( least[0][end][i] ) - expected[end] ) < 0x1p-19 );
			}
			double farther = fmax( expected[0], expected[1] );
			assert_true( i < count ? fabs( sqrt( most[0][i] ) - farther ) < 0x1p-19 : most[0][i] > 1e6f );
		}
		for ( int i = 0; i < count; ++i )
		{
			nearest_free( &faces[i] );
		}
	}
}

// By clamping, one coordinate after another.
static double distance_to_box( const bvhaus_solid_box* box, bv_vec3 p )
{
	double square = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double along = ( p.x - box->center.x ) * box->axis[i].x + ( p.y - box->center.y ) * box->axis[i].y +
		               ( p.z - box->center.z ) * box->axis[i].z;
		double beside = fmax( fabs( along ) - box->half_extents[i], 0 );
		square += beside * beside;
	}
	return sqrt( square );
}

static void groups_are_as_far_as_their_boxes_and_errors( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 2000; ++round )
	{
		bvhaus_solid_box solid[lanes];
		const bvhaus_solid_box* boxes[lanes];
		double errors[lanes];
		bvhaus_local_frame frame = { .scale = ldexp( 1, (int)( random_bits( f ) % 80 ) - 40 ) };
		frame.center = random_near( f, ( bv_vec3 ){ 0, 0, 0 }, 4 / frame.scale );
		random_axes( f, frame.axis );
		int count = 1 + (int)( random_bits( f ) % lanes );
		for ( int i = 0; i < count; ++i )
		{
			solid[i].center = random_near( f, frame.center, 0.5 / frame.scale );
			random_axes( f, solid[i].axis );
			for ( int k = 0; k < 3; ++k )
			{
				solid[i].half_extents[k] = random_bits( f ) % 4 ? 0.3 * random_unit( f ) / frame.scale : 0;
			}
			boxes[i] = &solid[i];
			errors[i] = random_bits( f ) % 8 ? random_unit( f ) / frame.scale : INFINITY;
		}
		bvhaus_box_group group;
		float at[3] = { (float)random_unit( f ) - 0.5f, (float)random_unit( f ) - 0.5f,
			            (float)random_unit( f ) };
		bvhaus_segments segment = { &at[0], &at[1], 1, -at[2], at[2] };
		float most[1][lanes];
		assert_true( bvhaus_box_group_set( &group, boxes, errors, count, &frame ) < 4 );
		bvhaus_box_group_squares( &group, &segment, most, NULL );
		for ( int i = 0; i < lanes; ++i )
		{
			double farther = 0;
			for ( int end = 0; end < 2 && i < count; ++end )
			{
				double p[3] = { at[0], at[1], end ? at[2] : -at[2] };
				farther = fmax( farther, frame.scale * distance_to_box( &solid[i], point_in( &frame, p ) ) );
			}
			bool is_near = i < count && errors[i] < INFINITY;
			double expected = is_near ? farther + frame.scale * errors[i] : 0;
			assert_true( is_near ? fabs( sqrt( most[0][i] ) - expected ) < 0x1p-19 : most[0][i] > 1e6f );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( intervals_hold_what_samples_find_and_meet_those_of_regions ),
		fixture_test( groups_are_as_far_as_their_triangles ),
		fixture_test( groups_are_as_far_as_their_boxes_and_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
