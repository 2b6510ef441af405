// Winding numbers against closed forms, and against the sum over all triangles in long double.

#include "winding_numbers.h"

#include "offline/mesh/winding.h"

// Triangles between random ones of few vertices: edges of any multiplicity, triangles that repeat others in
// both windings or use a vertex twice. Points within, around and far from them.
static void soups_agree_with_the_sum_over_all_triangles( void** state )
{
	fixture* f = *state;
	const uint32_t vertices[] = { 4, 12, 100, 3000 };
	for ( int round = 0; round < 4; ++round )
	{
		bvb_mesh mesh = soup_create( f, 1000 );
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			mesh.positions[i] = random_point_within( f, 1 );
			mesh.triangles[i / 3].corner[i % 3] = (uint32_t)( random_bits( f ) % vertices[round] );
		}
		bvb_winding* winding = create( f, &mesh );
		for ( int i = 0; i < 150; ++i )
		{
			bv_vec3 p = random_point_within( f, i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 1000 );
			assert_winding( winding, p, brute_force( &mesh, p ), 1e-11 );
		}
	}
}

// The same of small triangles, which the tree separates: fans of non-manifold edges are used, not only
// stored.
static void ribbons_agree_with_the_sum_over_all_triangles( void** state )
{
	fixture* f = *state;
	const uint32_t rings = 20;
	bvb_mesh ball = bumpy_ball( f, rings );
	bvb_mesh mesh = ball;
	mesh.triangles = bvb_arena_allocate( f->arena, 2 * (size_t)ball.triangle_count, sizeof *mesh.triangles );
	mesh.triangle_count = 0;
	for ( uint32_t i = 0; i < ball.triangle_count; ++i )
	{
		// One in ten is missing, and some are there twice.
		uint64_t times = random_bits( f ) % 10;
		for ( uint64_t k = 0; k < ( times < 8 ? 1 : 2 * ( times - 8 ) ); ++k )
		{
			mesh.triangles[mesh.triangle_count++] = ball.triangles[i];
		}
	}
	bvb_winding* winding = create( f, &mesh );
	uint64_t evaluated = 0;
	for ( int i = 0; i < 300; ++i )
	{
		bv_vec3 p = random_point_within( f, i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 1000 );
		assert_winding( winding, p, brute_force( &mesh, p ), 1e-12 );
		bvmesh_winding_number_counted( winding, p, &evaluated );
	}
	assert_true( evaluated < 300 * (uint64_t)mesh.triangle_count * 3 / 4 );
}

// The bumpy ball's radius is between 0.8 and 1.2, less what the facets cut off.
static void closed_meshes_have_one_inside_and_zero_outside( void** state )
{
	fixture* f = *state;
	for ( uint32_t rings = 12; rings <= 100; rings += 44 )
	{
		bvb_mesh mesh = bumpy_ball( f, rings );
		bvb_winding* winding = create( f, &mesh );
		int inside = 0;
		int outside = 0;
		for ( int i = 0; i < 400; ++i )
		{
			bv_vec3 p = random_point_within( f, i % 4 == 0 ? 100 : 1.3 );
			double radius = length_of( p );
			if ( radius < 0.7 || radius > 1.2 )
			{
				assert_winding( winding, p, radius < 1, 1e-12 );
				inside += radius < 1;
				outside += radius > 1;
			}
		}
		assert_true( inside > 10 && outside > 100 );
	}
}

static void turn_inside_out( bvb_mesh* mesh, uint32_t first )
{
	for ( uint32_t i = first; i < mesh->triangle_count; ++i )
	{
		uint32_t corner = mesh->triangles[i].corner[0];
		mesh->triangles[i].corner[0] = mesh->triangles[i].corner[1];
		mesh->triangles[i].corner[1] = corner;
	}
}

static void turning_a_mesh_inside_out_changes_the_sign( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 30 );
	turn_inside_out( &mesh, 0 );
	bvb_winding* winding = create( f, &mesh );
	for ( int i = 0; i < 100; ++i )
	{
		assert_winding( winding, random_point_within( f, 0.4 ), -1, 1e-12 );
	}
	assert_winding( winding, ( bv_vec3 ){ 1, 1, 1 }, 0, 1e-12 );
}

// A ball in a ball of half its size: 2 in both, 1 between them; 0 in the inner one when that is turned.
static void shells_within_shells_add_up( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 24 );
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, 2 * (size_t)ball.vertex_count, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, 2 * (size_t)ball.triangle_count, sizeof *mesh.triangles ),
		.vertex_count = 2 * ball.vertex_count,
		.triangle_count = 2 * ball.triangle_count,
	};
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		uint32_t k = i % ball.vertex_count;
		mesh.positions[i] = scaled( i < ball.vertex_count ? 1 : 0.5, ball.positions[k] );
	}
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t corner = ball.triangles[i % ball.triangle_count].corner[k];
			mesh.triangles[i].corner[k] = corner + ( i < ball.triangle_count ? 0 : ball.vertex_count );
		}
	}
	for ( int turned = 0; turned < 2; ++turned )
	{
		bvb_winding* winding = create( f, &mesh );
		for ( int i = 0; i < 200; ++i )
		{
			bv_vec3 p = random_point_within( f, 1.3 );
			double radius = length_of( p );
			if ( radius < 0.35 || ( radius > 0.6 && radius < 0.7 ) || radius > 1.2 )
			{
				double expected = radius > 1.2 ? 0 : radius > 0.6 ? 1 : turned ? 0 : 2;
				assert_winding( winding, p, expected, 1e-12 );
			}
		}
		turn_inside_out( &mesh, ball.triangle_count );
	}
}

// From the center of a cube each face covers a sixth.
static void cube_without_a_face_covers_five_sixths_of_its_center( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 2 );
	for ( uint32_t faces = 6; faces > 0; --faces )
	{
		mesh.triangle_count = 2 * faces;
		bvb_winding* winding = create( f, &mesh );
		assert_winding( winding, ( bv_vec3 ){ 1, 1, 1 }, faces / 6.0, 0x1p-52 );
	}
}

// On the axis, a regular polygon of n corners at distance 1 around it, at depth h below the point, has the
// solid angle 2 pi - 2 n atan( tan( pi / n ) / sqrt( 1 + 1 / h^2 ) ): each of its n pieces is a spherical
// triangle with the angles 2 pi / n and twice pi / 2 less that of the arctangent. The dome covers the rest
// from within and as much from without.
static void dome_covers_what_its_opening_does_not( void** state )
{
	fixture* f = *state;
	const uint32_t sides[] = { 3, 8, 200 };
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t n = sides[i];
		bvb_mesh mesh = make_dome( f, n, n / 2 );
		bvb_winding* winding = create( f, &mesh );
		for ( double h = 0x1p-20; h < 0x1p20; h *= 1.7 )
		{
			double opening = 2 * pi - 2 * n * atan( tan( pi / n ) / sqrt( 1 + 1 / ( h * h ) ) );
			if ( h < 0.3 || h > 1 )
			{
				double expected = opening / ( 4 * pi );
				assert_winding( winding, ( bv_vec3 ){ 0, 0, h }, h < 1 ? 1 - expected : -expected, 1e-12 );
			}
			assert_winding( winding, ( bv_vec3 ){ 0, 0, -h }, opening / ( 4 * pi ), 1e-12 );
		}
	}
}

// A box whose faces are grids with vertices in common, of 12 n^2 triangles.
static bvb_mesh make_gridded_cube( fixture* f, uint32_t n )
{
	bvb_mesh soup = soup_create( f, 12 * n * n );
	bv_vec3* p = soup.positions;
	for ( uint32_t i = 0; i < 6 * n * n; ++i )
	{
		uint32_t axis = i / ( n * n ) / 2;
		uint32_t upper = i / ( n * n ) % 2;
		bv_vec3 corner[4];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			double x[3];
			x[axis] = upper;
			x[( axis + 1 ) % 3] = (double)( i % n + k % 2 ) / n;
			x[( axis + 2 ) % 3] = (double)( i / n % n + k / 2 ) / n;
			corner[k] = ( bv_vec3 ){ x[0], x[1], x[2] };
		}
		const int order[2][6] = { { 0, 2, 1, 1, 2, 3 }, { 0, 1, 2, 1, 3, 2 } };
		for ( int k = 0; k < 6; ++k )
		{
			*p++ = corner[order[upper][k]];
		}
	}
	bvb_record record;
	bvb_error error;
	bvb_record_options options = bvb_record_options_default();
	assert_int_equal( bvb_mesh_record( &soup, &options, f->arena, &record, &error ), bv_ok );
	assert_int_equal( record.mesh.vertex_count, 6 * n * n + 2 );
	return record.mesh;
}

// Points at distance d from faces and their grid's edges, where fans are flat and have triangles without
// area. The surface may be taken for moved by rounding: an error of some 2^-52 / d of the angle.
static void next_to_the_surface_sides_are_told_apart( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_gridded_cube( f, 16 );
	bvb_winding* winding = create( f, &mesh );
	for ( double d = 1e-3; d > 1e-12; d *= 0.1 )
	{
		for ( int i = 0; i < 100; ++i )
		{
			bv_vec3 p = random_point( f );
			double on_edge = (double)( 1 + random_bits( f ) % 14 ) / 16 + ( i % 3 ) * 0.01 * d;
			bv_vec3 out[3] = { { -d, on_edge, p.z }, { p.x, 1 + d, on_edge }, { p.x, p.y, 1 + d } };
			bv_vec3 in[3] = { { d, on_edge, p.z }, { p.x, 1 - d, on_edge }, { p.x, p.y, 1 - d } };
			for ( int k = 0; k < 3; ++k )
			{
				bool near_corner = fmin( fmin( p.x, p.y ), p.z ) < d || fmax( fmax( p.x, p.y ), p.z ) > 1 - d;
				if ( !near_corner )
				{
					assert_winding( winding, out[k], 0, 1e-13 + 0x1p-48 / d );
					assert_winding( winding, in[k], 1, 1e-13 + 0x1p-48 / d );
				}
			}
		}
	}
}

// A cube with a triangle without area in an edge between two faces: one neighbor has the long edge, the
// other the two short ones. Next to it, the triangle has to have no angle, whichever corner it begins with.
// In a skewed cube its middle corner is rounded, so that it is a sliver.
static void triangles_without_area_do_no_harm( void** state )
{
	fixture* f = *state;
	const bv_vec3 positions[9] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },    { 0, 0, 1 },
		                           { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 }, { 0.3, 0.3, 0 } };
	const uint32_t triangles[14][3] = { { 0, 3, 8 }, { 0, 2, 3 }, { 8, 3, 1 }, { 0, 8, 1 }, { 4, 5, 7 },
		                                { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
		                                { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	for ( int round = 0; round < 6; ++round )
	{
		bvb_mesh mesh = mesh_of( f, positions, 9, triangles, 14 );
		double skew = round < 3 ? 0 : 0.7;
		for ( int i = 0; i < 9; ++i )
		{
			mesh.positions[i].z += skew * mesh.positions[i].x;
		}
		for ( int k = 0; k < 3; ++k )
		{
			mesh.triangles[0].corner[k] = triangles[0][( round + k ) % 3];
		}
		bvb_winding* winding = create( f, &mesh );
		for ( double d = 1e-3; d > 1e-12; d *= 0.1 )
		{
			for ( int i = 1; i < 40; ++i )
			{
				double x = i / 40.0;
				double z = skew * x;
				assert_winding( winding, ( bv_vec3 ){ x, x, z + d }, 1, 1e-13 + 0x1p-48 / d );
				assert_winding( winding, ( bv_vec3 ){ x, x, z - d }, 0, 1e-13 + 0x1p-48 / d );
			}
		}
	}
}

// A triangle of which one side is 1e-8 of the others, from points as near to its ends as that, whichever
// corner it begins with.
static void needles_agree_with_the_formula( void** state )
{
	fixture* f = *state;
	const double w = 1e-8;
	bvb_mesh mesh = soup_create( f, 1 );
	for ( int i = 0; i < 1000; ++i )
	{
		bv_vec3 end = random_point_within( f, 1 );
		bv_vec3 near = scaled( w, random_point_within( f, 1 ) );
		mesh.positions[i % 3] = ( bv_vec3 ){ 0, 0, 0 };
		mesh.positions[( i + 1 + i / 3 % 2 ) % 3] = end;
		mesh.positions[( i + 2 - i / 3 % 2 ) % 3] = near;
		bvb_winding* winding = create( f, &mesh );
		bv_vec3 p = scaled( 2 * w, random_point_within( f, 1 ) );
		assert_winding( winding, p, brute_force( &mesh, p ), 1e-13 );
		p = ( bv_vec3 ){ end.x + p.x, end.y + p.y, end.z + p.z };
		assert_winding( winding, p, brute_force( &mesh, p ), 1e-13 );
	}
}

// Vertices, points on edges and on faces, as far as they can be represented. Where they are, in the grid of a
// power of two, the value is between those of both sides. Where they are not, the two triangles of an edge
// may take the point for being on different sides of it, and cover up to half of everything each, of either
// sign.
static void on_the_surface_values_are_bounded( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = make_gridded_cube( f, 8 );
	bvb_mesh ball = bumpy_ball( f, 20 );
	const bvb_mesh* meshes[] = { &cube, &ball };
	for ( int m = 0; m < 2; ++m )
	{
		bvb_winding* winding = create( f, meshes[m] );
		for ( uint32_t i = 0; i < meshes[m]->triangle_count; ++i )
		{
			const uint32_t* corner = meshes[m]->triangles[i].corner;
			bv_vec3 a = meshes[m]->positions[corner[0]];
			bv_vec3 b = meshes[m]->positions[corner[1]];
			bv_vec3 c = meshes[m]->positions[corner[2]];
			bv_vec3 middle = { ( a.x + b.x ) / 2, ( a.y + b.y ) / 2, ( a.z + b.z ) / 2 };
			bv_vec3 inner = { ( middle.x + c.x ) / 2, ( middle.y + c.y ) / 2, ( middle.z + c.z ) / 2 };
			assert_winding( winding, a, 0.5, 0.5 + 1e-12 );
			assert_winding( winding, middle, 0.5, m == 0 ? 0.5 + 1e-12 : 1.5 + 1e-12 );
			assert_winding( winding, inner, 0.5, 0.5 + 1e-12 );
		}
	}
}

// Halves of a ball about the origin are closed by fans through the origin.
static void closings_within_a_mesh_are_not_felt( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bvb_winding* winding = create( f, &mesh );
	for ( double d = 0x1p-60; d < 0.5; d *= 2 )
	{
		assert_winding( winding, ( bv_vec3 ){ 0, 0, 0 }, 1, 1e-13 );
		assert_winding( winding, ( bv_vec3 ){ d, 0, 0 }, 1, 1e-13 );
		assert_winding( winding, ( bv_vec3 ){ 0, -d, 0 }, 1, 1e-13 );
		assert_winding( winding, ( bv_vec3 ){ 0, d, d }, 1, 1e-13 );
	}
}

// A bumpy ball with a hole, and another with several.
static bvb_mesh torn_ball( fixture* f, bool once )
{
	bvb_mesh mesh = bumpy_ball( f, 12 );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		bv_vec3 p = mesh.positions[mesh.triangles[i].corner[0]];
		bool torn = once ? p.z > 0.5 : random_bits( f ) % 40 == 0;
		mesh.triangles[kept] = mesh.triangles[i];
		kept += !torn;
	}
	mesh.triangle_count = kept;
	return mesh;
}

static bv_vec3 between( bv_vec3 a, bv_vec3 b, double t )
{
	return ( bv_vec3 ){ a.x + t * ( b.x - a.x ), a.y + t * ( b.y - a.y ), a.z + t * ( b.z - a.z ) };
}

// What closes a hole has its corners at the rim: points on chords and in planes through three vertices, and next to them.
static void next_to_what_closes_holes_nothing_is_felt_of_it( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 6; ++round )
	{
		bvb_mesh mesh = torn_ball( f, round % 2 == 0 );
		bvb_winding* winding = create( f, &mesh );
		assert_false( bvb_winding_is_closed( winding ) );
		for ( int i = 0; i < 3000; ++i )
		{
			bv_vec3 corner[3];
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 p;
				do
				{
					p = mesh.positions[random_bits( f ) % mesh.vertex_count];
				} while ( round % 2 == 0 && !( p.z > 0.2 && p.z < 0.9 ) );
				corner[k] = p;
			}
			bv_vec3 p = between( corner[0], corner[1], i % 4 == 0 ? 0.5 : 0.2 + 0.6 * random_unit( f ) );
			p = i % 3 == 0 ? p : between( p, corner[2], 0.1 + 0.8 * random_unit( f ) );
			double away = i % 5 == 0 ? 0 : ldexp( random_unit( f ) - 0.5, -(int)( random_bits( f ) % 50 ) );
			p.z += i % 2 ? away : 0;
			p.x += i % 2 ? 0 : away;

			// Next to the surface, in either way of computing it, angles are mostly rounding.
			double expected = brute_force( &mesh, p );
			if ( length_of( p ) < 0.7 )
			{
				assert_winding( winding, p, expected, 1e-11 );
			}
		}
	}
}

// A cube without its lid, whose opening is in a coordinate plane: in it, and next to it.
static void in_the_plane_of_an_opening_nothing_is_felt_of_it( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	for ( int axis = 0; axis < 3; ++axis )
	{
		uint32_t kept = 0;
		bvb_mesh open = mesh;
		open.triangles = bvb_arena_allocate( f->arena, mesh.triangle_count, sizeof *open.triangles );
		for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
		{
			double sum = 0;
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 p = mesh.positions[mesh.triangles[i].corner[k]];
				sum += axis == 0 ? p.x : axis == 1 ? p.y : p.z;
			}
			if ( sum < 3 )
			{
				open.triangles[kept++] = mesh.triangles[i];
			}
		}
		open.triangle_count = kept;
		assert_int_equal( kept, 10 );
		bvb_winding* winding = create( f, &open );
		for ( int i = 0; i < 2000; ++i )
		{
			double u = 0.05 + 0.9 * random_unit( f );
			double v = i % 3 == 0 ? u : i % 3 == 1 ? 1 - u : 0.05 + 0.9 * random_unit( f );
			double w =
				1 + ( i % 4 == 0 ? 0 : ldexp( random_unit( f ) - 0.5, -(int)( random_bits( f ) % 54 ) ) );
			bv_vec3 p = axis == 0   ? ( bv_vec3 ){ w, u, v }
			            : axis == 1 ? ( bv_vec3 ){ u, w, v }
			                        : ( bv_vec3 ){ u, v, w };
			assert_winding( winding, p, brute_force( &open, p ), 1e-12 );
		}
	}
}

// Of any point that can be seen from the center, whatever is near.
static void numbers_change_by_no_more_than_their_bound( void** state )
{
	fixture* f = *state;
	int bounded = 0;
	int nearer = 0;
	double closest = 0;
	double straightest = 0;
	for ( int round = 0; round < 4; ++round )
	{
		bvb_mesh mesh = torn_ball( f, round % 2 == 0 );
		bvb_winding* winding = create( f, &mesh );
		for ( int i = 0; i < 500; ++i )
		{
			bv_vec3 center = random_point_within( f, 1.2 );
			double radius = ( i % 4 == 0 ? 0.001 : 0.6 ) * random_unit( f );
			bvb_winding_slope slope = bvb_winding_bound_slope( winding, center, radius, NULL );
			bv_vec3 gradient = slope.gradient;
			assert_true( ( slope.curvature < INFINITY ) == ( slope.change < INFINITY ) );
			double number = brute_force( &mesh, center );
			for ( int k = 0; k < 10 && slope.change < INFINITY; ++k )
			{
				bv_vec3 way = random_point_within( f, 1 );
				double length = length_of( way );
				bv_vec3 p = { center.x + way.x * radius / length, center.y + way.y * radius / length,
					          center.z + way.z * radius / length };
				if ( !passes_a_triangle( &mesh, center, p ) )
				{
					double changed = fabs( brute_force( &mesh, p ) - number );
					assert_true( changed <= slope.change + 1e-12 );
					closest = fmax( closest, changed / slope.change );
					double foreseen = number + gradient.x * ( p.x - center.x ) +
					                  gradient.y * ( p.y - center.y ) + gradient.z * ( p.z - center.z );
					double off = fabs( brute_force( &mesh, p ) - foreseen );
					assert_true( off <= slope.curvature + 1e-12 );
					straightest = fmax( straightest, off / slope.curvature );
					nearer += slope.curvature < slope.change;
					bounded += 1;
				}
			}
		}
	}

	// A bound that is many times too large would be no use.
	assert_true( bounded > 1000 && closest > 0.2 && straightest > 0.1 && nearer > 100 );
}

// A power of two changes no digit.
static void scaling_by_a_power_of_two_changes_no_bit( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 40, 20 );
	bvb_winding* winding = create( f, &mesh );
	const double scales[] = { 0x1p100, 0x1p-100, 0x1p119, 0x1p-119 };
	for ( int i = 0; i < 4; ++i )
	{
		bvb_mesh other = mesh_of( f, mesh.positions, mesh.vertex_count,
		                          (const uint32_t( * )[3])mesh.triangles, mesh.triangle_count );
		for ( uint32_t k = 0; k < other.vertex_count; ++k )
		{
			other.positions[k] = scaled( scales[i], other.positions[k] );
		}
		bvb_winding* scaled_winding = create( f, &other );
		for ( int k = 0; k < 100; ++k )
		{
			bv_vec3 p = random_point_within( f, k % 2 ? 1 : 1000 );
			double value = bvb_winding_number( winding, p );
			assert_true( value != 0 &&
			             bvb_winding_number( scaled_winding, scaled( scales[i], p ) ) == value );
		}
	}
}

// The largest and the least coordinates, a cube of the one beside a cube of the other, and numbers that no
// mesh of record has.
static void extreme_sizes( void** state )
{
	fixture* f = *state;
	const double sizes[] = { 1e36, 1e-36, 1e-300, 0x1p-1060, 1e300, 0x1.8p1023 };
	for ( int i = 0; i < 6; ++i )
	{
		double s = sizes[i];
		bvb_mesh mesh = box_mesh( f, s, s, s );
		bvb_winding* winding = create( f, &mesh );
		assert_winding( winding, ( bv_vec3 ){ s / 2, s / 2, s / 4 }, 1, 1e-14 );
		assert_winding( winding, ( bv_vec3 ){ s / 2, s / 2, -s / 4 }, 0, 1e-14 );
	}
	bvb_mesh large = box_mesh( f, 1e36, 1e36, 1e36 );
	bvb_mesh small = box_mesh( f, 1e-36, 1e-36, 1e-36 );
	bvb_mesh both = soup_create( f, 24 );
	for ( uint32_t i = 0; i < both.vertex_count; ++i )
	{
		const bvb_mesh* part = i < 36 ? &large : &small;
		both.positions[i] = part->positions[part->triangles[i % 36 / 3].corner[i % 3]];
	}
	bvb_winding* winding = create( f, &both );
	assert_winding( winding, ( bv_vec3 ){ 0.3e-36, 0.4e-36, 0.5e-36 }, 2, 1e-14 );
	assert_winding( winding, ( bv_vec3 ){ 3e-36, 4e-36, 5e-36 }, 1, 1e-14 );
	assert_winding( winding, ( bv_vec3 ){ 3e-36, 4e-36, -5e-36 }, 0, 1e-14 );

	// Next to the corner that both have in common, until products underflow.
	for ( double d = 1e-36; d > 0; d *= 1e-3 )
	{
		assert_true( isfinite( bvb_winding_number( winding, ( bv_vec3 ){ d, d / 2, d / 3 } ) ) );
	}
}

// An open mesh far away covers its area over the square of the distance, and soon nothing. Points that are
// none get 0.
static void far_points_have_next_to_nothing( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	mesh.triangle_count = 10;
	bvb_winding* winding = create( f, &mesh );
	for ( double distance = 0x1p20; distance < INFINITY; distance *= 0x1p20 )
	{
		bv_vec3 p = { distance + 1, 0.5, 0.5 };
		double value = bvb_winding_number( winding, p );
		double expected = distance <= 0x1p60 ? 1 / ( 4 * pi * distance * distance ) : 0;
		assert_true( fabs( value - expected ) <= 1e-5 * fabs( expected ) );
	}
	const bv_vec3 none[] = {
		{ INFINITY, 0, 0 }, { 0, -INFINITY, 0 }, { 0, 0, NAN }, { 1e300, -1e300, 1e300 }
	};
	for ( int i = 0; i < 4; ++i )
	{
		assert_true( bvb_winding_number( winding, none[i] ) == 0 );
	}
}

static void triangles_with_coordinates_that_are_no_numbers_do_not_count( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, ball.vertex_count + 2, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, ball.triangle_count + 2, sizeof *mesh.triangles ),
		.vertex_count = ball.vertex_count + 2,
		.triangle_count = ball.triangle_count + 2,
	};
	memcpy( mesh.positions, ball.positions, ball.vertex_count * sizeof *ball.positions );
	memcpy( mesh.triangles + 1, ball.triangles, ball.triangle_count * sizeof *ball.triangles );
	mesh.positions[ball.vertex_count] = ( bv_vec3 ){ 0, NAN, 0 };
	mesh.positions[ball.vertex_count + 1] = ( bv_vec3 ){ -INFINITY, 0, 1e300 };
	mesh.triangles[0] = ( bvb_triangle ){ { 0, ball.vertex_count, 1 } };
	mesh.triangles[ball.triangle_count + 1] = ( bvb_triangle ){ { 2, 1, ball.vertex_count + 1 } };
	bvb_winding* winding = create( f, &mesh );
	assert_winding( winding, ( bv_vec3 ){ 0.1, 0.2, 0.3 }, 1, 1e-13 );
	assert_winding( winding, ( bv_vec3 ){ 2, 0.2, 0.3 }, 0, 1e-13 );

	bvb_mesh none = { .positions = mesh.positions,
		              .triangles = mesh.triangles,
		              .vertex_count = mesh.vertex_count };
	assert_winding( create( f, &none ), ( bv_vec3 ){ 0, 0, 0 }, 0, 0 );
	none.triangle_count = 1;
	assert_winding( create( f, &none ), ( bv_vec3 ){ 0, 0, 0 }, 0, 0 );
}

// All middles in one place, and middles at distances that halve from one to the next: neither can be cut in
// the middle of a box.
static void crowded_triangles( void** state )
{
	fixture* f = *state;
	const uint32_t count = 20000;
	bvb_mesh mesh = soup_create( f, count );
	const bv_vec3 corner[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int round = 0; round < 2; ++round )
	{
		double expected = 0;
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			mesh.positions[i] = scaled( round == 0 ? 1 : ldexp( 1, -(int)( i / 3 % 100 ) ), corner[i % 3] );
			expected += i % 3 == 0 ? 0.125 : 0;
		}
		bvb_winding* winding = create( f, &mesh );
		assert_true( bvmesh_winding_closing_triangles( winding ) <= 3 * count );
		assert_winding( winding, ( bv_vec3 ){ 0, 0, 0 }, expected, 1e-9 * expected );
	}
}

// From outside of its box a closed mesh is nothing at all. From within, a node of n triangles has some sqrt(
// n ) boundary edges, and the nodes beside the path to the point's leaf have a few times sqrt( n ) in all: 5
// % of a hundred thousand is more than that by far, and far less than all of them.
static void closings_save_work( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 160 );
	assert_true( mesh.triangle_count > 100000 );
	bvb_winding* winding = create( f, &mesh );
	assert_true( bvmesh_winding_closing_triangles( winding ) <= 3 * mesh.triangle_count );
	uint64_t evaluated = 0;
	assert_true( bvmesh_winding_number_counted( winding, ( bv_vec3 ){ 2, 2, 2 }, &evaluated ) == 0 );
	assert_int_equal( evaluated, 0 );
	uint64_t all = 0;
	for ( int i = 0; i < 100; ++i )
	{
		evaluated = 0;
		bv_vec3 p = random_point_within( f, 0.4 );
		assert_true( fabs( bvmesh_winding_number_counted( winding, p, &evaluated ) - 1 ) <= 1e-12 );
		assert_true( evaluated > 0 && evaluated < mesh.triangle_count / 20 );
		all += evaluated;
	}
	print_message( "%.0f of %u triangles on average\n", (double)all / 100, mesh.triangle_count );
}

// The opening of a dome has 200 edges: so many triangles close it, less two at the fan's apex.
static void far_from_an_open_mesh_its_boundary_counts( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 200, 100 );
	bvb_winding* winding = create( f, &mesh );
	uint64_t evaluated = 0;
	bvmesh_winding_number_counted( winding, ( bv_vec3 ){ 5, 5, -5 }, &evaluated );
	assert_int_equal( evaluated, 198 );
}

static void repeated_calls_give_the_same_bits( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 60, 30 );
	bvb_winding* first = create( f, &mesh );
	bvb_winding* second = create( f, &mesh );
	double values[200];
	bv_vec3 points[200];
	for ( int i = 0; i < 200; ++i )
	{
		points[i] = random_point_within( f, 2 );
		values[i] = bvb_winding_number( first, points[i] );
	}
	for ( int i = 199; i >= 0; --i )
	{
		double again = bvb_winding_number( first, points[i] );
		double other = bvb_winding_number( second, points[i] );
		assert_memory_equal( &again, &values[i], sizeof again );
		assert_memory_equal( &other, &values[i], sizeof other );
	}
}

static void too_little_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	bv_status status = bv_error_memory;
	int failures = 0;
	for ( size_t limit = 0; status == bv_error_memory; limit += 256 )
	{
		bvb_arena* arena = bvb_arena_create_limited( limit );
		bvb_winding* winding;
		bvb_error error = { "" };
		status = bvb_winding_create( &mesh, arena, &winding, &error );
		if ( status == bv_error_memory )
		{
			assert_null( winding );
			assert_string_equal( error.message, "out of memory" );
			++failures;
		}
		else
		{
			assert_int_equal( status, bv_ok );
			assert_winding( winding, ( bv_vec3 ){ 0, 0, 0 }, 1, 1e-13 );
		}
		bvb_arena_destroy( arena );
	}
	assert_true( failures > 100 );
}

static void too_many_triangles_are_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = { .triangle_count = BVB_MAX_TRIANGLES + 1 };
	bvb_winding* winding;
	bvb_error error;
	assert_int_equal( bvb_winding_create( &mesh, f->arena, &winding, &error ), bv_error_limit );
	assert_string_equal( error.message, "1073741825 triangles exceed the limit of 1073741824" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( soups_agree_with_the_sum_over_all_triangles ),
		fixture_test( ribbons_agree_with_the_sum_over_all_triangles ),
		fixture_test( closed_meshes_have_one_inside_and_zero_outside ),
		fixture_test( turning_a_mesh_inside_out_changes_the_sign ),
		fixture_test( shells_within_shells_add_up ),
		fixture_test( cube_without_a_face_covers_five_sixths_of_its_center ),
		fixture_test( dome_covers_what_its_opening_does_not ),
		fixture_test( next_to_the_surface_sides_are_told_apart ),
		fixture_test( triangles_without_area_do_no_harm ),
		fixture_test( needles_agree_with_the_formula ),
		fixture_test( on_the_surface_values_are_bounded ),
		fixture_test( closings_within_a_mesh_are_not_felt ),
		fixture_test( next_to_what_closes_holes_nothing_is_felt_of_it ),
		fixture_test( in_the_plane_of_an_opening_nothing_is_felt_of_it ),
		fixture_test( numbers_change_by_no_more_than_their_bound ),
		fixture_test( scaling_by_a_power_of_two_changes_no_bit ),
		fixture_test( extreme_sizes ),
		fixture_test( far_points_have_next_to_nothing ),
		fixture_test( triangles_with_coordinates_that_are_no_numbers_do_not_count ),
		fixture_test( crowded_triangles ),
		fixture_test( closings_save_work ),
		fixture_test( far_from_an_open_mesh_its_boundary_counts ),
		fixture_test( repeated_calls_give_the_same_bits ),
		fixture_test( too_little_memory_is_an_error ),
		fixture_test( too_many_triangles_are_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
