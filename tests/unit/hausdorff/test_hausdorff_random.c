// Distances of random volumes of all types from random soups of all kinds, against dense samples and Eckstein's algorithm.
//
// BV_HAUSDORFF_SAMPLES is the number of samples of a pair, BV_HAUSDORFF_PAIR the only pair to look at.

#include "hausdorff_volumes.h"
#include "point_sets.h"
#include "shapes.h"

#include "tests/reference/eckstein.h"

enum
{
	default_samples = 1000,
	pairs = 1000,
	eckstein_pairs = 200,
	soup_most = 200,
	// Of a search whose relative tolerance alone might never end it: there may be no distance.
	region_limit = 30000,
};

static bv_vec3 sum( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

// In the cube from -1 to 1.
static bv_vec3 random_step( fixture* f )
{
	bv_vec3 p = random_point( f );
	return ( bv_vec3 ){ 2 * p.x - 1, 2 * p.y - 1, 2 * p.z - 1 };
}

static uint32_t below( fixture* f, uint32_t limit )
{
	return (uint32_t)( random_bits( f ) % limit );
}

// From `low` to `high`, every power of ten as likely.
static double random_size( fixture* f, double low, double high )
{
	return low * pow( high / low, random_unit( f ) );
}

// Triangles about random places, each of its own size.
static bvb_mesh scattered( fixture* f, uint32_t count, double smallest, double largest )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_point( f );
		double size = random_size( f, smallest, largest );
		bv_vec3 corner[3];
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = sum( at, size, random_step( f ) );
		}
		set_triangle( &mesh, i, corner[0], corner[1], corner[2] );
	}
	return mesh;
}

static bvb_mesh soup_scattered( fixture* f )
{
	return scattered( f, 1 + below( f, soup_most ), 0.1, 1 );
}

static bvb_mesh soup_of_all_sizes( fixture* f )
{
	return scattered( f, 1 + below( f, soup_most ), 1e-5, 1 );
}

static bvb_mesh soup_dust( fixture* f )
{
	return scattered( f, 1 + below( f, soup_most ), 1e-4, 1e-3 );
}

static bvb_mesh soup_single( fixture* f )
{
	return scattered( f, 1, 0.1, 1 );
}

static bvb_mesh soup_coplanar( fixture* f )
{
	bvb_mesh mesh = soup_scattered( f );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].z = 0.25;
	}
	return mesh;
}

static bvb_mesh soup_needles( fixture* f )
{
	bvb_mesh mesh = soup_create( f, 1 + below( f, soup_most ) );
	for ( uint32_t i = 0; i < mesh.triangle_count; ++i )
	{
		bv_vec3 a = random_point( f );
		bv_vec3 b = random_point( f );
		bv_vec3 c = sum( a, random_unit( f ), ( bv_vec3 ){ b.x - a.x, b.y - a.y, b.z - a.z } );
		double width = random_size( f, 1e-8, 1e-2 );
		set_triangle( &mesh, i, a, b, sum( c, width, random_step( f ) ) );
	}
	return mesh;
}

static bvb_mesh soup_grid( fixture* f )
{
	bvb_mesh mesh =
		sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 + below( f, 9 ) );
	bool bent = below( f, 2 );
	for ( uint32_t i = 0; bent && i < mesh.vertex_count; ++i )
	{
		bv_vec3* p = &mesh.positions[i];
		p->z = 0.3 * ( p->x - 0.4 ) * ( p->y + p->x );
	}
	return mesh;
}

static bvb_mesh soup_two_sheets( fixture* f )
{
	bvb_mesh low =
		sheet( f, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 1, 0, 0 }, ( bv_vec3 ){ 0, 1, 0 }, 1 + below( f, 6 ) );
	bvb_mesh high = moved( f, &low, ( bv_vec3 ){ 0, 0, random_unit( f ) } );
	return joined( f, &low, &high );
}

static bvb_mesh soup_double_sided( fixture* f )
{
	bvb_mesh front = scattered( f, 1 + below( f, soup_most / 2 ), 0.1, 0.5 );
	bvb_mesh mesh = joined( f, &front, &front );
	for ( uint32_t i = front.triangle_count; i < mesh.triangle_count; ++i )
	{
		uint32_t* c = mesh.triangles[i].corner;
		uint32_t first = c[0];
		c[0] = c[1];
		c[1] = first;
	}
	return mesh;
}

static bvb_mesh soup_two_clusters( fixture* f )
{
	bvb_mesh a = scattered( f, 1 + below( f, soup_most / 2 ), 0.01, 0.1 );
	double distance = random_size( f, 1, 100 );
	bvb_mesh b = moved( f, &a, sum( ( bv_vec3 ){ 0, 0, 0 }, distance, random_step( f ) ) );
	return joined( f, &a, &b );
}

static bvb_mesh soup_convex( fixture* f )
{
	uint32_t count = 8 + below( f, 60 );
	bv_vec3* points = bvb_arena_allocate( f->arena, count, sizeof *points );
	for ( uint32_t i = 0; i < count; ++i )
	{
		points[i] = random_point( f );
	}
	bvb_hull hull = any_of_hull( f, points, count ).hull;
	bvb_mesh mesh = soup_create( f, hull.face_count );
	for ( uint32_t i = 0; i < hull.face_count; ++i )
	{
		const uint32_t* c = hull.faces[i].corner;
		set_triangle( &mesh, i, points[hull.vertices[c[0]]], points[hull.vertices[c[1]]],
		              points[hull.vertices[c[2]]] );
	}
	return mesh;
}

static bvb_mesh soup_star( fixture* f )
{
	bvb_mesh mesh = below( f, 2 ) ? icosahedron( f ) : bumpy_ball( f, 3 + below( f, 4 ) );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = sum( ( bv_vec3 ){ 0, 0, 0 }, 0.3 + random_unit( f ), mesh.positions[i] );
	}
	return mesh;
}

static bvb_mesh soup_cubes( fixture* f )
{
	cubes c = { 0 };
	c.filled[0][0][0] = true;
	for ( int i = 0; i < 7; ++i )
	{
		uint32_t x = below( f, 2 );
		uint32_t y = below( f, 3 );
		c.filled[x][y][below( f, 2 )] = true;
	}
	return surface_of_cubes( f, &c );
}

typedef struct soup_kind
{
	const char* name;
	bvb_mesh ( *make )( fixture* f );
	bool closed;
} soup_kind;

static const soup_kind soups[] = {
	{ "scattered", soup_scattered, false },
	{ "of all sizes", soup_of_all_sizes, false },
	{ "dust", soup_dust, false },
	{ "single", soup_single, false },
	{ "coplanar", soup_coplanar, false },
	{ "needles", soup_needles, false },
	{ "grid", soup_grid, false },
	{ "two sheets", soup_two_sheets, false },
	{ "double-sided", soup_double_sided, false },
	{ "two clusters", soup_two_clusters, false },
	{ "convex", soup_convex, true },
	{ "star", soup_star, true },
	{ "cubes", soup_cubes, true },
};

enum
{
	soup_kinds = sizeof soups / sizeof soups[0],
};

static bool is_degenerate( const bvb_mesh* mesh, uint32_t index )
{
	quad side[2][3];
	bv_vec3 a = mesh->positions[mesh->triangles[index].corner[0]];
	for ( int k = 0; k < 2; ++k )
	{
		bv_vec3 b = mesh->positions[mesh->triangles[index].corner[k + 1]];
		side[k][0] = (quad)b.x - a.x;
		side[k][1] = (quad)b.y - a.y;
		side[k][2] = (quad)b.z - a.z;
	}
	bool any = false;
	for ( int k = 0; k < 3; ++k )
	{
		int l = ( k + 1 ) % 3;
		any = any || side[0][k] * side[1][l] != side[0][l] * side[1][k];
	}
	return !any;
}

// Where a pair is, and how large.
typedef struct place
{
	bv_vec3 axis[3];
	double size;
	bv_vec3 offset;
} place;

static place random_place( fixture* f )
{
	static const double sizes[] = { 1, 1, 1, 1e-4, 1e4, 0x1p-60, 0x1p60 };
	place p = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .size = sizes[below( f, 7 )] };
	if ( below( f, 2 ) )
	{
		random_frame( f, p.axis );
	}
	if ( below( f, 5 ) == 0 )
	{
		p.offset = sum( p.offset, 1e6, random_step( f ) );
	}
	return p;
}

// Puts a soup there and drops what rounding makes degenerate.
// @return false when nothing is left
static bool put( bvb_mesh* mesh, const place* p )
{
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 x = mesh->positions[i];
		x = sum( p->offset, 1, in_frame( p->axis, x.x, x.y, x.z ) );
		mesh->positions[i] = ( bv_vec3 ){ p->size * x.x, p->size * x.y, p->size * x.z };
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( !is_degenerate( mesh, i ) )
		{
			mesh->triangles[kept++] = mesh->triangles[i];
		}
	}
	mesh->triangle_count = kept;
	return kept > 0;
}

// How a volume lies to a soup.
typedef enum relation
{
	relation_around, // fitted to it
	relation_about,  // somewhere near
	relation_within, // small
	relation_far,
	relation_flat, // without extent in some directions
	relations,
} relation;

static const char* const relation_names[relations] = { "around", "about", "within", "far", "flat" };

typedef struct pair
{
	const soup_kind* soup;
	relation relation;
	bvb_mesh mesh;
	any_volume from;
	double diagonal; // of the soup
} pair;

// The points a volume is fitted to: those of the soup, or others at random.
typedef struct cloud
{
	bv_vec3 point[3 * soup_most];
	uint32_t count;
	bv_vec3 center;
	double radius;
} cloud;

static void make_cloud( fixture* f, const pair* p, cloud* out )
{
	bv_aabb bounds = bvb_fit_aabb( p->mesh.positions, p->mesh.vertex_count );
	bv_vec3 middle = sum( bounds.lower, 0.5, sum( bounds.upper, -1, bounds.lower ) );
	*out = ( cloud ){ .center = middle, .radius = p->diagonal / 2 };
	if ( p->relation == relation_around )
	{
		for ( ; out->count < p->mesh.vertex_count && out->count < 3 * soup_most; ++out->count )
		{
			out->point[out->count] = p->mesh.positions[out->count];
		}
		return;
	}
	static const double smallest[relations] = { 0, 0.1, 1e-3, 0.1, 0.1 };
	static const double largest[relations] = { 0, 1, 0.1, 1, 1 };
	double distance = p->relation == relation_far ? random_size( f, 3, 1e4 ) : 0.5;
	out->center = sum( middle, distance * p->diagonal, random_step( f ) );
	out->radius *= random_size( f, smallest[p->relation], largest[p->relation] );
	bv_vec3 extent = { 1, 1, 1 };
	if ( p->relation == relation_flat )
	{
		uint32_t which = below( f, 7 );
		extent = ( bv_vec3 ){ which & 1, which >> 1 & 1, which >> 2 & 1 };
	}
	out->count = 1 + below( f, 30 );
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		bv_vec3 step = random_step( f );
		step = ( bv_vec3 ){ extent.x * step.x, extent.y * step.y, extent.z * step.z };
		out->point[i] = sum( out->center, out->radius, step );
	}
}

static void make_round( fixture* f, const pair* p, const cloud* c, any_kind kind, any_volume* out )
{
	bool flat = p->relation == relation_flat;
	bv_vec3 to = sum( c->center, c->radius, random_step( f ) );
	if ( p->relation == relation_around )
	{
		assert_int_equal( bvb_fit_sphere( c->point, c->count, &out->sphere ), bv_ok );
		assert_int_equal( bvb_fit_capsule( c->point, c->count, &out->capsule ), bv_ok );
	}
	else
	{
		out->sphere = ( bv_sphere ){ c->center, flat ? 0 : c->radius };
		double radius = c->radius * random_unit( f );
		out->capsule = ( bv_capsule ){ { c->center, below( f, 4 ) ? to : c->center }, flat ? 0 : radius };
	}
	place where = random_place( f );
	out->rss = ( bv_rss ){ .center = c->center, .radius = out->capsule.radius };
	for ( int i = 0; i < 3; ++i )
	{
		out->rss.axis[i] = where.axis[i];
		out->rss.half_extents[i % 2] = below( f, 6 ) ? c->radius * random_size( f, 1e-3, 1 ) : 0;
	}
	if ( p->relation == relation_around && kind == any_rss )
	{
		assert_int_equal( bvb_fit_rss( c->point, c->count, &out->rss ), bv_ok );
	}
	out->cylinder = ( bv_cylinder ){ { c->center, to }, c->radius * ( 0.01 + random_unit( f ) ) };
}

static void make_prism( fixture* f, const pair* p, const cloud* c, any_volume* out )
{
	place where = random_place( f );
	out->prism = ( bv_prism ){ { .center = c->center } };
	for ( int i = 0; i < 3; ++i )
	{
		bool thin = p->relation == relation_flat && i == 2;
		out->prism.box.axis[i] = where.axis[i];
		out->prism.box.half_extents[i] = thin ? 0 : c->radius * random_size( f, 1e-3, 1 );
	}
	if ( p->relation == relation_around )
	{
		assert_int_equal( bvb_fit_prism( c->point, c->count, &out->prism ), bv_ok );
	}
}

static void make_volume( fixture* f, pair* p, any_kind kind )
{
	static const uint32_t k[] = { 6, 14, 18, 26 };
	cloud* c = bvb_arena_allocate( f->arena, 1, sizeof *c );
	make_cloud( f, p, c );
	any_volume* out = &p->from;
	*out = ( any_volume ){ .kind = kind };
	out->aabb = bvb_fit_aabb( c->point, c->count );
	assert_int_equal( bvb_fit_kdop( c->point, c->count, k[below( f, 4 )], &out->kdop ), bv_ok );
	if ( kind == any_hull )
	{
		*out = any_of_hull( f, c->point, c->count );
	}
	else if ( kind == any_obb )
	{
		bvb_obb_options options = bvb_obb_options_default();
		options.method = "dito";
		assert_int_equal( bvb_fit_obb( c->point, c->count, NULL, &options, f->arena, &out->obb ), bv_ok );
	}
	else if ( kind == any_prism )
	{
		make_prism( f, p, c, out );
	}
	else if ( kind == any_mesh )
	{
		place where = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
			            .size = c->radius,
			            .offset = sum( ( bv_vec3 ){ 0, 0, 0 }, 1 / c->radius, c->center ) };
		out->mesh = soups[below( f, soup_kinds )].make( f );
		if ( !put( &out->mesh, &where ) )
		{
			out->mesh = p->mesh;
		}
	}
	else
	{
		make_round( f, p, c, kind, out );
	}
}

static uint64_t mixed( uint64_t x )
{
	x = ( x + 1 ) * 0x9e3779b97f4a7c15u;
	x ^= x >> 31;
	return ( x * 0xbf58476d1ce4e5b9u ) | 1;
}

// Every pair is made from its index alone.
static void make_pair( fixture* f, long index, any_kind kind, pair* out )
{
	f->random = mixed( (uint64_t)index );
	random_bits( f );
	*out = ( pair ){ .soup = &soups[below( f, soup_kinds )] };
	out->relation = (relation)below( f, relations );
	place where;
	do
	{
		where = random_place( f );
		out->mesh = out->soup->make( f );
	} while ( !put( &out->mesh, &where ) );
	bv_aabb b = bvb_fit_aabb( out->mesh.positions, out->mesh.vertex_count );
	bv_vec3 d = { b.upper.x - b.lower.x, b.upper.y - b.lower.y, b.upper.z - b.lower.z };
	out->diagonal = sqrt( d.x * d.x + d.y * d.y + d.z * d.z );
	make_volume( f, out, kind );
}

static bvb_hausdorff_options random_options( fixture* f, const pair* p, bvb_hausdorff_measure measure )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = measure;
	options.relative = random_size( f, 0.001, 0.5 );
	options.absolute = below( f, 3 ) ? random_size( f, 1e-3, 1e-1 ) * p->diagonal : 0;
	options.max_regions = options.absolute > 0 ? 0 : region_limit;
	if ( below( f, 4 ) == 0 )
	{
		options.max_regions = 1 + below( f, 60 );
	}
	return options;
}

static void fail_pair( long index, const pair* p, const bvb_hausdorff_options* o, const bvb_hausdorff* r,
                       const char* fault )
{
	static const char* const measures[] = { "solid", "surface", "outside" };
	fail_msg( "pair %ld, %s %s %s (%u triangles), %s, relative %g, absolute %g, at most %llu regions: "
	          "[%.17g, %.17g] after %llu, witness %.17g %.17g %.17g: %s",
	          index, any_names[p->from.kind], relation_names[p->relation], p->soup->name,
	          p->mesh.triangle_count, measures[o->measure], o->relative, o->absolute,
	          (unsigned long long)o->max_regions, r->lower, r->upper, (unsigned long long)r->regions,
	          r->witness.x, r->witness.y, r->witness.z, fault );
}

static void compare_with_samples( fixture* f, long index, const pair* p, bvb_hausdorff_measure measure,
                                  uint64_t samples )
{
	bvb_hausdorff_options options = random_options( f, p, measure );
	options.inside = measure == bvb_hausdorff_outside ? winding_of( f, &p->mesh ) : NULL;
	nearest_faces faces;
	volume* v = any_points( &p->from );
	assert_true( v && nearest_prepare( &p->mesh, 0, p->mesh.triangle_count, &faces ) );
	bvb_hausdorff r;
	assert_int_equal( any_measure( target_of( f, &p->mesh ), &p->from, &options, &r ), bv_ok );

	double rounding = rounding_of( v, &p->mesh );
	sampling_options sampling = sampling_options_default();
	sampling.measure = measure;
	sampling.samples = samples;
	sampling.seed = random_bits( f );
	sampling_result found;
	assert_true( sampling_farthest( v, &faces, &sampling, &found ) );
	const char* fault = interval_fault( &r, &options, &p->from, v, &faces, rounding );
	if ( !fault && !( found.distance <= r.upper + rounding ) )
	{
		print_message( "%.17g at %.17g %.17g %.17g\n", found.distance, found.point.x, found.point.y,
		               found.point.z );
		fault = "a sample is farther than the upper bound";
	}
	volume_free( v );
	nearest_free( &faces );
	if ( fault )
	{
		fail_pair( index, p, &options, &r, fault );
	}
}

static long number_given( const char* name, long otherwise )
{
	const char* given = getenv( name );
	return given ? strtol( given, NULL, 10 ) : otherwise;
}

static void intervals_hold_what_dense_samples_find( void** state )
{
	fixture* f = *state;
	long samples = number_given( "BV_HAUSDORFF_SAMPLES", default_samples );
	long only = number_given( "BV_HAUSDORFF_PAIR", -1 );
	assert_true( samples > 0 );
	for ( long i = 0; i < pairs; ++i )
	{
		if ( only >= 0 && i != only )
		{
			continue;
		}
		pair p;
		make_pair( f, i, (any_kind)( i % any_kinds ), &p );
		compare_with_samples( f, i, &p, bvb_hausdorff_solid, (uint64_t)samples );
		compare_with_samples( f, i, &p, bvb_hausdorff_surface, (uint64_t)samples );
		if ( p.soup->closed )
		{
			compare_with_samples( f, i, &p, bvb_hausdorff_outside, (uint64_t)samples );
		}
		bvb_arena_destroy( f->arena );
		f->arena = bvb_arena_create();
	}
}

// Two intervals of one number.
static void intervals_overlap_those_of_ecksteins_algorithm( void** state )
{
	fixture* f = *state;
	for ( long i = 0; i < eckstein_pairs; ++i )
	{
		pair p;
		bool box = i % 2;
		make_pair( f, pairs + i, box ? any_obb : any_sphere, &p );
		eckstein_options options = eckstein_options_default();
		options.correction = i % 4 < 2 ? eckstein_nearest : eckstein_reach;
		options.absolute = 1e-2 * p.diagonal;
		options.max_regions = 1000;
		eckstein_result known;
		assert_true(
			box ? eckstein_box( &p.mesh, 0, p.mesh.triangle_count, &p.from.obb, &options, &known )
				: eckstein_sphere( &p.mesh, 0, p.mesh.triangle_count, &p.from.sphere, &options, &known ) );
		bvb_hausdorff_options wanted = random_options( f, &p, bvb_hausdorff_surface );
		bvb_hausdorff r;
		assert_int_equal( any_measure( target_of( f, &p.mesh ), &p.from, &wanted, &r ), bv_ok );
		// Needles round to what is some 1e-9 off there.
		double rounding = 1e-8 * p.diagonal + 1e-12 * known.upper;
		if ( !( r.lower <= known.upper + rounding && known.lower <= r.upper + rounding ) )
		{
			print_message( "Eckstein: [%.17g, %.17g]\n", known.lower, known.upper );
			fail_pair( pairs + i, &p, &wanted, &r, "the intervals are apart" );
		}
		bvb_arena_destroy( f->arena );
		f->arena = bvb_arena_create();
	}
}

// Whatever was measured before.
static void measuring_again_gives_the_same_bits( void** state )
{
	fixture* f = *state;
	for ( long i = 0; i < 20 * any_kinds; ++i )
	{
		pair p;
		make_pair( f, i, (any_kind)( i % any_kinds ), &p );
		pair other = p;
		make_volume( f, &other, (any_kind)( i / any_kinds % any_kinds ) );
		bvb_hausdorff_options options =
			random_options( f, &p, i % 2 ? bvb_hausdorff_surface : bvb_hausdorff_solid );
		bvb_hausdorff_target* target = target_of( f, &p.mesh );
		bvb_hausdorff first;
		bvb_hausdorff between;
		bvb_hausdorff again;
		assert_int_equal( any_measure( target, &p.from, &options, &first ), bv_ok );
		assert_int_equal( any_measure( target, &other.from, &options, &between ), bv_ok );
		assert_int_equal( any_measure( target, &p.from, &options, &again ), bv_ok );
		assert_memory_equal( &first, &again, sizeof first );
		bvb_arena_destroy( f->arena );
		f->arena = bvb_arena_create();
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( intervals_hold_what_dense_samples_find ),
		fixture_test( measuring_again_gives_the_same_bits ),
		fixture_test( intervals_overlap_those_of_ecksteins_algorithm ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
