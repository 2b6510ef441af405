// The openings of a surface: a tree over its open edges, with caps that close it. So what an open surface does
// far from its edges is found from a few nodes of the tree instead of from all edges.
//
// Every node has a center. A leaf is closed by a fan from its center to its edges. That leaves, for each end of
// its edges that no other edge of the leaf continues, a line from the center to this end. An inner node
// connects these lines of its children with its own center by triangles. The root has no loose ends, so all
// triangles together have the surface's boundary, and each is as small as its node.
//
// Far from a node, its triangles are seen as their vector area and its first moments (a dipole and a
// quadrupole), and its edges as a current with its first moments. The remainders of both Taylor expansions have
// closed bounds, because the directional derivatives of 1 / r of order k are at most k! / r^(k + 1).
//
// Based on: G. Barill, N. G. Dickson, R. Schmidt, D. I. W. Levin, A. Jacobson, "Fast winding numbers for soups and
// clouds", 2018, who sum up triangles that way, without bounds.

#pragma once

#include "bvbuild/base.h"
#include "bvbuild/mesh.h"

/// An edge with its net count: how often triangles run through it from the lesser vertex to the greater one,
/// less how often the other way.
typedef struct bvmesh_net_edge
{
	uint32_t lesser;
	uint32_t greater;
	int32_t net;
} bvmesh_net_edge;

/// A triangle that closes the surface together with the others.
typedef struct bvmesh_cap
{
	bv_vec3 corner[3];
	double times;   ///< it counts so many times; negative for the opposite orientation
	bv_vec3 normal; ///< unit vector; 0 if it is too thin for one
	double margin;  ///< what is nearer to its plane needs care
	bv_vec3 lower;  ///< of its box, with the margin
	bv_vec3 upper;  ///< of its box, with the margin
} bvmesh_cap;

/// A directed open edge.
typedef struct bvmesh_open_edge
{
	bv_vec3 from;
	bv_vec3 to;
	double times; ///< it counts so many times; positive
} bvmesh_open_edge;

/// A node. Nodes are in preorder: the first child is the next node.
typedef struct bvmesh_opening
{
	bv_vec3 center;      ///< of its edges, weighted with their lengths
	double radius;       ///< nothing of its edges and caps is farther from the center
	bv_aabb box;         ///< of its caps, with their margins
	uint32_t next;       ///< the node after its subtree
	uint32_t first_cap;  ///< of its own caps, which those of its subtree are not part of
	uint32_t cap_count;  ///< how many of its own
	uint32_t first_edge; ///< of a leaf
	uint32_t edge_count; ///< of a leaf; 0 for an inner node

	bv_vec3 area;       ///< vector area of the subtree's caps
	double area_xx;     ///< the symmetric part of the integral of offset times normal over them
	double area_yy;     ///< as above
	double area_zz;     ///< as above
	double area_xy;     ///< as above
	double area_xz;     ///< as above
	double area_yz;     ///< as above
	double area_spread; ///< the integral of the squared offset over their absolute area

	bv_vec3 current;      ///< the sum of the subtree's edges
	bv_vec3 moment[3];    ///< the integral of the offset's x, y and z along them
	double length;        ///< the sum of their lengths
	double length_moment; ///< length of the integral of the offset over their length: rounding
	double length_spread; ///< the integral of the squared offset over their length
} bvmesh_opening;

/// All openings of a surface.
typedef struct bvmesh_openings
{
	bvmesh_opening* nodes;   ///< nodes[0] is the root
	uint32_t node_count;     ///< length of nodes; 0 for a closed surface
	bvmesh_cap* caps;        ///< of all nodes
	uint32_t cap_count;      ///< length of caps
	bvmesh_open_edge* edges; ///< of all leaves
	uint32_t edge_count;     ///< length of edges
} bvmesh_openings;

/// Makes the tree. Takes O(n log^2 n) time for n edges.
/// @param positions  of the vertices, coordinates up to 1; several of them may be at one place
/// @param boundary   at each place as many edges end as begin; none has both ends at one place
/// @param arena      the result lives here
/// @return false when out of memory
bool bvmesh_openings_create( const bv_vec3* positions, uint32_t vertex_count, const bvmesh_net_edge* boundary,
                             uint32_t count, bvb_arena* arena, bvb_arena* scratch, bvmesh_openings* out );

/// How accurately angles of caps are added up.
typedef struct bvmesh_accuracy
{
	double
		error; ///< the result may be off by so much; 0 for the sum over all caps, with an error of rounding

	/// Nodes are taken as seen from far away, whatever that adds to the error, if their radius is no larger a part of
	/// their distance; 0 for none.
	double far;

	/// Whether angles are added up as those of a product of complex numbers. Faster, but rounding adds up to
	/// BVMESH_PRODUCT_ERROR for each cap.
	bool products;
} bvmesh_accuracy;

/// What rounding may add to a winding number for each cap: half the angle of a cap, with its share of the errors of
/// products, is off by less than 2^-40, and this over 2 pi counts.
#define BVMESH_PRODUCT_ERROR 0x1p-42

/// What is to be added to how often a ray leaves the open surface for its winding number: the solid angle of
/// the caps over 4 pi, less how often the ray leaves by them.
/// @param error     receives a bound of how far it is off, without rounding
/// @param work      grows by the number of caps and nodes that were looked at
/// @return false next to the sides of a cap, and in its plane, where that is not certain
bool bvmesh_openings_winding( const bvmesh_openings* openings, bv_vec3 point, const bvmesh_accuracy* accuracy,
                              double* winding, double* error, uint64_t* work );

/// bvb_winding_bound_slope in the coordinates of the openings.
/// @param work  grows by the number of edges and nodes that were looked at
bvb_winding_slope bvmesh_openings_slope( const bvmesh_openings* openings, bv_vec3 center, double radius,
                                         uint64_t* work );

/// What an edge does to the winding number in a ball about the origin, as bvb_winding_slope, times 4 pi.
/// @param from    where triangles to the left of the edge run from
/// @param to      and to
/// @param radius  of the ball
bvb_winding_slope bvmesh_slope_by_edge( bv_vec3 from, bv_vec3 to, double radius );
