// Contacts of spheres and meshes against closed forms that share no code with the library: the nearest point of each triangle,
// and the normals that its face, edge or corner may have by the vertices that triangles have in common.

#include "queries.h"

#include "bv/contact.h"

#include <stdio.h>

enum
{
	capacity = 64,
	triangles_near = 4000,
	most_expected = 4000,
};

static const double pi = 3.14159265358979323846;

// A triangle's nearest point to the sphere's middle, and the corners that it is between.
typedef struct expected
{
	bv_vec3 point;
	bv_vec3 normal; // from there to the middle
	double distance;
	bool has_weight[3];
	uint32_t triangle;
	bool is_allowed;
	bool is_known; // not within rounding of another answer
	bool
		is_behind; // the middle is behind the surface at this point, which it is farther away from than from another one
} expected;

typedef struct oracle
{
	const bv_file* file;
	uint32_t count;
	bv_vec3 ( *corner )[3]; // placed
	uint32_t ( *vertex )[3];
	expected all[most_expected];
} oracle;

static bv_vec3 on_segment( bv_vec3 p, bv_vec3 a, bv_vec3 b, double* part )
{
	bv_vec3 u = minus( b, a );
	double at = dot( minus( p, a ), u ) / dot( u, u );
	*part = at < 0 ? 0 : at > 1 ? 1 : at;
	return *part == 1 ? b : plus( a, *part, u );
}

// The foot on the plane if it is inside of all sides, else the nearest point of the sides.
static void nearest_of( const bv_vec3 t[3], bv_vec3 p, expected* out )
{
	bv_vec3 n = normal_of( t );
	double square = dot( n, n );
	bool is_inside = square > 0;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 side[3] = { t[k], t[( k + 1 ) % 3], p };
		is_inside &= dot( normal_of( side ), n ) > 0;
	}
	out->has_weight[0] = out->has_weight[1] = out->has_weight[2] = true;
	out->point = plus( p, -dot( minus( p, t[0] ), n ) / square, n );
	out->distance = length( minus( p, out->point ) );
	if ( is_inside )
	{
		return;
	}
	out->distance = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double part;
		bv_vec3 at = on_segment( p, t[k], t[( k + 1 ) % 3], &part );
		double distance = length( minus( p, at ) );
		if ( distance < out->distance )
		{
			out->distance = distance;
			out->point = at;
			out->has_weight[k] = part < 1;
			out->has_weight[( k + 1 ) % 3] = part > 0;
			out->has_weight[( k + 2 ) % 3] = false;
		}
	}
}

static void take_mesh( fixture* f, const bv_file* file, const bv_transform* t, oracle* o )
{
	o->file = file;
	o->count = bv_file_get_mesh( file ).triangles;
	assert_true( o->count <= most_expected );
	o->corner = bvb_arena_allocate( f->arena, o->count, sizeof *o->corner );
	o->vertex = bvb_arena_allocate( f->arena, o->count, sizeof *o->vertex );
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		bv_file_get_triangle( file, i, o->vertex[i] );
		get_placed( file, i, t, o->corner[i] );
		if ( t->mirror )
		{
			// The front is where corners are counterclockwise in the file.
			bv_vec3 moved = o->corner[i][1];
			uint32_t vertex = o->vertex[i][1];
			o->corner[i][1] = o->corner[i][2];
			o->corner[i][2] = moved;
			o->vertex[i][1] = o->vertex[i][2];
			o->vertex[i][2] = vertex;
		}
	}
}

static bv_vec3 unit_of( bv_vec3 v )
{
	return plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length( v ), v );
}

// At a corner of a triangle its angle there; equal for all triangles at an edge.
static double angle_at( const oracle* o, uint32_t triangle, const expected* e )
{
	for ( int k = 0; k < 3; ++k )
	{
		const bv_vec3* c = o->corner[triangle];
		if ( length( minus( c[k], e->point ) ) == 0 )
		{
			bv_vec3 u = unit_of( minus( c[( k + 1 ) % 3], c[k] ) );
			bv_vec3 v = unit_of( minus( c[( k + 2 ) % 3], c[k] ) );
			return acos( fmax( -1, fmin( 1, dot( u, v ) ) ) );
		}
	}
	return 1;
}

// All other corners of triangles that have all vertices of the feature must be behind the plane through the point.
static void judge( const oracle* o, expected* e )
{
	e->is_allowed = e->is_known = true;
	bv_vec3 sum = { 0, 0, 0 };
	const uint32_t* own = o->vertex[e->triangle];
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		bool has_all = true;
		for ( int k = 0; k < 3; ++k )
		{
			const uint32_t* v = o->vertex[i];
			has_all &= !e->has_weight[k] || v[0] == own[k] || v[1] == own[k] || v[2] == own[k];
		}
		if ( has_all )
		{
			sum = plus( sum, angle_at( o, i, e ), unit_of( normal_of( o->corner[i] ) ) );
		}
		for ( int k = 0; k < 3 && has_all; ++k )
		{
			bv_vec3 way = minus( o->corner[i][k], e->point );
			double rise = dot( way, e->normal ) / length( way );
			e->is_allowed &= !( rise > 1e-9 );
			e->is_known &= !( length( way ) > 0 ) || fabs( rise ) < 1e-9 || fabs( rise ) > 2e-3;
		}
	}
	e->is_behind = e->is_allowed && dot( sum, e->normal ) < 0;
}

static void ask_oracle( oracle* o, bv_vec3 middle )
{
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		expected* e = o->all + i;
		e->triangle = i;
		nearest_of( o->corner[i], middle, e );
		e->normal = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / e->distance, minus( middle, e->point ) );
	}
}

// Van Oosterom, Strackee 1983.
static double turns_around( const oracle* o, bv_vec3 p )
{
	double sum = 0;
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		bv_vec3 a = minus( o->corner[i][0], p );
		bv_vec3 b = minus( o->corner[i][1], p );
		bv_vec3 c = minus( o->corner[i][2], p );
		bv_vec3 t[3] = { { 0, 0, 0 }, b, c };
		double volume = dot( a, normal_of( t ) );
		double la = length( a ), lb = length( b ), lc = length( c );
		sum += 2 * atan2( volume, la * lb * lc + dot( a, b ) * lc + dot( b, c ) * la + dot( c, a ) * lb );
	}
	return sum / ( 4 * pi );
}

typedef struct tally
{
	uint64_t spheres;
	uint64_t contacts;
	uint64_t edges;
	uint64_t unknown; // within rounding of another answer, or around a thin part of the mesh
	double worst;     // of points, normals and separations, relative to the radius
} tally;

static bool is_same( const expected* e, const bv_mesh_contact* c, double radius, tally* t )
{
	double off = length( minus( e->point, c->at.point[0] ) ) / radius;
	off = fmax( off, length( minus( e->normal, c->normal ) ) );
	off = fmax( off, fabs( e->distance - radius - c->at.separation ) / radius );
	bool is = off < 1e-6;
	t->worst = is ? fmax( t->worst, off ) : t->worst;
	return is;
}

static void compare( oracle* o, bv_vec3 middle, double radius, double speculative, const bv_mesh_manifold* m,
                     uint32_t count, tally* t )
{
	ask_oracle( o, middle );
	bool has_unknown = false;
	t->spheres += 1;
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		expected* e = o->all + i;
		double separation = e->distance - radius;
		e->is_allowed = false;
		if ( separation > speculative * ( 1 + 1e-6 ) + 1e-9 * radius )
		{
			continue;
		}
		judge( o, e );
		has_unknown |= !e->is_known || e->is_behind;
		// It has contacts, or a manifold with its normal has others.
		bool found = !e->is_allowed || !e->is_known || e->is_behind ||
		             separation > speculative * ( 1 - 1e-6 ) - 1e-9 * radius;
		for ( uint32_t k = 0; k < count && !found; ++k )
		{
			found = dot( m[k].normal, e->normal ) > cos( 3.01 * pi / 180 );
		}
		assert_true( found );
	}
	t->unknown += has_unknown;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t k = 0; k < m[i].count; ++k )
		{
			const bv_mesh_contact* c = m[i].contact + k;
			bool found = has_unknown;
			t->contacts += 1;
			for ( uint32_t j = 0; j < o->count && !found; ++j )
			{
				const expected* e = o->all + j;
				found = e->is_allowed && is_same( e, c, radius, t );
				t->edges += found && !( e->has_weight[0] && e->has_weight[1] && e->has_weight[2] );
			}
			assert_true( found );
			assert_true( fabs( length( minus( c->at.point[1], middle ) ) - radius ) <= 1e-6 * radius );
		}
	}
}

static void spheres_have_the_contacts_of_closed_forms( void** state )
{
	fixture* f = *state;
	uint32_t rounds = is_thorough() ? 60 : 8;
	uint32_t spheres = is_thorough() ? 2000 : 250;
	void* scratch = malloc( BV_MESH_CONTACTS_SCRATCH( triangles_near ) );
	oracle* o = malloc( sizeof *o );
	tally t = { 0 };
	for ( uint32_t round = 0; round < rounds; ++round )
	{
		bvb_mesh mesh = bumpy_ball( f, 6 + round % 7 );
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			mesh.positions[i] = plus( mesh.positions[i], 0.04 * ( round % 3 ), random_around( f ) );
		}
		const bv_file* file = file_of_round( f, &mesh, (int)round );
		double scale = pow( 10, 12 * random_unit( f ) - 6 );
		bv_vec3 place = plus( ( bv_vec3 ){ 0, 0, 0 }, scale, random_around( f ) );
		bv_transform at = random_transform( f, scale, round % 4 == 3, place );
		take_mesh( f, file, &at, o );
		for ( uint32_t i = 0; i < spheres; ++i )
		{
			const bv_vec3* corner = o->corner[random_bits( f ) % o->count];
			bv_vec3 middle = plus( corner[0], random_unit( f ), minus( corner[1], corner[0] ) );
			double radius = scale * 0.4 * pow( 10, -1.5 * random_unit( f ) );
			middle = plus( middle, radius * ( 0.2 + random_unit( f ) ), random_around( f ) );
			double speculative = i % 2 ? 0 : 0.3 * radius * random_unit( f );
			double turns = turns_around( o, middle );
			// Randomly moved corners can make meshes that intersect themselves.
			if ( fabs( turns ) > 1e-6 )
			{
				continue;
			}
			bv_convex shape = bv_convex_sphere( middle, radius );
			bv_mesh_manifold found[capacity];
			bv_mesh_contacts_result result;
			bv_mesh_contacts_options options = { .speculative = speculative, .tolerance = 1e-12 * scale };
			bv_mesh_contacts_room room = { found, capacity, scratch,
				                           BV_MESH_CONTACTS_SCRATCH( triangles_near ) };
			assert_int_equal( bv_mesh_contacts_convex( file, &at, &shape, &options, &room, &result ), bv_ok );
			assert_int_equal( result.dropped, 0 );
			compare( o, middle, radius, speculative, found, result.count, &t );
		}
	}
	printf( "%lu spheres, %lu contacts, %lu of edges and corners, %lu near other answers or around thin "
	        "parts, off by %g of the radius\n",
	        (unsigned long)t.spheres, (unsigned long)t.contacts, (unsigned long)t.edges,
	        (unsigned long)t.unknown, t.worst );
	assert_true( t.contacts > t.spheres / 4 && t.edges > 100 && t.unknown < t.spheres / 10 );
	free( o );
	free( scratch );
}

// The middle is on a triangle that is too thin for a normal. Whatever the normal is, it has length 1.
static void needles_have_no_normals_of_length_0( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 2 );
	const bv_vec3 corners[6] = { { 0, 0, 0 }, { -0x1p-60, 0, 0 }, { 1, 0.5, 0 },
		                         { 0, 0, 0 }, { 1, 0.5, 0 },      { 0, 0x1p-120, 0 } };
	memcpy( mesh.positions, corners, sizeof corners );
	const bv_file* file = file_of_round( f, &mesh, 0 );
	assert_int_equal( bv_file_get_mesh( file ).triangles, 2 );
	for ( int exponent = -40; exponent <= 80; exponent += 10 )
	{
		for ( int i = 0; i < 2; ++i )
		{
			bv_mesh_manifold manifolds[capacity];
			static double scratch[BV_MESH_CONTACTS_SCRATCH( 16 ) / sizeof( double )];
			const bv_mesh_contacts_room room = { manifolds, capacity, scratch, sizeof scratch };
			bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, i * 1e-9 }, ldexp( 1, exponent ) );
			bv_mesh_contacts_result r;
			assert_int_equal( bv_mesh_contacts_convex( file, NULL, &ball, NULL, &room, &r ), bv_ok );
			for ( uint32_t k = 0; k < r.count; ++k )
			{
				for ( uint32_t c = 0; c < manifolds[k].count; ++c )
				{
					assert_true( fabs( length( manifolds[k].contact[c].normal ) - 1 ) < 1e-9 );
				}
			}
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( spheres_have_the_contacts_of_closed_forms, fixture_setup,
		                                 fixture_teardown ),
		fixture_test( needles_have_no_normals_of_length_0 ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
