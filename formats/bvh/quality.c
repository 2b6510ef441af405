// NQAL: what choosing the node to open goes by, written and verified by the same sums. After J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 4.3: a node's quality q, the worst of its children q^e, and what comparing them
// costs, c^e. Quality is surface area.

#include "bvbuild/fit.h"
#include "formats/bvh/write.h"
#include "offline/base/error.h"
#include "offline/verify/verify.h"
#include "runtime/math/vec.h"

#include <float.h>
#include <string.h>

// What the visit of the nodes needs: of the nodes that it is below, by level, their numbers and costs so far.
typedef struct sums
{
	const bv_costs* costs;
	double of_type[bv_volume_types]; // to compare a volume of that type with one of the hierarchy's
	bvfile_qualities* head;
	bvfile_node_quality* nodes;
	uint32_t open[BV_MAX_DEPTH + 1];
	double cost[BV_MAX_DEPTH + 1];
} sums;

static float nearest_finite( double x )
{
	return (float)bv_min( x, FLT_MAX );
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

static void add_to_parent( sums* s, const bv_node_info* node )
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
	sums* s = context;
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

static uint64_t bytes_of( uint32_t nodes )
{
	return sizeof( bvfile_qualities ) + sizeof( bvfile_node_quality ) * (uint64_t)nodes;
}

static void sum_up( const bv_file* file, void* out )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	sums s = { .costs = &info.costs, .head = out };
	s.nodes = (bvfile_node_quality*)( s.head + 1 );
	average_costs( &info, s.of_type );
	bv_file_visit_nodes( file, take_node, &s );
}

uint64_t bvfmt_size_node_quality( const bvfmt_writing* w )
{
	return bvh_wants( w, bvb_section_node_quality ) ? bytes_of( bvfmt_node_count( w ) ) : 0;
}

bv_status bvfmt_write_node_quality( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	sum_up( w->file, out );
	return bv_ok;
}

// The quality of each node is what its volume and those of its children give.
bv_status bvfmt_verify_node_quality( bvverify_verification* v, bvb_error* error )
{
	const char* stored = bvfile_find( (const bvfile_header*)v->file, bvfile_section_node_quality );
	if ( !stored )
	{
		return bv_ok;
	}
	uint32_t nodes = bv_file_get_hierarchy( v->file ).nodes;
	char* found = bvb_arena_allocate( v->scratch, bytes_of( nodes ), 1 );
	if ( !found )
	{
		return bvbase_fail_memory( error );
	}
	sum_up( v->file, found );
	if ( memcmp( stored, found, sizeof( bvfile_qualities ) ) != 0 )
	{
		return bvbase_fail( error, bv_error_damaged,
		                    "the unit of the nodes' quality differs from the root's area" );
	}
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		if ( memcmp( bvfile_node_qualities( stored ) + i, bvfile_node_qualities( found ) + i,
		             sizeof( bvfile_node_quality ) ) != 0 )
		{
			return bvbase_fail( error, bv_error_damaged,
			                    "the stored quality of node %u differs from that of its volumes", i );
		}
	}
	return bv_ok;
}
