// Visiting the nodes of a checked file.

#include "bv/inspect.h"
#include "runtime/file/local.h"
#include "runtime/file/node.h"
#include "runtime/file/view.h"
#include "runtime/volume/kinds.h"

double bvfile_size_of( const bv_volume* volume )
{
	double half[3];
	bvvol_half_lengths( volume, half );
	return ( half[0] + half[1] ) + half[2];
}

uint8_t bvfile_error_code( double error, double size )
{
	int low = 0;
	int high = bvfile_error_codes - 1;
	while ( low < high )
	{
		int middle = ( low + high ) / 2;
		bool enough = bvfile_error_value( (uint8_t)middle, size ) >= error;
		low = enough ? low : middle + 1;
		high = enough ? middle : high;
	}
	return (uint8_t)low;
}

// An inner node whose children are being visited.
typedef struct nodes_visit
{
	const bvfile_packed_node* node;
	bvfile_node_frame frame;
	bvfile_group group;      // of the next child
	const uint32_t* link;    // of the next child that has one
	uint32_t next;           // child
	uint32_t first_triangle; // of the next leaf among the children
	uint32_t end_triangle;   // behind all that is below
} nodes_visit;

static nodes_visit begin_visit( const bvfile_view* view, uint32_t place, uint32_t end_triangle )
{
	const bvfile_packed_node* node = bvfile_node_at( view, place );
	return ( nodes_visit ){
		.node = node,
		.frame = bvfile_node_frame_of( node, &view->hierarchy->grid ),
		.group = bvfile_group_first( node ),
		.link = bvfile_node_links( node ),
		.first_triangle = node->first_triangle,
		.end_triangle = end_triangle,
	};
}

// The triangles below an inner node end where those below the next one begin.
static uint32_t end_of_child( const bvfile_view* view, const nodes_visit* v )
{
	const uint8_t* kind = bvfile_node_kinds( v->node );
	const uint32_t* link = v->link;
	for ( uint32_t i = v->next; i < v->node->children; ++i )
	{
		if ( kind[i] % bvfile_kind_counts == bvfile_kind_inner )
		{
			return bvfile_node_at( view, *link )->first_triangle;
		}
		link += kind[i] % bvfile_kind_counts == bvfile_kind_linked;
	}
	return v->end_triangle;
}

// Describes the next child and steps behind it.
// @return the place of its node when it is an inner one, else 0
static uint32_t next_child( const bvfile_view* view, nodes_visit* v, bv_node_info* info )
{
	uint32_t triangles = bvfile_node_kinds( v->node )[v->next] % bvfile_kind_counts;
	if ( v->next == v->group.first + v->group.count )
	{
		v->group = bvfile_group_next( v->node, &v->group );
	}
	bvfile_lane_unpack( &v->group, v->next - v->group.first, &v->frame, &info->volume );
	info->index = v->node->first_child + v->next;
	v->next += 1;
	if ( triangles == bvfile_kind_inner )
	{
		uint32_t place = *v->link++;
		const bvfile_packed_node* node = bvfile_node_at( view, place );
		info->children = node->children;
		info->first_child = node->first_child;
		info->first_triangle = node->first_triangle;
		info->triangles = end_of_child( view, v ) - node->first_triangle;
		return place;
	}
	info->triangles = triangles == bvfile_kind_linked ? *v->link++ : triangles;
	info->first_triangle = v->first_triangle;
	v->first_triangle += info->triangles;
	return 0;
}

static void add_errors( const char* errors, bv_node_info* info )
{
	if ( errors )
	{
		const uint8_t* code = bvfile_errors_view_of( errors ).nodes[info->index];
		double size = bvfile_size_of( &info->volume );
		info->has_errors = true;
		info->surface_upper = bvfile_error_value( code[0], size );
		info->solid_upper = bvfile_error_value( code[1], size );
	}
}

bool bvfile_local_visit_nodes( const bv_file* file, bv_node_callback* callback, void* context )
{
	bvfile_view view = bvfile_view_of( file );
	const char* errors = bvfile_find( view.header, bvfile_section_errors );
	if ( !view.hierarchy )
	{
		return true;
	}
	uint32_t triangles = view.mesh->triangles;
	bool is_leaf = view.hierarchy->root_triangles > 0;
	bv_node_info root = { .triangles = triangles, .volume = bvfile_root_volume( &view ) };
	if ( !is_leaf )
	{
		root.children = bvfile_node_at( &view, 0 )->children;
		root.first_child = bvfile_node_at( &view, 0 )->first_child;
	}
	add_errors( errors, &root );
	if ( !callback( context, &root ) || is_leaf )
	{
		return is_leaf;
	}
	nodes_visit open[BV_MAX_DEPTH + 1];
	uint32_t level = 1;
	open[1] = begin_visit( &view, 0, triangles );
	while ( level > 0 )
	{
		nodes_visit* v = open + level;
		if ( v->next == v->node->children )
		{
			level -= 1;
			continue;
		}
		bv_node_info info = { .level = level };
		uint32_t place = next_child( &view, v, &info );
		add_errors( errors, &info );
		if ( !callback( context, &info ) )
		{
			return false;
		}
		if ( place > 0 )
		{
			open[++level] = begin_visit( &view, place, info.first_triangle + info.triangles );
		}
	}
	return true;
}
