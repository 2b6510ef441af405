// Bounds of winding numbers of open meshes against the sum over all triangles in long double, and how much of the
// tree over the open edges they look at.

#include "winding_numbers.h"

static const double thresholds[] = { 0.5, -0.3, 1.2 };

enum
{
	threshold_count = sizeof thresholds / sizeof *thresholds,
};

// Compares bounds with the sum over all triangles.
// @param tolerance  allowed where bounds are the winding number, whose error is rounding
// @return how many of the bounds are wider than a number
static int assert_bounds( const bvb_mesh* mesh, const bvb_winding* winding, bv_vec3 p, double tolerance )
{
	double expected = brute_force( mesh, p );
	int wide = 0;
	for ( int i = 0; i < threshold_count; ++i )
	{
		bv_interval b = bvb_winding_bounds( winding, p, thresholds[i], NULL );
		bool exact = b.lower == b.upper;
		double allowed = exact ? tolerance : 0;
		if ( !( b.lower - allowed <= expected && expected <= b.upper + allowed ) )
		{
			fail_msg( "[%.17g, %.17g] at ( %.17g, %.17g, %.17g ) is without %.17g", b.lower, b.upper, p.x,
			          p.y, p.z, expected );
		}
		assert_true( exact ? b.lower == bvb_winding_number( winding, p )
		                   : thresholds[i] < b.lower || thresholds[i] > b.upper );
		wide += !exact;
	}
	return wide;
}

static bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double distance_between( bv_vec3 a, bv_vec3 b )
{
	return length_of( plus( a, -1, b ) );
}

// A ball without `holes` of its triangles, evenly spread.
static bvb_mesh ball_with_holes( fixture* f, uint32_t rings, uint32_t holes )
{
	bvb_mesh mesh = bumpy_ball( f, rings );
	uint64_t count = mesh.triangle_count;
	uint32_t kept = 0;
	for ( uint64_t i = 0; i < count; ++i )
	{
		mesh.triangles[kept] = mesh.triangles[i];
		kept += i * holes / count == ( i + 1 ) * holes / count;
	}
	assert_int_equal( count - kept, holes );
	mesh.triangle_count = kept;
	return mesh;
}

// The triangles with corners of their own.
static bvb_mesh torn_apart( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh soup = soup_create( f, mesh->triangle_count );
	for ( uint32_t i = 0; i < soup.vertex_count; ++i )
	{
		soup.positions[i] = mesh->positions[mesh->triangles[i / 3].corner[i % 3]];
	}
	return soup;
}

// The same with corners that are off a little: all edges are open.
static bvb_mesh cracked( fixture* f, const bvb_mesh* mesh, double width )
{
	bvb_mesh soup = torn_apart( f, mesh );
	for ( uint32_t i = 0; i < soup.vertex_count; ++i )
	{
		soup.positions[i] = plus( soup.positions[i], width, random_point_within( f, 1 ) );
	}
	return soup;
}

// Balls in each other, each with holes, every other one turned inside out.
static bvb_mesh nested_balls( fixture* f, int count )
{
	bvb_mesh ball = ball_with_holes( f, 10, 60 );
	bvb_mesh mesh = soup_create( f, (uint32_t)count * ball.triangle_count );
	for ( uint32_t t = 0; t < mesh.triangle_count; ++t )
	{
		uint32_t shell = t / ball.triangle_count;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t v = ball.triangles[t % ball.triangle_count].corner[k];
			mesh.positions[3 * t + ( shell % 2 ? 2 - k : k )] = scaled( 1 - 0.15 * shell, ball.positions[v] );
		}
	}
	return mesh;
}

// A cube of side 2 about the origin, each face a grid of its own: T-junctions along all of its edges.
static bvb_mesh cube_with_t_junctions( fixture* f )
{
	static const uint32_t side[6] = { 1, 7, 4, 10, 3, 13 };
	uint32_t count = 0;
	for ( int i = 0; i < 6; ++i )
	{
		count += 2 * side[i] * side[i];
	}
	bvb_mesh mesh = soup_create( f, count );
	bv_vec3* p = mesh.positions;
	for ( int face = 0; face < 6; ++face )
	{
		uint32_t n = side[face];
		int axis = face / 2;
		for ( uint32_t i = 0; i < n * n; ++i )
		{
			bv_vec3 corner[4];
			for ( uint32_t k = 0; k < 4; ++k )
			{
				double x[3];
				x[axis] = face % 2 ? 1 : -1;
				x[( axis + 1 ) % 3] = -1 + 2.0 * ( i % n + k % 2 ) / n;
				x[( axis + 2 ) % 3] = -1 + 2.0 * ( i / n + k / 2 ) / n;
				corner[k] = ( bv_vec3 ){ x[0], x[1], x[2] };
			}
			static const int order[2][6] = { { 0, 2, 1, 1, 2, 3 }, { 0, 1, 2, 1, 3, 2 } };
			for ( int k = 0; k < 6; ++k )
			{
				*p++ = corner[order[face % 2][k]];
			}
		}
	}
	return mesh;
}

// Of many kinds of openings. Points within, around and far from them. Returns NULL after the last one.
static const char* mesh_of_kind( fixture* f, int kind, bvb_mesh* out )
{
	bvb_mesh ball;
	switch ( kind )
	{
	case 0:
	case 1: // few vertices: edges that count many times
		*out = soup_create( f, 600 );
		for ( uint32_t i = 0; i < out->vertex_count; ++i )
		{
			out->positions[i] = random_point_within( f, 1 );
			out->triangles[i / 3].corner[i % 3] = (uint32_t)( random_bits( f ) % ( kind == 0 ? 12 : 1800 ) );
		}
		return kind == 0 ? "few vertices" : "soup";
	case 2: *out = ball_with_holes( f, 20, 150 ); return "small holes";
	case 3:
		ball = bumpy_ball( f, 14 );
		*out = cracked( f, &ball, 1e-6 );
		return "cracks";
	case 4: *out = cube_with_t_junctions( f ); return "T-junctions";
	case 5: *out = nested_balls( f, 4 ); return "nested shells";
	case 6:
		ball = ball_with_holes( f, 16, 100 );
		*out = torn_apart( f, &ball );
		return "vertices at one place";
	case 7: *out = make_dome( f, 200, 3 ); return "dome";
	default: return NULL;
	}
}

static void bounds_contain_the_sum_over_all_triangles( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh;
	const char* name;
	for ( int kind = 0; ( name = mesh_of_kind( f, kind, &mesh ) ); ++kind )
	{
		bvb_winding* winding = create( f, &mesh );
		assert_true( bvb_winding_open_edges( winding ) >= 12 );
		int wide = 0;
		for ( int i = 0; i < 200; ++i )
		{
			bv_vec3 p = random_point_within( f, i % 3 == 0 ? 0.7 : i % 3 == 1 ? 2 : 100 );
			wide += assert_bounds( &mesh, winding, p, 1e-11 );
		}
		assert_true( kind == 0 || wide > 100 );
	}
}

// A cube or a torn ball is the same at one place as at several: what is open only because vertices have
// several numbers is not.
static void vertices_at_one_place_close_a_mesh( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = ball_with_holes( f, 16, 100 );
	bvb_mesh soup = torn_apart( f, &ball );
	assert_int_equal( bvb_winding_open_edges( create( f, &soup ) ),
	                  bvb_winding_open_edges( create( f, &ball ) ) );
	ball = bumpy_ball( f, 16 );
	soup = torn_apart( f, &ball );
	assert_true( bvb_winding_is_closed( create( f, &soup ) ) );
}

// Powers of two change no digit; other scales change the last ones.
static void bounds_hold_at_extreme_scales( void** state )
{
	fixture* f = *state;
	static const double scales[] = { 1e-300, 0x1p-1000, 1e-36, 1e36, 1e150 };
	for ( int i = 0; i < 5; ++i )
	{
		bvb_mesh mesh = ball_with_holes( f, 16, 100 );
		for ( uint32_t v = 0; v < mesh.vertex_count; ++v )
		{
			mesh.positions[v] = scaled( scales[i], mesh.positions[v] );
		}
		bvb_winding* winding = create( f, &mesh );
		int wide = 0;
		for ( int k = 0; k < 60; ++k )
		{
			bv_vec3 p = scaled( scales[i], random_point_within( f, k % 2 ? 0.7 : 3 ) );
			wide += assert_bounds( &mesh, winding, p, 1e-11 );
		}
		assert_true( wide > 30 );
	}
}

static void bounds_hold_far_away( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = ball_with_holes( f, 16, 100 );
	bvb_winding* winding = create( f, &mesh );
	for ( double distance = 10; distance < 0x1p70; distance *= 7 )
	{
		for ( int i = 0; i < 5; ++i )
		{
			assert_bounds( &mesh, winding, random_point_within( f, distance ), 1e-11 );
		}
	}
}

// All that closes a dome lies in the plane z = 0. The dome's own triangles do not, except for its rim.
static void bounds_hold_in_planes_of_caps( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 150, 4 );
	bvb_winding* winding = create( f, &mesh );
	for ( int i = 0; i < 400; ++i )
	{
		bv_vec3 p = random_point_within( f, 0.6 );
		p.z = i % 3 == 0 ? 0 : ldexp( random_unit( f ) - 0.5, -(int)( random_bits( f ) % 50 ) );
		assert_bounds( &mesh, winding, p, 1e-11 );

		// On lines from the origin to vertices of the rim caps have sides.
		double share = random_unit( f );
		p = scaled( 0.9 * share, mesh.positions[random_bits( f ) % 150] );
		p.z = i % 2 ? p.z : 1e-9;
		assert_bounds( &mesh, winding, p, 1e-11 );
	}
}

// An error of some 2^-52 over the distance is rounding: the surface may be taken for moved by that.
static void bounds_hold_next_to_open_edges( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 100, 4 );
	bvb_winding* winding = create( f, &mesh );
	for ( double d = 0.1; d > 1e-12; d *= 0.1 )
	{
		for ( int i = 0; i < 30; ++i )
		{
			uint32_t v = (uint32_t)( random_bits( f ) % 100 );
			bv_vec3 a = mesh.positions[v];
			bv_vec3 b = mesh.positions[( v + 1 ) % 100];
			bv_vec3 on_edge = plus( a, random_unit( f ), plus( b, -1, a ) );
			bv_vec3 away = random_point_within( f, 1 );
			bv_vec3 p = plus( on_edge, d / length_of( away ), away );
			double to_edge = d;
			for ( double t = 0; t <= 1; t += 0x1p-10 )
			{
				to_edge = fmin( to_edge, distance_between( p, plus( a, t, plus( b, -1, a ) ) ) );
			}
			assert_bounds( &mesh, winding, p, 1e-12 + 0x1p-46 / to_edge );
		}
	}
}

// @return whether the winding number is so near to 1/2 that only the sum over all caps decides, or nearly so
static bool assert_decision( const bvb_mesh* mesh, const bvb_winding* winding, bv_vec3 p, double tolerance )
{
	double expected = brute_force( mesh, p );
	bool inside = bvb_winding_is_inside( winding, p );
	if ( fabs( expected - 0.5 ) > tolerance && inside != ( expected > 0.5 ) )
	{
		fail_msg( "%.17g at ( %.17g, %.17g, %.17g ) is %s", expected, p.x, p.y, p.z,
		          inside ? "inside" : "outside" );
	}
	return fabs( expected - 0.5 ) < 1e-4;
}

static void decisions_are_those_of_the_sum_over_all_triangles( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh;
	for ( int kind = 0; mesh_of_kind( f, kind, &mesh ); ++kind )
	{
		bvb_winding* winding = create( f, &mesh );
		for ( int i = 0; i < 300; ++i )
		{
			bv_vec3 p = random_point_within( f, i % 3 == 0 ? 0.7 : i % 3 == 1 ? 2 : 100 );
			assert_decision( &mesh, winding, p, 1e-11 );
		}
	}
}

// Halves lines through the opening of a dome until the number is 1/2 but for rounding.
static void decisions_hold_next_to_the_threshold( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 100, 4 );
	bvb_winding* winding = create( f, &mesh );
	int near = 0;
	for ( int i = 0; i < 20; ++i )
	{
		bv_vec3 at = random_point_within( f, 0.6 );
		bv_vec3 low = { at.x, at.y, -0.5 };
		bv_vec3 high = { at.x, at.y, 0.3 };
		for ( int halvings = 0; halvings < 40; ++halvings )
		{
			bv_vec3 middle = scaled( 0.5, plus( low, 1, high ) );
			near += assert_decision( &mesh, winding, middle, 1e-12 );
			bool inside = brute_force( &mesh, middle ) > 0.5;
			high = inside ? middle : high;
			low = inside ? low : middle;
		}
	}
	assert_true( near > 20 * 20 );
}

static void decisions_hold_next_to_open_edges( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = make_dome( f, 100, 4 );
	bvb_winding* winding = create( f, &mesh );
	for ( double d = 0.1; d > 1e-12; d *= 0.1 )
	{
		for ( int i = 0; i < 30; ++i )
		{
			uint32_t v = (uint32_t)( random_bits( f ) % 100 );
			bv_vec3 on_edge = scaled( 0.5, plus( mesh.positions[v], 1, mesh.positions[( v + 1 ) % 100] ) );
			bv_vec3 away = random_point_within( f, 1 );
			bv_vec3 p = plus( on_edge, d / length_of( away ), away );
			assert_decision( &mesh, winding, p, 1e-12 + 0x1p-46 / d );
		}
	}
}

static double distance_to_vertices( const bvb_mesh* mesh, bv_vec3 p )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			least = fmin( least, distance_between( p, mesh->positions[mesh->triangles[i].corner[k]] ) );
		}
	}
	return least;
}

// Tubes that are turned inside out, with their rim in the plane x = 0: there the angles of caps cancel exactly.
static void decisions_hold_in_planes_of_rims( void** state )
{
	fixture* f = *state;
	static const uint32_t sides[6][3] = { { 0, 3, 1 }, { 3, 4, 1 }, { 1, 4, 2 },
		                                  { 4, 5, 2 }, { 2, 5, 0 }, { 5, 3, 0 } };
	int tubes = is_thorough() ? 20000 : 500;
	for ( int i = 0; i < tubes; ++i )
	{
		bv_vec3 corner[6];
		double height = 0.5 + 3 * random_unit( f );
		for ( int k = 0; k < 3; ++k )
		{
			double angle = 2 * pi / 3 * k + 0.8 * random_unit( f );
			double radius = 0.5 + random_unit( f );
			corner[k] = ( bv_vec3 ){ 0, radius * cos( angle ), radius * sin( angle ) };
			angle = 2 * pi / 3 * k + 1.2;
			corner[3 + k] = ( bv_vec3 ){ height, radius * cos( angle ), radius * sin( angle ) };
		}
		bvb_mesh mesh = mesh_of( f, corner, 6, sides, 6 );
		bvb_winding* winding = create( f, &mesh );
		for ( int k = 0; k < 10; ++k )
		{
			bv_vec3 p = { 0, 0.3 * ( random_unit( f ) - 0.5 ), 0.3 * ( random_unit( f ) - 0.5 ) };
			double expected = brute_force( &mesh, p );
			assert_true( fabs( expected - 0.5 ) > 1e-6 );
			assert_true( bvb_winding_is_inside( winding, p ) == ( expected > 0.5 ) );
			assert_true( fabs( bvb_winding_estimate( winding, p, NULL ) - expected ) < 0.2 );
		}
	}
}

// Of any point that can be seen from the center, in a mesh with so many open edges that most are seen as
// nodes.
static void numbers_change_by_no_more_than_their_bound( void** state )
{
	fixture* f = *state;
	int bounded = 0;
	int by_nodes = 0;
	double closest = 0;
	double straightest = 0;
	bvb_mesh mesh = ball_with_holes( f, 23, 500 );
	bvb_winding* winding = create( f, &mesh );
	uint32_t edges = bvb_winding_open_edges( winding );
	assert_true( edges > 1000 );
	for ( int i = 0; i < 160; ++i )
	{
		bv_vec3 center = random_point_within( f, i % 2 ? 0.6 : 3 );
		double radius = ( i % 8 == 0 ? 0.001 : i % 8 == 1 ? 0.05 : i % 2 ? 0.6 : 1.5 ) * random_unit( f );
		uint64_t work = 0;
		bvb_winding_slope slope = bvb_winding_bound_slope( winding, center, radius, &work );
		assert_true( ( slope.curvature < INFINITY ) == ( slope.change < INFINITY ) );
		double number = brute_force( &mesh, center );
		by_nodes += slope.change < INFINITY && work < edges;
		for ( int k = 0; k < 4 && slope.change < INFINITY; ++k )
		{
			bv_vec3 way = random_point_within( f, 1 );
			double length = length_of( way );
			bv_vec3 p = plus( center, radius / length, way );
			if ( !passes_a_triangle( &mesh, center, p ) )
			{
				bv_vec3 moved = plus( p, -1, center );
				bv_vec3 g = slope.gradient;
				double changed = brute_force( &mesh, p ) - number;
				double off = fabs( changed - g.x * moved.x - g.y * moved.y - g.z * moved.z );
				assert_true( fabs( changed ) <= slope.change + 1e-12 );
				assert_true( off <= slope.curvature + 1e-12 );
				closest = fmax( closest, fabs( changed ) / slope.change );
				straightest = fmax( straightest, off / slope.curvature );
				bounded += 1;
			}
		}
	}

	// A bound that is many times too large would be no use.
	assert_true( bounded > 300 && by_nodes > 30 && closest > 0.03 && straightest > 0.01 );
}

// A long thin triangle, from where the second derivative along it is about largest, 30 degrees above it: 0.69 of its bound.
static void a_node_is_off_by_most_of_its_bound( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 1 );
	mesh.positions[0] = ( bv_vec3 ){ -1, 0, 0 };
	mesh.positions[1] = ( bv_vec3 ){ 1, 0, 0 };
	mesh.positions[2] = ( bv_vec3 ){ 0, 0.01, 0 };
	bvb_winding* winding = create( f, &mesh );
	bv_vec3 p = { 30 * sqrt( 0.75 ), 0, 30 * sqrt( 0.25 ) };
	bv_interval b = bvb_winding_bounds( winding, p, 0.5, NULL );
	double expected = brute_force( &mesh, p );
	double off = fabs( expected - 0.5 * ( b.lower + b.upper ) );
	double allowed = 0.5 * ( b.upper - b.lower );
	assert_true( off <= allowed && off > 0.5 * allowed );
}

// The largest share of its bound that gradients are off by.
//
// Central differences of the sum over all triangles are compared. In a ball of next to no size the bound is that of
// the gradient itself, which nodes have an error of.
static double largest_error_of_gradients( fixture* f, const bvb_mesh* mesh )
{
	static const double step = 1e-4;
	static const double radius = 1e-9;
	bvb_winding* winding = create( f, mesh );
	double worst = 0;
	for ( int compared = 0; compared < 60; )
	{
		bv_vec3 p = random_point_within( f, 2.5 );
		double distance = distance_to_vertices( mesh, p );
		if ( distance < 0.2 )
		{
			continue;
		}
		bvb_winding_slope slope = bvb_winding_bound_slope( winding, p, radius, NULL );
		double allowed = slope.curvature / radius;
		double g[3];
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 axis = { k == 0, k == 1, k == 2 };
			g[k] =
				( brute_force( mesh, plus( p, step, axis ) ) - brute_force( mesh, plus( p, -step, axis ) ) ) /
				( 2 * step );
		}
		double off = length_of( plus( slope.gradient, -1, ( bv_vec3 ){ g[0], g[1], g[2] } ) );

		// The differences' own error: the third derivative is at most some 6 / d^4 times the edges' length.
		double of_step = step * step * slope.change / radius * 10 / ( distance * distance ) + 1e-11;
		assert_true( off <= allowed + of_step );
		worst = fmax( worst, ( off - of_step ) / allowed );
		++compared;
	}
	return worst;
}

static void gradients_are_off_by_no_more_than_their_bound( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = ball_with_holes( f, 23, 500 );
	bvb_mesh dome = make_dome( f, 500, 2 );
	double of_ball = largest_error_of_gradients( f, &ball );
	double of_dome = largest_error_of_gradients( f, &dome );
	assert_true( of_ball > 0.01 && of_dome > 0.1 );
}

// The work of many bounds: the mean and the largest one.
typedef struct spent
{
	double mean;
	uint64_t most;
} spent;

// @param radius  of the balls whose slopes are bounded; 0 for bounds of winding numbers
static spent spend( fixture* f, const bvb_winding* winding, double from, double to, double radius )
{
	enum
	{
		points = 100,
	};
	spent all = { 0, 0 };
	for ( int i = 0; i < points; ++i )
	{
		bv_vec3 way = random_point_within( f, 1 );
		bv_vec3 p = scaled( ( from + ( to - from ) * random_unit( f ) ) / length_of( way ), way );
		uint64_t work = 0;
		if ( radius > 0 )
		{
			bvb_winding_bound_slope( winding, p, radius, &work );
		}
		else
		{
			bvb_winding_bounds( winding, p, 0.5, &work );
		}
		all.mean += (double)work / points;
		all.most = work > all.most ? work : all.most;
	}
	return all;
}

// From within, from around, and from next to a ball. However many holes it has, one triangle of thirteen is missing: so
// much is open, of which nodes that are as large hold the more edges. Work that grows like the number of edges would be
// above 300 times the logarithm of nearly 9,000 if it was as measured for 300, and above 600 if each edge counted once.
static void work_grows_like_the_logarithm_of_open_edges( void** state )
{
	fixture* f = *state;
	static const uint32_t holes[] = { 100, 400, 1600, 3000 };
	static const double ranges[3][2] = { { 0, 0.5 }, { 1.5, 2 }, { 0.7, 1.3 } };
	for ( int i = 0; i < 4; ++i )
	{
		uint32_t rings = (uint32_t)( sqrt( holes[i] * 13 / 4.0 ) + 1 );
		bvb_mesh mesh = ball_with_holes( f, rings, holes[i] );
		bvb_winding* winding = create( f, &mesh );
		double logarithm = log2( bvb_winding_open_edges( winding ) );
		for ( int r = 0; r < 3; ++r )
		{
			spent bounds = spend( f, winding, ranges[r][0], ranges[r][1], 0 );
			spent slopes = spend( f, winding, ranges[r][0], ranges[r][1], 0.3 );
			assert_true( bounds.mean <= 100 * logarithm &&
			             ( r == 2 || (double)bounds.most <= 200 * logarithm ) );
			assert_true( slopes.mean <= 150 * logarithm && (double)slopes.most <= 200 * logarithm );
		}
	}
}

// Where bounds cannot tell, all caps are summed up: a few for each edge, of small holes and of
// long rims, whether their vertices have one number or several.
static void exact_numbers_take_a_few_caps_per_edge( void** state )
{
	fixture* f = *state;
	bvb_mesh dome = make_dome( f, 3000, 2 );
	bvb_mesh meshes[3] = { ball_with_holes( f, 60, 1500 ), dome, torn_apart( f, &dome ) };
	for ( int m = 0; m < 3; ++m )
	{
		bvb_winding* winding = create( f, meshes + m );
		double edges = bvb_winding_open_edges( winding );
		for ( int i = 0; i < 50; ++i )
		{
			bv_vec3 p = random_point_within( f, 0.5 );
			uint64_t work = 0;
			double number = bvb_winding_number( winding, p );
			bv_interval b = bvb_winding_bounds( winding, p, number, &work );
			assert_true( b.lower == number && b.upper == number );
			assert_true( (double)work >= edges && (double)work <= 8 * edges );
		}
	}
}

static void repeated_calls_give_the_same_bits( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = ball_with_holes( f, 20, 200 );
	bvb_winding* windings[2] = { create( f, &mesh ), create( f, &mesh ) };
	for ( int i = 0; i < 200; ++i )
	{
		bv_vec3 p = random_point_within( f, 2 );
		bv_interval bounds[3];
		bvb_winding_slope slopes[3];
		uint64_t work[3] = { 0 };
		for ( int k = 0; k < 3; ++k )
		{
			bounds[k] = bvb_winding_bounds( windings[k % 2], p, 0.5, work + k );
			slopes[k] = bvb_winding_bound_slope( windings[k % 2], p, 0.1, work + k );
		}
		for ( int k = 1; k < 3; ++k )
		{
			assert_memory_equal( bounds, bounds + k, sizeof *bounds );
			assert_memory_equal( slopes, slopes + k, sizeof *slopes );
			assert_int_equal( work[0], work[k] );
		}
	}
}

static void too_little_memory_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = ball_with_holes( f, 12, 60 );
	bv_status status = bv_error_memory;
	int failures = 0;
	for ( size_t limit = 0; status == bv_error_memory; limit += 1024 )
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
			assert_bounds( &mesh, winding, ( bv_vec3 ){ 0, 0, 0 }, 1e-11 );
		}
		bvb_arena_destroy( arena );
	}
	assert_true( failures > 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( bounds_contain_the_sum_over_all_triangles ),
		fixture_test( vertices_at_one_place_close_a_mesh ),
		fixture_test( bounds_hold_at_extreme_scales ),
		fixture_test( bounds_hold_far_away ),
		fixture_test( bounds_hold_in_planes_of_caps ),
		fixture_test( bounds_hold_next_to_open_edges ),
		fixture_test( decisions_are_those_of_the_sum_over_all_triangles ),
		fixture_test( decisions_hold_next_to_the_threshold ),
		fixture_test( decisions_hold_next_to_open_edges ),
		fixture_test( decisions_hold_in_planes_of_rims ),
		fixture_test( numbers_change_by_no_more_than_their_bound ),
		fixture_test( a_node_is_off_by_most_of_its_bound ),
		fixture_test( gradients_are_off_by_no_more_than_their_bound ),
		fixture_test( work_grows_like_the_logarithm_of_open_edges ),
		fixture_test( exact_numbers_take_a_few_caps_per_edge ),
		fixture_test( repeated_calls_give_the_same_bits ),
		fixture_test( too_little_memory_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
