// A glTF document: its lists of things, and what all readers of them share. Private to this folder.

#pragma once

#include "bvbuild/import.h"
#include "formats/gltf/glb.h"
#include "formats/gltf/json.h"
#include "offline/import/notes.h"

/// The lists at the top of a document that matter for triangles.
typedef enum bvgltf_kind
{
	bvgltf_accessor_list,
	bvgltf_buffer_list,
	bvgltf_view_list,
	bvgltf_material_list,
	bvgltf_mesh_list,
	bvgltf_node_list,
	bvgltf_scene_list,
	bvgltf_skin_list,
	bvgltf_kinds,
} bvgltf_kind;

/// Items of a list.
typedef struct bvgltf_list
{
	const cJSON** items; ///< each is an object
	uint32_t count;      ///< length of items
} bvgltf_list;

/// A document while it is read.
typedef struct bvgltf_document
{
	const char* file;                ///< path of the file
	bvb_error* error;                ///< receives what is wrong
	bvb_arena* scratch;              ///< what is needed only while the file is read
	uint64_t memory_bytes;           ///< most that may be taken of scratch
	uint64_t taken_bytes;            ///< taken of it
	bvgltf_container container;      ///< of binary glTF
	cJSON* root;                     ///< owned
	bvgltf_list lists[bvgltf_kinds]; ///< of the root
	bool quantized;                  ///< KHR_mesh_quantization is used
	bvimport_notes notes;            ///< what is against the specification, and geometry that is skipped
	struct bvgltf_draco* decoded;    ///< decompressed primitives, linked; see draco.h
} bvgltf_document;

/// Parses the JSON, checks version and extensions, and finds the lists.
/// @param d    file, error, scratch, memory_bytes and container are set, all else is 0
/// @return bv_ok; bv_error_unsupported for other versions and for required extensions that are not known;
///         bv_error_input; bv_error_limit; bv_error_memory
bv_status bvgltf_document_open( bvgltf_document* d );

/// Frees what the document holds.
void bvgltf_document_close( bvgltf_document* d );

/// @param index  in range
/// @return an item of a list
bvgltf_object bvgltf_document_item( const bvgltf_document* d, bvgltf_kind kind, uint32_t index );

/// @return the document's root
bvgltf_object bvgltf_document_root( const bvgltf_document* d );

/// @return whether the file requires an extension
bool bvgltf_document_requires( const bvgltf_document* d, const char* extension );

/// Takes cleared memory of the scratch arena.
/// @param out  receives null unless bv_ok is returned
/// @return bv_ok; bv_error_limit; bv_error_memory
bv_status bvgltf_document_allocate( bvgltf_document* d, uint64_t count, size_t size, void** out );

/// Checks that the result may take so many bytes beside what is taken.
/// @return bv_ok; bv_error_limit
bv_status bvgltf_document_check_bytes( const bvgltf_document* d, uint64_t bytes );
