// The memory of a skin. See bvworld/skin.h.

#include "world/skin/skin.h"

#include "runtime/simd/bits.h"

#include <string.h>

static const uint64_t magic = UINT64_C( 0x316e696b73777662 ); // "bvwskin1"

enum
{
	alignment = 64,
	most_words = BVW_MAX_BONES / 64, // of a set of bones
};

_Static_assert( BVW_MAX_BONES - 1 <= UINT16_MAX, "pairs and entries have bones in 2 bytes" );

typedef struct skin_layout
{
	uint64_t rest;
	uint64_t first_pair;
	uint64_t pair_bone;
	uint64_t pair_weight;
	uint64_t first_entry;
	uint64_t entry_bone;
	uint64_t entry_weight;
	uint64_t entry_spread;
	uint64_t first_box;
	uint64_t boxes;
	uint64_t leaf_node;
	uint64_t matrices;
	uint64_t exact;
	uint64_t end;
} skin_layout;

static bool is_set( const bvw_influences* set )
{
	uint32_t bytes = set->bone_bytes;
	if ( !set->bones || !set->weights || ( bytes != 1 && bytes != 2 && bytes != 4 ) ||
	     set->count > BVW_MAX_INFLUENCES )
	{
		return false;
	}
	uint32_t bones_stride = set->bones_stride;
	uint32_t weights_stride = set->weights_stride;
	return (uintptr_t)set->bones % bytes == 0 && (uintptr_t)set->weights % sizeof( float ) == 0 &&
	       bones_stride % bytes == 0 && ( bones_stride == 0 || bones_stride >= bytes * set->count ) &&
	       weights_stride % sizeof( float ) == 0 &&
	       ( weights_stride == 0 || weights_stride >= sizeof( float ) * set->count );
}

static bool are_weights( const bvw_deform* deform, const bvw_weights* weights )
{
	if ( deform->rebuild.number || !weights || weights->set.count == 0 || !is_set( &weights->set ) ||
	     ( weights->more.count > 0 && !is_set( &weights->more ) ) || weights->bones == 0 ||
	     weights->bones > BVW_MAX_BONES ||
	     ( !weights->index && weights->vertices != deform->counts.vertices ) )
	{
		return false;
	}
	uint16_t bone[bvwskin_most_pairs];
	float weight[bvwskin_most_pairs];
	uint32_t vertex = 0;
	while ( vertex < deform->counts.vertices && bvwskin_read_pairs( weights, vertex, bone, weight ) > 0 )
	{
		++vertex;
	}
	return vertex == deform->counts.vertices;
}

static bvwskin_counts count( const bvw_deform* deform, const bvw_weights* weights )
{
	bvwskin_counts c = { .bones = weights->bones };
	uint16_t bone[bvwskin_most_pairs];
	float weight[bvwskin_most_pairs];
	for ( uint32_t i = 0; i < deform->counts.vertices; ++i )
	{
		c.pairs += bvwskin_read_pairs( weights, i, bone, weight );
	}
	uint64_t set[most_words];
	bvwskin_leaf_weights leaf;
	for ( uint32_t i = 0; i < deform->counts.nodes; ++i )
	{
		uint64_t entries = 0;
		bvwskin_find_bones( deform, weights, i, set );
		for ( uint32_t k = 0; k < ( weights->bones + 63 ) / 64; ++k )
		{
			entries +=
				bvsimd_count_bits( (uint32_t)set[k] ) + bvsimd_count_bits( (uint32_t)( set[k] >> 32 ) );
		}
		c.entries += entries;
		c.boxes += bvwskin_find_weights( deform, weights, i, &leaf ) ? 1 : entries;
	}
	return c;
}

// @return where the next array begins
static uint64_t add( uint64_t* where, uint64_t at, uint64_t count, uint64_t size )
{
	*where = at;
	return ( at + count * size + ( alignment - 1 ) ) & ~(uint64_t)( alignment - 1 );
}

static skin_layout lay_out( const bvw_deform* deform, const bvwskin_counts* c )
{
	skin_layout l;
	uint64_t vertices = deform->counts.vertices;
	uint64_t at = ( sizeof( bvw_skin ) + ( alignment - 1 ) ) & ~(uint64_t)( alignment - 1 );
	at = add( &l.rest, at, vertices, sizeof( float[3] ) );
	at = add( &l.first_pair, at, vertices + 1, sizeof( uint32_t ) );
	at = add( &l.pair_bone, at, c->pairs, sizeof( uint16_t ) );
	at = add( &l.pair_weight, at, c->pairs, sizeof( float ) );
	at = add( &l.first_entry, at, (uint64_t)deform->counts.nodes + 1, sizeof( uint32_t ) );
	at = add( &l.entry_bone, at, c->entries, sizeof( uint16_t ) );
	at = add( &l.entry_weight, at, c->entries, sizeof( float ) );
	at = add( &l.entry_spread, at, c->entries, sizeof( float ) );
	at = add( &l.first_box, at, (uint64_t)deform->counts.nodes + 1, sizeof( uint32_t ) );
	at = add( &l.boxes, at, c->boxes, sizeof( bvwskin_bone_box ) );
	at = add( &l.leaf_node, at, deform->counts.leaves, sizeof( uint32_t ) );
	at = add( &l.matrices, at, c->bones, sizeof( bvwskin_bone ) );
	at = add( &l.exact, at, vertices / 64 + 1, sizeof( uint64_t ) );
	l.end = at;
	return l;
}

// Entries and pairs have numbers of 4 bytes.
static bool fit_in_memory( const bvwskin_counts* c, const skin_layout* l )
{
	return c->pairs <= UINT32_MAX && c->entries <= UINT32_MAX && l->end <= SIZE_MAX;
}

size_t bvw_skin_bytes( const bvw_deform* deform, const bvw_weights* weights )
{
	if ( !bvwdeform_is_valid( deform ) || !are_weights( deform, weights ) )
	{
		return 0;
	}
	bvwskin_counts counts = count( deform, weights );
	skin_layout layout = lay_out( deform, &counts );
	return fit_in_memory( &counts, &layout ) ? (size_t)layout.end : 0;
}

static void set_arrays( bvw_skin* s, const skin_layout* l )
{
	char* base = (char*)s;
	s->rest = ( float( * )[3] )( base + l->rest );
	s->first_pair = (uint32_t*)( base + l->first_pair );
	s->pair_bone = (uint16_t*)( base + l->pair_bone );
	s->pair_weight = (float*)( base + l->pair_weight );
	s->first_entry = (uint32_t*)( base + l->first_entry );
	s->entry_bone = (uint16_t*)( base + l->entry_bone );
	s->entry_weight = (float*)( base + l->entry_weight );
	s->entry_spread = (float*)( base + l->entry_spread );
	s->first_box = (uint32_t*)( base + l->first_box );
	s->boxes = (bvwskin_bone_box*)( base + l->boxes );
	s->leaf_node = (uint32_t*)( base + l->leaf_node );
	s->bones = (bvwskin_bone*)( base + l->matrices );
	s->exact = (uint64_t*)( base + l->exact );
}

// Marks vertices that triangles have. Files without errors have no others, but opening a file does not check that.
static void mark_used( bvw_skin* s )
{
	const bvtree_refit* r = &s->deform->refit;
	for ( uint32_t i = 0; i < r->leaf_begin[s->deform->counts.leaves]; ++i )
	{
		s->exact[r->vertices[i] / 64] |= UINT64_C( 1 ) << r->vertices[i] % 64;
	}
}

static void read_vertices( bvw_skin* s, const bvw_weights* weights )
{
	uint32_t vertices = s->deform->counts.vertices;
	mark_used( s );
	bvfile_view view = bvfile_view_of( s->deform->source );
	uint32_t pair = 0;
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		bv_vec3 p = bvfile_position( &view, i );
		s->rest[i][0] = (float)p.x + 0.0f;
		s->rest[i][1] = (float)p.y + 0.0f;
		s->rest[i][2] = (float)p.z + 0.0f;
		uint16_t bone[bvwskin_most_pairs];
		float weight[bvwskin_most_pairs];
		bool is_used = s->exact[i / 64] >> i % 64 & 1;
		uint32_t pairs = is_used ? bvwskin_read_pairs( weights, i, bone, weight ) : 0;
		s->counts.unused += !is_used;
		s->first_pair[i] = pair;
		memcpy( s->pair_bone + pair, bone, pairs * sizeof *bone );
		memcpy( s->pair_weight + pair, weight, pairs * sizeof *weight );
		pair += pairs;
	}
	s->first_pair[vertices] = pair;
	memset( s->exact, 0, ( vertices / 64 + 1 ) * sizeof *s->exact );
}

static void list_bones( bvw_skin* s, const bvw_weights* weights )
{
	uint32_t nodes = s->deform->counts.nodes;
	uint64_t set[most_words];
	bvwskin_leaf_weights leaf;
	uint32_t entry = 0;
	uint32_t box = 0;
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		s->first_entry[i] = entry;
		s->first_box[i] = box;
		bvwskin_find_bones( s->deform, weights, i, set );
		for ( uint32_t k = 0; k < weights->bones; ++k )
		{
			if ( set[k / 64] >> k % 64 & 1 )
			{
				s->entry_bone[entry++] = (uint16_t)k;
			}
		}
		box += bvwskin_find_weights( s->deform, weights, i, &leaf ) ? 1 : entry - s->first_entry[i];
	}
	s->first_box[nodes] = box;
	s->first_entry[nodes] = entry;
}

static void list_leaves( bvw_skin* s )
{
	const bvtree_refit* r = &s->deform->refit;
	for ( uint32_t i = 0; i < r->inner_count; ++i )
	{
		const bvfile_packed_node* node = bvtree_refit_inner_at( r, i );
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			if ( bvfile_node_kinds( node )[k] % bvfile_kind_counts != bvfile_kind_inner )
			{
				s->leaf_node[r->first_leaf[node->first_child + k]] = node->first_child + k;
			}
		}
	}
}

bv_status bvw_skin_begin( bvw_deform* deform, const bvw_weights* weights, void* memory, size_t bytes,
                          bvw_skin** out )
{
	if ( !bvwdeform_is_valid( deform ) || !are_weights( deform, weights ) || !out || !memory ||
	     (uintptr_t)memory % 8 != 0 )
	{
		return bv_error_argument;
	}
	bvwskin_counts counts = count( deform, weights );
	skin_layout layout = lay_out( deform, &counts );
	if ( !fit_in_memory( &counts, &layout ) || layout.end > bytes )
	{
		return bv_error_memory;
	}
	memset( memory, 0, (size_t)layout.end );
	bvw_skin* s = memory;
	s->magic = magic;
	s->bytes = layout.end;
	s->deform = deform;
	s->counts = counts;
	set_arrays( s, &layout );
	for ( uint32_t i = 0; i < counts.bones; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			s->bones[i].column[k][k] = 1;
		}
	}
	read_vertices( s, weights );
	list_bones( s, weights );
	list_leaves( s );
	bvwskin_fill_boxes( s, weights );
	*out = s;
	return bv_ok;
}

bool bvwskin_is_valid( const bvw_skin* skin )
{
	return skin && skin->magic == magic;
}

const bv_file* bvw_skin_file( const bvw_skin* skin )
{
	return skin ? bvw_deform_file( skin->deform ) : NULL;
}

uint32_t bvw_skin_get_positions( const bvw_skin* skin, uint32_t first, uint32_t count, bv_vec3* out )
{
	if ( !bvwskin_is_valid( skin ) || first >= skin->deform->counts.vertices || ( !out && count > 0 ) )
	{
		return 0;
	}
	uint32_t rest = skin->deform->counts.vertices - first;
	count = count < rest ? count : rest;
	for ( uint32_t i = 0; i < count; ++i )
	{
		float p[3];
		bvwskin_move_vertex( skin, first + i, p );
		out[i] = bv_add( skin->deform->offset, bv_vec3_make( p[0], p[1], p[2] ) );
	}
	return count;
}
