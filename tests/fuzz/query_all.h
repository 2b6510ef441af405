// Every query of bv/mesh.h, asked with numbers of the input. Queries must end, what they find must be of the file, and levels
// of the instruction set must agree to the last bit.

#pragma once

#include "expect.h"
#include "numbers.h"
#include "runtime/depth/solid.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"

#include <stdlib.h>

// Pairs in the order in which they come, and how many more may.
typedef struct found
{
	uint64_t hash;
	uint32_t left;
	subject of[2];
} found;

static inline bool find_pair( void* context, uint32_t a, uint32_t b )
{
	found* f = (found*)context;
	expect( a < f->of[0].triangles && b < f->of[1].triangles && f->left > 0 );
	f->hash = ( f->hash * 31 + a ) * 31 + b;
	return --f->left > 0;
}

static inline bool find_triangle( void* context, uint32_t triangle )
{
	found* f = (found*)context;
	expect( triangle < f->of[0].triangles && f->left > 0 );
	return --f->left > 0;
}

// All levels that this machine has, so that they are compared, or one of them.
// @return how many
static inline uint32_t take_levels( numbers* n, const bvtree_lanes* out[4] )
{
	uint8_t kind = take_byte( n );
	uint32_t count = 0;
	while ( count < 4 && bvtree_lanes_level( count ) )
	{
		out[count] = bvtree_lanes_level( count );
		count += 1;
	}
	out[0] = kind % 4 ? out[kind % count] : out[0];
	return kind % 4 ? 1 : count;
}

// How many triangles, or pairs of them, there may be for a query to be asked: it must not take a second.
enum
{
	most_pairs = 20000,
	most_contacts = 4000, // pairs that memory is taken for
	most_triangles = 20000,
	most_of_shapes = 2000,
};

static inline void collide( numbers* n, const subject* a, const subject* b )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, a, b );
	const bv_transform* placement = kind & 16 ? &transform : NULL;
	bv_collide_options options = { .expansion =
		                               (bv_expansion)( take_byte( n ) % 25 % ( bv_expansions + 1 ) ) };
	uint32_t limit = 1 + (uint32_t)take_bits( n, 2 );
	bv_collide_result first = { 0 };
	bv_test_counts first_counts = { 0 };
	uint64_t first_hash = 0;
	options.first = kind % 4 == 0;
	const bvtree_lanes* lanes[4];
	uint32_t levels = take_levels( n, lanes );
	for ( uint32_t i = 0; i < levels; ++i )
	{
		bv_collide_result result = { 0 };
		bv_test_counts counts = { 0 };
		found f = { .left = limit, .of = { *a, *b } };
		options.callback = kind & 4 ? find_pair : NULL;
		options.context = &f;
		options.counts = kind & 8 ? &counts : NULL;
		if ( bvtree_collide_in( lanes[i], a->file, b->file, placement, &options, &result ) != bv_ok )
		{
			break;
		}
		if ( i == 0 )
		{
			first = result;
			first_counts = counts;
			first_hash = f.hash;
		}
		expect( first.pairs == result.pairs && first.volume_tests == result.volume_tests &&
		        first.triangle_tests == result.triangle_tests && first_hash == f.hash );
		expect( memcmp( &first_counts, &counts, sizeof counts ) == 0 );
		expect( result.pairs <= ( options.first ? 1 : result.triangle_tests ) );
	}
	bv_mesh_collide( kind == 255 ? NULL : a->file, b->file, placement, NULL, kind == 254 ? NULL : &first );
}

static inline bool are_same( const double* a, const double* b, size_t count )
{
	return memcmp( a, b, count * sizeof *a ) == 0;
}

static inline bool is_on( const subject* s, const bv_surface_point* p )
{
	return p->triangle < s->triangles;
}

static inline void distance( numbers* n, const subject* a, const subject* b )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, a, b );
	const bv_transform* placement = kind % 8 ? &transform : NULL;
	bv_distance_options options = bv_distance_options_default();
	options.limit = kind & 16 ? fabs( take_number( n, a ) ) : INFINITY;
	options.relative = kind & 32 ? fabs( take_number( n, a ) ) : 0;
	options.absolute = kind & 64 ? take_number( n, a ) : 0;
	bv_distance_result first;
	const bvtree_lanes* lanes[4];
	uint32_t levels = take_levels( n, lanes );
	for ( uint32_t i = 0; i < levels; ++i )
	{
		bv_distance_result result;
		if ( bvtree_distance_in( lanes[i], a->file, b->file, placement, &options, &result ) != bv_ok )
		{
			break;
		}
		first = i == 0 ? result : first;
		expect( first.found == result.found && first.volume_tests == result.volume_tests &&
		        first.triangle_tests == result.triangle_tests &&
		        are_same( &first.distance, &result.distance, 1 ) );
		if ( result.found )
		{
			expect( is_on( a, &result.a ) && is_on( b, &result.b ) && result.distance >= 0 );
			expect( first.a.triangle == result.a.triangle && first.b.triangle == result.b.triangle );
			expect( are_same( &first.a.point.x, &result.a.point.x, 3 ) &&
			        are_same( &first.b.local.x, &result.b.local.x, 3 ) );
		}
	}
	bv_mesh_distance( kind == 255 ? NULL : a->file, b->file, placement, NULL, kind == 254 ? NULL : &first );
}

static inline void search_in_parts( const bvtree_lanes* lanes, const subject* a, const subject* b,
                                    const bv_transform* placement, const bv_search_options* options,
                                    const bv_budget* budget, bool is_ample, bv_search_answer* answer )
{
	size_t bytes = is_ample ? BV_SEARCH_AMPLE : BV_SEARCH_LEAST;
	void* memory = malloc( bytes );
	bv_search* search = NULL;
	*answer = ( bv_search_answer ){ .done = true };
	if ( bvtree_search_begin_in( lanes, a->file, b->file, placement, options, memory, bytes, &search ) ==
	     bv_ok )
	{
		bv_search_indication indication;
		bv_search_answer before;
		expect( bv_search_look( search, answer ) == bv_ok );
		expect( bv_search_indicate( search, &indication ) == bv_ok );
		for ( int i = 0; i < 6 && !answer->done; ++i )
		{
			before = *answer;
			expect( bv_search_run( search, budget, answer ) == bv_ok );
			expect( answer->upper <= before.upper && answer->found >= before.found );
			expect( answer->triangle[0] < a->triangles && answer->triangle[1] < b->triangles );
		}
		expect( bv_search_indicate( search, &indication ) == bv_ok );
		expect( bv_search_run( search, NULL, answer ) == bv_ok && answer->done );
		expect( answer->verdict != bv_search_open || options->relative > 0 );
	}
	free( memory );
}

// Files that are damaged can have wrong volumes and errors, so that bounds need not hold.
static inline void search( numbers* n, const subject* a, const subject* b )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, a, b );
	const bv_transform* placement = kind % 8 ? &transform : NULL;
	bv_search_options options = { .goal = (bv_search_goal)( kind / 8 % 2 ),
		                          .order = (bv_search_order)( take_byte( n ) % ( bv_search_orders + 1 ) ) };
	options.limit = kind & 16 ? fabs( take_number( n, a ) ) : 0;
	options.relative = kind & 32 ? fabs( take_number( n, a ) ) : 0;
	bool is_ample = kind & 64;
	const uint32_t last[2] = { (uint32_t)take_bits( n, 1 ), (uint32_t)take_bits( n, 1 ) };
	options.last = kind & 128 ? last : NULL;
	const bv_budget budget = { .tests = 1 + take_byte( n ) };
	bv_search_answer first = { .done = false };
	const bvtree_lanes* lanes[4];
	uint32_t levels = take_levels( n, lanes );
	// Searches in parts take much longer than queries, so that few inputs have one.
	for ( uint32_t i = 0; i < levels && budget.tests % 16 == 1; ++i )
	{
		bv_search_answer answer;
		search_in_parts( lanes[i], a, b, placement, &options, &budget, is_ample, &answer );
		first = i == 0 ? answer : first;
		expect( first.verdict == answer.verdict && first.volume_tests == answer.volume_tests &&
		        first.triangle_tests == answer.triangle_tests );
		expect( are_same( &first.lower, &answer.lower, 1 ) && are_same( &first.upper, &answer.upper, 1 ) );
		expect( first.triangle[0] == answer.triangle[0] && first.triangle[1] == answer.triangle[1] );
	}
}

static inline void closest( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, s, s );
	bv_vec3 point = take_point( n, s );
	bv_closest_options options = { kind & 1 ? take_number( n, s ) : 0 };
	const bv_transform* placement = kind % 4 ? &transform : NULL;
	bv_closest_result first;
	const bvtree_lanes* lanes[4];
	uint32_t levels = take_levels( n, lanes );
	for ( uint32_t i = 0; i < levels; ++i )
	{
		bv_closest_result result;
		if ( bvtree_closest_point_in( lanes[i], s->file, placement, point, &options, &result ) != bv_ok )
		{
			break;
		}
		first = i == 0 ? result : first;
		expect( first.found == result.found && first.volume_tests == result.volume_tests &&
		        first.triangle_tests == result.triangle_tests &&
		        are_same( &first.distance, &result.distance, 1 ) );
		if ( result.found )
		{
			expect( is_on( s, &result.at ) && result.distance >= 0 && result.at.feature < bv_features );
			expect( first.at.triangle == result.at.triangle &&
			        are_same( &first.at.point.x, &result.at.point.x, 3 ) );
		}
	}
	bv_mesh_closest_point( kind == 255 ? NULL : s->file, placement, point, &options,
	                       kind == 254 ? NULL : &first );
}

static inline void contains( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, s, s );
	bv_vec3 point = take_point( n, s );
	bv_contains_options options = { kind & 1 ? take_number( n, s ) : 0 };
	const bv_transform* placement = kind % 4 ? &transform : NULL;
	bv_closest_options near = { options.limit };
	bv_contains_result result;
	bv_closest_result closest;
	bv_status status = bv_mesh_contains( s->file, placement, point, &options, &result );
	expect( status == bv_mesh_closest_point( s->file, placement, point, &near, &closest ) );
	if ( status == bv_ok )
	{
		expect( result.side < bv_sides && result.found == closest.found );
		expect( are_same( &result.distance, &closest.distance, 1 ) );
		expect( result.side == bv_side_unknown || ( result.found && is_on( s, &result.at ) ) );
	}
	bv_points points = { 1, { &point, 0, bv_number_double }, { 0 } };
	bv_contains_result same;
	expect( status == bv_mesh_contains_points( s->file, placement, &points, &options, &same, NULL ) );
	expect( status != bv_ok || ( same.side == result.side && same.found == result.found ) );
	bv_mesh_contains( kind == 255 ? NULL : s->file, placement, point, NULL, kind == 254 ? NULL : &result );
}

// Opening a file does not check that volumes enclose triangles, nor that triangles have an area. Ways out of boxes are proven only if
// those of the root enclose the mesh, and no axis separates triangles that are parallel segments.
static inline bool is_sound( const subject* s )
{
	bvdepth_solid solid;
	bool sound = bvdepth_solid_begin( s->file, &solid );
	for ( uint32_t i = 0; i < s->triangles && sound; ++i )
	{
		bv_vec3 corner[3];
		bvtree_walk_corners( &solid.batch.view, i, corner );
		sound = bv_length( bvtree_normal_of( corner ) ) > 0;
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = corner[k];
			sound = sound && p.x >= solid.lower.x && p.y >= solid.lower.y && p.z >= solid.lower.z &&
			        p.x <= solid.upper.x && p.y <= solid.upper.y && p.z <= solid.upper.z;
		}
	}
	return sound;
}

// The way is checked by what the query of collisions finds, which is conservative.
static inline void depth( numbers* n, const subject* a, const subject* b )
{
	static uint64_t scratch[BV_MESH_DEPTH_SCRATCH_LEAST / 8];
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, a, b );
	const bv_transform* placement = kind % 4 ? &transform : NULL;
	bv_mesh_depth_options options = { .factor = kind & 1 ? take_number( n, a ) : 0,
		                              .absolute = kind & 2 ? take_number( n, a ) : 0,
		                              .most_tests = 4000,
		                              .most_translations = 1 + kind };
	if ( kind & 4 )
	{
		options.direction = take_point( n, a );
	}
	bv_mesh_depth_result r;
	if ( bv_mesh_depth( a->file, b->file, placement, &options, scratch, sizeof scratch, &r ) == bv_ok )
	{
		expect( r.lower >= 0 && r.lower <= r.upper );
		expect( r.triangle[0] < a->triangles && r.triangle[1] < b->triangles );
		bv_collide_options first = { .first = true };
		bv_collide_result met;
		expect( bv_mesh_collide( a->file, b->file, &r.apart, &first, &met ) == bv_ok );
		expect( met.pairs == 0 || r.upper == INFINITY || !is_sound( a ) || !is_sound( b ) );
	}
	bv_mesh_depth( kind == 255 ? NULL : a->file, b->file, placement, &options, kind == 254 ? NULL : scratch,
	               sizeof scratch, kind == 253 ? NULL : &r );
}

static inline void cast_ray( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, s, s );
	bv_ray ray = { take_point( n, s ), take_point( n, s ), 0, INFINITY };
	if ( kind & 1 ) // through two points
	{
		ray.direction.x -= ray.origin.x;
		ray.direction.y -= ray.origin.y;
		ray.direction.z -= ray.origin.z;
	}
	if ( kind & 2 )
	{
		ray.from = fabs( take_number( n, s ) );
		ray.to = take_number( n, s );
	}
	bv_ray_options options = { .any = kind & 16, .no_fronts = kind & 32, .no_backs = kind & 64 };
	bv_ray_result result;
	bv_status status = bv_mesh_cast_ray( s->file, kind & 4 ? &transform : NULL, kind == 255 ? NULL : &ray,
	                                     kind & 8 ? &options : NULL, kind == 254 ? NULL : &result );
	if ( status == bv_ok && result.found )
	{
		expect( is_on( s, &result.at ) && result.time >= ray.from &&
		        ( !( ray.to > 0 ) || result.time <= ray.to ) );
		expect( !( kind & 8 ) || ( result.back ? !options.no_backs : !options.no_fronts ) );
	}
	bv_rays twice = {
		.count = 2,
		.origin = { &ray.origin, 0, bv_number_double },
		.direction = { &ray.direction, 0, bv_number_double },
		.from = { &ray.from, 0, bv_number_double },
		.to = { &ray.to, 0, bv_number_double },
	};
	// What follows takes the placement of stored positions.
	bv_transform storage;
	const bv_transform* placed = bvtree_place( NULL, s->file, kind & 4 ? &transform : NULL, &storage );
	bv_ray_result both[2];
	for ( int in_turns = 0; status == bv_ok && in_turns < 2; ++in_turns )
	{
		expect( bvtree_cast_rays_in( bvtree_lanes_best(), in_turns, s->file, placed, &twice,
		                             kind & 8 ? &options : NULL, both, NULL ) == bv_ok );
		for ( int i = 0; i < 2; ++i )
		{
			expect( both[i].found == result.found );
			expect( ( kind & 8 && options.any ) || ( are_same( &both[i].time, &result.time, 1 ) &&
			                                         both[i].at.triangle == result.at.triangle ) );
		}
	}
	const bvtree_lanes* level;
	for ( uint32_t i = 0; status == bv_ok && ( level = bvtree_lanes_level( i ) ) != NULL; ++i )
	{
		bv_ray_result same;
		expect( bvtree_cast_ray_in( level, s->file, placed, &ray, kind & 8 ? &options : NULL, &same ) ==
		        bv_ok );
		expect( same.found == result.found && are_same( &same.time, &result.time, 1 ) &&
		        same.at.triangle == result.at.triangle && same.volume_tests == result.volume_tests &&
		        same.triangle_tests == result.triangle_tests );
	}
}

// One to eight points, some of them the same, or no shape at all.
typedef struct some_shape
{
	bv_vec3 points[8];
	bv_convex shape;
} some_shape;

static inline void take_shape( numbers* n, const subject* s, some_shape* out )
{
	uint8_t kind = take_byte( n );
	uint32_t count = 1 + kind % 8;
	bv_vec3 at = take_point( n, s );
	double reach = kind & 8 ? s->size : s->size / 16;
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->points[i] = at;
		if ( kind & 16 ) // a part of a box
		{
			out->points[i].x += i & 1 ? reach : 0;
			out->points[i].y += i & 2 ? reach : 0;
			out->points[i].z += i & 4 ? reach : 0;
		}
		else if ( kind & 32 )
		{
			out->points[i].x += reach * take_unit( n );
			out->points[i].y += reach * take_unit( n );
			out->points[i].z += reach * take_unit( n );
		}
		else
		{
			out->points[i] = take_point( n, s );
		}
	}
	out->shape = bv_convex_points( kind == 255 ? NULL : out->points, kind == 254 ? 0 : count, 0 );
	out->shape.radius = kind & 64 ? take_number( n, s ) : 0;
}

static inline void cast_shape( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	some_shape shape;
	bv_transform transform = take_transform( n, s, s );
	take_shape( n, s, &shape );
	bv_vec3 motion = take_point( n, s );
	if ( kind & 1 )
	{
		motion.x -= shape.points[0].x;
		motion.y -= shape.points[0].y;
		motion.z -= shape.points[0].z;
	}
	bv_cast_options options = bv_cast_options_default();
	options.limit = kind & 2 ? take_number( n, s ) : INFINITY;
	options.tolerance = kind & 4 ? take_number( n, s ) : 0;
	bv_cast_result result;
	bv_status status =
		bv_mesh_cast_convex( s->file, kind & 8 ? &transform : NULL, kind == 255 ? NULL : &shape.shape, motion,
	                         kind & 16 ? &options : NULL, kind == 254 ? NULL : &result );
	if ( status == bv_ok && result.found )
	{
		expect( is_on( s, &result.at ) && result.time >= 0 &&
		        result.time <= ( kind & 16 && options.limit > 0 ? options.limit : 1 ) );
		expect( result.at_start == !( result.time > 0 ) );
	}
	bv_transform storage;
	const bv_transform* placed = bvtree_place( NULL, s->file, kind & 8 ? &transform : NULL, &storage );
	const bvtree_lanes* level;
	for ( uint32_t i = 0; status == bv_ok && ( level = bvtree_lanes_level( i ) ) != NULL; ++i )
	{
		bv_cast_result same;
		expect( bvtree_cast_shape_in( level, s->file, placed, &shape.shape, motion,
		                              kind & 16 ? &options : NULL, &same ) == bv_ok );
		expect( same.found == result.found && are_same( &same.time, &result.time, 1 ) &&
		        same.at.triangle == result.at.triangle && same.volume_tests == result.volume_tests &&
		        same.triangle_tests == result.triangle_tests );
	}
}

static inline void overlap_solid( numbers* n, const subject* s, uint8_t which, const bv_transform* placement,
                                  const bv_overlap_options* options, bv_overlap_result* result )
{
	bv_vec3 at = take_point( n, s );
	bv_vec3 to = take_point( n, s );
	some_shape shape;
	bv_obb box = { .center = at };
	switch ( which )
	{
	case 0:
	{
		bv_sphere ball = { at, take_number( n, s ) };
		bv_mesh_overlap_sphere( s->file, placement, &ball, options, result );
		break;
	}
	case 1:
	{
		bv_aabb flat = { { fmin( at.x, to.x ), fmin( at.y, to.y ), fmin( at.z, to.z ) }, at };
		flat.upper = ( bv_vec3 ){ fmax( at.x, to.x ), fmax( at.y, to.y ),
			                      take_byte( n ) % 64 ? fmax( at.z, to.z ) : at.z };
		bv_mesh_overlap_aabb( s->file, placement, &flat, options, result );
		break;
	}
	case 2:
		take_rotation( n, ( double( * )[3] )(void*)box.axis );
		for ( int i = 0; i < 3; ++i )
		{
			double half = take_number( n, s );
			box.half_extents[i] = take_byte( n ) % 64 ? fabs( half ) : half;
		}
		box.axis[0].x += take_byte( n ) % 64 ? 0 : take_number( n, s );
		bv_mesh_overlap_obb( s->file, placement, &box, options, result );
		break;
	default:
		take_shape( n, s, &shape );
		bv_mesh_overlap_convex( s->file, placement, &shape.shape, options, result );
		break;
	}
}

static inline void overlap( numbers* n, const subject* s, uint8_t which )
{
	uint8_t kind = take_byte( n );
	found f = { .left = 1 + take_byte( n ), .of = { *s } };
	bv_transform transform = take_transform( n, s, s );
	bv_overlap_options options = { kind & 1, kind & 2 ? find_triangle : NULL, &f };
	bv_overlap_result result = { 0 };
	overlap_solid( n, s, which, kind & 4 ? &transform : NULL, kind & 8 ? &options : NULL, &result );
	expect( result.triangles <= ( kind & 8 && options.first ? 1 : s->triangles ) );
}

// What a query of contacts left, twice.
enum
{
	contacts_capacity = 3,
};
typedef struct contacts_found
{
	bv_mesh_manifold manifolds[2][contacts_capacity];
	bv_mesh_contacts_result result[2];
	bv_mesh_contacts_mesh_result of_meshes[2];
	bv_status status[2];
} contacts_found;

// Nothing changes on error, memory that the header promises is enough, and the same bytes come out twice.
static inline void expect_contacts( const contacts_found* f, bool is_enough, const subject* a,
                                    const subject* b )
{
	expect( f->status[0] == f->status[1] && memcmp( f->result, f->result + 1, sizeof *f->result ) == 0 &&
	        memcmp( f->of_meshes, f->of_meshes + 1, sizeof *f->of_meshes ) == 0 );
	expect( f->status[0] == bv_ok || f->status[0] == bv_error_argument ||
	        ( f->status[0] == bv_error_memory && !is_enough ) );
	expect( memcmp( f->manifolds[0], f->manifolds[1], sizeof f->manifolds[0] ) == 0 );
	if ( f->status[0] != bv_ok )
	{
		uint8_t unchanged[sizeof f->manifolds];
		memset( unchanged, 0x5a, sizeof unchanged );
		expect( memcmp( f->manifolds, unchanged, sizeof f->manifolds ) == 0 &&
		        memcmp( f->result, unchanged, sizeof f->result ) == 0 &&
		        memcmp( f->of_meshes, unchanged, sizeof f->of_meshes ) == 0 );
		return;
	}
	const bv_mesh_contacts_result* r = f->result;
	bool is_of_shape = r->triangles != 0x5a5a5a5a;
	uint32_t count = is_of_shape ? r->count : f->of_meshes->count;
	uint32_t dropped = is_of_shape ? r->dropped : f->of_meshes->dropped;
	expect( count <= contacts_capacity && ( dropped == 0 || count == contacts_capacity ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_mesh_manifold* m = f->manifolds[0] + i;
		expect( m->mesh < 2 && m->count >= 1 && m->count <= BV_MANIFOLD_CONTACTS );
		for ( uint32_t k = 0; k < m->count; ++k )
		{
			const bv_mesh_contact* c = m->contact + k;
			expect( c->triangle < ( m->mesh == 0 ? a : b )->triangles &&
			        fabs( bv_length( c->normal ) - 1 ) < 1e-9 );
			expect( c->triangle_b < ( is_of_shape ? 1 : b->triangles ) );
			expect( c->at.separation == c->at.separation );
		}
	}
}

// Contacts of a shape and two meshes.
static inline void contacts( numbers* n, const subject* a, const subject* b )
{
	uint8_t kind = take_byte( n );
	some_shape shape;
	bv_transform transform = take_transform( n, a, b );
	take_shape( n, a, &shape );
	bv_mesh_contacts_options options = bv_mesh_contacts_options_default();
	options.sides = (bv_mesh_sides)( kind / 32 % 4 );
	options.speculative = kind & 1 ? take_number( n, a ) : 0;
	options.tolerance = kind & 2 ? take_number( n, a ) : 0;
	bool is_enough = kind & 4;
	size_t bytes = BV_MESH_CONTACTS_SCRATCH( is_enough ? a->triangles + b->triangles : 4 );
	const bv_placed_mesh meshes[2] = { { a->file, NULL }, { b->file, kind & 8 ? &transform : NULL } };
	contacts_found f;
	memset( &f, 0x5a, sizeof f );
	for ( int i = 0; i < 2; ++i )
	{
		void* scratch = malloc( bytes );
		const bv_mesh_contacts_room room = { f.manifolds[i], contacts_capacity, scratch, bytes };
		f.status[i] = bv_meshes_contacts_convex( meshes, kind & 16 ? 2 : 1, &shape.shape, &options, &room,
		                                         f.result + i );
		free( scratch );
	}
	expect_contacts( &f, is_enough, a, b );
}

// Contacts of two meshes, or of two and one.
static inline void contacts_of_meshes( numbers* n, const subject* a, const subject* b )
{
	uint8_t kind = take_byte( n );
	bv_transform transform = take_transform( n, a, b );
	bv_mesh_contacts_mesh_options options = bv_mesh_contacts_mesh_options_default();
	options.sides = (bv_mesh_sides)( kind / 32 % 4 );
	options.speculative = kind & 1 ? take_number( n, a ) : 0;
	options.tolerance = kind & 2 ? take_number( n, a ) : 0;
	options.depth = kind & 2 ? take_number( n, a ) : 0;
	bool is_enough = kind & 4;
	uint32_t pairs = ( a->triangles + b->triangles ) * b->triangles;
	size_t bytes = BV_MESH_CONTACTS_MESH_SCRATCH( is_enough ? pairs : 4 );
	const bv_placed_mesh meshes[2] = { { a->file, &transform }, { b->file, kind & 8 ? &transform : NULL } };
	contacts_found f;
	memset( &f, 0x5a, sizeof f );
	for ( int i = 0; i < 2; ++i )
	{
		void* scratch = malloc( bytes );
		const bv_mesh_contacts_room room = { f.manifolds[i], contacts_capacity, scratch, bytes };
		f.status[i] =
			bv_meshes_contacts_mesh( meshes, kind & 16 ? 2 : 1, b->file, &options, &room, f.of_meshes + i );
		free( scratch );
	}
	expect_contacts( &f, is_enough, a, b );
}

// Mistakes of the caller that no number makes.
static inline void query_nothing( const subject* s )
{
	bv_overlap_result result;
	bv_sphere ball = { { 0, 0, 0 }, 1 };
	bv_vec3 point = { 0, 0, 0 };
	bv_convex shape = bv_convex_points( &point, 1, 0 );
	expect( bv_mesh_overlap_sphere( NULL, NULL, &ball, NULL, &result ) == bv_error_argument );
	expect( bv_mesh_overlap_sphere( s->file, NULL, &ball, NULL, NULL ) == bv_error_argument );
	expect( bv_mesh_overlap_sphere( s->file, NULL, NULL, NULL, &result ) == bv_error_argument );
	expect( bv_mesh_overlap_aabb( s->file, NULL, NULL, NULL, &result ) == bv_error_argument );
	expect( bv_mesh_overlap_obb( s->file, NULL, NULL, NULL, &result ) == bv_error_argument );
	expect( bv_mesh_overlap_convex( s->file, NULL, NULL, NULL, &result ) == bv_error_argument );
	expect( bv_mesh_overlap_convex( NULL, NULL, &shape, NULL, &result ) == bv_error_argument );
}

static inline void query_all( numbers* n, const subject* a, const subject* b )
{
	if ( (uint64_t)a->triangles * b->triangles <= most_pairs )
	{
		collide( n, a, b );
		distance( n, a, b );
	}
	if ( a->triangles <= most_triangles )
	{
		closest( n, a );
		cast_ray( n, a );
		overlap( n, a, 0 );
		overlap( n, a, 1 );
		overlap( n, a, 2 );
	}
	if ( a->triangles <= most_of_shapes )
	{
		cast_shape( n, a );
		overlap( n, a, 3 );
		if ( b->triangles <= most_of_shapes )
		{
			contacts( n, a, b );
			if ( (uint64_t)( a->triangles + b->triangles ) * b->triangles <= most_contacts )
			{
				contacts_of_meshes( n, a, b );
			}
		}
	}
	query_nothing( a );
	bv_transform one = take_transform( n, a, b );
	bv_transform two = take_transform( n, b, a );
	if ( bv_transform_is_valid( &one ) && bv_transform_is_valid( &two ) )
	{
		bv_transform between = bv_transform_between( &one, &two );
		bv_transform_point( &between, take_point( n, a ) );
	}
	if ( a->triangles <= most_of_shapes )
	{
		contains( n, a );
	}
	if ( a->triangles <= most_of_shapes && b->triangles <= most_of_shapes )
	{
		depth( n, a, b );
	}
	if ( (uint64_t)a->triangles * b->triangles <= most_pairs )
	{
		search( n, a, b );
	}
}
