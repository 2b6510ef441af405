// Contact points of pairs of convex shapes, as solvers of rigid bodies want them: at most four, with depths and identities.
//
//     #include <bv/contact.h>
//     #include <stdio.h>
//
//     int main( void )
//     {
//         bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
//         bv_transform at = bv_transform_translation( 0.5, 1.99, 0 ); // the upper crate's coordinates to the lower one's
//         bv_manifold m;
//         bv_convex_manifold( &crate, &crate, &at, NULL, &m );
//         for ( uint32_t i = 0; i < m.count; ++i )
//         {
//             bv_vec3 p = m.contact[i].position;
//             printf( "%g %g %g: %.2f\n", p.x, p.y, p.z, m.contact[i].separation );
//         }
//         return m.count == 4 ? 0 : 1;
//     }
//
// The support faces of both shapes along the normal of bv_convex_distance are projected along it and intersected. Exchanging
// the shapes therefore changes nothing: no face is a reference.
//
// Contacts of faces: D. Gregorius, "Robust contact creation for physics simulations", GDC 2015. What one contact
// instead of four does to packings: Leemann 2017.

#pragma once

#include "bv/convex.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most contact points of one pair.
#define BV_MANIFOLD_CONTACTS 4

/// One contact point of two shapes, a and b. All vectors are in coordinates of a.
typedef struct bv_contact
{
	bv_vec3 position; ///< half way between the points on both shapes
	bv_vec3 point[2]; ///< on the surface of a, and of b
	double
		separation; ///< from the point on a to that on b, along the normal; negative where the shapes overlap

	/// What touches: the feature of a in the higher 32 bits, that of b in the lower ones. Exchanging the shapes swaps both.
	/// Contacts of one manifold have different identities. While the same features touch, the identity remains.
	///
	/// Bits 30 and 31 of a feature are a bv_contact_feature. The others say which corner, edge or face it is: of polytopes an
	/// index of a corner, or a number made of those of two or three corners. Different edges of shapes of at most
	/// 32,768 corners and different faces of those of at most 1,024 corners have different numbers; others almost always.
	uint64_t identity;
} bv_contact;

/// What a feature is: its bits 30 and 31.
typedef enum bv_contact_feature
{
	bv_contact_vertex = 1, ///< a corner, a ball, a point of a rim
	bv_contact_edge,       ///< an edge, the side of a capsule or of a cylinder
	bv_contact_face,       ///< a face, the end of a cylinder, a half-space
} bv_contact_feature;

/// @param shape  0 for a, 1 for b
/// @return what part of a shape touches
static inline bv_contact_feature bv_contact_feature_of( uint64_t identity, int shape )
{
	return (bv_contact_feature)( identity >> ( shape == 0 ? 62 : 30 ) & 3 );
}

/// Contact points of two shapes.
typedef struct bv_manifold
{
	double lower;   ///< the true signed distance is not below this
	double upper;   ///< and not above this
	bv_vec3 normal; ///< unit vector from a to b; moving b by -lower along it separates the shapes
	uint32_t
		count; ///< of contacts; 0 for shapes that are certainly farther apart than the speculative distance
	bv_contact contact[BV_MANIFOLD_CONTACTS]; ///< in an order that their features decide
	uint32_t supports;                        ///< support points evaluated, of each shape
} bv_manifold;

/// Options of bv_convex_manifold. Zero-initialized options are the defaults.
typedef struct bv_manifold_options
{
	/// Contacts are reported up to this separation, so that a solver can stop bodies before they overlap; 0 to
	/// BV_MAX_LENGTH. Default 0: only shapes that touch or overlap have contacts.
	double speculative;

	bv_convex_options distance; ///< how the normal is found: method, cache and memory of bv_convex_distance
} bv_manifold_options;

/// @return the defaults listed in bv_manifold_options
bv_manifold_options bv_manifold_options_default( void );

/// Finds up to four contact points of two convex shapes: corners of the region where their support faces along the normal
/// face each other. A face, a flat end, or a half-space counts if its normal is within 3 degrees of the normal; otherwise an edge or
/// a side that is as nearly at right angles to it; otherwise a corner. One of the contacts has the least separation, to 1e-6 of the
/// size of these faces. Among four with that contact, those of the largest area are chosen. Contacts with a separation above
/// `speculative` are dropped.
///
/// Points are on the surfaces of both shapes, opposite each other along the normal; where two curved surfaces touch, to about 3e-5
/// of the size, because the normal is found by iteration. Shapes with a radius have the contacts
/// of their cores, moved outwards to the surface. The end of a cylinder or a cone is represented by 24 points of its rim that turn
/// with the shape, and where needed by the deepest one. An ellipsoid and a support callback have one contact.
///
/// Where several directions separate the shapes by the same distance, such as those of a cube in the middle of another, one
/// is chosen, which can depend on the order of the shapes. Two half-spaces have one contact if they can be separated, and none otherwise.
/// @param placement  from coordinates of b to those of a; null for the identity
/// @param options    null for the defaults
/// @return bv_ok; bv_error_argument, with `*result` unchanged, if another pointer is null, a shape is invalid, the
/// transform is invalid or its translation exceeds BV_MAX_LENGTH, or an option is out of range;
/// bv_error_unsupported, also with `*result` unchanged, if the method does not compare such shapes. Experimental: may change until
/// the next minor version
bv_status bv_convex_manifold( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                              const bv_manifold_options* options, bv_manifold* result );

#ifdef __cplusplus
}
#endif
