// What two volumes have in common against closed forms, other ways to compute it, and points; overlaps of siblings against
// loops over all of them.

#include "support.h"
#include "trees.h"

static bv_volume aabb_of( double x, double y, double z, double a, double b, double c )
{
	return ( bv_volume ){ .type = bv_volume_aabb, .aabb = { { x, y, z }, { a, b, c } } };
}

static bv_volume sphere_of( double x, double y, double z, double radius )
{
	return ( bv_volume ){ .type = bv_volume_sphere, .sphere = { { x, y, z }, radius } };
}

// Three orthonormal rows, from two random vectors.
static void random_frame( fixture* f, bv_vec3 axis[3] )
{
	bv_vec3 u = random_point( f );
	bv_vec3 v = random_point( f );
	double l = sqrt( u.x * u.x + u.y * u.y + u.z * u.z );
	u = ( bv_vec3 ){ u.x / l, u.y / l, u.z / l };
	double d = u.x * v.x + u.y * v.y + u.z * v.z;
	v = ( bv_vec3 ){ v.x - d * u.x, v.y - d * u.y, v.z - d * u.z };
	l = sqrt( v.x * v.x + v.y * v.y + v.z * v.z );
	v = ( bv_vec3 ){ v.x / l, v.y / l, v.z / l };
	axis[0] = u;
	axis[1] = v;
	axis[2] = ( bv_vec3 ){ u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
}

// A box as an oriented one, after x -> rows^T x + move.
static bv_volume turned( const bv_volume* box, const bv_vec3 axis[3], bv_vec3 move )
{
	const bv_vec3 lower = box->aabb.lower;
	const bv_vec3 upper = box->aabb.upper;
	double c[3] = { ( lower.x + upper.x ) / 2, ( lower.y + upper.y ) / 2, ( lower.z + upper.z ) / 2 };
	bv_volume out = {
		.type = bv_volume_obb,
		.obb = { .axis = { axis[0], axis[1], axis[2] },
		         .half_extents = { ( upper.x - lower.x ) / 2, ( upper.y - lower.y ) / 2,
		                           ( upper.z - lower.z ) / 2 } },
	};
	out.obb.center = ( bv_vec3 ){ move.x + axis[0].x * c[0] + axis[1].x * c[1] + axis[2].x * c[2],
		                          move.y + axis[0].y * c[0] + axis[1].y * c[1] + axis[2].y * c[2],
		                          move.z + axis[0].z * c[0] + axis[1].z * c[1] + axis[2].z * c[2] };
	return out;
}

// Products of overlapping lengths; the lesser box is the first.
static void boxes_have_the_product_of_lengths_in_common( void** state )
{
	fixture* f = *state;
	static const struct
	{
		double box[6];
		double overlap;
	} cases[] = {
		{ { 2, 0, 0, 4, 9, 9 }, 0 },             // apart
		{ { 1, 0, 0, 4, 9, 9 }, 0 },             // touching
		{ { -1, -1, -1, 2, 3, 4 }, 1 },          // inside
		{ { 0, 0, 0, 1, 2, 3 }, 1 },             // the same
		{ { 0.5, 0, 0, 9, 9, 9 }, 0.5 },         // half
		{ { 0.75, 1.5, 2, 9, 9, 9 }, 1.0 / 48 }, // a quarter of a quarter of a third
		{ { -9, 0.5, -9, 9, 1, 9 }, 0.25 },      // a slab through the middle
	};
	bv_volume first = aabb_of( 0, 0, 0, 1, 2, 3 );
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		const double* b = cases[i].box;
		bv_volume second = aabb_of( b[0], b[1], b[2], b[3], b[4], b[5] );
		assert_true( fabs( bvb_overlap_of( &first, &second ) - cases[i].overlap ) < 1e-14 );
		assert_true( fabs( bvb_overlap_of( &second, &first ) - cases[i].overlap ) < 1e-14 );

		// A motion of both changes nothing, and far away rounding counts.
		bv_vec3 axis[3];
		random_frame( f, axis );
		for ( int far = 0; far < 2; ++far )
		{
			bv_vec3 move = { far * 1e6, 7, -far * 3e6 };
			bv_volume a = turned( &first, axis, move );
			bv_volume c = turned( &second, axis, move );
			assert_true( fabs( bvb_overlap_of( &a, &c ) - cases[i].overlap ) < ( far ? 1e-8 : 1e-13 ) );
		}
	}
}

// A box of 1 x 1 x 1e-9 whose plane is cut at half by a large one, and one that crosses it.
static void thin_boxes_lose_nothing( void** state )
{
	fixture* f = *state;
	bv_vec3 axis[3];
	random_frame( f, axis );
	bv_volume thin = aabb_of( 0, 0, 0, 1, 1, 1e-9 );
	bv_volume half = aabb_of( 0.5, -1, -1, 2, 2, 1 );
	bv_volume cross = aabb_of( 0.25, -1, -0.5, 0.25 + 1e-9, 2, 0.5 );
	bv_vec3 move = { 3, 2, 1 };
	bv_volume a = turned( &thin, axis, move );
	bv_volume b = turned( &half, axis, move );
	bv_volume c = turned( &cross, axis, move );
	assert_true( fabs( bvb_overlap_of( &a, &b ) - 0.5 ) < 1e-5 );
	assert_true( fabs( bvb_overlap_of( &thin, &half ) - 0.5 ) < 1e-14 );
	assert_true( fabs( bvb_overlap_of( &thin, &cross ) - 1e-9 ) < 1e-15 );
	assert_true( bvb_overlap_of( &a, &c ) < 2e-9 );
}

// Two tetrahedra in a cube: the corners of one are at four of its corners, those of the other at the others. A 14-DOP around one of them
// is the tetrahedron with its edges cut off by nothing, and both have in common the octahedron of the cube's middles.
static void polytopes_of_two_tetrahedra_share_an_octahedron( void** state )
{
	(void)state;
	static const bv_vec3 one[4] = { { 1, 1, 1 }, { 1, -1, -1 }, { -1, 1, -1 }, { -1, -1, 1 } };
	static const bv_vec3 two[4] = { { -1, -1, -1 }, { -1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 } };
	bv_volume a = { .type = bv_volume_kdop14 };
	bv_volume b = { .type = bv_volume_kdop14 };
	assert_int_equal( bvb_fit_kdop( one, 4, 14, &a.kdop ), bv_ok );
	assert_int_equal( bvb_fit_kdop( two, 4, 14, &b.kdop ), bv_ok );
	assert_true( fabs( bvb_volume_of( &a ) - 8.0 / 3 ) < 1e-12 );
	assert_true( fabs( bvb_overlap_of( &a, &b ) - 0.5 ) < 1e-13 );
}

static bv_volume random_kdop( fixture* f, uint32_t k )
{
	bv_vec3 points[12];
	bv_vec3 at = random_point( f );
	for ( int i = 0; i < 12; ++i )
	{
		bv_vec3 p = random_point( f );
		points[i] = ( bv_vec3 ){ (float)( at.x + p.x ), (float)( at.y + 0.5 * p.y ), (float)( at.z + p.z ) };
	}
	bv_volume out = { .type = k == 14 ? bv_volume_kdop14 : k == 18 ? bv_volume_kdop18 : bv_volume_kdop26 };
	assert_int_equal( bvb_fit_kdop( points, 12, k, &out.kdop ), bv_ok );
	return out;
}

// What k-DOPs of one kind have in common is one, too, whose volume bvb_kdop_volume knows, face by face.
static void kdops_of_one_kind_have_one_in_common( void** state )
{
	fixture* f = *state;
	static const uint32_t kinds[] = { 14, 18, 26 };
	int met = 0;
	for ( int i = 0; i < 600; ++i )
	{
		bv_volume a = random_kdop( f, kinds[i % 3] );
		bv_volume b = random_kdop( f, kinds[i % 3] );
		bv_kdop common = a.kdop;
		bool empty = false;
		for ( int d = 0; d < BV_KDOP_DIRECTIONS; ++d )
		{
			common.lower[d] = fmax( a.kdop.lower[d], b.kdop.lower[d] );
			common.upper[d] = fmin( a.kdop.upper[d], b.kdop.upper[d] );
			empty |= common.lower[d] > common.upper[d];
		}
		double lesser = fmin( bvb_volume_of( &a ), bvb_volume_of( &b ) );
		double expected = empty ? 0 : bvb_kdop_volume( &common ) / lesser;
		assert_true( fabs( bvb_overlap_of( &a, &b ) - expected ) < 1e-10 );
		met += expected > 0;
	}
	assert_true( met > 200 );
}

static double extent_of( const bv_volume* v, double center[3] )
{
	bv_vec3 c = v->type == bv_volume_obb      ? v->obb.center
	            : v->type == bv_volume_aabb   ? ( bv_vec3 ){ ( v->aabb.lower.x + v->aabb.upper.x ) / 2,
		                                                     ( v->aabb.lower.y + v->aabb.upper.y ) / 2,
		                                                     ( v->aabb.lower.z + v->aabb.upper.z ) / 2 }
	            : v->type == bv_volume_sphere ? v->sphere.center
	            : v->type == bv_volume_rss    ? v->rss.center
	            : v->type == bv_volume_prism  ? v->prism.box.center
	                                          : ( bv_vec3 ){ ( v->kdop.lower[0] + v->kdop.upper[0] ) / 2,
		                                                     ( v->kdop.lower[1] + v->kdop.upper[1] ) / 2,
		                                                     ( v->kdop.lower[2] + v->kdop.upper[2] ) / 2 };
	center[0] = c.x;
	center[1] = c.y;
	center[2] = c.z;
	return bvb_diameter_of( v );
}

// By random points of the lesser one, as `volume_holds` has them in 113-bit arithmetic.
static double sampled_overlap( fixture* f, const bv_volume* a, const bv_volume* b, int wanted )
{
	const bv_volume* lesser = bvb_volume_of( a ) <= bvb_volume_of( b ) ? a : b;
	const bv_volume* other = lesser == a ? b : a;
	double c[3];
	double size = extent_of( lesser, c );
	int inside = 0;
	int common = 0;
	while ( inside < wanted )
	{
		bv_vec3 u = random_point( f );
		bv_vec3 p = { c[0] + size * ( u.x - 0.5 ), c[1] + size * ( u.y - 0.5 ), c[2] + size * ( u.z - 0.5 ) };
		if ( volume_holds( lesser, p ) )
		{
			inside += 1;
			common += volume_holds( other, p );
		}
	}
	return (double)common / inside;
}

static bv_volume random_volume( fixture* f, bv_volume_type type )
{
	bv_vec3 axis[3];
	bv_vec3 c = random_point( f );
	bv_vec3 h = random_point( f );
	double half[3] = { 0.3 + 0.5 * h.x, 0.3 + 0.3 * h.y, 0.3 + 0.3 * h.z };
	random_frame( f, axis );
	bv_volume out = { .type = type };
	switch ( type )
	{
	case bv_volume_obb:
	case bv_volume_prism: // begins as an oriented box does
		out.obb = ( bv_obb ){ .center = c, .half_extents = { half[0], half[1], half[2] } };
		memcpy( out.obb.axis, axis, sizeof axis );
		return out;
	case bv_volume_aabb:
		return aabb_of( c.x - half[0], c.y - half[1], c.z - half[2], c.x + half[0], c.y + half[1],
		                c.z + half[2] );
	case bv_volume_sphere: return sphere_of( c.x, c.y, c.z, half[0] );
	case bv_volume_rss:
		out.rss = ( bv_rss ){ .center = c, .half_extents = { half[0], half[1] / 2 }, .radius = half[2] / 2 };
		memcpy( out.rss.axis, axis, sizeof axis );
		return out;
	default: return random_kdop( f, type == bv_volume_kdop14 ? 14 : type == bv_volume_kdop18 ? 18 : 26 );
	}
}

// Four standard errors of 3000 random points, and 0.03 where the function itself counts points.
static void any_two_volumes_have_in_common_what_points_say( void** state )
{
	fixture* f = *state;
	int met = 0;
	for ( int a = 0; a < bv_volume_types; ++a )
	{
		for ( int b = 0; b < bv_volume_types; ++b )
		{
			for ( int i = 0; i < 2; ++i )
			{
				bv_volume x = random_volume( f, (bv_volume_type)a );
				bv_volume y = random_volume( f, (bv_volume_type)b );
				double found = bvb_overlap_of( &x, &y );
				double sampled = sampled_overlap( f, &x, &y, 3000 );
				bool rough = a == bv_volume_rss || b == bv_volume_rss ||
				             ( a == bv_volume_sphere ) != ( b == bv_volume_sphere );
				if ( !( fabs( found - sampled ) < ( rough ? 0.03 : 0 ) + 0.037 ) )
				{
					fail_msg( "types %d and %d: %g and not %g", a, b, found, sampled );
				}
				met += found > 0 && found < 1;
			}
		}
	}
	assert_true( met > 50 );
}

// Slices of two balls are discs with a common axis: Simpson's rule over the lesser disc's area.
static void balls_have_the_sum_of_slices_in_common( void** state )
{
	(void)state;
	static const double cases[][3] = { { 1, 1, 0.5 }, { 1, 3, 2.5 }, { 1, 1, 1.999 }, { 0.2, 1, 1 },
		                               { 1, 1, 0 },   { 1, 3, 1.9 }, { 1, 1, 2.001 }, { 1e-9, 1, 1 } };
	for ( size_t i = 0; i < sizeof cases / sizeof *cases; ++i )
	{
		double r = cases[i][0];
		double s = cases[i][1];
		double d = cases[i][2];
		enum
		{
			steps = 20000,
		};
		double sum = 0;
		for ( int k = 0; k <= steps; ++k )
		{
			double x = -r + 2 * r * k / steps;
			double a = fmax( 0, r * r - x * x );
			double b = fmax( 0, s * s - ( x - d ) * ( x - d ) );
			sum += ( k == 0 || k == steps ? 1 : k % 2 ? 4 : 2 ) * fmin( a, b );
		}
		double expected = sum * ( 2 * r / steps ) / 3 / ( 4.0 / 3 * r * r * r );
		bv_volume x = sphere_of( 5, 6, 7, r );
		bv_volume y = sphere_of( 5, 6 + d, 7, s );
		if ( !( fabs( bvb_overlap_of( &x, &y ) - expected ) < 5e-5 ) )
		{
			fail_msg( "radii %g and %g, %g apart: %g and not %g", r, s, d, bvb_overlap_of( &x, &y ),
			          expected );
		}
		assert_true( bvb_overlap_of( &x, &y ) == bvb_overlap_of( &y, &x ) );
	}
}

// Halves and eighths of balls; all of a rectangle swept sphere, and the half of it that a plane through its middle leaves.
static void points_count_halves_and_eighths( void** state )
{
	fixture* f = *state;
	bv_volume ball = sphere_of( 0, 0, 0, 1 );
	bv_volume half = aabb_of( 0, -2, -2, 2, 2, 2 );
	bv_volume eighth = aabb_of( 0, 0, 0, 2, 2, 2 );
	assert_true( fabs( bvb_overlap_of( &ball, &half ) - 0.5 ) < 0.01 );
	assert_true( fabs( bvb_overlap_of( &eighth, &ball ) - 0.125 ) < 0.01 );
	for ( int i = 0; i < 20; ++i )
	{
		bv_volume rss = random_volume( f, bv_volume_rss );
		bv_vec3 c = rss.rss.center;
		bv_volume all = aabb_of( c.x - 3, c.y - 3, c.z - 3, c.x + 3, c.y + 3, c.z + 3 );
		bv_volume cut = aabb_of( c.x, c.y - 3, c.z - 3, c.x + 6, c.y + 3, c.z + 3 );
		assert_true( bvb_overlap_of( &rss, &all ) == 1 );
		assert_true( fabs( bvb_overlap_of( &rss, &cut ) - 0.5 ) < 0.02 );
	}
}

// Of a thin plate across the diagonal of its upright box, and of a rod along it, half is in a ball that is large enough to be a
// half-space there.
static void points_find_the_inside_of_thin_polytopes( void** state )
{
	(void)state;
	for ( int rod = 0; rod < 2; ++rod )
	{
		bv_vec3 points[8];
		for ( int i = 0; i < 8; ++i )
		{
			double s = i & 1 ? 1 : -1;
			double t = ( i & 2 ? 1 : -1 ) * ( rod ? 0x1p-10 : 1 );
			double u = ( i & 4 ? 1 : -1 ) * 0x1p-10;
			points[i] = ( bv_vec3 ){ s + u, s - u, t };
		}
		bv_volume dop = { .type = bv_volume_kdop18 };
		assert_int_equal( bvb_fit_kdop( points, 8, 18, &dop.kdop ), bv_ok );
		double d = 1000 / sqrt( 2 );
		bv_volume ball = sphere_of( d, d, 0, 1000 );
		assert_true( fabs( bvb_overlap_of( &dop, &ball ) - 0.5 ) < 0.02 );
		assert_true( bvb_overlap_of( &ball, &dop ) == bvb_overlap_of( &dop, &ball ) );
	}
}

static void of_flat_volumes_nothing_is_said( void** state )
{
	(void)state;
	bv_volume box = aabb_of( 0, 0, 0, 1, 1, 1 );
	bv_volume flat = aabb_of( 0, 0, 0.5, 1, 1, 0.5 );
	bv_volume point = sphere_of( 0.5, 0.5, 0.5, 0 );
	assert_true( bvb_overlap_of( &box, &flat ) < 0 );
	assert_true( bvb_overlap_of( &flat, &box ) < 0 );
	assert_true( bvb_overlap_of( &box, &point ) < 0 );
	assert_true( bvb_overlap_of( &flat, &flat ) < 0 );
}

// All nodes of a file, by number.
typedef struct all_nodes
{
	bv_node_info* nodes;
	uint32_t count;
} all_nodes;

static bool take( void* context, const bv_node_info* node )
{
	all_nodes* all = context;
	all->nodes[node->index] = *node;
	all->count += 1;
	return true;
}

static all_nodes nodes_of( fixture* f, const bv_file* file )
{
	all_nodes all = {
		.nodes = bvb_arena_allocate( f->arena, bv_file_get_hierarchy( file ).nodes, sizeof *all.nodes ),
	};
	bv_file_visit_nodes( file, take, &all );
	return all;
}

static const bv_file* mixed_file( fixture* f )
{
	bvb_mesh mesh = bumpy_ball( f, 10 );
	bvb_asset_options options = plain_options();
	options.hierarchy = bvb_hierarchy_options_default();
	options.hierarchy.volume_types =
		1u << bv_volume_obb | 1u << bv_volume_aabb | 1u << bv_volume_sphere | 1u << bv_volume_rss;
	return build_file( f, &mesh, &options );
}

static void siblings_are_measured_in_pairs( void** state )
{
	fixture* f = *state;
	const bv_file* file = mixed_file( f );
	all_nodes all = nodes_of( f, file );
	bvb_overlap_options options = bvb_overlap_options_default();
	options.parents = 0;
	bvb_overlaps found;
	assert_int_equal( bvb_assess_overlap( file, &options, f->arena, &found, NULL ), bv_ok );

	uint64_t pairs = 0;
	uint64_t measured = 0;
	double sum = 0;
	double most = 0;
	double met = 0;
	for ( uint32_t p = 0; p < all.count; ++p )
	{
		const bv_node_info* parent = all.nodes + p;
		for ( uint32_t i = 1; i < parent->children; ++i )
		{
			for ( uint32_t k = 0; k < i; ++k )
			{
				double overlap = bvb_overlap_of( &all.nodes[parent->first_child + k].volume,
				                                 &all.nodes[parent->first_child + i].volume );
				pairs += 1;
				measured += overlap >= 0;
				sum += fmax( overlap, 0 );
				met += overlap > 0;
				most = fmax( most, overlap );
			}
		}
	}
	assert_int_equal( found.all.pairs, pairs );
	assert_true( pairs > 200 );
	assert_true( found.all.measured == measured && found.all.flat == pairs - measured );
	assert_true( fabs( found.all.mean - sum / (double)measured ) < 1e-12 );
	assert_true( fabs( found.all.share - met / (double)measured ) < 1e-12 );
	assert_true( found.all.max == most );
	const bv_node_info* worst[2] = { all.nodes + found.all.worst[0], all.nodes + found.all.worst[1] };
	assert_true( bvb_overlap_of( &worst[0]->volume, &worst[1]->volume ) == most );
	assert_true( found.level[0].pairs == 0 && found.level[0].measured == 0 );
	uint64_t of_levels = 0;
	for ( uint32_t i = 0; i <= BV_MAX_DEPTH; ++i )
	{
		of_levels += found.level[i].pairs;
	}
	assert_true( of_levels == pairs );
}

// With one parent a level the root's children are all there are on level 1, and means stand for all pairs of a level.
static void a_choice_of_parents_stands_for_all( void** state )
{
	fixture* f = *state;
	const bv_file* file = mixed_file( f );
	bvb_overlaps all;
	bvb_overlaps some;
	bvb_overlap_options options = { .parents = 0 };
	assert_int_equal( bvb_assess_overlap( file, &options, f->arena, &all, NULL ), bv_ok );
	options.parents = 1;
	assert_int_equal( bvb_assess_overlap( file, &options, f->arena, &some, NULL ), bv_ok );
	assert_memory_equal( &some.level[1], &all.level[1], sizeof some.level[1] );
	assert_true( some.all.pairs == all.all.pairs );
	assert_true( some.all.measured < all.all.measured );
	double sum = 0;
	double weights = 0;
	for ( uint32_t i = 1; i <= bv_file_get_hierarchy( file ).depth; ++i )
	{
		const bvb_overlap* level = &some.level[i];
		assert_true( level->pairs == all.level[i].pairs && level->measured + level->flat <= 28 );
		assert_true( level->flat == 0 );
		sum += (double)level->pairs * level->mean;
		weights += (double)level->pairs;
	}
	assert_true( fabs( some.all.mean - sum / weights ) < 1e-14 );
}

static void any_number_of_threads_measures_the_same( void** state )
{
	fixture* f = *state;
	const bv_file* file = mixed_file( f );
	bvb_overlaps* found = bvb_arena_allocate( f->arena, 3, sizeof *found );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		bvb_overlap_options options = bvb_overlap_options_default();
		options.threads = 2 * i + 1;
		assert_int_equal( bvb_assess_overlap( file, &options, f->arena, &found[i], NULL ), bv_ok );
		assert_memory_equal( &found[i], &found[0], sizeof *found );
	}
}

static void what_cannot_be_measured_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.sections = 0;
	const bv_file* bare = build_file( f, &mesh, &options );
	const bv_file* file = mixed_file( f );
	bvb_overlaps found;
	bvb_error error = { "" };
	assert_int_equal( bvb_assess_overlap( bare, NULL, f->arena, &found, &error ), bv_error_argument );
	assert_true( error.message[0] != 0 );
	int refused = 0;
	bv_status status = bv_error_memory;
	for ( size_t room = 1000; status != bv_ok && room < ( 1u << 26 ); room *= 2 )
	{
		bvb_arena* little = bvb_arena_create_limited( room );
		status = bvb_assess_overlap( file, NULL, little, &found, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		assert_true( bvb_arena_bytes( little ) == 0 );
		refused += status != bv_ok;
		bvb_arena_destroy( little );
	}
	assert_true( status == bv_ok && refused > 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( boxes_have_the_product_of_lengths_in_common ),
		fixture_test( thin_boxes_lose_nothing ),
		fixture_test( polytopes_of_two_tetrahedra_share_an_octahedron ),
		fixture_test( kdops_of_one_kind_have_one_in_common ),
		fixture_test( any_two_volumes_have_in_common_what_points_say ),
		fixture_test( balls_have_the_sum_of_slices_in_common ),
		fixture_test( points_count_halves_and_eighths ),
		fixture_test( points_find_the_inside_of_thin_polytopes ),
		fixture_test( of_flat_volumes_nothing_is_said ),
		fixture_test( siblings_are_measured_in_pairs ),
		fixture_test( a_choice_of_parents_stands_for_all ),
		fixture_test( any_number_of_threads_measures_the_same ),
		fixture_test( what_cannot_be_measured_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
