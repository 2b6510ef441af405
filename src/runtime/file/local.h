// Accessors of what has a place, as stored: without the offset of the file. Otherwise each is as the public
// function of its name, bv_file_get_... or bv_file_visit_..., in bv/file.h and bv/inspect.h. Tools compute
// with these, because stored numbers are exact and have few digits.

#pragma once

#include "bv/inspect.h"

bv_vec3 bvfile_local_vertex( const bv_file* file, uint32_t index );
bool bvfile_local_mass( const bv_file* file, bv_mass_of of, bv_mass* mass );
bool bvfile_local_body( const bv_file* file, bv_body* body );
bool bvfile_local_bounds( const bv_file* file, bv_file_bounds* bounds );
bool bvfile_local_primitive( const bv_file* file, bv_primitive_kind kind, bv_primitive* primitive );
bv_vec3 bvfile_local_hull_position( const bv_file* file, uint32_t index );
bool bvfile_local_hull_facet( const bv_file* file, uint32_t index, bv_hull_facet* facet );
bool bvfile_local_part( const bv_file* file, uint32_t index, bv_part* part );
bv_vec3 bvfile_local_part_vertex( const bv_file* file, uint32_t part, uint32_t index );
bool bvfile_local_visit_parts( const bv_file* file, const bv_aabb* box, bv_part_callback* callback,
                               void* context );
bv_vec3 bvfile_local_proxy_vertex( const bv_file* file, uint32_t index );
bool bvfile_local_visit_nodes( const bv_file* file, bv_node_callback* callback, void* context );
bool bvfile_local_node_radius( const bv_file* file, uint32_t node, double* radius );
bool bvfile_local_clip_box( const bv_file* file, uint32_t node, uint32_t segment, bv_clip_box* box );
bool bvfile_local_clip_position( const bv_file* file, uint32_t sample, uint32_t vertex, bv_vec3* out );
bool bvfile_local_node_faces( const bv_file* file, uint32_t node, bv_node_faces* faces );
