// The models of a 3MF file, before they are placed. Private to this folder.

#pragma once

#include "bvbuild/mesh.h"
#include "offline/import/notes.h"
#include "offline/import/xml.h"
#include "offline/import/zip.h"

/// p' = row_x * p.x + row_y * p.y + row_z * p.z + move: as 3MF writes it.
typedef struct bv3mf_transform
{
	double m[12]; ///< three rows, then the translation
} bv3mf_transform;

/// Where an object is placed in another one, or in the build.
typedef struct bv3mf_component
{
	uint32_t part;   ///< the part that defines the object
	uint32_t object; ///< its id
	uint64_t line;   ///< of the component
	bv3mf_transform transform;
} bv3mf_component;

/// A triangle and its material.
typedef struct bv3mf_triangle
{
	uint32_t corner[3]; ///< from the object's first vertex
	uint32_t material;  ///< index into bv3mf_models.materials, or BVB_NO_NAME
} bv3mf_triangle;

/// An object: a mesh, or components.
typedef struct bv3mf_object
{
	uint32_t part;         ///< that it is in
	uint32_t id;           ///< unique in its part
	char* name;            ///< or null
	uint64_t line;         ///< where it begins
	uint64_t first_vertex; ///< of bv3mf_models.vertices
	uint64_t vertex_count;
	uint64_t first_triangle; ///< of bv3mf_models.triangles
	uint64_t triangle_count;
	uint64_t first_component; ///< of bv3mf_models.components
	uint64_t component_count;
	bool is_open; ///< it is being placed; a component that refers to it is then a cycle
} bv3mf_object;

/// A group of base materials.
typedef struct bv3mf_group
{
	uint32_t part;
	uint32_t id;
	uint32_t first; ///< of bv3mf_models.materials
	uint32_t count;
} bv3mf_group;

/// An array that grows.
typedef struct bv3mf_list
{
	void* items;
	size_t count;
	size_t room;
} bv3mf_list;

/// All models of a file. Arrays are malloc's.
typedef struct bv3mf_models
{
	const char* file;     ///< path of the file
	bvb_error* error;     ///< receives what is wrong
	bvimport_zip zip;     ///< its archive
	uint64_t memory_left; ///< for parts and arrays
	bvimport_notes notes;
	bv3mf_list parts;      ///< char*, their names; the first is the root
	bv3mf_list vertices;   ///< bv_vec3
	bv3mf_list triangles;  ///< bv3mf_triangle
	bv3mf_list objects;    ///< bv3mf_object
	bv3mf_list components; ///< bv3mf_component
	bv3mf_list groups;     ///< bv3mf_group
	bv3mf_list materials;  ///< char*, their names
	bv3mf_list items;      ///< bv3mf_component, of the build
} bv3mf_models;

/// Reads the root model and all parts that it needs.
/// @param m  all zero except file, error, zip and memory_left
/// @return as bv3mf_read_3mf
bv_status bv3mf_read_models( bv3mf_models* m );

/// @return the object with that id in that part; null if the part has no such object
bv3mf_object* bv3mf_find_object( const bv3mf_models* m, uint32_t part, uint32_t id );

/// @return the name of a part
const char* bv3mf_part_name( const bv3mf_models* m, uint32_t part );

/// Frees the arrays.
void bv3mf_free_models( bv3mf_models* m );
