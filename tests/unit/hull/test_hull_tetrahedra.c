// Delaunay tetrahedra by insertion and of whole sets: in integers, by another expansion of the determinant, no point in any sphere; volumes that fill
// the one round all; neighbors that share three corners; spheres that touch their corners, and one that is known; points that are there already.

#include "offline/hull/tetrahedra.h"

#include "runtime/math/vec.h"
#include "support.h"

__extension__ typedef __int128 int128;

// Of rows that are differences of points, by the first row.
static int128 determinant3( int64_t m[3][3] )
{
	int128 sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		int a = ( k + 1 ) % 3;
		int b = ( k + 2 ) % 3;
		sum += (int128)m[0][k] * ( (int128)m[1][a] * m[2][b] - (int128)m[1][b] * m[2][a] );
	}
	return sum;
}

static void subtract( bv_vec3 a, bv_vec3 b, int64_t out[3] )
{
	out[0] = (int64_t)a.x - (int64_t)b.x;
	out[1] = (int64_t)a.y - (int64_t)b.y;
	out[2] = (int64_t)a.z - (int64_t)b.z;
}

// Six times its volume, positive for one whose last corner is where the others run counter-clockwise.
static int128 volume_of( const bvhull_tetrahedra* t, const bvhull_tetrahedron* c )
{
	int64_t m[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		subtract( t->points[c->corner[k + 1]], t->points[c->corner[0]], m[k] );
	}
	return determinant3( m );
}

// The paraboloid of the squared distance from corner 0 and the plane through the four corners on it: below that plane is what is within the
// sphere. Cofactors along the column of squares.
static bool is_within( const bvhull_tetrahedra* t, const bvhull_tetrahedron* c, uint32_t point )
{
	int64_t row[4][3];
	int128 sum = 0;
	for ( int k = 0; k < 4; ++k )
	{
		subtract( t->points[k < 3 ? c->corner[k + 1] : point], t->points[c->corner[0]], row[k] );
	}
	for ( int k = 0; k < 4; ++k )
	{
		int64_t minor[3][3];
		for ( int i = 0, at = 0; i < 4; ++i )
		{
			if ( i != k )
			{
				memcpy( minor[at++], row[i], sizeof row[i] );
			}
		}
		int64_t square = row[k][0] * row[k][0] + row[k][1] * row[k][1] + row[k][2] * row[k][2];
		sum += ( k % 2 ? 1 : -1 ) * (int128)square * determinant3( minor );
	}
	// Of the point itself alone the last row has a square: positive outside of a tetrahedron of positive volume.
	return sum < 0;
}

static bool has_corner( const bvhull_tetrahedron* c, uint32_t corner )
{
	return c->corner[0] == corner || c->corner[1] == corner || c->corner[2] == corner ||
	       c->corner[3] == corner;
}

static void check_neighbors( const bvhull_tetrahedra* t, uint32_t place )
{
	const bvhull_tetrahedron* c = t->cells + place;
	for ( int k = 0; k < 4; ++k )
	{
		if ( c->neighbor[k] == BVHULL_NO_TETRAHEDRON )
		{
			continue;
		}
		const bvhull_tetrahedron* other = t->cells + c->neighbor[k];
		int back = 0;
		assert_true( other->alive );
		for ( int i = 0; i < 4; ++i )
		{
			assert_int_equal( has_corner( other, c->corner[i] ), i != k );
			back += other->neighbor[i] == place;
		}
		assert_int_equal( back, 1 );
	}
}

// @param stride  of cells, one in so many is compared with all points
static void check_some( const bvhull_tetrahedra* t, uint32_t stride )
{
	int128 volume = 0;
	int hull = 0;
	for ( uint32_t i = 0; i < t->cell_count; ++i )
	{
		const bvhull_tetrahedron* c = t->cells + i;
		if ( !c->alive )
		{
			continue;
		}
		assert_true( volume_of( t, c ) > 0 );
		volume += volume_of( t, c );
		check_neighbors( t, i );
		for ( int k = 0; k < 4; ++k )
		{
			hull += c->neighbor[k] == BVHULL_NO_TETRAHEDRON;
		}
		for ( uint32_t p = 0; p < t->point_count && i % stride == 0; ++p )
		{
			assert_true( has_corner( c, p ) || !is_within( t, c, p ) );
		}
	}
	// The one round all is a third of a cube with sides of 2^24.
	assert_true( volume == (int128)2 << 72 );
	assert_int_equal( hull, 4 );
}

static void check( const bvhull_tetrahedra* t )
{
	check_some( t, 1 );
}

// Each with a hint that is anywhere.
static bvhull_tetrahedra insert_all( fixture* f, const bv_vec3* p, uint32_t count )
{
	bv_aabb box = { p[0], p[0] };
	for ( uint32_t i = 0; i < count; ++i )
	{
		box.lower = bvmath_least( box.lower, p[i] );
		box.upper = bvmath_greatest( box.upper, p[i] );
	}
	bvhull_tetrahedra t;
	assert_int_equal( bvhull_tetrahedra_create( &box, count, f->arena, &t ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t hint = (uint32_t)( random_bits( f ) % t.cell_count );
		while ( !t.cells[hint].alive )
		{
			hint = ( hint + 1 ) % t.cell_count;
		}
		assert_true( bvhull_tetrahedra_insert( &t, p[i], hint ) );
		for ( uint32_t k = 0; k < t.made_count; ++k )
		{
			assert_true( t.cells[t.made[k]].alive &&
			             has_corner( t.cells + t.made[k], bvhull_far_points + i ) );
		}
		for ( uint32_t k = 0; k < t.gone_count; ++k )
		{
			assert_false( t.cells[t.gone[k]].alive );
		}
	}
	return t;
}

static void no_point_is_in_a_sphere( void** state )
{
	fixture* f = *state;
	static const double scales[] = { 1, 0x1p-120, 0x1p120 };
	for ( int set = 0; set < 9; ++set )
	{
		uint32_t count = 4 + 30 * (uint32_t)set;
		bv_vec3* p = bvb_arena_allocate( f->arena, count, sizeof *p );
		for ( uint32_t i = 0; i < count; ++i )
		{
			p[i] = bv_scale( scales[set % 3], random_point( f ) );
		}
		bvhull_tetrahedra t = insert_all( f, p, count );
		check( &t );
	}
}

// Lattices, planes, lines, circles of many points: all ties there are.
static void ties_are_no_trouble( void** state )
{
	fixture* f = *state;
	bv_vec3 p[216];
	for ( int set = 0; set < 4; ++set )
	{
		uint32_t count = set == 0 ? 216 : set == 1 ? 144 : set == 2 ? 50 : 96;
		for ( uint32_t i = 0; i < count; ++i )
		{
			p[i] = set == 0   ? ( bv_vec3 ){ i % 6, i / 6 % 6, i / 36 }
			       : set == 1 ? ( bv_vec3 ){ 3, i % 12, i / 12 }
			       : set == 2 ? ( bv_vec3 ){ i, i, i } // Eight on a circle of radius 5, in twelve layers.
			                  : ( bv_vec3 ){ ( i & 1 ? 3 : 4 ) * ( i & 2 ? 1 : -1 ),
				                             ( i & 1 ? 4 : 3 ) * ( i & 4 ? 1 : -1 ), i / 8 };
		}
		bvhull_tetrahedra t = insert_all( f, p, count );
		check( &t );
	}
}

static void a_point_is_inserted_once( void** state )
{
	fixture* f = *state;
	bv_vec3 p[40];
	for ( int i = 0; i < 40; ++i )
	{
		p[i] = random_point( f );
	}
	bvhull_tetrahedra t = insert_all( f, p, 40 );
	assert_false( bvhull_tetrahedra_insert( &t, ( bv_vec3 ){ 0.5, 0.5, 0.5 }, t.made[0] ) ); // no room
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	assert_int_equal( bvhull_tetrahedra_create( &box, 50, f->arena, &t ), bv_ok );
	uint32_t hint = 0;
	for ( int i = 0; i < 40; ++i )
	{
		assert_true( bvhull_tetrahedra_insert( &t, p[i], hint ) );
		hint = t.made[0];
		assert_false( bvhull_tetrahedra_insert( &t, p[i / 2], hint ) );
	}
	assert_int_equal( t.point_count, bvhull_far_points + 40 );
	check( &t );
}

// What is said to be as far from all corners is, in units of the mesh, up to the steps that points were moved by.
static void spheres_touch_their_corners( void** state )
{
	fixture* f = *state;
	bv_vec3 p[100];
	for ( int i = 0; i < 100; ++i )
	{
		p[i] = bv_add( ( bv_vec3 ){ 7, -5, 3 }, bv_scale( 10, random_point( f ) ) );
	}
	bvhull_tetrahedra t = insert_all( f, p, 100 );
	uint32_t spheres = 0;
	for ( uint32_t i = 0; i < t.cell_count; ++i )
	{
		bv_vec3 center;
		double radius;
		if ( !t.cells[i].alive || !bvhull_tetrahedra_sphere( &t, i, &center, &radius ) )
		{
			continue;
		}
		spheres += 1;
		for ( int k = 0; k < 4; ++k )
		{
			bv_vec3 to = bv_sub( p[t.cells[i].corner[k] - bvhull_far_points], center );
			assert_true( fabs( sqrt( bv_dot( to, to ) ) - radius ) < 2 * t.step + 1e-9 * radius );
		}
	}
	assert_true( spheres > 200 );
}

// Each point is where its index says, up to half a step of the grid along each axis.
static bvhull_tetrahedra tetrahedra_of( fixture* f, const bv_vec3* p, uint32_t count )
{
	bvhull_tetrahedra t;
	uint32_t* index = bvb_arena_allocate( f->arena, count, sizeof *index );
	assert_int_equal( bvhull_tetrahedra_of( p, count, f->arena, &t, index ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_in_range( index[i], bvhull_far_points, t.point_count - 1 );
		bv_vec3 off = bv_sub( bv_add( t.origin, bv_scale( t.step, t.points[index[i]] ) ), p[i] );
		double most = fmax( fabs( off.x ), fmax( fabs( off.y ), fabs( off.z ) ) );
		assert_true( most <= 0.51 * t.step );
	}
	return t;
}

static uint32_t count_spheres( const bvhull_tetrahedra* t )
{
	uint32_t spheres = 0;
	for ( uint32_t i = 0; i < t->cell_count; ++i )
	{
		bv_vec3 center;
		double radius;
		spheres += t->cells[i].alive && bvhull_tetrahedra_sphere( t, i, &center, &radius );
	}
	return spheres;
}

// Four corners of a cube, on the grid: the cube's center is as far from all of them.
static void a_regular_tetrahedron_has_the_cubes_sphere( void** state )
{
	fixture* f = *state;
	static const bv_vec3 p[] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
	bvhull_tetrahedra t = tetrahedra_of( f, p, 4 );
	check( &t );
	assert_int_equal( count_spheres( &t ), 1 );
	for ( uint32_t i = 0; i < t.cell_count; ++i )
	{
		bv_vec3 c;
		double radius;
		if ( t.cells[i].alive && bvhull_tetrahedra_sphere( &t, i, &c, &radius ) )
		{
			assert_true( sqrt( bv_dot( c, c ) ) <= 1e-15 );
			assert_true( fabs( radius - sqrt( 3 ) ) <= 1e-15 );
		}
	}
}

static void sets_have_no_point_in_a_sphere( void** state )
{
	fixture* f = *state;
	static const double scales[] = { 1, 1e-30, 1e30 };
	for ( int set = 0; set < 9; ++set )
	{
		uint32_t count = 1 + 45 * (uint32_t)set;
		bv_vec3* p = bvb_arena_allocate( f->arena, count, sizeof *p );
		for ( uint32_t i = 0; i < count; ++i )
		{
			p[i] = bv_scale( scales[set % 3], random_point( f ) );
		}
		bvhull_tetrahedra t = tetrahedra_of( f, p, count );
		assert_int_equal( t.point_count, bvhull_far_points + count );
		check( &t );
	}
}

// Grids, on which any number of points are on one sphere exactly, and a ball, on which they are up to rounding.
static void points_on_common_spheres_are_filled( void** state )
{
	fixture* f = *state;
	bv_vec3 p[216];
	for ( uint32_t i = 0; i < 216; ++i )
	{
		p[i] = ( bv_vec3 ){ i % 6, i / 6 % 6, i / 36 };
	}
	bvhull_tetrahedra t = tetrahedra_of( f, p, 216 );
	check( &t );
	assert_true( count_spheres( &t ) >= 125 * 5 ); // fewer than five tetrahedra do not fill a cube
	for ( uint32_t i = 0; i < 200; ++i )
	{
		bv_vec3 q = bv_sub( random_point( f ), ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
		p[i] = bv_add( ( bv_vec3 ){ 100, 0, 0 }, bv_scale( 1 / sqrt( bv_dot( q, q ) ), q ) );
	}
	t = tetrahedra_of( f, p, 200 );
	check( &t );
	assert_true( count_spheres( &t ) > 100 );
}

// Few points, one point again and again, a line and a plane: all tetrahedra have a far point.
static void flat_sets_have_no_spheres( void** state )
{
	fixture* f = *state;
	static const uint32_t counts[] = { 1, 2, 3, 64, 64, 64 };
	bv_vec3 p[64];
	for ( int set = 0; set < 6; ++set )
	{
		for ( uint32_t i = 0; i < 64; ++i )
		{
			p[i] = ( bv_vec3 ){ set == 3 ? 1 : i % 8, set < 3 || set == 5 ? i / 8 : 2, 3 };
		}
		bvhull_tetrahedra t = tetrahedra_of( f, p, counts[set] );
		check( &t );
		assert_int_equal( count_spheres( &t ), 0 );
	}
}

static void duplicates_share_a_point( void** state )
{
	fixture* f = *state;
	bv_vec3 p[120];
	for ( int i = 0; i < 120; ++i )
	{
		p[i] = i < 40 ? random_point( f ) : p[i % 40];
	}
	bvhull_tetrahedra t = tetrahedra_of( f, p, 120 );
	assert_int_equal( t.point_count, bvhull_far_points + 40 );
	check( &t );
}

// Points on two skew lines: each step on one has a tetrahedron with each step on the other, so that there are as many as the product.
static void as_many_tetrahedra_as_there_are_have_room( void** state )
{
	fixture* f = *state;
	bv_vec3 p[200];
	for ( int i = 0; i < 200; ++i )
	{
		p[i] = i < 100 ? ( bv_vec3 ){ i, 0, 0 } : ( bv_vec3 ){ 50, i - 150, 100 };
	}
	bvhull_tetrahedra t = tetrahedra_of( f, p, 200 );
	assert_true( count_spheres( &t ) >= 99 * 99 );
	check_some( &t, 5 );
}

// A ring of 4000 points about twelve on its axis: what has one of these inserted late has a hole of some 2 * 2000 sides and more.
static void holes_of_any_size_are_filled( void** state )
{
	fixture* f = *state;
	enum
	{
		ring = 4000,
		axis = 12
	};
	bv_vec3* p = bvb_arena_allocate( f->arena, ring + axis, sizeof *p );
	for ( int i = 0; i < ring; ++i )
	{
		p[i] = ( bv_vec3 ){ cos( i * 6.283185307179586 / ring ), sin( i * 6.283185307179586 / ring ), 0 };
	}
	for ( int i = 0; i < axis; ++i )
	{
		p[ring + i] = ( bv_vec3 ){ 0, 0, 0.02 * ( i + 1 ) };
	}
	bvhull_tetrahedra t = tetrahedra_of( f, p, ring + axis );
	assert_int_equal( t.point_count, bvhull_far_points + ring + axis );
	check_some( &t, 499 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( no_point_is_in_a_sphere ),
		fixture_test( ties_are_no_trouble ),
		fixture_test( a_point_is_inserted_once ),
		fixture_test( spheres_touch_their_corners ),
		fixture_test( a_regular_tetrahedron_has_the_cubes_sphere ),
		fixture_test( sets_have_no_point_in_a_sphere ),
		fixture_test( points_on_common_spheres_are_filled ),
		fixture_test( flat_sets_have_no_spheres ),
		fixture_test( duplicates_share_a_point ),
		fixture_test( as_many_tetrahedra_as_there_are_have_room ),
		fixture_test( holes_of_any_size_are_filled ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
