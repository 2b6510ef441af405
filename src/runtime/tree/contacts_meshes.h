// Contacts of two bodies of triangles, in four steps: gather the pairs of triangles near each other (contacts_gather.c), find the
// contacts of vertices (contacts_vertices.c) and of edges (contacts_edges.c), and join them by normals (contacts_join.c).
// Contacts where the bodies overlap are chosen once all are known (contacts_deep.c).
//
// Side 0 is that of the meshes, side 1 is the body. All is in stored coordinates of the body, without its offset, and in memory of
// the caller.

#pragma once

#include "runtime/tree/contacts_join.h"
#include "runtime/tree/contacts_surface.h"

enum
{
	bvtree_most_ways = 32, ///< normals that are remembered
};

/// Bits of bvtree_near.state.
enum
{
	bvtree_near_ends = 1,    ///< the way of a contact leads it out of the other side
	bvtree_near_crosses = 2, ///< it crosses a triangle of the other side
	bvtree_near_edge = 4, ///< edge 0 can have contacts of its own; the next two bits are of the other edges
};

/// A pair of triangles near each other, by number at first, and by place in `near` then. Also used for vertices.
typedef struct bvtree_mesh_record
{
	uint32_t mesh;
	uint32_t a;
	uint32_t b;
} bvtree_mesh_record;

/// Triangles of one side that are near the other one.
typedef struct bvtree_mesh_side
{
	bvtree_near* near;
	uint32_t count;
	const uint32_t* first; ///< `count` + 1 places in `other`
	const uint32_t* other; ///< triangles of the other side near each, ascending

	/// Corners of all triangles, sorted by mesh and vertex, which is `a`; `b` is 3 * the place of the triangle + corner.
	const bvtree_mesh_record* corner;

	bool has_front; ///< contacts lead out of its front, as those of a solid do
} bvtree_mesh_side;

/// A direction that contacts push the body in, and how far.
typedef struct bvtree_way
{
	bv_vec3 normal;
	double depth;
} bvtree_way;

/// Different ones.
typedef struct bvtree_ways
{
	bvtree_way way[bvtree_most_ways];
	uint32_t count;
} bvtree_ways;

/// Whose feature makes a contact.
typedef enum bvtree_mesh_maker
{
	bvtree_mesh_vertex_of_meshes = 0,
	bvtree_mesh_vertex_of_body,
	bvtree_mesh_edges,
} bvtree_mesh_maker;

/// Where a contact of two triangles is. Normals lead from the meshes to the body.
typedef struct bvtree_mesh_spot
{
	bvtree_mesh_maker maker;
	const bvtree_near* near[2];
	bv_feature feature[2];
	bv_vec3 point[2];
	bv_vec3 normal;
	double separation;
} bvtree_mesh_spot;

/// A query. Memory of the caller begins with it.
typedef struct bvtree_mesh_contacts
{
	bvtree_mesh_side side[2];
	double speculative; ///< contacts are reported up to this separation
	double depth;       ///< and down to minus this
	double tolerance;   ///< triangles that are this near to each other meet
	double size;        ///< half of the diagonal of the smallest box around a mesh
	double slack;       ///< lengths that differ by as much are equal
	double touch;       ///< directions of shorter ways are noise
	bv_mesh_sides sides;
	bv_vec3 middle; ///< of the body

	char* free; ///< the rest of the memory, up to contacts that wait
	char* end;
	bvtree_mesh_spot* deep; ///< contacts that wait, at the end of the memory
	uint32_t deep_count;
	bvtree_mesh_record* pair; ///< sorted by b
	uint32_t pairs;
	bvtree_touches touches;

	bvtree_ways ways; ///< of the contacts added so far where the bodies overlap
	bool is_full;     ///< the memory was not enough
	bool crosses;     ///< some triangles cross each other
} bvtree_mesh_contacts;

/// @return memory that is not initialized; null, and the query is full, if it is not enough
void* bvtree_mesh_contacts_allocate( bvtree_mesh_contacts* q, size_t count, size_t size );

/// Finds the pairs of triangles that are near enough to matter, and reads these triangles.
bv_status bvtree_mesh_contacts_gather( bvtree_mesh_contacts* q, const bv_placed_mesh* meshes, uint32_t count,
                                       const bv_file* body );

/// Sorts by mesh, a, b; or by b, mesh, a.
void bvtree_mesh_records_sort( bvtree_mesh_record* record, uint32_t count, bool by_b );

/// Adds a contact. One where the bodies overlap waits until all are known.
void bvtree_mesh_contacts_add( bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot );

/// Adds those that wait, the least deep ones first. One does not count if another one pushes the bodies so that its points
/// are no longer inside of the other side.
void bvtree_mesh_contacts_add_deep( bvtree_mesh_contacts* q );

/// @return the triangles of side 1 - `which` that are near the triangle `near` of side `which`
bvtree_surface bvtree_mesh_contacts_beside( const bvtree_mesh_contacts* q, int which,
                                            const bvtree_near* near );

/// @return whether a triangle of the meshes has no contacts because the body is behind it
bool bvtree_mesh_contacts_skip( const bvtree_mesh_contacts* q, int which, const bvtree_near* t );

/// The nearest point of a surface that has something in front of it.
typedef struct bvtree_mesh_nearest
{
	const bvtree_near* near;
	bvtri_nearest at;
	double distance;
	bv_vec3 pseudonormal; ///< of the surface there; 0 if normals cancel each other
	int place;            ///< -1 if the point is inside of the surface, 0 if it is on it, 1 outside
} bvtree_mesh_nearest;

/// @param which  the side that the surface is of
/// @param most   distances above this are not found
/// @return false if nothing is as near
bool bvtree_mesh_contacts_nearest( const bvtree_mesh_contacts* q, int which, const bvtree_surface* surface,
                                   bv_vec3 point, double most, bvtree_mesh_nearest* out );

/// Marks the triangles that cross one of the other side.
void bvtree_mesh_contacts_mark( bvtree_mesh_contacts* q );

/// @return pairs of triangles that cross each other and that no contact found leads out of the other side
uint64_t bvtree_mesh_contacts_unresolved( bvtree_mesh_contacts* q );

/// @param moved  what the body has been moved by
/// @return whether the bodies overlap where a contact is: its point is inside of the other side, or triangles there cross each other
bool bvtree_mesh_contacts_overlap( const bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot,
                                   bv_vec3 moved );

/// Adds the contacts of the vertices of one side.
void bvtree_mesh_contacts_of_vertices( bvtree_mesh_contacts* q, int which );

/// Marks the edges that can have contacts of their own: those that are not concave or flat, each in one of its triangles.
void bvtree_mesh_contacts_mark_edges( bvtree_mesh_side* side );

/// Adds the contacts of edges with edges.
void bvtree_mesh_contacts_of_edges( bvtree_mesh_contacts* q );
