// NQAL: what choosing the node to open goes by, written and verified by the same sums. After J. Eckstein,
// "Echtzeitfähige Kollisionserkennung", 1998, section 4.3: a node's quality q, the worst of its children q^e,
// and what comparing them costs, c^e. Quality is surface area.

#include "bvbuild/fit.h"
#include "formats/bvh/node_sections.h"
#include "formats/bvh/write.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <float.h>
#include <string.h>

// What the visit of the nodes needs: of the nodes that it is below, by level, their numbers and costs so far.
typedef struct quality_sums
{
	const bv_costs* costs;
	double of_type[bv_volume_types]; // to compare a volume of that type with one of the hierarchy's
	bvfile_qualities* head;
	bvfile_node_quality* nodes;
	uint32_t open[BV_MAX_DEPTH + 1];
	double cost[BV_MAX_DEPTH + 1];
} quality_sums;

static float nearest_finite( double x )
{
	return (float)bvmath_min( x, FLT_MAX );
}

// What a volume is compared with is not known: any type in use is as likely as another.
static void average_costs( const bv_hierarchy_info* info, double of_type[bv_volume_types] )
{
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		double sum = 0;
		int used = 0;
		for ( int k = 0; k < bv_volume_types; ++k )
		{
			if ( info->of_type[k] > 0 )
			{
				sum += info->costs.volumes[i][k];
				used += 1;
			}
		}
		of_type[i] = sum / used;
	}
}

static void add_to_parent( quality_sums* s, const bv_node_info* node )
{
	uint32_t level = node->level - 1;
	bvfile_node_quality* parent = s->nodes + s->open[level];
	float quality = s->nodes[node->index].quality;
	parent->worst = quality > parent->worst ? quality : parent->worst;
	s->cost[level] += s->of_type[node->volume.type];
	parent->cost = nearest_finite( s->cost[level] );
}

static bool take_node( void* context, const bv_node_info* node )
{
	quality_sums* s = context;
	bvfile_node_quality* out = s->nodes + node->index;
	double area = bvb_area_of( &node->volume );
	double triangles = node->triangles;
	s->head->unit = node->level == 0 ? area : s->head->unit;
	out->quality = nearest_finite( s->head->unit > 0 ? area / s->head->unit : 0 );
	out->worst = node->children > 0 ? 0 : out->quality;
	out->cost = nearest_finite( s->costs->leaf + triangles * triangles * s->costs->triangles );
	s->open[node->level] = node->index;
	s->cost[node->level] = s->costs->opening;
	if ( node->level > 0 )
	{
		add_to_parent( s, node );
	}
	return true;
}

uint64_t bvfmt_quality_bytes( uint32_t nodes )
{
	return sizeof( bvfile_qualities ) + sizeof( bvfile_node_quality ) * (uint64_t)nodes;
}

void bvfmt_sum_quality( const bv_file* file, void* out )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	quality_sums s = { .costs = &info.costs, .head = out };
	s.nodes = (bvfile_node_quality*)( s.head + 1 );
	average_costs( &info, s.of_type );
	bvfile_local_visit_nodes( file, take_node, &s );
}

uint64_t bvfmt_size_node_quality( const bvfmt_writing* w )
{
	return bvfmt_wants( w, bvb_section_node_quality ) ? bvfmt_quality_bytes( bvfmt_node_count( w ) ) : 0;
}

bv_status bvfmt_write_node_quality( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	bvfmt_sum_quality( w->file, out );
	return bv_ok;
}
