// Delaunay cells: a known sphere, and by brute force no point in any sphere, volumes that fill the hull, and neighbors that share
// three corners.

#include "offline/hull/delaunay.h"

#include "bvbuild/hull.h"
#include "runtime/math/vec.h"
#include "support.h"

static double volume_of( const bv_vec3* p, const bvhull_delaunay_cell* c )
{
	bv_vec3 a = p[c->corner[0]];
	return fabs( bv_dot( bv_sub( p[c->corner[1]], a ),
	                     bv_cross( bv_sub( p[c->corner[2]], a ), bv_sub( p[c->corner[3]], a ) ) ) ) /
	       6;
}

static double distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return sqrt( bv_dot( d, d ) );
}

static bool has_corner( const bvhull_delaunay_cell* c, uint32_t corner )
{
	return c->corner[0] == corner || c->corner[1] == corner || c->corner[2] == corner ||
	       c->corner[3] == corner;
}

static void check_neighbors( const bvhull_delaunay* d, uint32_t index )
{
	const bvhull_delaunay_cell* cell = d->cells + index;
	for ( int k = 0; k < 4; ++k )
	{
		if ( cell->neighbor[k] == BVHULL_NO_CELL )
		{
			continue;
		}
		const bvhull_delaunay_cell* other = d->cells + cell->neighbor[k];
		bool back = false;
		for ( int i = 0; i < 4; ++i )
		{
			assert_int_equal( has_corner( other, cell->corner[i] ), i != k );
			back = back || other->neighbor[i] == index;
		}
		assert_true( back );
	}
}

// @param common  whether points are on one sphere up to rounding: then qhull cuts what they span in ways that may overlap
// @return how many cells have a volume
static uint32_t check( fixture* f, const bv_vec3* p, uint32_t count, double size, bool common )
{
	bvhull_delaunay d;
	assert_int_equal( bvhull_delaunay_create( p, count, f->arena, &d ), bv_ok );
	double volume = 0;
	uint32_t solid = 0;
	for ( uint32_t i = 0; i < d.cell_count; ++i )
	{
		const bvhull_delaunay_cell* c = d.cells + i;
		volume += volume_of( p, c );
		solid += !c->flat;
		check_neighbors( &d, i );
		double slack = 1e-6 * ( size + c->radius );
		for ( uint32_t k = 0; k < count && !c->flat; ++k )
		{
			assert_true( distance( p[k], c->center ) >= c->radius - slack );
		}
		for ( int k = 0; k < 4; ++k )
		{
			assert_true( fabs( distance( p[c->corner[k]], c->center ) - c->radius ) <= slack );
		}
	}
	bvb_hull hull;
	bvb_error error;
	assert_int_equal( bvb_hull_compute( p, count, f->arena, &hull, &error ), bv_ok );
	assert_true( volume >= ( 1 - 1e-6 ) * hull.volume );
	assert_true( common || volume <= ( 1 + 1e-6 ) * hull.volume );
	return solid;
}

// Four corners of a cube: its center is as far from all of them.
static void a_regular_tetrahedron_has_the_cubes_sphere( void** state )
{
	fixture* f = *state;
	static const bv_vec3 p[] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
	bvhull_delaunay d;
	assert_int_equal( bvhull_delaunay_create( p, 4, f->arena, &d ), bv_ok );
	assert_int_equal( d.cell_count, 1 );
	assert_true( distance( d.cells[0].center, ( bv_vec3 ){ 0, 0, 0 } ) <= 1e-15 );
	assert_true( fabs( d.cells[0].radius - sqrt( 3 ) ) <= 1e-15 );
	assert_false( d.cells[0].flat );
}

static void no_point_is_in_a_sphere( void** state )
{
	fixture* f = *state;
	static const double scales[] = { 1, 0x1p-66, 0x1p66 };
	for ( int set = 0; set < 12; ++set )
	{
		double scale = scales[set % 3];
		uint32_t count = 5 + 40 * (uint32_t)set;
		bv_vec3* p = bvb_arena_allocate( f->arena, count, sizeof *p );
		for ( uint32_t i = 0; i < count; ++i )
		{
			p[i] = bv_scale( scale, random_point( f ) );
		}
		assert_true( check( f, p, count, scale, false ) > 0 );
	}
}

// Grids and spheres: any number of points are on one sphere.
static void points_on_common_spheres_are_filled_too( void** state )
{
	fixture* f = *state;
	bv_vec3 p[216];
	for ( uint32_t i = 0; i < 216; ++i )
	{
		p[i] = ( bv_vec3 ){ i % 6, i / 6 % 6, i / 36 };
	}
	check( f, p, 216, 5, false );
	for ( uint32_t i = 0; i < 200; ++i )
	{
		bv_vec3 q = random_point( f );
		q = bv_sub( q, ( bv_vec3 ){ 0.5, 0.5, 0.5 } );
		p[i] = bv_add( ( bv_vec3 ){ 100, 0, 0 }, bv_scale( 1 / sqrt( bv_dot( q, q ) ), q ) );
	}
	check( f, p, 200, 100, true );
}

// Nothing, a point again and again, a line and a plane have no cells; that is no error.
static void flat_sets_have_no_cells( void** state )
{
	fixture* f = *state;
	bv_vec3 p[64];
	for ( int set = 0; set < 4; ++set )
	{
		for ( uint32_t i = 0; i < 64; ++i )
		{
			p[i] = ( bv_vec3 ){ set > 1 ? i % 8 : 1, set > 2 ? i / 8 : 2, 3 };
		}
		bvhull_delaunay d;
		assert_int_equal( bvhull_delaunay_create( p, set == 0 ? 3 : 64, f->arena, &d ), bv_ok );
		for ( uint32_t i = 0; i < d.cell_count; ++i )
		{
			assert_true( d.cells[i].flat );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_regular_tetrahedron_has_the_cubes_sphere ),
		fixture_test( no_point_is_in_a_sphere ),
		fixture_test( points_on_common_spheres_are_filled_too ),
		fixture_test( flat_sets_have_no_cells ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
