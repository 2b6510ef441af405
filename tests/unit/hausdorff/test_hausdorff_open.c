// What is outside of open meshes, judged by winding numbers that are sums over all triangles.
//
// In a ball that no triangle enters the winding number is a harmonic function, so that its maximum is on the sphere. If a
// point there is found to be inside, the ball's center is no farther from the shape than that.

#include "hausdorff_volumes.h"
#include "shapes.h"

static bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double length_of( bv_vec3 v )
{
	return sqrt( v.x * v.x + v.y * v.y + v.z * v.z );
}

// Directions that are evenly spread: a spiral from pole to pole.
static bv_vec3 direction( int i, int count )
{
	double z = 1 - ( 2 * i + 1.0 ) / count;
	double around = i * 2.39996322972865332;
	double flat = sqrt( 1 - z * z );
	return ( bv_vec3 ){ flat * cos( around ), flat * sin( around ), z };
}

// The largest winding number that is found on a sphere: at many points of it, and uphill from the best one. No triangle
// enters the ball.
static double largest_on_sphere( const nearest_faces* faces, bv_vec3 center, double radius, double wanted )
{
	enum
	{
		first_points = 300,
	};
	double best = -INFINITY;
	bv_vec3 at = { 0, 0, 0 };
	for ( int i = 0; i < first_points && best < wanted; ++i )
	{
		bv_vec3 d = direction( i, first_points );
		double w = nearest_winding( faces, plus( center, radius, d ) );
		at = w > best ? d : at;
		best = fmax( best, w );
	}
	for ( double step = 0.1; step > 1e-6 && best < wanted; )
	{
		bool better = false;
		for ( int i = 0; i < 6 && !better; ++i )
		{
			double sign = i % 2 ? step : -step;
			bv_vec3 d = plus( at, sign, ( bv_vec3 ){ i / 2 == 0, i / 2 == 1, i / 2 == 2 } );
			d = plus( ( bv_vec3 ){ 0, 0, 0 }, 1 / length_of( d ), d );
			double w = nearest_winding( faces, plus( center, radius, d ) );
			better = w > best;
			at = better ? d : at;
			best = better ? w : best;
		}
		step *= better ? 1 : 0.5;
	}
	return best;
}

// Whether some point nearer to a point than a distance is found to be inside of the shape, or in a triangle.
static bool is_nearer( const nearest_faces* faces, bv_vec3 p, double distance )
{
	static const double inside = 0.5 + 1e-9;
	return nearest_distance( faces, p, NULL ) < distance * ( 1 - 1e-9 ) ||
	       nearest_winding( faces, p ) >= inside ||
	       largest_on_sphere( faces, p, distance * ( 1 - 1e-9 ), inside ) >= inside;
}

// How far a point is from the shape, as far as that is found: no less than it is, and hardly more.
static double distance_found( const nearest_faces* faces, bv_vec3 p )
{
	if ( nearest_winding( faces, p ) >= 0.5 )
	{
		return 0;
	}
	double most = nearest_distance( faces, p, NULL );
	double least = is_nearer( faces, p, most ) ? 0 : most;
	for ( int i = 0; i < 10 && least < most; ++i )
	{
		double middle = 0.5 * ( least + most );
		bool nearer = is_nearer( faces, p, middle );
		most = nearer ? middle : most;
		least = nearer ? least : middle;
	}
	return most;
}

// The triangles with corners of their own, which are off a little.
static bvb_mesh cracked( fixture* f, const bvb_mesh* mesh, double width )
{
	bvb_mesh soup = soup_create( f, mesh->triangle_count );
	for ( uint32_t i = 0; i < soup.vertex_count; ++i )
	{
		bv_vec3 d = random_point( f );
		soup.positions[i] = plus( mesh->positions[mesh->triangles[i / 3].corner[i % 3]], width, d );
	}
	return soup;
}

static void flip( bvb_triangle* t )
{
	uint32_t corner = t->corner[0];
	t->corner[0] = t->corner[1];
	t->corner[1] = corner;
}

static void keep_some( fixture* f, bvb_mesh* mesh, uint32_t one_in )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		mesh->triangles[kept] = mesh->triangles[i];
		kept += random_bits( f ) % one_in != 0;
	}
	mesh->triangle_count = kept;
}

// A cylinder of radius and height 1 without a lid.
static bvb_mesh bucket( fixture* f )
{
	enum
	{
		sides = 10,
	};
	bvb_mesh mesh = soup_create( f, 3 * sides );
	for ( uint32_t i = 0; i < sides; ++i )
	{
		double a = 6.28318530717958648 * i / sides;
		double b = 6.28318530717958648 * ( ( i + 1 ) % sides ) / sides;
		bv_vec3 low[2] = { { cos( a ), sin( a ), 0 }, { cos( b ), sin( b ), 0 } };
		bv_vec3 high[2] = { { cos( a ), sin( a ), 1 }, { cos( b ), sin( b ), 1 } };
		set_triangle( &mesh, 3 * i, ( bv_vec3 ){ 0, 0, 0 }, low[1], low[0] );
		set_triangle( &mesh, 3 * i + 1, low[0], low[1], high[1] );
		set_triangle( &mesh, 3 * i + 2, low[0], high[1], high[0] );
	}
	return mesh;
}

enum
{
	open_kinds = 6,
};

static const char* const kind_names[open_kinds] = { "ball with holes",    "bucket",
	                                                "box without a face", "cracked box",
	                                                "flipped neighbors",  "torn ball" };

static bvb_mesh open_mesh( fixture* f, int kind )
{
	bvb_mesh mesh = box_mesh( f, 1, 0.6 + random_unit( f ), 0.6 + random_unit( f ) );
	switch ( kind )
	{
	case 0:
		mesh = bumpy_ball( f, 6 );
		keep_some( f, &mesh, 20 );
		return mesh;
	case 1: return bucket( f );
	case 2: mesh.triangle_count = 10; return mesh;
	case 3: return cracked( f, &mesh, random_unit( f ) < 0.5 ? 1e-6 : 0.05 );
	case 4:
		flip( mesh.triangles + random_bits( f ) % 12 );
		flip( mesh.triangles + random_bits( f ) % 12 );
		return mesh;
	default:
		mesh = bumpy_ball( f, 5 );
		keep_some( f, &mesh, 4 );
		return mesh;
	}
}

// A box, a ball or a hull that reaches into the mesh and beyond.
static any_volume some_volume( fixture* f, const bvb_mesh* mesh, int kind )
{
	bv_vec3 low = mesh->positions[random_bits( f ) % mesh->vertex_count];
	bv_vec3 high = mesh->positions[random_bits( f ) % mesh->vertex_count];
	if ( kind == 0 )
	{
		bv_vec3 a = { fmin( low.x, high.x ), fmin( low.y, high.y ), fmin( low.z, high.z ) };
		bv_vec3 b = { fmax( low.x, high.x ) + 0.2, fmax( low.y, high.y ) + 0.2, fmax( low.z, high.z ) + 0.2 };
		return ( any_volume ){ .kind = any_aabb, .aabb = { a, b } };
	}
	if ( kind == 1 )
	{
		bv_vec3 center = plus( low, random_unit( f ), plus( high, -1, low ) );
		return ( any_volume ){ .kind = any_sphere, .sphere = { center, 0.2 + 0.6 * random_unit( f ) } };
	}
	return any_of_hull( f, mesh->positions, mesh->vertex_count );
}

// How many points were compared with each end of an interval.
typedef struct compared
{
	int lower;
	int upper;
} compared;

// No point of the shape is nearer to the witness than the lower bound, and no point of the volume is farther from the
// shape than the upper one, except for what is tolerated.
static void assert_interval( fixture* f, const char* name, const bvb_mesh* mesh, const any_volume* v,
                             const bvb_hausdorff* r, compared* out )
{
	nearest_faces faces;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	volume* points = any_points( v );
	double size = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		size = fmax( size, 2 * length_of( mesh->positions[i] ) );
	}
	double tolerated = 0x1p-10 * size;
	assert_true( 0 <= r->lower && r->lower <= r->upper && r->upper < INFINITY );
	if ( r->lower > 1e-6 )
	{
		out->lower += 1;
		if ( is_nearer( &faces, r->witness, r->lower ) )
		{
			double found = distance_found( &faces, r->witness );
			fail_msg( "%s: the witness of %g is %g from the shape", name, r->lower, found );
		}
	}
	for ( int i = 0; i < 40; ++i )
	{
		double u[4] = { random_unit( f ), random_unit( f ), random_unit( f ), random_unit( f ) };
		bv_vec3 p = volume_point( points, false, u );
		if ( nearest_distance( &faces, p, NULL ) > r->upper )
		{
			out->upper += 1;
			double found = distance_found( &faces, p );
			if ( !( 0.9 * found - tolerated <= r->upper ) )
			{
				fail_msg( "%s: a point is %g from the shape, more than %g", name, found, r->upper );
			}
		}
	}
	volume_free( points );
	nearest_free( &faces );
}

static bvb_hausdorff measure( const any_volume* v, bvb_hausdorff_target* target,
                              const bvb_hausdorff_options* options )
{
	bvb_hausdorff r;
	assert_int_equal( any_measure( target, v, options, &r ), bv_ok );
	return r;
}

static bvb_hausdorff_options outside_options( const bvb_winding* inside )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_outside;
	options.inside = inside;
	options.relative = 0.1;
	options.absolute = 0.02;
	options.max_regions = 2000;
	return options;
}

// With all that ends a search: what is wanted, what is sufficient, and a number of regions.
static void intervals_of_open_meshes_hold( void** state )
{
	fixture* f = *state;
	compared all = { 0, 0 };
	uint64_t most_regions = 0;
	int rounds = is_thorough() ? 2000 : 144;
	for ( int round = 0; round < rounds; ++round )
	{
		int kind = round % open_kinds;
		bvb_mesh mesh = open_mesh( f, kind );
		any_volume v = some_volume( f, &mesh, round / open_kinds % 3 );
		bvb_hausdorff_options options = outside_options( winding_of( f, &mesh ) );
		options.sufficient = round % 4 == 0 ? 0.5 * random_unit( f ) : 0;
		bvb_hausdorff r = measure( &v, target_of( f, &mesh ), &options );
		assert_interval( f, kind_names[kind], &mesh, &v, &r, &all );
		most_regions = r.regions > most_regions ? r.regions : most_regions;
	}
	assert_true( all.lower > 80 && all.upper > 250 );

	// Some regions more may be looked at before it is noticed, and by a second search.
	assert_true( most_regions <= 4 * 2000 );
}

// Work next to open edges counts as regions: with ever fewer of them intervals get wider, and hold.
static void few_regions_end_in_wider_intervals_that_hold( void** state )
{
	fixture* f = *state;
	compared all = { 0, 0 };
	int wider = 0;
	uint64_t regions = 0;
	uint64_t of_full = 0;
	for ( int round = 0; round < 24; ++round )
	{
		bvb_mesh mesh = open_mesh( f, round % open_kinds );
		any_volume v = some_volume( f, &mesh, round / open_kinds % 3 );
		bvb_hausdorff_options options = outside_options( winding_of( f, &mesh ) );
		bvb_hausdorff_target* target = target_of( f, &mesh );
		bvb_hausdorff full = measure( &v, target, &options );

		// Each side of the volume is looked at once in any case.
		options.max_regions = 1;
		bvb_hausdorff least = measure( &v, target, &options );
		for ( options.max_regions = 400; options.max_regions > 1; options.max_regions /= 7 )
		{
			bvb_hausdorff r = measure( &v, target, &options );
			assert_interval( f, kind_names[round % open_kinds], &mesh, &v, &r, &all );

			// How far one point is from the shape may take six times 96 patches of a sphere.
			assert_true( r.regions <= least.regions + 4 * options.max_regions + 1000 );
			regions += r.regions;
			assert_true( r.lower <= full.upper && full.lower <= r.upper );
			wider += r.upper - r.lower > full.upper - full.lower;
			of_full += full.regions;
		}
	}
	assert_true( wider > 20 && 2 * regions < of_full );
}

// Asked so many times it says yes.
typedef struct stopping
{
	uint32_t asked;
	uint32_t most;
} stopping;

static bool stop_after( void* context )
{
	stopping* s = context;
	return s->asked++ >= s->most;
}

static void stopped_searches_have_intervals_that_hold( void** state )
{
	fixture* f = *state;
	compared all = { 0, 0 };
	int wider = 0;
	uint64_t at_once = 0;
	for ( int round = 0; round < 24; ++round )
	{
		bvb_mesh mesh = open_mesh( f, round % open_kinds );
		any_volume v = some_volume( f, &mesh, round / open_kinds % 3 );
		bvb_hausdorff_options options = outside_options( winding_of( f, &mesh ) );
		bvb_hausdorff_target* target = target_of( f, &mesh );
		stopping never = { 0, UINT32_MAX };
		bvb_hausdorff unasked = measure( &v, target, &options );
		options.stop = stop_after;
		options.stop_context = &never;
		bvb_hausdorff full = measure( &v, target, &options );
		assert_memory_equal( &full.lower, &unasked.lower, sizeof full.lower );
		assert_memory_equal( &full.upper, &unasked.upper, sizeof full.upper );
		for ( uint32_t most = 0; most < never.asked && most < 100; most = 4 * most + 1 )
		{
			stopping soon = { 0, most };
			options.stop_context = &soon;
			bvb_hausdorff r = measure( &v, target, &options );
			assert_true( soon.asked > 0 && r.regions <= full.regions );
			assert_interval( f, kind_names[round % open_kinds], &mesh, &v, &r, &all );
			assert_true( r.lower <= full.upper && full.lower <= r.upper );
			wider += r.upper - r.lower > full.upper - full.lower;
			at_once = most == 0 && r.regions > at_once ? r.regions : at_once;
		}
	}
	assert_true( wider > 20 );

	// No more than each side of the volume and its parts: open edges that are looked at count, too.
	assert_true( at_once <= 100 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( intervals_of_open_meshes_hold ),
		fixture_test( few_regions_end_in_wider_intervals_that_hold ),
		fixture_test( stopped_searches_have_intervals_that_hold ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
