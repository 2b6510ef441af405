// The adaptive medial axis: refining makes the spheres of a box and of a ball protrude less, by what is known of their depth; samples are where they are
// needed; surface that no sphere covers gets some.

#include "offline/literature/spheres/medial_axis.h"

#include "runtime/math/vec.h"
#include "support.h"

typedef struct subject
{
	bvb_mesh mesh;
	bvlit_face_pieces pieces;
	bvlit_depth_probe probe;
	bvlit_medial_axis axis;
	uint32_t* owner;   // of each piece
	uint32_t* members; // all pieces
	uint32_t member_count;
	uint32_t* places; // of inner spheres
	uint32_t place_count;
} subject;

static void list_inner( subject* s )
{
	s->place_count = 0;
	for ( uint32_t i = 0; i < s->axis.diagram.cell_count; ++i )
	{
		if ( s->axis.diagram.cells[i].alive && s->axis.spheres[i].inside )
		{
			s->places[s->place_count++] = i;
		}
	}
}

static void begin( fixture* f, subject* s, bvb_mesh mesh )
{
	bvb_winding* winding;
	bvb_error error;
	*s = ( subject ){ .mesh = mesh };
	assert_int_equal( bvlit_cut_faces( &s->mesh, 0, f->arena, &s->pieces ), bv_ok );
	assert_int_equal( bvb_winding_create( &s->mesh, f->arena, &winding, &error ), bv_ok );
	assert_int_equal( bvlit_depth_probe_create( &s->mesh, winding, f->arena, &s->probe ), bv_ok );
	assert_int_equal( bvlit_medial_axis_create( &s->mesh, &s->pieces, &s->probe, 4096, f->arena, &s->axis ),
	                  bv_ok );
	s->owner = bvb_arena_allocate( f->arena, s->pieces.count, sizeof *s->owner );
	s->members = bvb_arena_allocate( f->arena, s->pieces.count, sizeof *s->members );
	s->places = bvb_arena_allocate( f->arena, s->axis.diagram.room, sizeof *s->places );
	s->member_count = s->pieces.count;
	for ( uint32_t i = 0; i < s->pieces.count; ++i )
	{
		s->members[i] = i;
	}
	list_inner( s );
}

// All of the surface.
static void refine( subject* s, double error, uint32_t least_spheres, uint32_t most_samples )
{
	bvlit_refinement r = { s->owner,       0,     s->members, s->member_count, s->places,
		                   s->place_count, error, 0,          least_spheres,   most_samples };
	bvlit_medial_axis_refine( &s->axis, &r );
	list_inner( s );
}

static uint32_t samples( const subject* s )
{
	return s->axis.diagram.point_count - bvhull_far_points;
}

// Of a box with a corner in the origin.
static double depth_in_box( bv_vec3 size, bv_vec3 c )
{
	return fmin( fmin( fmin( c.x, size.x - c.x ), fmin( c.y, size.y - c.y ) ), fmin( c.z, size.z - c.z ) );
}

static double worst_in_box( const subject* s, bv_vec3 size )
{
	double worst = 0;
	for ( uint32_t i = 0; i < s->place_count; ++i )
	{
		const bvlit_medial_sphere* m = s->axis.spheres + s->places[i];
		double depth = depth_in_box( size, m->center );
		assert_true( fabs( m->depth - depth ) < 1e-12 );
		worst = fmax( worst, m->radius - depth );
	}
	return worst;
}

// Spheres are refined until none protrudes by more than is wanted: by the box's own distances, not by what the axis says.
static void refining_a_box_makes_its_spheres_protrude_less( void** state )
{
	fixture* f = *state;
	const bv_vec3 size = { 4, 1, 1 };
	subject s;
	begin( f, &s, box_mesh( f, size.x, size.y, size.z ) );
	double worst = worst_in_box( &s, size );
	assert_true( s.place_count > 20 && worst > 0.12 );
	uint32_t before = samples( &s );
	for ( double error = 0.1; error > 0.02; error *= 0.5 )
	{
		refine( &s, error, 1, 2000 );
		assert_true( worst_in_box( &s, size ) <= error );
		assert_true( samples( &s ) > before && samples( &s ) < before + 2000 );
		before = samples( &s );
	}
}

static bv_vec3 last_sample( const subject* s )
{
	const bvhull_tetrahedra* d = &s->axis.diagram;
	return bv_add( d->origin, bv_scale( d->step, d->points[d->point_count - 1] ) );
}

static double length_of( bv_vec3 v )
{
	return sqrt( bv_dot( v, v ) );
}

// The sample that is added is within the sphere that protruded most, which is gone.
static void the_worst_sphere_goes_first( void** state )
{
	fixture* f = *state;
	const bv_vec3 size = { 3, 2, 1 };
	subject s;
	begin( f, &s, box_mesh( f, size.x, size.y, size.z ) );

	// That piece has a sample from the beginning, so that none comes because it is not covered.
	s.member_count = 1;
	for ( int i = 0; i < 40; ++i )
	{
		bvlit_medial_sphere worst = { .radius = 0 };
		for ( uint32_t k = 0; k < s.place_count; ++k )
		{
			const bvlit_medial_sphere* m = s.axis.spheres + s.places[k];
			worst = m->radius - m->depth > worst.radius - worst.depth ? *m : worst;
		}
		refine( &s, 1e-3, 1, 1 );
		bv_vec3 p = last_sample( &s );
		double from_center = length_of( bv_sub( p, worst.center ) );
		assert_true( fabs( depth_in_box( size, p ) ) < 1e-6 );
		assert_true( from_center < worst.radius && fabs( from_center - worst.depth ) < 1e-6 );
		for ( uint32_t k = 0; k < s.place_count; ++k )
		{
			assert_true( length_of( bv_sub( s.axis.spheres[s.places[k]].center, worst.center ) ) > 0 );
		}
	}
}

// However well they fit, there are to be enough of them.
static void there_are_enough_spheres( void** state )
{
	fixture* f = *state;
	subject s;
	begin( f, &s, box_mesh( f, 4, 1, 1 ) );
	refine( &s, 10, 700, 2000 );
	assert_true( s.place_count >= 700 && s.place_count < 800 );
	uint32_t before = samples( &s );
	refine( &s, 10, 700, 2000 );
	assert_int_equal( samples( &s ), before );
}

// How many pieces no inner sphere comes as near as this to the middle of.
static uint32_t count_uncovered( const subject* s, double error )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->pieces.count; ++i )
	{
		bool covered = false;
		for ( uint32_t k = 0; k < s->place_count && !covered; ++k )
		{
			const bvlit_medial_sphere* m = s->axis.spheres + s->places[k];
			covered = length_of( bv_sub( m->center, s->pieces.middle[i] ) ) <= m->radius + error;
		}
		count += !covered;
	}
	return count;
}

// A cube and a bar beside it, too thin for the first samples: those that come where spheres protrude are none here, as that is of no concern.
static void what_is_not_covered_gets_samples( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bvb_mesh bar = box_mesh( f, 2, 0.1, 0.1 );
	bv_vec3 p[16];
	uint32_t t[24][3];
	for ( int i = 0; i < 8; ++i )
	{
		p[i] = cube.positions[i];
		p[8 + i] = bv_add( bar.positions[i], ( bv_vec3 ){ 1.5, 0, 0 } );
	}
	for ( int i = 0; i < 12; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			t[i][k] = cube.triangles[i].corner[k];
			t[12 + i][k] = bar.triangles[i].corner[k] + 8;
		}
	}
	subject s;
	begin( f, &s, mesh_of( f, p, 16, (const uint32_t( * )[3])t, 24 ) );
	uint32_t before = count_uncovered( &s, 0.02 );
	assert_true( before > s.pieces.count / 8 );
	bvlit_refinement r = {
		s.owner, 0, s.members, s.pieces.count, s.places, s.place_count, 0.02, 10, 1, 2000
	};
	bvlit_medial_axis_refine( &s.axis, &r );
	uint32_t now = samples( &s );
	assert_true( now > 64 );
	for ( uint32_t i = 64; i < now; ++i )
	{
		uint32_t piece = s.axis.piece[bvhull_far_points + i];
		const bv_vec3* grid = s.axis.diagram.points + bvhull_far_points + i;
		bv_vec3 at = bv_add( s.axis.diagram.origin, bv_scale( s.axis.diagram.step, *grid ) );
		assert_true( length_of( bv_sub( at, s.pieces.middle[piece] ) ) < 1e-5 );
	}
	list_inner( &s );
	assert_true( count_uncovered( &s, 0.02 ) < before / 2 );

	// Where all is covered none come.
	r.places = s.places;
	r.place_count = s.place_count;
	r.error = 10;
	bvlit_medial_axis_refine( &s.axis, &r );
	assert_int_equal( samples( &s ), now );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( refining_a_box_makes_its_spheres_protrude_less ),
		fixture_test( the_worst_sphere_goes_first ),
		fixture_test( there_are_enough_spheres ),
		fixture_test( what_is_not_covered_gets_samples ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
