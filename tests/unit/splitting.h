// A set of faces for a splitter to divide: all triangles of a mesh, as those of one node.

#pragma once

#include "offline/hierarchy/splitters.h"
#include "support.h"

// The triangles of a mesh as one set, with all that a splitter may use.
typedef struct splitting
{
	bvb_hierarchy_options options;
	bvhier_build build;
	bv_volume volume;
	bvhier_face_set set;
	uint8_t* part; // as the splitter last said
} splitting;

// @param options  kept; null for the defaults
static inline void splitting_begin( fixture* f, const bvb_mesh* mesh, const bvb_hierarchy_options* options,
                                    splitting* s )
{
	bvb_error error = { "" };
	s->options = options ? *options : box_tree_options();
	if ( bvhier_build_begin( mesh, &s->options, f->arena, &s->build, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	bvfit_face_list list = bvhier_build_list( &s->build, 0, mesh->triangle_count );
	s->volume = bvhier_build_fit( &s->build, bvhier_build_worker( &s->build ), &list, NULL );
	s->part = bvb_arena_allocate( s->build.scratch, mesh->triangle_count, sizeof *s->part );
	s->set = ( bvhier_face_set ){
		.build = &s->build,
		.worker = bvhier_build_worker( &s->build ),
		.list = list,
		.volume = &s->volume,
		.keys = bvb_arena_allocate( s->build.scratch, mesh->triangle_count, sizeof *s->set.keys ),
		.seed = s->options.seed,
	};
	assert_non_null( s->part );
	assert_non_null( s->set.keys );
}

// Divides the set by the rule of that name; s->part says how.
static inline void splitting_divide( splitting* s, const char* splitter, uint32_t degree )
{
	const bvhier_splitter* row = bvhier_splitter_find( splitter );
	assert_non_null( row );
	assert_true( row->split( &s->set, degree, row->how, s->part ) );
	for ( uint32_t i = 0; i < s->set.list.count; ++i )
	{
		assert_true( s->part[i] < degree );
	}
}

static inline void splitting_end( splitting* s )
{
	bvhier_build_end( &s->build );
}
