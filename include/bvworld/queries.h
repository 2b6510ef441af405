// Queries of a broad phase: objects that touch a convex shape, and objects that a ray or a moving shape meets.
//
//     #include <bvworld/queries.h>
//     #include <stdio.h>
//
//     static _Alignas( 8 ) char memory[65536];
//
//     int main( void )
//     {
//         bvw_broadphase_options options = { .objects = 100 };
//         bvw_broadphase* world;
//         if ( bvw_broadphase_begin( memory, sizeof memory, &options, &world ) != bv_ok )
//             return 1;
//         for ( uint32_t i = 0; i < 3; ++i )
//             bvw_broadphase_add( world, i, &( bvw_object ){ .box = { { 4 * i + 2, 0, 0 }, { 4 * i + 3, 1, 1 } } } );
//         bv_ray ray = { { 5, 0.5, 0.5 }, { 1, 0, 0 }, 0, 0 };
//         bvw_hit first;
//         bvw_found found;
//         bvw_broadphase_cast_ray( world, &ray, NULL, &first, 1, &found );
//         if ( found.count == 1 )
//             printf( "%u at %g\n", first.number, first.time.lower ); // prints 1 at 1
//         return 0;
//     }
//
// Queries compare with the boxes of objects as they are now, also between updates. To query the shapes of objects, pass a
// callback that tests the shape of one object.
//
// bvw_method_tree builds its tree in the first update, and in updates after which most objects are new. Until then, queries compare
// the new objects one by one, except the first 64 and as many as there were before. So update once after adding most of the objects.
//
// Results do not depend on the method, nor on the order in which objects were added: hits come sorted by time, then by number.
// Whether a ray or a moving box meets a box is decided exactly, and touching counts. Functions allocate nothing.
//
// Experimental: may change until the next minor version.

#pragma once

#include "bv/convex.h"
#include "bv/mesh.h"

#include "bvworld/broadphase.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An object that a ray or a moving shape meets.
typedef struct bvw_hit
{
	/// The object is met at a time in this interval for the first time: of rays and boxes, at most 2^-48 of the time wide. A
	/// callback may have set it.
	bv_interval time;

	uint32_t number; ///< of the object
} bvw_hit;

/// Called for each object whose box is met, to test the shape of the object. Not called for objects that cannot be among the hits
/// that the query reports. The order of calls depends on the method.
/// @param end  a shape that is met later than this is not reported
/// @param hit  when the box is met; on return, when the shape is met. A lower bound before that of the box counts as that of
///             the box
/// @return false if the shape is not met
typedef bool bvw_hit_callback( void* context, double end, bvw_hit* hit );

/// Options of casts. Zero-initialized options are the defaults.
typedef struct bvw_cast_options
{
	bvw_filter filter; ///< which objects; default all

	/// End at any hit, instead of the first ones: whether something is in the way. Which one is found depends on the method.
	/// Default false.
	bool any;

	bvw_hit_callback* callback; ///< tests the shapes of objects; default null: boxes are met
	void* context;              ///< passed to the callback; default null
} bvw_cast_options;

/// @return the defaults listed in bvw_cast_options
bvw_cast_options bvw_cast_options_default( void );

/// Finds the objects whose boxes touch a convex shape. Polytopes and boxes are compared exactly, as bv_convex_overlap does;
/// other shapes are reported if it is in doubt.
/// @param shape      any kind except half-spaces
/// @param placement  from coordinates of the shape to those of the world; null for the identity
/// @return as bvw_broadphase_overlap; bv_error_argument if the shape or the transform is invalid, or the shape a half-space
bv_status bvw_broadphase_overlap_convex( const bvw_broadphase* world, const bv_convex* shape,
                                         const bv_transform* placement, const bvw_filter* filter,
                                         uint32_t* numbers, uint32_t most, bvw_found* found );

/// Finds the first objects whose boxes a ray meets, at most `most` of them. With a length of options.objects, these are all.
///
/// The query ends where further hits would not be reported: finding one is faster than finding all.
/// @param ray      as for bv_mesh_cast_ray, in world coordinates. A ray that begins in a box meets it at `from`
/// @param options  null for the defaults
/// @param hits     receives the first hits, sorted by the lower bound of the time, then by number. Can be null if `most` is 0:
///                 then the callback is called for all objects whose boxes the ray meets
/// @param most     length of that array
/// @param found    receives the number of hits in the array, and of tests
/// @return bv_ok; bv_error_argument, and nothing changes, if another pointer is null or a member of the ray is out of range
bv_status bvw_broadphase_cast_ray( const bvw_broadphase* world, const bv_ray* ray,
                                   const bvw_cast_options* options, bvw_hit* hits, uint32_t most,
                                   bvw_found* found );

/// The same of a box that moves along a line, from time 0 to 1. The box of an object that it touches at the begin is met at 0.
/// @param box     at time 0, as that of an object
/// @param motion  where it is at time 1, relative to time 0; up to BV_MAX_LENGTH; may be 0
bv_status bvw_broadphase_cast_box( const bvw_broadphase* world, const bv_aabb* box, bv_vec3 motion,
                                   const bvw_cast_options* options, bvw_hit* hits, uint32_t most,
                                   bvw_found* found );

/// The same of a convex shape, by bv_convex_cast: the interval of time of a hit is as wide as that function says, and shapes with
/// curved surfaces that pass a box within rounding errors are reported. The upper bound is infinite if it is not proven that they
/// touch.
/// @param shape      at time 0; any kind except half-spaces
/// @param placement  from coordinates of the shape to those of the world; null for the identity
/// @return also bv_error_argument if the shape or the transform is invalid, or the shape a half-space
bv_status bvw_broadphase_cast_convex( const bvw_broadphase* world, const bv_convex* shape,
                                      const bv_transform* placement, bv_vec3 motion,
                                      const bvw_cast_options* options, bvw_hit* hits, uint32_t most,
                                      bvw_found* found );

#ifdef __cplusplus
}
#endif
