// What can be proved of CLIP: boxes over a clip enclose the mesh of the file at its sample, those of parents enclose those
// of children, those of the whole clip are the unions of those of segments, and at samples, if the file has their
// positions, boxes enclose these. The sum of the chosen candidate is that of the costs.
//
// Boxes between samples, errors and costs follow from the animation, which the file does not have. They are not checked.

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/verify/verify.h"
#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/math/vec.h"

typedef struct clip_check
{
	const bv_file* file;
	const bvb_mesh* mesh;
	bvfile_clip_view view;
	uint32_t nodes;
	bool* sets;         // which boxes of a node the pose is in
	double margin;      // by which positions are rounded
	const char* failed; // null while all is well
	uint32_t node;
	uint64_t enclosures;
} clip_check;

static const bvfile_clip_box* box_of( const clip_check* c, uint32_t set, uint32_t node )
{
	return c->view.boxes + (size_t)set * c->nodes + node;
}

static bool encloses_box( const bvfile_clip_box* outer, const bvfile_clip_box* inner )
{
	bool good = true;
	for ( int k = 0; k < 3; ++k )
	{
		good = good && outer->lower[k] <= inner->lower[k] && outer->upper[k] >= inner->upper[k];
	}
	return good;
}

// Each side of the whole box is that of a segment.
static bool is_union( const clip_check* c, uint32_t node )
{
	const bvfile_clip_box* whole = box_of( c, 0, node );
	uint32_t sets = bvfile_clip_sets( c->view.head );
	bool lower[3] = { false, false, false };
	bool upper[3] = { false, false, false };
	bool good = true;
	for ( uint32_t s = 1; s < sets; ++s )
	{
		const bvfile_clip_box* part = box_of( c, s, node );
		good = good && encloses_box( whole, part );
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = lower[k] || part->lower[k] == whole->lower[k];
			upper[k] = upper[k] || part->upper[k] == whole->upper[k];
		}
	}
	return sets == 1 || ( good && lower[0] && lower[1] && lower[2] && upper[0] && upper[1] && upper[2] );
}

static bool encloses_point( const clip_check* c, const bvfile_clip_box* box, bv_vec3 p )
{
	bv_vec3 lower = bvfile_clip_point( c->view.head, box->lower );
	bv_vec3 upper = bvfile_clip_point( c->view.head, box->upper );
	return p.x >= lower.x - c->margin && p.y >= lower.y - c->margin && p.z >= lower.z - c->margin &&
	       p.x <= upper.x + c->margin && p.y <= upper.y + c->margin && p.z <= upper.z + c->margin;
}

// Of a leaf; inner nodes enclose their children.
static bool encloses_triangles( clip_check* c, const bv_node_info* node, uint32_t set )
{
	for ( uint32_t i = 0; i < 3 * node->triangles; ++i )
	{
		uint32_t corner = c->mesh->triangles[node->first_triangle + i / 3].corner[i % 3];
		if ( !encloses_point( c, box_of( c, set, node->index ), c->mesh->positions[corner] ) )
		{
			return false;
		}
	}
	c->enclosures += 3 * (uint64_t)node->triangles;
	return true;
}

static bool check_pose( void* context, const bv_node_info* node )
{
	clip_check* c = context;
	uint32_t sets = bvfile_clip_sets( c->view.head );
	c->node = node->index;
	for ( uint32_t s = 0; s < sets && node->children == 0; ++s )
	{
		if ( c->sets[s] && !encloses_triangles( c, node, s ) )
		{
			c->failed = "does not enclose its triangles";
			return false;
		}
	}
	return true;
}

static bool check_boxes( void* context, const bv_node_info* node )
{
	clip_check* c = context;
	uint32_t sets = bvfile_clip_sets( c->view.head );
	c->node = node->index;
	for ( uint32_t s = 0; s < sets; ++s )
	{
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			if ( !encloses_box( box_of( c, s, node->index ), box_of( c, s, node->first_child + k ) ) )
			{
				c->failed = "does not enclose the box of a child";
				return false;
			}
		}
	}
	c->failed = is_union( c, node->index ) ? NULL : "is not the union of those of its segments";
	c->enclosures += (uint64_t)sets * node->children;
	return !c->failed;
}

// The whole clip, and the segments that a sample is in.
static void choose_sets( clip_check* c, uint32_t sample )
{
	const bvfile_clip* h = c->view.head;
	bv_clip_sample at;
	bv_file_get_clip_sample( c->file, sample, &at );
	c->sets[0] = true;
	for ( uint32_t s = 0; s < h->segments && h->segments > 1; ++s )
	{
		double from = h->start + ( h->end - h->start ) * s / h->segments;
		double to =
			s + 1 == h->segments ? h->end : h->start + ( h->end - h->start ) * ( s + 1 ) / h->segments;
		c->sets[1 + s] = at.time >= from && at.time <= to;
	}
}

static bv_status check_frames( clip_check* c, bvb_arena* scratch, bvb_error* error )
{
	bvb_mesh pose = *c->mesh;
	pose.positions = bvb_arena_allocate( scratch, pose.vertex_count, sizeof *pose.positions );
	if ( !pose.positions )
	{
		return bvbase_fail_memory( error );
	}
	c->mesh = &pose;
	c->margin = c->view.head->step / 2;
	for ( uint32_t s = 0; s < c->view.head->samples && !c->failed; ++s )
	{
		for ( uint32_t v = 0; v < pose.vertex_count; ++v )
		{
			bvfile_local_clip_position( c->file, s, v, &pose.positions[v] );
		}
		choose_sets( c, s );
		bvfile_local_visit_nodes( c->file, check_pose, c );
	}
	return bv_ok;
}

static bv_status check_sum( const clip_check* c, bvb_error* error )
{
	double sum = 0;
	for ( uint32_t i = 0; i < c->view.head->samples; ++i )
	{
		sum += c->view.samples[i].cost;
	}
	bool least = true;
	const bvfile_clip_candidate* chosen = c->view.candidates + c->view.head->chosen;
	for ( uint32_t i = 0; i < c->view.head->candidates; ++i )
	{
		least = least && chosen->cost <= c->view.candidates[i].cost;
	}
	return sum == chosen->cost && least && chosen->nodes == c->nodes
	           ? bv_ok
	           : bvbase_fail( error, bv_error_damaged,
	                          "the chosen hierarchy of the clip is not the one of least cost" );
}

bv_status bvverify_section_clip( bvverify_verification* v, bvb_error* error )
{
	const char* section = bvfile_find( (const bvfile_header*)v->file, bvfile_section_clip );
	if ( !section || !v->mesh )
	{
		return bv_ok;
	}
	clip_check c = { .file = v->file, .mesh = v->mesh, .nodes = bv_file_get_hierarchy( v->file ).nodes };
	c.view = bvfile_clip_view_of( section, c.nodes, v->mesh->vertex_count );
	c.sets = bvb_arena_allocate( v->scratch, bvfile_clip_sets( c.view.head ), sizeof *c.sets );
	if ( !c.sets )
	{
		return bvbase_fail_memory( error );
	}
	choose_sets( &c, c.view.head->record );
	bvfile_local_visit_nodes( v->file, check_pose, &c );
	if ( !c.failed )
	{
		bvfile_local_visit_nodes( v->file, check_boxes, &c );
	}
	bv_status status = !c.failed && c.view.head->has_frames ? check_frames( &c, v->scratch, error ) : bv_ok;
	v->result->enclosures += c.enclosures;
	if ( c.failed && status == bv_ok )
	{
		return bvbase_fail( error, bv_error_damaged, "the box of node %u over the clip %s", c.node,
		                    c.failed );
	}
	return status == bv_ok ? check_sum( &c, error ) : status;
}
