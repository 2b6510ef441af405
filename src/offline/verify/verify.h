// Proofs about what is measured in a file, for verify.c.

#pragma once

#include "bvbuild/asset.h"

/// The errors of all nodes are those that measuring them again gives.
/// @param mesh  the file's
bv_status bvverify_errors( const bv_file* file, const bvb_mesh* mesh, bvb_arena* scratch,
                           bvb_verify_result* result, bvb_error* error );

/// The edges of the adjacency, and what the triangles do at each, are those of the triangles, if the file has them.
/// @param found  of the file's mesh
bv_status bvverify_adjacency( const bv_file* file, const bvb_adjacency* found, bvb_error* error );

/// The topology of the hull is what merging its triangles again gives, if the file has it.
/// @param hull  its corners and triangles
bv_status bvverify_hull_topology( const bv_file* file, const bvb_mesh* hull, bvb_arena* scratch,
                                  bvb_error* error );

/// No node's volume reaches farther from the origin than its radius, if the file has radii.
bv_status bvverify_radius( const bv_file* file, bvb_verify_result* result, bvb_error* error );

/// The quality of each node is what its volume and those of its children give, if the file has it.
bv_status bvverify_node_quality( const bv_file* file, bvb_arena* scratch, bvb_error* error );

/// The boxes of the approximating faces enclose what is below each node, and are what fitting them again gives, if the file
/// has them.
/// @param mesh  the file's
bv_status bvverify_node_faces( const bv_file* file, const bvb_mesh* mesh, bvb_arena* scratch,
                               bvb_verify_result* result, bvb_error* error );

/// The primitives are where their errors say.
/// @param mesh  the file's
bv_status bvverify_primitives( const bv_file* file, const bvb_mesh* mesh, bvb_arena* scratch,
                               bvb_verify_result* result, bvb_error* error );

/// The parts are convex, have the masses of their faces, are as far from the shape as their intervals say, are neighbors where
/// they meet, were made for all triangles, and leave out no more than is said, if the file has parts.
/// @param mesh  the file's; null if it has none: then nothing is compared with it
bv_status bvverify_parts( const bv_file* file, const bvb_mesh* mesh, bvb_arena* scratch,
                          bvb_verify_result* result, bvb_error* error );

/// The proxy is as far from the mesh as its intervals say, and encloses as many of its triangles as it says, if the file has one.
/// @param mesh  the file's; null if it has none: then nothing is compared with it
bv_status bvverify_proxy( const bv_file* file, const bvb_mesh* mesh, bvb_arena* scratch,
                          bvb_verify_result* result, bvb_error* error );

typedef struct bvverify_bodies bvverify_bodies; // verify_bodies.h

/// No point of a triangle is farther than a distance from all parts.
/// @param distance  mesh units, not below 2^-40 of the largest coordinate
/// @param arena     for scratch memory
bv_status bvverify_cover( const bvverify_bodies* bodies, const bvb_mesh* mesh, double distance,
                          bvb_arena* arena, bvb_error* error );

/// Nothing inside of a closed mesh, whose triangles parts cover to that distance, is left out by parts whose planes are moved
/// outwards by twice the distance.
bv_status bvverify_inside( const bvverify_bodies* bodies, const bvb_winding* winding, double distance,
                           bvb_arena* arena, bvb_error* error );

/// Neighbors have a point in common, and parts that have one are neighbors.
bv_status bvverify_neighbors( const bv_file* file, bvb_arena* scratch, bvb_error* error );
