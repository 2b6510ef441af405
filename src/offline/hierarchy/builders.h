// Builders: algorithms that make a tree of faces. A row of the table in builders.c each.

#pragma once

#include "offline/hierarchy/build.h"

/// Fills build->order and build->tree.
/// @return bv_ok; bv_error_memory
typedef bv_status bvhier_build_function( const bvhier_build* build );

/// @return whether the builder can do without all that takes time to prepare, see bvhier_build
typedef bool bvhier_bare_function( const bvb_mesh* mesh, const bvb_hierarchy_options* options );

/// One row of the table of builders.
typedef struct bvhier_builder
{
	const char* name;             ///< value of --builder
	const char* summary;          ///< one line for --help, with the source
	bvhier_build_function* build; ///< the algorithm
	bvhier_bare_function* bare;   ///< null: never
	bool upright; ///< whether it goes by axis-aligned boxes, whatever volumes nodes are to have

	/// whether it collapses its trees itself, and returns them in the order of files, except for the types of
	/// volumes
	bool collapses;

	bvb_builder_traits traits; ///< what goes with it
	const void* how; ///< its settings, of the type that the builder's own header declares; may be null
} bvhier_builder;

/// By splitters, the rows of another table. Also for builders that give up.
bvhier_build_function bvhier_build_topdown;

/// @return the table's row of that name, or null
const bvhier_builder* bvhier_builder_find( const char* name );
