// Rays at vertices, at points of edges, along edges and in the planes of faces of closed meshes: none passes
// the surface unseen, and none sees a crossing twice.
//
// The expected values come from what a closed surface is. A ray from a point inside leaves it, first through
// the back of a triangle. A ray from far away enters it first, through a front, and enters and leaves in
// turn; at a point that is known to be inside it has entered once more than it has left. What is inside is
// known from the sum of solid angles, see nearest_winding. Hits closer together than `together` are one
// crossing, and where these are of fronts and backs, as at a silhouette, the ray may have crossed the surface
// or not. Nor is there an order of hits where a ray runs in the plane of a triangle that it meets, which
// bv_mesh_cast_ray does not count as a hit: the ray touches the sides of other triangles where it enters that
// triangle and where it leaves it. Such rays are found in arithmetic of 113 bits, up to the rounding of
// targets, and must still hit.
//
// BV_LEAK_RAYS is the number of rays. BV_LEAK_MESHES names files of closed meshes that do not intersect
// themselves, separated by spaces.

#include "decomposed_meshes.h"

#include "runtime/tree/levels.h"
#include "tests/reference/nearest.h"
#include "tests/reference/quad.h"

#include <stdio.h>

enum
{
	default_rays = 400000,
	balls_most = 48,
	aims_most = 256,
	walk_every = 8,    // rays whose crossings are all looked at
	level_every = 64,  // rays that all levels of the instruction set cast
	reports_most = 10, // of violations
};

// Of the size of a mesh.
static const double together = 1e-7;

// A ball inside a mesh.
typedef struct inner_ball
{
	bv_vec3 center;
	double radius;
} inner_ball;

// A point inside that lies in a triangle's plane, or on the line of its first edge.
typedef struct inner_aim
{
	bv_vec3 at;
	uint32_t triangle;
} inner_aim;

typedef struct closed_mesh
{
	const char* name;
	const bv_file* file;
	uint32_t count;           // of triangles
	const bv_vec3 ( *of )[3]; // their corners
	double size;              // nothing is farther from the origin
	bool convex;
	inner_ball balls[balls_most];
	uint32_t ball_count;
	inner_aim planes[aims_most];
	uint32_t plane_count;
	inner_aim lines[aims_most];
	uint32_t line_count;
} closed_mesh;

typedef struct tally
{
	uint64_t rays;
	uint64_t casts;
	uint64_t crossings;
	uint64_t silhouettes; // of fronts and backs together
	uint64_t in_faces;    // rays without an order of hits
	uint64_t leaks;
	uint64_t wrong; // any other violation
	uint64_t odd_levels;
} tally;

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return plus( a, -1, b );
}

static bv_vec3 cross( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bv_vec3 any_direction( fixture* f )
{
	for ( ;; )
	{
		bv_vec3 d = plus( ( bv_vec3 ){ -1, -1, -1 }, 2, random_point( f ) );
		double square = dot( d, d );
		if ( square > 0.01 && square <= 1 )
		{
			return plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / sqrt( square ), d );
		}
	}
}

static void report( const closed_mesh* m, const bv_ray* ray, uint64_t number, const char* what )
{
	if ( number < reports_most )
	{
		bv_vec3 o = ray->origin;
		bv_vec3 d = ray->direction;
		printf( "%s: %s: origin %a %a %a direction %a %a %a\n", m->name, what, o.x, o.y, o.z, d.x, d.y, d.z );
		fflush( stdout );
	}
}

static bv_ray_result cast( const closed_mesh* m, bv_ray ray, double from, double to, bool fronts, bool backs,
                           tally* t )
{
	ray.from = from;
	ray.to = to;
	bv_ray_options options = bv_ray_options_default();
	options.no_fronts = !fronts;
	options.no_backs = !backs;
	bv_ray_result r;
	assert_int_equal( bv_mesh_cast_ray( m->file, NULL, &ray, &options, &r ), bv_ok );
	t->casts += 1;
	return r;
}

// In times of the ray.
static double slack_of( const closed_mesh* m, const bv_ray* ray )
{
	return together * m->size / length( ray->direction );
}

// Whether there is a triangle of the other side at the time of a hit as well.
static bool is_silhouette( const closed_mesh* m, const bv_ray* ray, const bv_ray_result* hit, tally* t )
{
	double slack = slack_of( m, ray );
	double from = fmax( hit->time - slack, 0 );
	return cast( m, *ray, from, hit->time + slack, hit->back, !hit->back, t ).found;
}

typedef enum side
{
	is_outside,
	is_inside,
	may_be_both,
} side;

static quad3 quad_of( bv_vec3 v )
{
	return ( quad3 ){ v.x, v.y, v.z };
}

// Whether the ray runs in the plane of a triangle and passes between its corners.
static bool runs_in_a_face( const closed_mesh* m, const bv_ray* ray )
{
	quad3 d = quad_of( ray->direction );
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bv_vec3* c = m->of[i];
		bv_vec3 normal = cross( minus( c[1], c[0] ), minus( c[2], c[0] ) );
		if ( fabs( dot( normal, ray->direction ) ) > 1e-9 * length( normal ) * length( ray->direction ) )
		{
			continue; // not nearly parallel
		}
		quad3 n = quad_cross( quad_difference( c[1], c[0] ), quad_difference( c[2], c[0] ) );
		double scale = 1e-15 * sqrt( (double)quad_dot( n, n ) );
		if ( scale <= 0 || fabs( (double)quad_dot( n, d ) ) > scale * length( ray->direction ) ||
		     fabs( (double)quad_dot( n, quad_difference( ray->origin, c[0] ) ) ) > scale * m->size )
		{
			continue;
		}
		int sides = 0;
		for ( int k = 0; k < 3; ++k )
		{
			quad turn = quad_dot( n, quad_cross( d, quad_difference( c[k], ray->origin ) ) );
			sides |= turn >= 0 ? 1 : 0;
			sides |= turn <= 0 ? 2 : 0;
		}
		if ( sides == 3 )
		{
			return true;
		}
	}
	return false;
}

// A violation of the order of hits, unless there is none.
static void report_order( const closed_mesh* m, const bv_ray* ray, const char* what, tally* t )
{
	if ( runs_in_a_face( m, ray ) )
	{
		t->in_faces += 1;
	}
	else
	{
		report( m, ray, t->leaks++, what );
	}
}

// From hit to hit. At time 1, if `inside_at_one`, the ray is at a point inside.
static void walk( const closed_mesh* m, const bv_ray* ray, side at, bool inside_at_one, tally* t )
{
	double slack = slack_of( m, ray );
	double from = 0;
	int groups = 0;
	bool whole = true; // no silhouettes
	for ( ;; )
	{
		bv_ray_result r = cast( m, *ray, from, INFINITY, true, true, t );
		if ( inside_at_one && ( !r.found || r.time > 1 ) )
		{
			if ( at == is_outside )
			{
				report_order( m, ray, "entered unseen", t );
			}
			at = is_inside;
			inside_at_one = false;
		}
		if ( !r.found )
		{
			break;
		}
		t->crossings += 1;
		groups += 1;
		bv_ray_result once_more = cast( m, *ray, r.time, r.time, true, true, t );
		if ( !once_more.found || once_more.at.triangle != r.at.triangle || once_more.time != r.time )
		{
			report( m, ray, t->wrong++, "another hit at the time of a hit" );
		}
		if ( is_silhouette( m, ray, &r, t ) )
		{
			t->silhouettes += 1;
			at = may_be_both;
			whole = false;
		}
		else
		{
			if ( at == ( r.back ? is_outside : is_inside ) )
			{
				report_order( m, ray, r.back ? "left without entering" : "entered without leaving", t );
			}
			at = r.back ? is_outside : is_inside;
		}
		from = r.time + slack;
	}
	if ( at == is_inside )
	{
		report_order( m, ray, "not left", t );
	}
	if ( m->convex && whole && groups > 2 )
	{
		report( m, ray, t->wrong++, "a crossing seen twice" );
	}
}

static bool is_same( const bv_ray_result* a, const bv_ray_result* b )
{
	return a->found == b->found && a->time == b->time && a->at.triangle == b->at.triangle &&
	       a->back == b->back && memcmp( a->at.weight, b->at.weight, sizeof a->at.weight ) == 0 &&
	       memcmp( &a->at.point, &b->at.point, sizeof a->at.point ) == 0 &&
	       a->volume_tests == b->volume_tests && a->triangle_tests == b->triangle_tests;
}

static void compare_levels( const closed_mesh* m, const bv_ray* ray, tally* t )
{
	bv_ray_result narrow;
	bv_ray_result wide;
	const bvtree_lanes* level;
	assert_int_equal( bvtree_cast_ray_in( bvtree_lanes_level( 0 ), m->file, NULL, ray, NULL, &narrow ),
	                  bv_ok );
	for ( uint32_t i = 1; ( level = bvtree_lanes_level( i ) ) != NULL; ++i )
	{
		assert_int_equal( bvtree_cast_ray_in( level, m->file, NULL, ray, NULL, &wide ), bv_ok );
		if ( !is_same( &narrow, &wide ) )
		{
			report( m, ray, t->odd_levels++, "another level has another answer" );
		}
	}
}

// @param walked  times of triangles that are nearly parallel to the ray mean nothing: only whether it hits is
//                certain
static void from_inside( const closed_mesh* m, bv_vec3 from, bv_vec3 direction, bool walked, tally* t )
{
	bv_ray ray = { from, direction, 0, INFINITY };
	bool levels = t->rays % level_every == 0;
	t->rays += 1;
	bv_ray_result r = cast( m, ray, 0, INFINITY, true, true, t );
	if ( !r.found )
	{
		report( m, &ray, t->leaks++, "no hit from inside" );
	}
	else if ( walked && !r.back && !is_silhouette( m, &ray, &r, t ) )
	{
		report_order( m, &ray, "a front first, from inside", t );
	}
	if ( walked && t->rays % walk_every == 0 )
	{
		walk( m, &ray, is_inside, false, t );
	}
	if ( levels )
	{
		compare_levels( m, &ray, t );
	}
}

// @param inside  at time 1 the ray is at a point inside
static void from_outside( const closed_mesh* m, bv_vec3 from, bv_vec3 direction, bool inside, bool walked,
                          tally* t )
{
	bv_ray ray = { from, direction, 0, INFINITY };
	bool levels = t->rays % level_every == 0;
	t->rays += 1;
	bv_ray_result r = cast( m, ray, 0, INFINITY, true, true, t );
	if ( inside && !( r.found && r.time <= 1 ) )
	{
		report( m, &ray, t->leaks++, "no hit on the way to a point inside" );
	}
	if ( walked && r.found && r.back && !is_silhouette( m, &ray, &r, t ) )
	{
		report_order( m, &ray, "a back first, from outside", t );
	}
	if ( walked && t->rays % walk_every == 0 )
	{
		walk( m, &ray, is_outside, inside, t );
	}
	if ( levels )
	{
		compare_levels( m, &ray, t );
	}
}

// A vertex, the middle of an edge, some point of an edge, or one of a face.
static bv_vec3 target_on( fixture* f, const bv_vec3 corner[3], uint64_t kind )
{
	switch ( kind % 4 )
	{
	case 0: return corner[0];
	case 1: return plus( plus( ( bv_vec3 ){ 0, 0, 0 }, 0.5, corner[0] ), 0.5, corner[1] );
	case 2: return plus( corner[0], random_unit( f ), minus( corner[1], corner[0] ) );
	default:
		return plus( plus( corner[0], 0.25, minus( corner[1], corner[0] ) ), 0.5,
		             minus( corner[2], corner[0] ) );
	}
}

// Past all of the mesh, on the line from a point inside through a target.
static bv_vec3 beyond( const closed_mesh* m, bv_vec3 inside, bv_vec3 target )
{
	bv_vec3 d = minus( target, inside );
	return plus( target, 3 * m->size / length( d ), d );
}

static bv_vec3 point_in( fixture* f, const inner_ball* ball )
{
	return plus( ball->center, 0.5 * ball->radius * random_unit( f ), any_direction( f ) );
}

static double* coordinate( bv_vec3* p, int axis )
{
	return axis == 0 ? &p->x : axis == 1 ? &p->y : &p->z;
}

// Through the target exactly; from inside if one of a few balls is on the line.
static void along_an_axis( fixture* f, const closed_mesh* m, bv_vec3 target, tally* t )
{
	int axis = (int)( random_bits( f ) % 3 );
	double sign = random_bits( f ) & 1 ? 1 : -1;
	bv_vec3 direction = { 0, 0, 0 };
	*coordinate( &direction, axis ) = sign;
	for ( int i = 0; i < 4; ++i )
	{
		const inner_ball* ball = &m->balls[random_bits( f ) % m->ball_count];
		bv_vec3 from = target;
		*coordinate( &from, axis ) = *coordinate( (bv_vec3*)&ball->center, axis );
		if ( length( minus( from, ball->center ) ) < 0.9 * ball->radius )
		{
			from_inside( m, from, direction, true, t );
			return;
		}
	}
	bv_vec3 from = target;
	*coordinate( &from, axis ) = -3 * sign * m->size;
	from_outside( m, from, direction, false, true, t );
}

static void shoot( fixture* f, const closed_mesh* m, tally* t )
{
	uint32_t triangle = (uint32_t)( ( random_bits( f ) >> 20 ) % m->count );
	uint64_t bits = random_bits( f ) >> 20;
	uint64_t kind = bits & 15;
	int turn = (int)( ( bits >> 4 ) % 3 );
	const bv_vec3* of = m->of[triangle];
	bv_vec3 corner[3] = { of[turn], of[( turn + 1 ) % 3], of[( turn + 2 ) % 3] };
	bv_vec3 target = target_on( f, corner, bits >> 16 );
	bv_vec3 inside = point_in( f, &m->balls[random_bits( f ) % m->ball_count] );
	const inner_aim* aim = NULL;
	if ( kind >= 12 && m->plane_count && ( kind < 14 || !m->line_count ) )
	{
		aim = &m->planes[random_bits( f ) % m->plane_count];
		target = target_on( f, m->of[aim->triangle], bits >> 16 );
	}
	else if ( kind >= 12 && m->line_count )
	{
		aim = &m->lines[random_bits( f ) % m->line_count];
		target = m->of[aim->triangle][bits >> 16 & 1];
	}
	if ( aim )
	{
		inside = aim->at;
	}
	if ( kind < 4 )
	{
		along_an_axis( f, m, target, t );
	}
	else if ( kind & 1 )
	{
		from_inside( m, inside, minus( target, inside ), !aim, t );
	}
	else
	{
		bv_vec3 from = beyond( m, inside, target );
		from_outside( m, from, minus( inside, from ), true, !aim, t );
	}
}

// Where planes of faces and lines of edges pass through the balls.
static void find_aims( fixture* f, closed_mesh* m )
{
	for ( int i = 0; i < 20000; ++i )
	{
		uint32_t triangle = (uint32_t)( ( random_bits( f ) >> 20 ) % m->count );
		const inner_ball* ball = &m->balls[random_bits( f ) % m->ball_count];
		const bv_vec3* t = m->of[triangle];
		bv_vec3 n = cross( minus( t[1], t[0] ), minus( t[2], t[0] ) );
		bv_vec3 edge = minus( t[1], t[0] );
		bv_vec3 to = minus( ball->center, t[0] );
		bv_vec3 in_plane = plus( ball->center, -dot( n, to ) / dot( n, n ), n );
		bv_vec3 on_line = plus( t[0], dot( edge, to ) / dot( edge, edge ), edge );
		if ( m->plane_count < aims_most && length( minus( in_plane, ball->center ) ) < 0.7 * ball->radius )
		{
			m->planes[m->plane_count++] = ( inner_aim ){ in_plane, triangle };
		}
		if ( m->line_count < aims_most && length( minus( on_line, ball->center ) ) < 0.7 * ball->radius )
		{
			m->lines[m->line_count++] = ( inner_aim ){ on_line, triangle };
		}
	}
}

static void find_balls( fixture* f, closed_mesh* m, const bvb_mesh* mesh )
{
	nearest_faces faces;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	bv_vec3 lower = m->of[0][0];
	bv_vec3 upper = lower;
	for ( uint32_t i = 0; i < 3 * m->count; ++i )
	{
		bv_vec3 p = m->of[i / 3][i % 3];
		lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
		upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
		m->size = fmax( m->size, length( p ) );
	}
	for ( int i = 0; i < 4000 && m->ball_count < balls_most; ++i )
	{
		bv_vec3 s = random_point( f );
		bv_vec3 p = { lower.x + s.x * ( upper.x - lower.x ), lower.y + s.y * ( upper.y - lower.y ),
			          lower.z + s.z * ( upper.z - lower.z ) };
		if ( nearest_winding( &faces, p ) < 0.5 )
		{
			continue;
		}
		double radius = 0.99 * nearest_distance( &faces, p, NULL );
		if ( radius > 1e-3 * m->size )
		{
			m->balls[m->ball_count++] = ( inner_ball ){ p, radius };
		}
	}
	assert_true( m->ball_count > 0 );
	nearest_free( &faces );
}

// The mesh is that of the file, so that targets are exact.
static closed_mesh* closed_mesh_of( fixture* f, const char* name, const bv_file* file, bool convex )
{
	closed_mesh* m = bvb_arena_allocate( f->arena, 1, sizeof *m );
	memset( m, 0, sizeof *m );
	bv_mesh_info info = bv_file_get_mesh( file );
	bvb_mesh mesh = mesh_create( f, info.vertices, info.triangles );
	bv_vec3( *corners )[3] = bvb_arena_allocate( f->arena, info.triangles, sizeof *corners );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		mesh.positions[i] = bv_file_get_vertex( file, i );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, mesh.triangles[i].corner );
		for ( int k = 0; k < 3; ++k )
		{
			corners[i][k] = mesh.positions[mesh.triangles[i].corner[k]];
		}
	}
	m->name = name;
	m->file = file;
	m->count = info.triangles;
	m->of = (const bv_vec3( * )[3])corners;
	m->convex = convex;
	find_balls( f, m, &mesh );
	find_aims( f, m );
	return m;
}

static uint64_t ray_count( void )
{
	const char* given = getenv( "BV_LEAK_RAYS" );
	return given ? strtoull( given, NULL, 10 ) : default_rays;
}

static void shoot_many( fixture* f, const closed_mesh* m, uint64_t count )
{
	tally t = { 0 };
	while ( t.rays < count )
	{
		shoot( f, m, &t );
	}
	printf( "%s: %u triangles, %llu rays, %llu casts, %llu crossings, %llu silhouettes, "
	        "%llu times in a face, %u planes, %u lines, %llu leaks\n",
	        m->name, m->count, (unsigned long long)t.rays, (unsigned long long)t.casts,
	        (unsigned long long)t.crossings, (unsigned long long)t.silhouettes,
	        (unsigned long long)t.in_faces, m->plane_count, m->line_count, (unsigned long long)t.leaks );
	fflush( stdout );
	assert_int_equal( t.leaks, 0 );
	assert_int_equal( t.wrong, 0 );
	assert_int_equal( t.odd_levels, 0 );
	assert_true( t.crossings > t.rays / walk_every / 2 );
	assert_true( t.silhouettes < t.crossings / 4 );
}

static const bv_file* file_in( fixture* f, const bvb_mesh* mesh, const char* preset,
                               bvb_position_form positions )
{
	bvb_asset_options options = plain_options();
	bvb_asset_options wanted = bvb_asset_options_default();
	assert_true( bvb_preset_options( preset, &wanted ) );
	options.hierarchy = wanted.hierarchy;
	options.record.positions = positions;
	return build_file( f, mesh, &options );
}

static void rays_at_edges_of_generated_meshes_do_not_leak( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	bvb_mesh ball = icosphere( f, 3 );
	bvb_mesh ring = torus( f, 0.3, 24, 8 );
	bvb_mesh bumpy = bumpy_ball( f, 24 );
	const struct
	{
		const char* name;
		const bvb_mesh* mesh;
		bool convex;
		const char* preset;
		bvb_position_form positions;
	} rows[] = {
		{ "cube", &cube, true, "balanced", bvb_positions_float },
		{ "icosphere", &ball, true, "balanced", bvb_positions_float },
		{ "torus", &ring, false, "balanced", bvb_positions_float },
		{ "bumpy ball", &bumpy, false, "balanced", bvb_positions_float },
		{ "torus, fast", &ring, false, "fast", bvb_positions_float },
		{ "torus, best", &ring, false, "best", bvb_positions_float },
		{ "torus, quantized", &ring, false, "balanced", bvb_positions_quantized },
	};
	const uint64_t count = sizeof rows / sizeof *rows;
	for ( uint64_t i = 0; i < count; ++i )
	{
		const bv_file* file = file_in( f, rows[i].mesh, rows[i].preset, rows[i].positions );
		const closed_mesh* m = closed_mesh_of( f, rows[i].name, file, rows[i].convex );
		shoot_many( f, m, ray_count() / count );
	}
}

static void rays_at_edges_of_real_meshes_do_not_leak( void** state )
{
	fixture* f = *state;
	const char* names = getenv( "BV_LEAK_MESHES" );
	if ( !names || !*names )
	{
		skip();
	}
	uint64_t count = 1;
	for ( const char* c = names; *c; ++c )
	{
		count += *c == ' ';
	}
	char* list = strdup( names );
	for ( char* name = strtok( list, " " ); name; name = strtok( NULL, " " ) )
	{
		bvb_import_options options = bvb_import_options_default();
		bvb_import import;
		bvb_error error = { "" };
		if ( bvb_import_file( name, &options, f->arena, &import, &error ) != bv_ok )
		{
			fail_msg( "%s", error.message );
		}
		const bv_file* file = file_in( f, &import.scene.mesh, "balanced", bvb_positions_float );
		shoot_many( f, closed_mesh_of( f, name, file, false ), ray_count() / count );
	}
	free( list );
}

// The line of an edge of a cube, or of a diagonal of one of its faces, runs in the planes of the triangles at
// it, which it does not meet. It enters the cube at its end, through the triangles of other faces. All
// numbers are small integers, so times are exact.
static void rays_along_edges_of_a_cube_enter_at_their_ends( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = box_mesh( f, 1, 1, 1 );
	const bv_file* file = file_in( f, &cube, "balanced", bvb_positions_float );
	const bvtree_lanes* level;
	for ( uint32_t i = 0; i < 12 * 3 * 2; ++i )
	{
		const uint32_t* of = cube.triangles[i / 6].corner;
		bv_vec3 a = cube.positions[of[i % 3]];
		bv_vec3 b = cube.positions[of[( i + 1 ) % 3]];
		bv_vec3 d = i / 3 % 2 ? minus( b, a ) : minus( a, b );
		bv_vec3 end = i / 3 % 2 ? a : b;
		bv_ray ray = { plus( end, -2, d ), d, 0, INFINITY };
		for ( uint32_t k = 0; ( level = bvtree_lanes_level( k ) ) != NULL; ++k )
		{
			bv_ray_result r;
			assert_int_equal( bvtree_cast_ray_in( level, file, NULL, &ray, NULL, &r ), bv_ok );
			assert_true( r.found && !r.back && r.time == 2 );
			assert_true( length( minus( r.at.point, end ) ) == 0 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( rays_at_edges_of_generated_meshes_do_not_leak ),
		fixture_test( rays_at_edges_of_real_meshes_do_not_leak ),
		fixture_test( rays_along_edges_of_a_cube_enter_at_their_ends ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
