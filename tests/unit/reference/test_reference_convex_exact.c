// The exact oracle of convex pairs, judged itself: by closed forms, by shapes that are placed in two ways, and by a
// search over all features in arithmetic of 113 bits.

#include "support.h"

#include "tests/reference/convex_exact.h"
#include "tests/reference/gaps.h"
#include "tests/reference/quad.h"

typedef struct polytope
{
	bv_vec3 at[64];
	uint32_t count;
} polytope;

static bv_convex convex_of( const polytope* p )
{
	return bv_convex_points( p->at, p->count, 0 );
}

// Integer corners of a box around a center.
static polytope box_around( double x, double y, double z, double half )
{
	polytope out = { .count = 8 };
	for ( int i = 0; i < 8; ++i )
	{
		out.at[i] = ( bv_vec3 ){ x + ( i & 1 ? half : -half ), y + ( i & 2 ? half : -half ),
			                     z + ( i & 4 ? half : -half ) };
	}
	return out;
}

static polytope moved( polytope p, double x, double y, double z )
{
	for ( uint32_t i = 0; i < p.count; ++i )
	{
		p.at[i] = ( bv_vec3 ){ p.at[i].x + x, p.at[i].y + y, p.at[i].z + z };
	}
	return p;
}

// Corners times an integer matrix.
static polytope times( polytope p, const int matrix[3][3] )
{
	for ( uint32_t i = 0; i < p.count; ++i )
	{
		bv_vec3 v = p.at[i];
		p.at[i] = ( bv_vec3 ){ matrix[0][0] * v.x + matrix[0][1] * v.y + matrix[0][2] * v.z,
			                   matrix[1][0] * v.x + matrix[1][1] * v.y + matrix[1][2] * v.z,
			                   matrix[2][0] * v.x + matrix[2][1] * v.y + matrix[2][2] * v.z };
	}
	return p;
}

static bool is_at_most( double d, const mpq_t square )
{
	mpq_t own;
	mpq_init( own );
	mpq_set_d( own, d );
	mpq_mul( own, own, own );
	bool out = mpq_cmp( own, square ) <= 0;
	mpq_clear( own );
	return out;
}

// What holds of every result: numbers that are neighbors enclose the root of the exact square.
static void assert_bracket( const convex_exact_result* r, const mpq_t square )
{
	double small = r->sign >= 0 ? r->lower : -r->upper;
	double large = r->sign >= 0 ? r->upper : -r->lower;
	assert_int_equal( r->sign == 0, mpq_sgn( square ) == 0 );
	assert_true( small >= 0 && is_at_most( small, square ) );
	if ( small < large )
	{
		assert_true( !is_at_most( large, square ) );
		assert_true( large == nextafter( small, INFINITY ) );
	}
	else
	{
		mpq_t own;
		mpq_init( own );
		mpq_set_d( own, small );
		mpq_mul( own, own, own );
		assert_true( mpq_equal( own, square ) );
		mpq_clear( own );
	}
}

// Compares in both orders, which must agree.
static convex_exact_result compare( const bv_convex* a, const bv_transform* at_a, const bv_convex* b,
                                    const bv_transform* at_b, mpq_t square )
{
	convex_exact* memory = convex_exact_create();
	convex_exact_result first;
	convex_exact_result second;
	mpq_t other;
	mpq_init( other );
	assert_true( convex_exact_compare( memory, b, at_b, a, at_a, &second ) );
	convex_exact_square( memory, other );
	assert_true( convex_exact_compare( memory, a, at_a, b, at_b, &first ) );
	convex_exact_square( memory, square );
	assert_bracket( &first, square );
	assert_int_equal( first.sign, second.sign );
	assert_true( mpq_equal( square, other ) );
	assert_true( first.lower == second.lower && first.upper == second.upper );
	mpq_clear( other );
	convex_exact_destroy( memory );
	return first;
}

static void assert_square( const bv_convex* a, const bv_transform* at_a, const bv_convex* b,
                           const bv_transform* at_b, int sign, long numerator, unsigned long denominator )
{
	mpq_t square;
	mpq_t expected;
	mpq_init( square );
	mpq_init( expected );
	mpq_set_si( expected, numerator, denominator );
	mpq_canonicalize( expected );
	convex_exact_result r = compare( a, at_a, b, at_b, square );
	assert_int_equal( r.sign, sign );
	assert_true( mpq_equal( square, expected ) );
	mpq_clear( square );
	mpq_clear( expected );
}

static void assert_pair( polytope a, polytope b, int sign, long numerator, unsigned long denominator )
{
	bv_convex shape[2] = { convex_of( &a ), convex_of( &b ) };
	assert_square( &shape[0], NULL, &shape[1], NULL, sign, numerator, denominator );
}

// Cubes of edge 2. Gaps along one, two, three axes: faces, edges, corners are nearest.
static void cubes_are_as_far_apart_as_their_gaps( void** state )
{
	(void)state;
	for ( int axes = 1; axes < 8; ++axes )
	{
		for ( int gap = 0; gap <= 3; ++gap )
		{
			int count = ( axes & 1 ) + ( axes >> 1 & 1 ) + ( axes >> 2 );
			polytope b =
				box_around( axes & 1 ? 2 + gap : 0, axes & 2 ? 2 + gap : 0, axes & 4 ? 2 + gap : 0, 1 );
			assert_pair( box_around( 0, 0, 0, 1 ), b, gap > 0, (long)count * gap * gap, 1 );
		}
	}
}

// Axis-aligned boxes separate along the axis of the smallest overlap.
static void cubes_overlap_by_their_smallest_overlap( void** state )
{
	(void)state;
	for ( int x = -7; x <= 7; ++x )
	{
		for ( int y = -7; y <= 7; ++y )
		{
			int most = abs( x ) > abs( y ) ? abs( x ) : abs( y );
			most = most > 3 ? most : 3;
			assert_pair( box_around( 0, 0, 0, 4 ), box_around( x, y, -3, 4 ), -1,
			             (long)( 8 - most ) * ( 8 - most ), 1 );
		}
	}
}

// The cube of half edge 5 turned by the angle with cosine 3/5 has integer corners, and reaches 7 along x and y. Its edge
// at (12 - 7, -1) meets the face x = 5 of the other cube.
static void a_turned_cube_touches_with_its_edge( void** state )
{
	(void)state;
	static const int turn[3][3] = { { 3, -4, 0 }, { 4, 3, 0 }, { 0, 0, 5 } };
	polytope turned = times( box_around( 0, 0, 0, 1 ), turn );
	for ( int shift = -2; shift <= 3; ++shift )
	{
		assert_pair( box_around( 0, 0, 0, 5 ), moved( turned, 12 + shift, 0, 0 ),
		             shift > 0    ? 1
		             : shift == 0 ? 0
		                          : -1,
		             (long)shift * shift, 1 );
	}
}

// The matrix with rows (2, -1, 2), (2, 2, -1), (-1, 2, 2) is three times a rotation. A cube of half edge 3 turned by it
// reaches 5 along x, with its corner at (-5, -1, 1) or so.
static void a_turned_cube_touches_with_its_corner( void** state )
{
	(void)state;
	static const int turn[3][3] = { { 2, -1, 2 }, { 2, 2, -1 }, { -1, 2, 2 } };
	polytope turned = times( box_around( 0, 0, 0, 1 ), turn );
	for ( int shift = -1; shift <= 3; ++shift )
	{
		assert_pair( box_around( 0, 0, 0, 10 ), moved( turned, 15 + shift, 0, 0 ),
		             shift > 0    ? 1
		             : shift == 0 ? 0
		                          : -1,
		             (long)shift * shift, 1 );
	}
}

static const polytope tetrahedron = { { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } }, 4 };

// The inscribed sphere has the radius 1 / sqrt 3. The difference of the tetrahedron and itself is a cuboctahedron, whose
// squares are at the distance 2. A point at (-1, -1, -1) t is at sqrt 3 t - 1 / sqrt 3 from the face.
static void tetrahedra_have_their_known_depths( void** state )
{
	(void)state;
	polytope point = { { { 0, 0, 0 } }, 1 };
	assert_pair( tetrahedron, point, -1, 1, 3 );
	assert_pair( tetrahedron, tetrahedron, -1, 4, 1 );
	assert_pair( tetrahedron, moved( point, -1, -1, -1 ), 1, 4, 3 );
	assert_pair( tetrahedron, moved( point, 1, 1, 1 ), 0, 0, 1 );
	assert_pair( tetrahedron, moved( point, 4, 3, 1 ), 1, 13, 1 );
}

// The common normal of lines along (1, 2, 3) and (3, 1, 2), which cross at distance 1 of that normal's length.
static void edges_have_the_distance_of_their_lines( void** state )
{
	(void)state;
	polytope a = { { { -1, -2, -3 }, { 1, 2, 3 } }, 2 };
	polytope b = { { { -3, -1, -2 }, { 3, 1, 2 } }, 2 };
	assert_pair( a, b, 0, 0, 1 );
	assert_pair( a, moved( b, 1, 7, -5 ), 1, 75, 1 );
	assert_pair( a, moved( b, 1, 0, 0 ), 1, 1, 75 );
	assert_pair( a, moved( a, 2, 4, 6 ), 0, 0, 1 );
	assert_pair( a, moved( a, 3, 6, 9 ), 1, 14, 1 );
	assert_pair( a, moved( a, 0, 3, -2 ), 1, 13, 1 );
}

static void flat_shapes_in_one_plane_touch( void** state )
{
	(void)state;
	polytope a = { { { 0, 0, 5 }, { 4, 0, 5 }, { 0, 4, 5 }, { 1, 1, 5 } }, 4 };
	assert_pair( a, moved( a, 1, 1, 0 ), 0, 0, 1 );
	assert_pair( a, moved( a, 0, 0, 1 ), 1, 1, 1 );
	assert_pair( a, a, 0, 0, 1 );
	polytope point = { { { 1, 1, 5 } }, 1 };
	assert_pair( a, point, 0, 0, 1 );
	// Triangles that cross have a difference with volume: moving one up by 1 separates these, and no way is shorter.
	polytope crossing = { { { 1, 1, 4 }, { 1, 1, 6 }, { 2, 1, 4 } }, 3 };
	assert_pair( a, crossing, -1, 1, 1 );
}

static void a_flat_shape_has_a_depth_in_a_solid_one( void** state )
{
	(void)state;
	polytope triangle = { { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } }, 3 };
	polytope segment = { { { -9, 0, 1 }, { 9, 0, 1 } }, 2 };
	assert_pair( box_around( 0, 0, 0, 3 ), triangle, -1, 9, 1 );
	assert_pair( box_around( 0, 0, 0, 3 ), segment, -1, 4, 1 );
	assert_pair( box_around( 0, 0, 0, 3 ), moved( segment, 0, 0, 2 ), 0, 0, 1 );
	assert_pair( box_around( 0, 0, 0, 3 ), moved( segment, 0, 4, 6 ), 1, 17, 1 );
}

// The units in the last place of coordinates around 10^6 are 2^-33.
static void a_unit_in_the_last_place_parts_cubes( void** state )
{
	(void)state;
	polytope a = box_around( 1e6, -1e6, 1e6, 1 );
	polytope b = moved( a, 2, 0.25, 0.5 );
	bv_convex shape[2] = { convex_of( &a ), convex_of( &b ) };
	mpq_t square;
	mpq_init( square );
	for ( int step = -1; step <= 1; ++step )
	{
		polytope c = moved( b, step * 0x1p-33, 0, 0 );
		shape[1] = convex_of( &c );
		convex_exact_result r = compare( &shape[0], NULL, &shape[1], NULL, square );
		assert_int_equal( r.sign, step );
		assert_true( r.lower == step * 0x1p-33 && r.upper == r.lower );
		assert_true( r.size == 1e6 + 3 + step * 0x1p-33 );
	}
	mpq_clear( square );
}

// A rotation of rows (3/5, -4/5, 0), (4/5, 3/5, 0) in binary64 numbers is not orthonormal. What it makes of corners is
// computed here in fractions.
static void placements_are_not_rounded( void** state )
{
	(void)state;
	polytope a = box_around( 0, 0, 0, 5 );
	bv_convex shape[2] = { convex_of( &a ), convex_of( &a ) };
	bv_transform at = bv_transform_translation( 13, 0, 0 );
	at.pose.rotation[0][0] = at.pose.rotation[1][1] = 0.6;
	at.pose.rotation[0][1] = -0.8;
	at.pose.rotation[1][0] = 0.8;
	at.scale = 1.1;
	at.mirror = true;
	mpq_t square;
	mpq_t expected;
	mpq_t term;
	mpq_inits( square, expected, term, NULL );
	convex_exact_result r = compare( &shape[0], NULL, &shape[1], &at, square );
	assert_int_equal( r.sign, 1 );
	// The corner nearest to x = 5: 13 - 1.1 ( 0.6 + 0.8 ) 5 - 5.
	mpq_set_d( expected, 0.6 );
	mpq_set_d( term, 0.8 );
	mpq_add( expected, expected, term );
	mpq_set_d( term, 1.1 );
	mpq_mul( expected, expected, term );
	mpq_set_si( term, 5, 1 );
	mpq_mul( expected, expected, term );
	mpq_set_si( term, 8, 1 );
	mpq_sub( expected, term, expected );
	mpq_mul( expected, expected, expected );
	assert_true( mpq_equal( square, expected ) );
	mpq_clears( square, expected, term, NULL );
}

// Mirrored, turned by a quarter, scaled and moved: all exact in binary64, on either shape.
static void placed_shapes_are_like_shapes_of_placed_corners( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 200; ++round )
	{
		polytope a = { .count = 6 };
		polytope b = { .count = 5 };
		polytope c = { .count = 5 };
		bv_transform at = bv_transform_translation( 1.5, -0.25, 0.125 );
		at.pose.rotation[0][0] = at.pose.rotation[1][1] = 0;
		at.pose.rotation[0][1] = -1;
		at.pose.rotation[1][0] = 1;
		at.scale = 0.25;
		at.mirror = round & 1;
		for ( uint32_t i = 0; i < 6; ++i )
		{
			bv_vec3 p = random_point( f );
			a.at[i] = ( bv_vec3 ){ floor( 16 * p.x ), floor( 16 * p.y ), p.z };
			b.at[i % 5] = ( bv_vec3 ){ floor( 64 * p.z ), floor( 64 * p.x ), floor( 8192 * p.y ) };
			c.at[i % 5] = bv_transform_point( &at, b.at[i % 5] );
		}
		bv_convex shape[3] = { convex_of( &a ), convex_of( &b ), convex_of( &c ) };
		mpq_t square[2];
		mpq_inits( square[0], square[1], NULL );
		convex_exact_result r = compare( &shape[0], NULL, &shape[1], &at, square[0] );
		convex_exact_result s = compare( &shape[2], NULL, &shape[0], NULL, square[1] );
		assert_int_equal( r.sign, s.sign );
		assert_true( mpq_equal( square[0], square[1] ) );
		mpq_clears( square[0], square[1], NULL );
	}
}

static void boxes_triangles_and_segments_are_their_corners( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( ( bv_vec3 ){ 1, 2, 3 }, ( bv_vec3 ){ 4, 4, 4 } );
	bv_convex segment = bv_convex_segment( ( bv_vec3 ){ 9, 0, 0 }, ( bv_vec3 ){ 0, 9, 0 } );
	bv_convex triangle =
		bv_convex_triangle( ( bv_vec3 ){ 9, 0, 9 }, ( bv_vec3 ){ 9, 9, 9 }, ( bv_vec3 ){ 9, 0, 10 } );
	bv_convex point = bv_convex_point( ( bv_vec3 ){ 1, -3, 8 } );
	assert_square( &box, NULL, &triangle, NULL, 1, 20, 1 );
	assert_square( &box, NULL, &point, NULL, 1, 2, 1 );
	assert_square( &point, NULL, &triangle, NULL, 1, 74, 1 );
	assert_square( &segment, NULL, &point, NULL, 1, 249, 2 );
	assert_square( &box, NULL, &segment, NULL, -1, 1, 1 );
	// Axes that are not orthonormal make a parallelepiped.
	bv_convex skew = box;
	skew.box.axis[0] = ( bv_vec3 ){ 1, 0x1p-14, 0 };
	bv_convex beyond =
		bv_convex_segment( ( bv_vec3 ){ 5, 6 + 0x1p-12, -9 }, ( bv_vec3 ){ 5, 6 + 0x1p-12, 9 } );
	assert_square( &skew, NULL, &beyond, NULL, 0, 0, 1 );
}

// Far from the origin files store corners relative to an offset. The sums have few enough digits here.
static void shapes_of_files_are_at_their_offset( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.sections |= 1u << bvb_section_parts;
	options.decompose.max_parts = 1;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x += 1e6 + 0x1p-10;
	}
	const bv_file* file = build_file( f, &mesh, &options );
	assert_true( bv_file_get_offset( file ).x > 9e5 );
	bv_convex shape[2] = { bv_convex_hull( file ), bv_convex_part( file, 0 ) };
	bv_convex point = bv_convex_point( ( bv_vec3 ){ 1e6 - 2, -2, -1 } );
	bv_transform turn = bv_transform_identity();
	turn.pose.rotation[0][0] = turn.pose.rotation[1][1] = -1;
	bv_convex turned = bv_convex_point( ( bv_vec3 ){ -1e6 + 2, 2, -1 } );
	mpq_t square;
	mpq_t expected;
	mpq_inits( square, expected, NULL );
	mpq_set_d( expected, ( 2 + 0x1p-10 ) * ( 2 + 0x1p-10 ) + 5 );
	for ( int i = 0; i < 2; ++i )
	{
		convex_exact_result r = compare( &shape[i], NULL, &point, NULL, square );
		assert_true( r.sign == 1 && mpq_equal( square, expected ) && r.size == 1e6 + 1 + 0x1p-10 );
		compare( &shape[i], &turn, &turned, NULL, square );
		assert_true( mpq_equal( square, expected ) );
		compare( &shape[i], NULL, &shape[1 - i], NULL, square );
		assert_true( mpq_cmp_ui( square, 1, 1 ) == 0 );
	}
	mpq_clears( square, expected, NULL );
}

static void shapes_that_are_not_polytopes_are_rejected( void** state )
{
	(void)state;
	convex_exact* memory = convex_exact_create();
	convex_exact_result r;
	bv_vec3 bad = { 0, NAN, 0 };
	bv_convex point = bv_convex_point( ( bv_vec3 ){ 0, 0, 0 } );
	bv_convex shape[] = { bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 1 ), bv_convex_points( &bad, 1, 0 ),
		                  bv_convex_points( &bad, 0, 0 ),
		                  bv_convex_cone( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, 1 ) };
	for ( size_t i = 0; i < sizeof( shape ) / sizeof( *shape ); ++i )
	{
		assert_false( convex_exact_compare( memory, &point, NULL, &shape[i], NULL, &r ) );
	}
	assert_true( convex_exact_compare( memory, &point, NULL, &point, NULL, &r ) );
	convex_exact_destroy( memory );
}

// The largest and smallest lengths.
static void lengths_of_any_size_have_brackets( void** state )
{
	(void)state;
	static const double size[] = { 0x1p200, 0x1p100, 0x1p-300, 0x1p-1000, 0x1p-1060, 0x1p-1074 };
	mpq_t square;
	mpq_init( square );
	for ( size_t i = 0; i < sizeof( size ) / sizeof( *size ); ++i )
	{
		for ( size_t k = 0; k < sizeof( size ) / sizeof( *size ); ++k )
		{
			bv_convex a = bv_convex_segment( ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ size[i], 0, 0 } );
			bv_convex b = bv_convex_segment( ( bv_vec3 ){ 0, size[k], 0 }, ( bv_vec3 ){ 0, 0, size[k] } );
			bv_convex c = bv_convex_point( ( bv_vec3 ){ -size[i], size[k], size[i] } );
			assert_int_equal( compare( &a, NULL, &b, NULL, square ).sign, 1 );
			assert_int_equal( compare( &a, NULL, &c, NULL, square ).sign, 1 );
			assert_int_equal( compare( &b, NULL, &c, NULL, square ).sign, 1 );
		}
	}
	mpq_clear( square );
}

// The distance of hulls of a few points: the smallest distance of triangles of their points. Where they overlap, the
// smallest distance of the origin from planes through three differences that have all others on one side.
static double searched( const polytope* a, const polytope* b, bool* is_apart )
{
	double gap = INFINITY;
	for ( uint32_t i = 0; i < a->count; ++i )
	{
		for ( uint32_t j = i; j < a->count; ++j )
		{
			for ( uint32_t k = j; k < a->count; ++k )
			{
				bv_vec3 face[3] = { a->at[i], a->at[j], a->at[k] };
				gap = fmin( gap, gap_of_hull( b->at, b->count, face ) );
			}
		}
	}
	quad3 d[64];
	uint32_t count = 0;
	for ( uint32_t i = 0; i < a->count; ++i )
	{
		for ( uint32_t j = 0; j < b->count; ++j )
		{
			d[count++] = quad_difference( b->at[j], a->at[i] );
		}
	}
	double depth = INFINITY;
	bool is_flat = true;
	bool is_inside = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( uint32_t j = i + 1; j < count; ++j )
		{
			for ( uint32_t k = j + 1; k < count; ++k )
			{
				quad3 u = { d[j].x - d[i].x, d[j].y - d[i].y, d[j].z - d[i].z };
				quad3 v = { d[k].x - d[i].x, d[k].y - d[i].y, d[k].z - d[i].z };
				quad3 n = quad_cross( u, v );
				quad least = 0;
				quad most = 0;
				for ( uint32_t l = 0; l < count; ++l )
				{
					quad3 w = { d[l].x - d[i].x, d[l].y - d[i].y, d[l].z - d[i].z };
					quad height = quad_dot( n, w );
					least = height < least ? height : least;
					most = height > most ? height : most;
				}
				is_flat = is_flat && least >= 0 && most <= 0;
				if ( ( least < 0 ) == ( most > 0 ) )
				{
					continue;
				}
				quad height = least < 0 ? quad_dot( n, d[i] ) : -quad_dot( n, d[i] );
				is_inside = is_inside && height >= 0;
				depth = fmin( depth, (double)height / sqrt( (double)quad_dot( n, n ) ) );
			}
		}
	}
	*is_apart = is_flat ? gap > 0 : !is_inside;
	return *is_apart ? gap : is_flat ? 0 : -depth;
}

// Few digits, so that 113 bits decide all signs, and so few values that many pairs touch.
static void pairs_of_few_points_are_as_searched( void** state )
{
	fixture* f = *state;
	int seen[3] = { 0 };
	mpq_t square;
	mpq_init( square );
	int rounds = is_thorough() ? 4000 : 200;
	for ( int round = 0; round < rounds; ++round )
	{
		polytope p[2];
		double steps = round % 3 == 0 ? 3 : round % 3 == 1 ? 6 : 0x1p20;
		for ( int k = 0; k < 2; ++k )
		{
			p[k].count = 2 + (uint32_t)( 4 * random_unit( f ) );
			for ( uint32_t i = 0; i < p[k].count; ++i )
			{
				bv_vec3 at = random_point( f );
				p[k].at[i] = ( bv_vec3 ){ floor( steps * at.x ) + ( k ? floor( 0.3 * steps ) : 0 ),
					                      floor( steps * at.y ), floor( steps * at.z ) };
			}
		}
		bool is_apart;
		double expected = searched( &p[0], &p[1], &is_apart );
		bv_convex shape[2] = { convex_of( &p[0] ), convex_of( &p[1] ) };
		convex_exact_result r = compare( &shape[0], NULL, &shape[1], NULL, square );
		++seen[r.sign + 1];
		assert_int_equal( r.sign, is_apart ? 1 : expected < 0 ? -1 : 0 );
		assert_true( fabs( r.lower - expected ) <= 1e-13 * fabs( expected ) );
	}
	assert_true( seen[0] > rounds / 20 && seen[1] > rounds / 50 && seen[2] > rounds / 5 );
	mpq_clear( square );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( cubes_are_as_far_apart_as_their_gaps ),
		fixture_test( cubes_overlap_by_their_smallest_overlap ),
		fixture_test( a_turned_cube_touches_with_its_edge ),
		fixture_test( a_turned_cube_touches_with_its_corner ),
		fixture_test( tetrahedra_have_their_known_depths ),
		fixture_test( edges_have_the_distance_of_their_lines ),
		fixture_test( flat_shapes_in_one_plane_touch ),
		fixture_test( a_flat_shape_has_a_depth_in_a_solid_one ),
		fixture_test( a_unit_in_the_last_place_parts_cubes ),
		fixture_test( placements_are_not_rounded ),
		fixture_test( placed_shapes_are_like_shapes_of_placed_corners ),
		fixture_test( boxes_triangles_and_segments_are_their_corners ),
		fixture_test( shapes_of_files_are_at_their_offset ),
		fixture_test( shapes_that_are_not_polytopes_are_rejected ),
		fixture_test( lengths_of_any_size_have_brackets ),
		fixture_test( pairs_of_few_points_are_as_searched ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
