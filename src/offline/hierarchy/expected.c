// The expected cost of a query. See expected.h.

#include "offline/hierarchy/expected.h"

#include "bvbuild/fit.h"

// Where types mix, the partner's is not known: each type in use is as likely as the others. A node's children
// count as of the node's own type, so that what a node costs does not depend on what is below it.
bvhier_expected bvhier_expected_make( const bvb_hierarchy_options* options, const bv_volume* root )
{
	bvhier_expected e = {
		.opening = options->costs.opening,
		.leaf = options->costs.leaf,
		.triangles = options->costs.triangles,
		.root = *root,
	};
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		double sum = 0;
		int used = 0;
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			if ( options->volume_types >> k & 1 )
			{
				sum += options->costs.volumes[i][k];
				used += 1;
			}
		}
		e.volume[i] = sum / used;
	}
	return e;
}

double bvhier_visit_chance( const bv_volume* node, const bv_volume* root )
{
	double whole = bvb_area_of( root );
	return whole > 0 ? bvb_area_of( node ) / whole : 1;
}

double bvhier_expected_cost( const bvb_tree* tree, const bvb_hierarchy_options* options )
{
	bv_volume root = bvorder_volume( tree, 0 );
	bvhier_expected e = bvhier_expected_make( options, &root );
	double sum = 0;
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		const bvorder_stored_node* node = tree->nodes + i;
		bv_volume volume = bvorder_volume( tree, i );
		sum += bvhier_visit_chance( &volume, &root ) *
		       ( node->children ? bvhier_inner_cost( &e, volume.type, node->children )
		                        : bvhier_leaf_cost( &e, node->triangles ) );
	}
	return sum;
}
