// Handles of compounds, and the items that they stand for. See compound.h.

#include "runtime/compound/compound.h"

#include "runtime/convex/shape.h"
#include "runtime/simd/bits.h"

bv_compound bv_compound_of_parts( const bv_file* file )
{
	uint32_t parts = file ? bv_file_get_decomposition( file ).parts : 0;
	return ( bv_compound ){ .file = parts > 0 ? file : NULL, .leaves = parts };
}

bv_compound bv_compound_of_shape( const bv_convex* shape )
{
	return ( bv_compound ){ .shape = shape, .leaves = shape ? 1 : 0 };
}

static bool begin_parts( const bv_file* file, bvcomp_item* out )
{
	const bvfile_header* header = (const bvfile_header*)file;
	out->file = file;
	out->shape = NULL;
	out->offset = bvfile_offset_of( header );
	out->parts = bvfile_parts_view_of( bvfile_find( header, bvfile_section_parts ) );
	out->leaves = out->parts.head ? out->parts.head->parts : 0;
	out->is_unbounded = false;
	return out->leaves > 0;
}

// Not inlined: the prepared shape is on the stack only here.
BVSIMD_NOINLINE bool begin_shape( const bv_convex* shape, bvcomp_item* out )
{
	bvconvex_prepared prepared;
	out->file = NULL;
	out->shape = shape;
	out->parts.head = NULL;
	out->offset = NULL;
	out->leaves = 1;
	out->is_unbounded = shape->kind == bv_convex_of_half_space;
	if ( out->is_unbounded )
	{
		return bvconvex_shape_read( shape, &prepared );
	}
	if ( !bvconvex_shape_prepare( shape, &prepared ) )
	{
		return false;
	}
	out->box = bvconvex_shape_box( &prepared );
	return true;
}

bool bvcomp_item_begin( const bv_compound* compound, bvcomp_item* out )
{
	out->placement = bv_transform_identity();
	out->placed = bvvol_similarity_identity;
	out->is_identity = true;
	out->first = out->member = out->in_member = 0;
	return compound->file ? begin_parts( compound->file, out )
	                      : compound->shape && begin_shape( compound->shape, out );
}

bool bv_compound_get_leaf( const bv_compound* compound, uint32_t leaf, bv_compound_leaf* out )
{
	bvcomp_side side;
	if ( !out || !compound || !bvcomp_side_begin( compound, NULL, &side ) || leaf >= side.leaves )
	{
		return false;
	}
	const bvcomp_item* item = bvcomp_item_of( &side, leaf );
	*out = ( bv_compound_leaf ){
		.member = item->member,
		.leaf = item->in_member + ( leaf - item->first ),
		.file = item->file,
		.part = item->file ? leaf - item->first : 0,
		.shape = bvcomp_shape_of( item, leaf ),
		.placement = item->placement,
	};
	return true;
}
