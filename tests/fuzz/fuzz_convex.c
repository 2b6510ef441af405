// libFuzzer target: queries of two convex shapes by every method, with any numbers. An input may begin with a .bvh file,
// whose hull and parts are then among the shapes; checksums are not compared in this build.
//
// What is required of distances, decisions, contact points and casts: a documented status, an unchanged result on error, bounds
// and normals that are no NaN, and the same bits when a distance is repeated. Of shapes that are well defined: finite points;
// intervals of all methods, of both orders and of any cache have a common point; no distance is above that of two corners; no
// signed distance is below what a plane shows; and no contact is deeper than the interval or farther apart than was asked for.

#include "bodies.h"
#include "mutate_bvh.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

// Two bodies and where the second one is.
typedef struct scene
{
	const body* of[2];
	const bv_transform* placement;
	double skew;      // how far the rotation is from orthonormal
	double size;      // of coordinates, those of the first
	bool is_defined;  // answers can be wrong
	bool has_corners; // and compared with what corners show
} scene;

static bv_vec3 placed( const scene* s, uint32_t index )
{
	bv_vec3 p = s->of[1]->corner[index];
	return s->placement ? bv_transform_point( s->placement, p ) : p;
}

static double scale_of( const scene* s )
{
	return s->placement ? s->placement->scale : 1;
}

static double skew_of( const bv_pose* p )
{
	double skew = 0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double sum = i == k ? -1 : 0;
			for ( int m = 0; m < 3; ++m )
			{
				sum += p->rotation[i][m] * p->rotation[k][m];
			}
			skew = fmax( skew, fabs( sum ) );
		}
	}
	return skew;
}

static void describe( scene* s )
{
	const body* a = s->of[0];
	const body* b = s->of[1];
	s->skew = s->placement ? skew_of( &s->placement->pose ) : 0;
	s->size = 2 * reach_of( a ) + 4 * scale_of( s ) * reach_of( b );
	s->size += s->placement ? largest( s->placement->pose.translation ) : 0;
	bool is_file = a->shape.file || b->shape.file;
	bool is_half = a->shape.kind == bv_convex_of_half_space || b->shape.kind == bv_convex_of_half_space;
	s->is_defined = a->is_defined && b->is_defined && !is_file && !is_half && s->size < 0x1p300;
	s->has_corners =
		s->is_defined && a->corners > 0 && b->corners > 0 && ( s->skew < 1e-12 || !( b->shape.radius > 0 ) );
}

// What comparisons allow: rounding of the fuzzer's own sums, and of transforms that are inverted.
static double slack_of( const scene* s )
{
	return s->size * 1e-13 + 0x1p-1000;
}

// @return the width of the slab between both shapes that is normal to a unit vector; negative if they overlap along it
static double slab( const scene* s, bv_vec3 n )
{
	double end = -INFINITY;
	double begin = INFINITY;
	for ( uint32_t i = 0; i < s->of[0]->corners; ++i )
	{
		end = fmax( end, bv_dot( n, s->of[0]->corner[i] ) );
	}
	for ( uint32_t i = 0; i < s->of[1]->corners; ++i )
	{
		begin = fmin( begin, bv_dot( n, placed( s, i ) ) );
	}
	return begin - end - s->of[0]->shape.radius - scale_of( s ) * s->of[1]->shape.radius;
}

static void compare_with_corners( const scene* s, const bv_convex_result* r, numbers* n )
{
	bv_vec3 nearest = bv_sub( placed( s, 0 ), s->of[0]->corner[0] );
	for ( uint32_t i = 0; i < s->of[0]->corners; ++i )
	{
		for ( uint32_t k = 0; k < s->of[1]->corners; ++k )
		{
			bv_vec3 d = bv_sub( placed( s, k ), s->of[0]->corner[i] );
			nearest = length_of( d ) < length_of( nearest ) ? d : nearest;
		}
	}
	double slack = slack_of( s );
	double radii = s->of[0]->shape.radius + scale_of( s ) * s->of[1]->shape.radius;
	expect( r->lower <= length_of( nearest ) - radii + slack );
	for ( int i = 0; i < 6; ++i )
	{
		bv_vec3 way = i == 0   ? nearest
		              : i == 1 ? r->normal
		                       : ( bv_vec3 ){ take_unit( n ), take_unit( n ), take_unit( n ) };
		double length = length_of( way );
		if ( length > 0x1p-1000 )
		{
			expect( r->upper >= slab( s, bv_scale( 1 / length, way ) ) - slack );
		}
	}
}

static bool is_documented( bv_status status, bool is_default )
{
	return status == bv_ok || status == bv_error_argument ||
	       ( !is_default && status == bv_error_unsupported );
}

// @return whether there is a result
static bool distance( const scene* s, const bv_convex_options* options, bv_convex_result* r )
{
	bv_convex_result before;
	memset( &before, 0x5a, sizeof before );
	memcpy( r, &before, sizeof before );
	bv_status status = bv_convex_distance( &s->of[0]->shape, &s->of[1]->shape, s->placement, options, r );
	expect( is_documented( status, !options || options->method == 0 ) );
	if ( status != bv_ok )
	{
		expect( memcmp( r, &before, sizeof before ) == 0 );
		return false;
	}
	expect( r->lower <= r->upper );
	expect( is_unit_or_zero( r->normal ) );
	expect( !s->is_defined || ( is_finite( r->point[0] ) && is_finite( r->point[1] ) ) );
	return true;
}

static bool overlap( const scene* s, const bv_convex_options* options, bv_convex_overlap_result* o )
{
	bv_convex_overlap_result before;
	memset( &before, 0x5a, sizeof before );
	before.overlaps = before.certain = true;
	memcpy( o, &before, sizeof before );
	bv_status status = bv_convex_overlap( &s->of[0]->shape, &s->of[1]->shape, s->placement, options, o );
	expect( is_documented( status, !options || options->method == 0 ) );
	if ( status != bv_ok )
	{
		expect( memcmp( o, &before, sizeof before ) == 0 );
		return false;
	}
	expect( is_unit_or_zero( o->axis ) );
	return true;
}

static bv_convex_cache take_cache( numbers* n )
{
	static const bv_convex_cache empty;
	bv_convex_cache cache = empty;
	if ( take_chance( n, 128 ) )
	{
		cache.count = take_byte( n ) % 6u;
		bool is_any = take_chance( n, 32 );
		for ( int i = 0; i < 3; ++i )
		{
			cache.axis[i] = is_any ? take_double( n ) : take_unit( n );
		}
		for ( int i = 0; i < 8; ++i )
		{
			cache.name[i / 2][i % 2] = (uint32_t)take_bits( n, is_any ? 4 : 1 );
		}
	}
	return cache;
}

static void swap( const scene* s, bv_transform* back, scene* out )
{
	*out = *s;
	out->of[0] = s->of[1];
	out->of[1] = s->of[0];
	if ( s->placement )
	{
		*back = bv_transform_inverse( s->placement );
		out->placement = back;
	}
}

// The signed distance in the other order, of the same pair: lengths are those of the other shape. A rotation that is not
// quite orthonormal makes balls ellipsoids, and lengths differ.
static void compare_with_swapped( const scene* s, const bv_convex_result* r,
                                  const bv_convex_options* options )
{
	bv_transform back;
	scene other;
	bv_convex_result q;
	swap( s, &back, &other );
	if ( s->skew < 1e-12 && ( !s->placement || bv_transform_is_valid( &back ) ) &&
	     distance( &other, options, &q ) )
	{
		double scale = scale_of( s );
		expect( meet( r->lower, r->upper, scale * q.lower, scale * q.upper, slack_of( s ) ) );
	}
}

static bool is_same( const bv_convex_result* a, const bv_convex_result* b )
{
	return memcmp( &a->lower, &b->lower, offsetof( bv_convex_result, supports ) ) == 0 &&
	       a->supports == b->supports;
}

// @return whether there is a result
static bool find_manifold( const scene* s, const bv_manifold_options* options, bv_manifold* m )
{
	bv_manifold before;
	memset( &before, 0x5a, sizeof before );
	memcpy( m, &before, sizeof before );
	bv_status status = bv_convex_manifold( &s->of[0]->shape, &s->of[1]->shape, s->placement, options, m );
	expect( is_documented( status, options->distance.method == 0 ) );
	if ( status != bv_ok )
	{
		expect( memcmp( m, &before, sizeof before ) == 0 );
		return false;
	}
	return true;
}

// Of shapes that are well defined: finite points, as deep as the interval says, and none too far apart.
static void check_manifold( const scene* s, const bv_manifold* m, double speculative )
{
	expect( m->lower <= m->upper && is_unit_or_zero( m->normal ) );
	expect( m->count <= BV_MANIFOLD_CONTACTS );
	expect( m->count > 0 || !( m->upper <= speculative ) || !( fabs( m->upper ) < INFINITY ) );
	double slack = 1e-6 * s->size + 0x1p-1000;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		const bv_contact* c = m->contact + i;
		for ( uint32_t k = 0; k < i; ++k )
		{
			expect( m->contact[k].identity != c->identity );
		}
		for ( int which = 0; which < 2; ++which )
		{
			bv_contact_feature f = bv_contact_feature_of( c->identity, which );
			expect( f >= bv_contact_vertex && f <= bv_contact_face );
		}
		if ( s->is_defined )
		{
			expect( is_finite( c->position ) && is_finite( c->point[0] ) && is_finite( c->point[1] ) );
			expect( fabs( c->separation ) < INFINITY );
		}
		// Far below the sizes where squares vanish, and with rotations that bend balls, separations are not compared.
		if ( s->has_corners && s->skew < 1e-12 && s->size > 1e-60 && s->size < 1e60 )
		{
			expect( c->separation >= m->lower - slack );
			expect( c->separation <= fmax( speculative, m->upper ) + slack );
		}
	}
}

static void query_manifold( numbers* n, const scene* s )
{
	bv_convex_cache cache = take_cache( n );
	bv_manifold_options options = { .speculative =
		                                take_chance( n, 128 ) ? fabs( take_unit( n ) ) * s->size : 0 };
	options.speculative = take_chance( n, 16 ) ? take_double( n ) : options.speculative;
	options.distance.cache = take_chance( n, 128 ) ? &cache : NULL;
	options.distance.method = take_chance( n, 32 ) ? (bv_convex_method)( take_byte( n ) % 12 ) : 0;
	bool by_faces =
		options.distance.method == bv_convex_method_sat || options.distance.method == bv_convex_method_vclip;
	bool has_faces = !by_faces || ( s->of[0]->has_faces && s->of[1]->has_faces );
	for ( int turn = 0; turn < 2; ++turn ) // with what the first left in the cache
	{
		bv_manifold m;
		if ( find_manifold( s, &options, &m ) && has_faces )
		{
			check_manifold( s, &m, options.speculative );
		}
	}
}

static void query_pair( numbers* n, const scene* s )
{
	bv_convex_result first;
	bv_convex_overlap_result o;
	bool is_valid = distance( s, NULL, &first );
	expect( overlap( s, NULL, &o ) == is_valid || s->of[0]->calls + s->of[1]->calls > 0 );
	if ( is_valid && s->of[0]->calls + s->of[1]->calls == 0 )
	{
		bv_convex_result again;
		expect( distance( s, NULL, &again ) && is_same( &first, &again ) );
	}
	uint32_t methods = take_chance( n, 20 ) ? ~0u : 1u << take_byte( n ) % 16;
	for ( uint32_t m = 0; m <= bv_convex_methods; ++m )
	{
		bv_convex_cache cache = take_cache( n );
		bv_convex_options options = { .method = (bv_convex_method)m };
		if ( !( methods >> m & 1 ) )
		{
			continue;
		}
		options.cache = take_chance( n, 128 ) ? &cache : NULL;
		options.tolerance = take_chance( n, 32 ) ? take_number( n, &( subject ){ .size = 1e-3 } ) : 0;
		void* scratch = NULL;
		if ( take_chance( n, 96 ) )
		{
			// Allocated, so that a byte beyond is noticed.
			static const size_t sizes[4] = { BV_CONVEX_SCRATCH_LEAST, 8976, 20000, BV_CONVEX_SCRATCH_AMPLE };
			options.scratch_bytes = sizes[take_byte( n ) % 4];
			options.scratch = scratch = malloc( options.scratch_bytes );
		}
		for ( int turn = 0; turn < 2; ++turn ) // with what the first left in the cache
		{
			bv_convex_result r;
			bv_convex_overlap_result p;
			bool has_distance = distance( s, &options, &r );
			bool has_overlap = overlap( s, &options, &p );
			expect( m < bv_convex_methods || ( !has_distance && !has_overlap ) );
			bool by_faces = m == bv_convex_method_sat || m == bv_convex_method_vclip;
			bool is_defined =
				s->is_defined && ( !by_faces || ( s->of[0]->has_faces && s->of[1]->has_faces ) );
			if ( has_distance && has_overlap && is_defined )
			{
				double skewed = s->skew < 1e-12 ? 0 : 1e-3 * s->size;
				expect( meet( first.lower, first.upper, r.lower, r.upper, s->has_corners ? 0 : skewed ) );
				expect( !p.certain || ( p.overlaps ? r.lower <= skewed : r.upper >= -skewed ) );
				expect( !p.certain || !o.certain || p.overlaps == o.overlaps || skewed > 0 );
				if ( s->has_corners )
				{
					compare_with_corners( s, &r, n );
				}
				compare_with_swapped( s, &r, &options );
			}
		}
		free( scratch );
	}
}

typedef struct moving
{
	const scene* scene;
	bv_vec3 of[2];
} moving;

static bool cast( const moving* m, const bv_convex_cast_options* options, double limit,
                  bv_convex_cast_result* r )
{
	bv_convex_cast_result before;
	memset( &before, 0x5a, sizeof before );
	before.found = before.certain = before.at_start = true;
	memcpy( r, &before, sizeof before );
	const scene* s = m->scene;
	bv_status status =
		bv_convex_cast( &s->of[0]->shape, &s->of[1]->shape, s->placement, m->of[0], m->of[1], options, r );
	expect( is_documented( status, false ) );
	if ( status != bv_ok )
	{
		expect( memcmp( r, &before, sizeof before ) == 0 );
		return false;
	}
	expect( r->lower >= 0 && r->lower <= r->upper && r->lower <= limit );
	expect( r->found || ( r->upper == INFINITY && !r->at_start ) );
	expect( r->found || !r->certain || r->lower == limit );
	expect( !r->at_start || ( r->lower == 0 && r->upper == 0 ) );
	expect( is_unit_or_zero( r->normal ) );
	expect( !s->is_defined || ( is_finite( r->point[0] ) && is_finite( r->point[1] ) ) );
	return true;
}

// What one method proves, another one does not deny: no contact before a time, contact at a time or before.
static void compare_casts( const bv_convex_cast_result* a, const bv_convex_cast_result* b, double slack )
{
	expect( a->lower <= b->upper + slack && b->lower <= a->upper + slack );
	expect( !a->certain || !b->certain || a->found == b->found );
}

static void cast_pair( numbers* n, const scene* s, const subject* of )
{
	moving m = { .scene = s };
	uint8_t kind = take_byte( n );
	m.of[0] = kind & 1 ? take_corner( n, of, kind & 2 ) : ( bv_vec3 ){ 0, 0, 0 };
	m.of[1] = take_corner( n, of, kind & 4 );
	bv_convex_cast_options options = { .limit = kind & 8 ? take_number( n, of ) : 0 };
	options.limit = kind & 16 ? INFINITY : options.limit;
	double limit = options.limit != 0 ? options.limit : 1;
	bv_convex_cast_result first;
	bool is_valid = cast( &m, &options, limit, &first );
	uint32_t methods = take_chance( n, 20 ) ? ~0u : 1u << take_byte( n ) % 8;
	for ( uint32_t method = 1; method <= bv_convex_cast_methods; ++method )
	{
		bv_convex_cache cache = take_cache( n );
		bv_convex_cast_result r;
		options.method = (bv_convex_cast_method)method;
		options.cache = take_chance( n, 128 ) ? &cache : NULL;
		options.tolerance = take_chance( n, 32 ) ? take_number( n, &( subject ){ .size = 1e-3 } ) : 0;
		if ( methods >> method & 1 && cast( &m, &options, limit, &r ) )
		{
			expect( method < bv_convex_cast_methods );
			if ( is_valid && s->is_defined && s->skew < 1e-12 )
			{
				compare_casts( &first, &r, 0 );
			}
		}
	}
}

// Corners of both meet, so that shapes touch; or any numbers take the place of the transform's.
static bv_transform take_place( numbers* n, const subject* s, const body* a, const body* b )
{
	bv_transform t = take_transform( n, s, s );
	uint8_t kind = take_byte( n );
	if ( kind < 96 && a->corners > 0 && b->corners > 0 )
	{
		bv_vec3 to = a->corner[take_byte( n ) % a->corners];
		bv_vec3 from = b->corner[take_byte( n ) % b->corners];
		t.pose.translation = ( bv_vec3 ){ 0, 0, 0 };
		t.pose.translation = bv_sub( to, bv_transform_point( &t, from ) );
		if ( kind & 1 )
		{
			t.pose.translation.x += ldexp( s->size * take_unit( n ), -( kind / 2 % 64 ) );
		}
	}
	if ( kind >= 248 )
	{
		double* number[] = { &t.scale, &t.pose.translation.x, &t.pose.translation.y, &t.pose.translation.z };
		*number[kind % 4] = take_double( n );
		t.pose.rotation[kind % 3][kind / 3 % 3] = kind % 2 ? take_double( n ) : t.pose.rotation[0][0];
	}
	return t;
}

static void query( numbers* n, const bv_file* file )
{
	subject of = { .size = 1 };
	uint8_t kind = take_byte( n );
	of.size = kind >= 240 ? ldexp( 1, 2 * (int8_t)take_byte( n ) ) : 1;
	body a;
	body b;
	take_body( n, &of, file, &a );
	of.size = kind >= 248 ? ldexp( 1, 2 * (int8_t)take_byte( n ) ) : of.size;
	take_body( n, &of, file, &b );
	bv_transform placement = take_place( n, &of, &a, &b );
	scene s = { .of = { &a, kind % 16 == 1 ? &a : &b }, .placement = kind & 2 ? &placement : NULL };
	describe( &s );
	query_pair( n, &s );
	query_manifold( n, &s );
	cast_pair( n, &s, &of );
	free_body( &a );
	free_body( &b );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	size_t length = file_length( data, size );
	void* memory = malloc( length ? length : 1 );
	expect( memory );
	memcpy( memory, data, length );
	const bv_file* file = NULL;
	if ( length > 0 && bv_file_open( memory, length, &file ) != bv_ok )
	{
		file = NULL;
	}
	numbers n = numbers_begin( data + length, size - length );
	query( &n, file );
	free( memory );
	return 0;
}
