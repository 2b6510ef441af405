// Selection of the node to open. See expansion.h.

#include "runtime/tree/expansion.h"

#include "runtime/math/vec.h"

// The largest child's size, and how many children there are.
static double worst_child( const bvfile_view* view, uint32_t place, uint32_t* count )
{
	const bvfile_packed_node* node = bvfile_node_at( view, place );
	double worst = 0;
	*count = node->children;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bv_volume volume;
		bvtree_spot_volume( view, &( bvtree_spot ){ .parent = place, .lane = i }, &volume );
		worst = bvmath_max( worst, bvtree_spot_size( &volume ) );
	}
	return worst;
}

static const bvfile_node_quality* quality_of( const char* qualities, const bvfile_view* view,
                                              const bvtree_spot* spot )
{
	bool is_root = spot->lane == BVTREE_ROOT_LANE;
	uint32_t node = is_root ? 0 : bvfile_node_at( view, spot->parent )->first_child + spot->lane;
	return bvfile_node_qualities( qualities ) + node;
}

static double size_scale( const bvtree_expander* e )
{
	return e->scale * e->scale * e->scale;
}

// As printed a tie of the first two loses the pair.
static bvtree_opening least_of( double one, double two, double both )
{
	return both <= one && both <= two ? bvtree_opening_both
	       : one <= two               ? bvtree_opening_a
	                                  : bvtree_opening_b;
}

// Opening both is opening b once for each child of a: of two costs the product would depend on what they are
// in.
static bvtree_opening choose_by_quality( const bvtree_expander* e, const bvtree_spot* spot_a,
                                         const bvtree_spot* spot_b )
{
	const bvfile_node_quality* a = quality_of( e->qualities_a, e->a, spot_a );
	const bvfile_node_quality* b = quality_of( e->qualities_b, e->b, spot_b );
	double unit_a = ( (const bvfile_qualities*)e->qualities_a )->unit;
	double unit_b = e->scale * e->scale * ( (const bvfile_qualities*)e->qualities_b )->unit;
	double area_a = unit_a * a->quality;
	double area_b = unit_b * b->quality;
	double worst_a = unit_a * a->worst;
	double worst_b = unit_b * b->worst;
	double children_a = bvfile_node_at( e->a, spot_a->at )->children;
	return least_of( a->cost * ( worst_a + area_b ), b->cost * ( worst_b + area_a ),
	                 children_a * b->cost * ( worst_a + worst_b ) );
}

static bvtree_opening choose_by_size( const bvtree_expander* e, const bvtree_spot* a, const bvtree_spot* b )
{
	uint32_t count_a;
	uint32_t count_b;
	double worst_a = worst_child( e->a, a->at, &count_a );
	double worst_b = size_scale( e ) * worst_child( e->b, b->at, &count_b );
	double one = count_a * ( worst_a + size_scale( e ) * b->size );
	double two = count_b * ( worst_b + a->size );
	double both = (double)( count_a * count_b ) * ( worst_a + worst_b );
	return least_of( one, two, both );
}

bvtree_opening bvtree_choose_opening( const bvtree_expander* e, const bvtree_spot* a, const bvtree_spot* b )
{
	if ( a->triangles > 0 || b->triangles > 0 )
	{
		return b->triangles > 0 ? bvtree_opening_a : bvtree_opening_b;
	}
	switch ( e->expansion )
	{
	case bv_expand_both: return bvtree_opening_both;
	case bv_expand_hybrid: return e->qualities_a ? choose_by_quality( e, a, b ) : choose_by_size( e, a, b );
	default: return a->size >= size_scale( e ) * b->size ? bvtree_opening_a : bvtree_opening_b;
	}
}

void bvtree_expander_begin( bv_expansion expansion, const bvfile_view* a, const bvfile_view* b, double scale,
                            bvtree_expander* out )
{
	*out = ( bvtree_expander ){
		.expansion = expansion,
		.a = a,
		.b = b,
		.qualities_a = bvfile_find( a->header, bvfile_section_node_quality ),
		.qualities_b = bvfile_find( b->header, bvfile_section_node_quality ),
		.scale = scale,
	};
	if ( !out->qualities_b )
	{
		out->qualities_a = NULL;
	}
}
