// Contact points of pairs of convex shapes, and of a convex shape and meshes, as solvers of rigid bodies want them: at most four
// for each normal, with depths and identities.
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
// The support faces of both shapes along the normal of bv_convex_distance are projected along it and intersected. No face is a
// reference. Exchanging polytopes therefore changes only rounding, unless two normals are equally good. Contacts of curved
// shapes can move by more: see bv_convex_manifold.
//
// Contacts of faces: D. Gregorius, "Robust contact creation for physics simulations", GDC 2015. What one contact
// instead of four does to packings: Leemann 2017.

#pragma once

#include "bv/convex.h"
#include "bv/file.h"

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
	double lower; ///< the true signed distance is not below this

	/// And not above this. Infinity if a cache shows at once that the shapes are farther apart than the speculative distance, and
	/// options.distance.tolerance is 0.
	double upper;

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
/// Exchanging curved shapes moves contacts by more than 1e-6 of their size in 2 % of random pairs, and by more than 1e-3 in 0.03 %.
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

/// Which side of a mesh shapes are pushed to.
typedef enum bv_mesh_sides
{
	/// The front: a shape that overlaps a triangle is pushed out of its front, from wherever it is. Default.
	bv_mesh_front = 0,

	/// The front, but a triangle has no contacts with a shape if the middle of the box around the shape is behind its plane.
	bv_mesh_front_only,

	bv_mesh_both,       ///< the side of each triangle's plane where that middle is
	bv_mesh_side_kinds, ///< the number of kinds
} bv_mesh_sides;

/// A mesh and where it is.
typedef struct bv_placed_mesh
{
	const bv_file* file; ///< needs a hierarchy
	const bv_transform*
		placement; ///< from coordinates of the file to those of the shape; null for the identity
} bv_placed_mesh;

/// A contact point of a mesh and a body, which is a convex shape or another mesh.
typedef struct bv_mesh_contact
{
	/// Of the mesh, as a, and the body, as b, in coordinates of the body. A feature of a mesh is known by its vertices.
	bv_contact at;

	bv_vec3 normal;       ///< unit vector from the mesh to the body, which `at.separation` is measured along
	uint32_t triangle;    ///< of the mesh
	bv_feature feature;   ///< of that triangle, where the contact is
	uint32_t triangle_b;  ///< of a body that is a mesh; otherwise 0
	bv_feature feature_b; ///< of that triangle, where the contact is; otherwise bv_feature_corner_0
} bv_mesh_contact;

/// Contact points with nearly the same normal.
typedef struct bv_mesh_manifold
{
	uint32_t mesh;  ///< index of the mesh
	uint32_t count; ///< of contacts, at least 1
	bv_vec3
		normal; ///< that of the contact with the least separation; those of the others differ by 3 degrees at most
	bv_mesh_contact
		contact[BV_MANIFOLD_CONTACTS]; ///< one of them has the least separation of all in this group
} bv_mesh_manifold;

/// Bytes of scratch memory that are enough for this many triangles near a shape.
#define BV_MESH_CONTACTS_SCRATCH( triangles ) ( 8192 + 768 * (size_t)( triangles ) )

/// Memory of the caller that a query fills.
typedef struct bv_mesh_contacts_room
{
	bv_mesh_manifold* manifolds; ///< receives manifolds, the one with the least separation first
	uint32_t capacity;           ///< of these; at least 1
	void* scratch;               ///< 8-byte aligned; need not be initialized, and holds nothing afterwards
	size_t scratch_bytes;        ///< its size: BV_MESH_CONTACTS_SCRATCH
} bv_mesh_contacts_room;

/// Options of bv_mesh_contacts_convex and bv_meshes_contacts_convex. Zero-initialized options are the defaults.
typedef struct bv_mesh_contacts_options
{
	/// Contacts are reported up to this separation, 0 to BV_MAX_LENGTH. Default 0: only what touches or overlaps.
	double speculative;

	/// Triangles that are at most this far from each other join into one surface, as if they had common vertices: 0 to
	/// BV_MAX_LENGTH. A step or a gap of at most this size has no contacts of its own. It is never more than 1/128 of the longest
	/// side of the triangle that has the contact. Default 0: 1e-4 of half the diagonal of the box around the shape.
	double tolerance;

	bv_mesh_sides sides; ///< default bv_mesh_front
} bv_mesh_contacts_options;

/// Result of bv_mesh_contacts_convex and bv_meshes_contacts_convex.
typedef struct bv_mesh_contacts_result
{
	uint32_t count;     ///< of manifolds
	uint32_t dropped;   ///< manifolds for which there was no room: those with the largest separations
	uint32_t triangles; ///< near the shape
} bv_mesh_contacts_result;

/// @return the defaults listed in bv_mesh_contacts_options
bv_mesh_contacts_options bv_mesh_contacts_options_default( void );

/// Finds the contacts of a convex shape and a mesh: those of all triangles near, joined into manifolds by their normals.
///
/// No ghost contacts: a normal is one that the surface has at the point of the contact. At an edge between two triangles these are
/// the normals between those of both faces, if the edge is convex, and otherwise none. At a corner they are those of planes with all
/// triangles of the corner behind them. At the border of a mesh they are the directions away from it. Whether triangles meet at
/// a point is a question of where they are, and not of vertices that they have in common: T-junctions, duplicate vertices and needles
/// need no repair. A normal that the surface does not have at this point is dropped where another triangle is nearer or
/// where moving the shape out of another contact ends this one, too; otherwise it becomes the normal of the face.
///
/// Depths are those of convex shape and triangle along the normal. A shape deep inside of a solid is pushed out of the triangles
/// that it overlaps. It has no contacts with others.
/// @param placement  from coordinates of the file to those of the shape; null for the identity
/// @param shape      any but a half-space
/// @param options    null for the defaults
/// @param room       memory of the caller
/// @param result     receives the counts
/// @return bv_ok; bv_error_argument if another pointer is null, memory is misaligned, the shape or a transform is invalid, a
/// translation exceeds BV_MAX_LENGTH, an option is out of range, or a file has no hierarchy; bv_error_memory if the scratch memory
/// is not enough for the triangles within `speculative` and `tolerance` of the shape. On error `*result` and the manifolds are
/// unchanged. Experimental: may change until the next minor version
bv_status bv_mesh_contacts_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                                   const bv_mesh_contacts_options* options, const bv_mesh_contacts_room* room,
                                   bv_mesh_contacts_result* result );

/// The same for meshes that lie side by side: a shape that slides from one to the next meets no edges between them. A manifold has
/// contacts of one mesh.
/// @param meshes  array of `count` meshes, null if `count` is 0; one file can be in several places
bv_status bv_meshes_contacts_convex( const bv_placed_mesh* meshes, uint32_t count, const bv_convex* shape,
                                     const bv_mesh_contacts_options* options,
                                     const bv_mesh_contacts_room* room, bv_mesh_contacts_result* result );

/// Bytes of scratch memory that are enough for this many pairs of triangles near each other. Usually a fifth is enough.
#define BV_MESH_CONTACTS_MESH_SCRATCH( pairs ) ( 8192 + 1024 * (size_t)( pairs ) )

/// Options of bv_mesh_contacts_mesh and bv_meshes_contacts_mesh. Zero-initialized options are the defaults.
typedef struct bv_mesh_contacts_mesh_options
{
	/// Contacts are reported up to this separation, 0 to BV_MAX_LENGTH. Default 0: only what touches or overlaps.
	double speculative;

	/// And down to minus this one: how deep vertices and edges of one mesh may be inside of the other. 0 to BV_MAX_LENGTH. Time and
	/// memory grow with it. Default 0: 1/64 of half the diagonal of the box around the smallest mesh.
	double depth;

	/// Triangles that are at most this far from each other join into one surface, as in bv_mesh_contacts_options. Default 0: 1e-4 of
	/// half the diagonal of the box around the smallest mesh.
	double tolerance;

	/// Which side of the meshes the body is pushed to. The middle of the body is that of its root volume. Default bv_mesh_front.
	bv_mesh_sides sides;
} bv_mesh_contacts_mesh_options;

/// Result of bv_mesh_contacts_mesh and bv_meshes_contacts_mesh.
typedef struct bv_mesh_contacts_mesh_result
{
	uint32_t count;   ///< of manifolds
	uint32_t dropped; ///< manifolds for which there was no room: those with the largest separations
	uint32_t pairs;   ///< of triangles near each other

	/// Pairs of triangles that cross each other, and that no contact ends: neither triangle is outside of the other mesh after the body
	/// has been moved along the normal of a contact by its depth. At most 32 normals that differ by 3 degrees are tried. If it
	/// is not 0, the meshes are deeper in each other than the contacts say, or it takes several contacts at once.
	uint64_t unresolved;
} bv_mesh_contacts_mesh_result;

/// @return the defaults listed in bv_mesh_contacts_mesh_options
bv_mesh_contacts_mesh_options bv_mesh_contacts_mesh_options_default( void );

/// Finds the contacts of a mesh and a body that is a mesh, too: those of vertices with faces, edges and vertices, and of edges with
/// edges, joined into manifolds by their normals.
///
/// A normal is one that both surfaces have where the contact is, as in bv_mesh_contacts_convex: no ghost contacts. A vertex outside of
/// the other mesh has contacts where its distance from it has a local minimum. A vertex inside of it is pushed out of the nearest
/// face that is in front of it and whose normal the vertex has. Behind a concave edge it is pushed out of each face of the edge, and
/// the point on the mesh is in the plane of the face. Edges that cross each other where the meshes overlap have a contact. A contact
/// of overlapping meshes is dropped if a less deep one ends it, too. If no contact is left where meshes overlap, or none is found
/// within `speculative`, the search is repeated without `tolerance`.
///
/// Meshes need not be closed: inside is what is behind the nearest triangle. A body that is not closed has contacts on both of
/// its sides, as long as its vertices are not behind the mesh. Exchanging the meshes exchanges the roles of points on them, except for
/// ties and for `sides`.
/// @param placement  from coordinates of the file to those of the body; null for the identity
/// @param body       a file with a hierarchy, in whose coordinates contacts are
/// @param options    null for the defaults
/// @param room       memory of the caller; scratch: BV_MESH_CONTACTS_MESH_SCRATCH
/// @param result     receives the counts
/// @return bv_ok; bv_error_argument if another pointer is null, memory is misaligned, a transform is invalid, a translation exceeds
/// BV_MAX_LENGTH, an option is out of range, or a file has no hierarchy; bv_error_memory if the scratch memory is not enough for
/// the pairs of triangles that are within `speculative` or `depth`, and `tolerance`, of each other. On error `*result` and the
/// manifolds are unchanged. Experimental: may change until the next minor version
bv_status bv_mesh_contacts_mesh( const bv_file* file, const bv_transform* placement, const bv_file* body,
                                 const bv_mesh_contacts_mesh_options* options,
                                 const bv_mesh_contacts_room* room, bv_mesh_contacts_mesh_result* result );

/// The same for meshes that lie side by side: a body that slides from one to the next meets no edges between them. A manifold has
/// contacts of one mesh.
/// @param meshes  array of `count` meshes, null if `count` is 0; one file can be in several places
bv_status bv_meshes_contacts_mesh( const bv_placed_mesh* meshes, uint32_t count, const bv_file* body,
                                   const bv_mesh_contacts_mesh_options* options,
                                   const bv_mesh_contacts_room* room, bv_mesh_contacts_mesh_result* result );

#ifdef __cplusplus
}
#endif
