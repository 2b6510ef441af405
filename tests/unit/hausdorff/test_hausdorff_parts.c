// The parts of the search for distances, each by itself: triangles in frames, cells and cuts, means of rows, indices.

#include "support.h"

#include "offline/hausdorff/box.h"
#include "offline/hausdorff/cell.h"
#include "offline/hausdorff/combine.h"
#include "offline/hausdorff/index.h"
#include "offline/hausdorff/shape.h"
#include "point_sets.h"
#include "tests/reference/nearest.h"

static bv_vec3 corner_of( fixture* f, double size )
{
	return ( bv_vec3 ){ size * ( random_unit( f ) - 0.5 ), size * ( random_unit( f ) - 0.5 ),
		                size * ( random_unit( f ) - 0.5 ) };
}

// Needles down to 1e-12 times as high as long, in 113 bits.
static void framed_triangles_are_as_far_as_the_true_ones( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3000; ++i )
	{
		bv_vec3 corner[3] = { corner_of( f, 2 ), corner_of( f, 2 ), corner_of( f, 2 ) };
		double thin = pow( 10, -( i % 13 ) );
		corner[2].x =
			corner[0].x + ( corner[1].x - corner[0].x ) * 0.3 + thin * ( corner[2].x - corner[0].x );
		corner[2].y =
			corner[0].y + ( corner[1].y - corner[0].y ) * 0.3 + thin * ( corner[2].y - corner[0].y );
		corner[2].z =
			corner[0].z + ( corner[1].z - corner[0].z ) * 0.3 + thin * ( corner[2].z - corner[0].z );
		nearest_face face = nearest_face_of( corner );
		nearest_faces faces = { &face, 1 };
		bvhaus_framed_triangle t = bvhaus_frame_triangle( corner );
		bvhaus_points points = { .count = 8 };
		for ( int k = 0; k < 8; ++k )
		{
			bv_vec3 p = corner_of( f, k < 4 ? 2 : 0.1 );
			points.x[k] = p.x;
			points.y[k] = p.y;
			points.z[k] = p.z;
		}
		double row[bvhaus_row];
		bvhaus_triangle_row( &t, &points, 0, points.count, row );
		for ( int k = 0; k < 8; ++k )
		{
			bv_vec3 p = { points.x[k], points.y[k], points.z[k] };
			assert_true( fabs( row[k] - nearest_distance_exact( &faces, p ) ) < 0x1p-48 );
			assert_true( row[k] == bvhaus_triangle_distance( &t, p ) );
		}
	}
}

// Meshes that bend have such triangles: bvb_hausdorff_file measures these, too.
static void triangles_without_area_are_as_far_as_segments_and_points( void** state )
{
	(void)state;
	static const double ends[][3] = { { 0, 1, 0.5 }, { 0, 1, 1 }, { 1, 0, 0 }, { 0, 0, 0 }, { 0.25, 1, 0 } };
	for ( int i = 0; i < 5 * 3; ++i )
	{
		const double* at = ends[i / 3];
		bv_vec3 corner[3];
		bvhaus_points points = { .count = 8 };
		double expected[8];
		double row[bvhaus_row];
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = ( bv_vec3 ){ i % 3 == 0 ? at[k] : 0, i % 3 == 1 ? at[k] : 0, i % 3 == 2 ? at[k] : 0 };
		}
		double lower = fmin( at[0], fmin( at[1], at[2] ) );
		double upper = fmax( at[0], fmax( at[1], at[2] ) );
		for ( int k = 0; k < 8; ++k )
		{
			// Half of them on the line.
			double along = k % 4 - 1;
			double across[2] = { k < 4 ? 0 : 3, k < 4 ? 0 : 4 };
			double beyond = along - fmax( lower, fmin( along, upper ) );
			const double p[3] = { along, across[0], across[1] };
			points.x[k] = p[( 3 - i % 3 ) % 3];
			points.y[k] = p[( 4 - i % 3 ) % 3];
			points.z[k] = p[( 5 - i % 3 ) % 3];
			expected[k] = sqrt( beyond * beyond + across[0] * across[0] + across[1] * across[1] );
		}
		bvhaus_framed_triangle t = bvhaus_frame_triangle( corner );
		bvhaus_triangle_row( &t, &points, 0, points.count, row );
		for ( int k = 0; k < 8; ++k )
		{
			assert_true( fabs( row[k] - expected[k] ) < 0x1p-48 );
		}
	}
}

// Two corners at one point, of a mesh that bends. What is left of the third side across the first one is mere rounding.
static void triangles_with_a_vertex_twice_are_as_far_as_segments( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < 3000; ++i )
	{
		double size = pow( 10, -( i % 9 ) );
		bv_vec3 a = corner_of( f, 2 );
		bv_vec3 away = corner_of( f, 2 );
		a = ( bv_vec3 ){ (float)a.x, (float)a.y, (float)a.z };
		bv_vec3 b = { (float)( a.x + size * away.x ), (float)( a.y + size * away.y ),
			          (float)( a.z + size * away.z ) };
		const bv_vec3 corner[3] = { a, i % 2 ? a : b, b };
		bv_vec3 p = corner_of( f, 2 );
		bv_vec3 side = bv_sub( b, a );
		double square = bv_dot( side, side );
		double along = square > 0 ? bv_dot( bv_sub( p, a ), side ) / square : 0;
		bv_vec3 nearest = bv_add( a, bv_scale( fmax( 0, fmin( along, 1 ) ), side ) );
		bvhaus_framed_triangle t = bvhaus_frame_triangle( corner );
		double expected = bv_length( bv_sub( p, nearest ) );
		assert_true( fabs( bvhaus_triangle_distance( &t, p ) - expected ) < 0x1p-44 );
	}
}

static double extent_along( const bvhaus_cell* cell, bv_vec3 d, double sign )
{
	double most = -INFINITY;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		bv_vec3 p = bvhaus_cell_corner( cell, i );
		most = fmax( most, sign * ( d.x * p.x + d.y * p.y + d.z * p.z ) );
	}
	return most;
}

// A box cut again and again: every part lies in its half-spaces, and reaches as far in every direction as a point of the
// whole that is in them.
static void parts_of_a_cell_hold_every_point_of_it( void** state )
{
	fixture* f = *state;
	static const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int run = 0; run < 400; ++run )
	{
		bvhaus_cell cell;
		double half[3] = { 1, run % 5 == 0 ? 0 : 0.7, run % 3 == 0 ? 0.1 : 0.9 };
		bvhaus_cell_make_box( ( bv_vec3 ){ 0, 0, 0 }, axis, half, &cell );
		bvhaus_plane kept[5];
		int planes = 0;
		for ( int i = 0; i < 5; ++i )
		{
			bv_vec3 n = corner_of( f, 2 );
			double length = sqrt( n.x * n.x + n.y * n.y + n.z * n.z );
			bvhaus_plane plane = { { n.x / length, n.y / length, n.z / length },
				                   0.4 * ( random_unit( f ) - 0.5 ) };
			bvhaus_cut cut;
			if ( !bvhaus_cell_cut( &cell, &plane, 1, &cut ) )
			{
				continue;
			}
			bvhaus_cell part;
			uint8_t from[bvhaus_row];
			bvhaus_cell_make_part( &cell, &cut, 0, from, &part );
			cell = part;
			kept[planes++] = plane;
			assert_true( extent_along( &cell, plane.normal, 1 ) <= plane.offset + 1e-9 );
		}
		for ( int i = 0; i < 200; ++i )
		{
			bv_vec3 p = { half[0] * ( 2 * random_unit( f ) - 1 ), half[1] * ( 2 * random_unit( f ) - 1 ),
				          half[2] * ( 2 * random_unit( f ) - 1 ) };
			bool in = true;
			for ( int k = 0; k < planes; ++k )
			{
				bv_vec3 n = kept[k].normal;
				in = in && n.x * p.x + n.y * p.y + n.z * p.z <= kept[k].offset;
			}
			bv_vec3 d = corner_of( f, 2 );
			assert_true( !in || extent_along( &cell, d, 1 ) >= d.x * p.x + d.y * p.y + d.z * p.z - 1e-9 );
			assert_true( !in ||
			             extent_along( &cell, d, -1 ) >= -( d.x * p.x + d.y * p.y + d.z * p.z ) - 1e-9 );
		}
	}
}

// Against a thousand weights.
static void two_rows_reach_a_bound_exactly_if_a_mean_of_them_does( void** state )
{
	fixture* f = *state;
	int reached = 0;
	for ( int run = 0; run < 2000; ++run )
	{
		double v[bvhaus_row];
		double w[bvhaus_row];
		int columns = 1 + run % 10;
		for ( int c = 0; c < columns; ++c )
		{
			v[c] = random_unit( f );
			w[c] = random_unit( f );
		}
		for ( int c = columns; c < bvhaus_whole_groups( columns ); ++c )
		{
			v[c] = v[0];
			w[c] = w[0];
		}
		double least = INFINITY;
		for ( int i = 0; i <= 1000; ++i )
		{
			double t = i / 1000.0;
			double largest = 0;
			for ( int c = 0; c < columns; ++c )
			{
				largest = fmax( largest, ( 1 - t ) * v[c] + t * w[c] );
			}
			least = fmin( least, largest );
		}
		assert_true( bvhaus_combined_bound( v, w, columns, least * ( 1 + 1e-12 ) ) <= least * ( 1 + 1e-9 ) );

		// Whatever is wanted, what comes out is what some mean reaches: no less than the least.
		assert_true( bvhaus_combined_bound( v, w, columns, random_unit( f ) ) >= least - 2e-3 );
		reached += bvhaus_combined_bound( v, w, columns, 0.6 ) <= 0.6;
	}
	assert_in_range( reached, 100, 1900 );
}

static void an_index_finds_the_nearest_triangle( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = { .vertex_count = 600, .triangle_count = 200 };
	mesh.positions = bvb_arena_allocate( f->arena, 600, sizeof *mesh.positions );
	mesh.triangles = bvb_arena_allocate( f->arena, 200, sizeof *mesh.triangles );
	for ( uint32_t i = 0; i < 600; ++i )
	{
		bv_vec3 p = corner_of( f, 0.2 );
		bv_vec3 q = i % 3 == 0 ? corner_of( f, 2 ) : mesh.positions[i - 1];
		mesh.positions[i] = ( bv_vec3 ){ (float)( p.x + q.x ), (float)( p.y + q.y ), (float)( p.z + q.z ) };
		mesh.triangles[i / 3].corner[i % 3] = i;
	}
	nearest_faces faces;
	assert_true( nearest_prepare( &mesh, 0, 200, &faces ) );
	bvhaus_index* index = bvhaus_index_of_triangles( &mesh, NULL, 200, true, f->arena );
	assert_non_null( index );
	for ( int i = 0; i < 2000; ++i )
	{
		bv_vec3 p = corner_of( f, 3 );
		bvhaus_nearest found =
			bvhaus_index_nearest( index, index->root, p, ( bvhaus_nearest ){ INFINITY, 0 } );
		double expected = nearest_distance( &faces, p, NULL );
		assert_true( fabs( found.distance - expected ) <= 1e-12 );
		bvhaus_nearest known = { expected * 0.999, 77 };
		assert_int_equal( bvhaus_index_nearest( index, index->root, p, known ).ref, 77 );
	}
	nearest_free( &faces );
}

// A cell that is trimmed to a ball keeps every point of the ball that was in it.
static void tightened_cells_keep_their_piece_of_the_shape( void** state )
{
	fixture* f = *state;
	static const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int run = 0; run < 600; ++run )
	{
		bvhaus_shape shape = { run % 2 ? bvhaus_shape_ball : bvhaus_shape_cylinder, .hollow = run % 4 < 2,
			                   .axis = { 0, 0, 1 }, .radius = 1 };
		bv_vec3 center = corner_of( f, 2 );
		double half[3] = { 0.05 + 0.3 * random_unit( f ), 0.05 + 0.3 * random_unit( f ),
			               0.05 + 0.3 * random_unit( f ) };
		bvhaus_cell cell;
		bvhaus_cell_make_box( center, axis, half, &cell );
		bvhaus_cut spare;
		bool any = bvhaus_shape_tighten( &shape, &cell, &spare );
		for ( int i = 0; i < 100; ++i )
		{
			bv_vec3 p = { center.x + half[0] * ( 2 * random_unit( f ) - 1 ),
				          center.y + half[1] * ( 2 * random_unit( f ) - 1 ),
				          center.z + half[2] * ( 2 * random_unit( f ) - 1 ) };
			double height = shape.kind == bvhaus_shape_ball ? p.z : 0;
			double far = sqrt( p.x * p.x + p.y * p.y + height * height );
			if ( shape.hollow )
			{
				p.x /= far;
				p.y /= far;
				p.z = shape.kind == bvhaus_shape_ball ? p.z / far : p.z;
				far = 1;
			}
			if ( far > 1 || fabs( p.x - center.x ) > half[0] || fabs( p.y - center.y ) > half[1] ||
			     fabs( p.z - center.z ) > half[2] )
			{
				continue;
			}
			assert_true( any );
			bv_vec3 d = corner_of( f, 2 );
			assert_true( extent_along( &cell, d, 1 ) >= d.x * p.x + d.y * p.y + d.z * p.z - 1e-9 );
		}
	}
}

// The distance to one triangle is convex, so that the farthest point of a box is a corner. Sides that are measured in their middle
// count for as much as they are thick.
static void boxes_with_thin_sides_are_as_far_as_their_corners( void** state )
{
	fixture* f = *state;
	bvhaus_search* search = bvhaus_search_create( f->arena );
	assert_non_null( search );
	for ( int i = 0; i < 400; ++i )
	{
		bvb_mesh mesh = { .vertex_count = 3, .triangle_count = 1 };
		mesh.positions = bvb_arena_allocate( f->arena, 3, sizeof *mesh.positions );
		mesh.triangles = bvb_arena_allocate( f->arena, 1, sizeof *mesh.triangles );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			mesh.positions[k] = corner_of( f, 2 );
			mesh.triangles[0].corner[k] = k;
		}
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, 0, 1, &faces ) );
		bvhaus_index* index = bvhaus_index_of_triangles( &mesh, NULL, 1, true, f->arena );
		assert_non_null( index );

		const double thin = 1e-3;
		bvhaus_solid_box box = { .center = corner_of( f, 2 ) };
		random_frame( f, box.axis );
		for ( int k = 0; k < 3; ++k )
		{
			box.half_extents[k] = ( i >> k ) % 2 ? thin * random_unit( f ) : 0.1 + random_unit( f );
		}
		double expected = 0;
		for ( int k = 0; k < 8; ++k )
		{
			bv_vec3 p = box.center;
			for ( int axis = 0; axis < 3; ++axis )
			{
				double h = ( k >> axis ) % 2 ? box.half_extents[axis] : -box.half_extents[axis];
				p = bv_add( p, bv_scale( h, box.axis[axis] ) );
			}
			expected = fmax( expected, nearest_distance_exact( &faces, p ) );
		}
		bvhaus_goal goal = {
			.relative = 1e-6, .absolute = 1e-9, .max_regions = 100000, .bounds = bvhaus_bounds_all
		};
		bvb_hausdorff solid;
		bvb_hausdorff surface;
		bvhaus_search_begin( search, index, index->root, box.axis, 4, &goal );
		bvhaus_search_box( search, &box, thin, &solid, &surface );
		assert_true( solid.lower <= expected && expected <= solid.upper );
		assert_true( surface.lower <= expected && expected <= surface.upper );
		assert_true( solid.upper - solid.lower < 4 * thin );
		nearest_free( &faces );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( framed_triangles_are_as_far_as_the_true_ones ),
		fixture_test( triangles_without_area_are_as_far_as_segments_and_points ),
		fixture_test( triangles_with_a_vertex_twice_are_as_far_as_segments ),
		fixture_test( parts_of_a_cell_hold_every_point_of_it ),
		fixture_test( two_rows_reach_a_bound_exactly_if_a_mean_of_them_does ),
		fixture_test( an_index_finds_the_nearest_triangle ),
		fixture_test( tightened_cells_keep_their_piece_of_the_shape ),
		fixture_test( boxes_with_thin_sides_are_as_far_as_their_corners ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
