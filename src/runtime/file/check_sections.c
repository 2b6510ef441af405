// The checks of those sections that have no file of their own beside this one. See check.h.

#include "runtime/file/check.h"

#include "runtime/file/utf8.h"
#include "runtime/math/vec.h"

#include <math.h>

static bool is_text( const char* text, size_t size, bool lines )
{
	for ( size_t i = 0; i < size; )
	{
		size_t length = bvfile_utf8_character( text + i, size - i );
		if ( length == 0 || ( bvfile_utf8_is_control( text + i ) && !( lines && text[i] == '\n' ) ) )
		{
			return false;
		}
		i += length;
	}
	return true;
}

const char* bvfile_check_origin( const char* section, uint64_t bytes, const bvfile_content* content )
{
	(void)content;
	const bvfile_origin* origin = (const bvfile_origin*)section;
	if ( bytes < sizeof *origin || bytes != sizeof *origin + (uint64_t)origin->tool_bytes +
	                                            origin->name_bytes + origin->format_bytes +
	                                            origin->parameter_bytes )
	{
		return "the origin section has the wrong size";
	}
	uint64_t lengths = bytes - sizeof *origin - origin->parameter_bytes;
	const char* text = section + sizeof *origin;
	if ( !is_text( text, origin->tool_bytes, false ) ||
	     !is_text( text + origin->tool_bytes, origin->name_bytes, false ) ||
	     !is_text( text + origin->tool_bytes + origin->name_bytes, origin->format_bytes, false ) ||
	     !is_text( text + lengths, origin->parameter_bytes, true ) )
	{
		return "a text of the origin section is not valid UTF-8 or has control characters";
	}
	return NULL;
}

// Written so that a NaN fails.
static const char* check_offset( const bv_vec3* offset )
{
	bool possible =
		fabs( offset->x ) <= 0x1p121 && fabs( offset->y ) <= 0x1p121 && fabs( offset->z ) <= 0x1p121;
	return possible && !bvmath_is_zero( *offset ) ? NULL : "the offset of the mesh section is out of range";
}

const char* bvfile_check_mesh( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_mesh* mesh = (const bvfile_mesh*)section;
	bool is_far = content->version > 1;
	if ( bytes != sizeof *mesh + ( is_far ? sizeof( bv_vec3 ) : 0 ) )
	{
		return "the mesh section has the wrong size";
	}
	if ( mesh->vertices == 0 || mesh->triangles == 0 || mesh->triangles >= 1u << 31 )
	{
		return "a count of the mesh section is out of range";
	}
	if ( ( mesh->closed | mesh->manifold | mesh->oriented | mesh->quantized ) > 1 )
	{
		return "a flag of the mesh section is invalid";
	}
	if ( !bvfile_all_zero( mesh->reserved, sizeof mesh->reserved ) )
	{
		return "a reserved field of the mesh section is not zero";
	}
	// From here to its end the section is binary64 numbers only.
	size_t first = offsetof( bvfile_mesh, largest_displacement );
	double step = mesh->grid_step;
	bool possible = bvfile_all_finite_double( &mesh->largest_displacement,
	                                          ( sizeof *mesh - first ) / sizeof( double ) ) &&
	                ( mesh->quantized ? step > 0 && step <= 0x1p120 : step == 0 );
	for ( int i = 0; i < 3; ++i )
	{
		possible = possible && fabs( mesh->grid_origin[i] ) <= ( mesh->quantized ? 0x1p121 : 0 );
	}
	if ( !possible )
	{
		return "a number of the mesh section is out of range";
	}
	return is_far ? check_offset( (const bv_vec3*)( mesh + 1 ) ) : NULL;
}

// Of the mesh or of the hull.
static const char* check_points( const void* positions, uint32_t count, const bvfile_mesh* mesh )
{
	if ( mesh->quantized )
	{
		const uint64_t* code = (const uint64_t*)positions;
		uint64_t all = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			all |= code[i];
		}
		return all >> ( 3 * bvfile_quantized_bits ) ? "a quantized position is out of range" : NULL;
	}
	return bvfile_all_finite( (const float*)positions, 3 * (size_t)count ) ? NULL
	                                                                       : "a position is not finite";
}

const char* bvfile_check_positions( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_mesh* mesh = content->mesh;
	return bytes == bvfile_position_bytes( mesh ) * (uint64_t)mesh->vertices
	           ? check_points( section, mesh->vertices, mesh )
	           : "the position section has the wrong size";
}

const char* bvfile_check_bounds( const char* section, uint64_t bytes, const bvfile_content* content )
{
	(void)content;
	const bvfile_bounds* bounds = (const bvfile_bounds*)section;
	if ( bytes != sizeof *bounds )
	{
		return "the bounds section has the wrong size";
	}
	bool ordered = bvfile_all_finite( bounds->aabb_lower, 10 ) && bounds->sphere_radius >= 0 &&
	               bvfile_is_box( &bounds->obb ) &&
	               bvfile_all_finite( bounds->kdop_lower, 2 * BV_KDOP_DIRECTIONS ) &&
	               bvfile_all_finite( bounds->capsule_ends[0], 7 ) && bounds->capsule_radius >= 0 &&
	               bvfile_is_box( &bounds->rss ) && bounds->reserved == 0;
	for ( int i = 0; i < 3; ++i )
	{
		ordered = ordered && bounds->aabb_lower[i] <= bounds->aabb_upper[i];
	}
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		ordered = ordered && bounds->kdop_lower[i] <= bounds->kdop_upper[i];
	}
	return ordered ? NULL : "a bounding volume is invalid";
}

static bool has_counts_of_kind( const bvfile_hull* hull )
{
	return hull->kind == bv_hull_point        ? hull->vertices == 1 && hull->faces == 0
	       : hull->kind == bv_hull_segment    ? hull->vertices == 2 && hull->faces == 0
	       : hull->kind == bv_hull_polygon    ? hull->vertices >= 3 && hull->faces == 0
	       : hull->kind == bv_hull_polyhedron ? hull->vertices >= 4 && hull->faces >= 4
	                                          : false;
}

// Whether all of them are below the limit.
static bool are_indices( const void* index, uint32_t width, uint64_t count, uint32_t limit )
{
	uint32_t largest = 0;
	for ( uint64_t i = 0; i < count; ++i )
	{
		uint32_t at = bvfile_index_at( index, width, i );
		largest = at > largest ? at : largest;
	}
	return count == 0 || largest < limit;
}

const char* bvfile_check_hull( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_hull* hull = (const bvfile_hull*)section;
	if ( bytes < sizeof *hull )
	{
		return "the hull section has the wrong size";
	}
	// No more corners than the mesh has: or those could have indices of two bytes, and the faces misaligned
	// ones of four.
	if ( !has_counts_of_kind( hull ) || hull->own > 1 || hull->reserved[0] || hull->reserved[1] ||
	     hull->reserved_2 || ( !hull->own && hull->vertices > content->mesh->vertices ) )
	{
		return "a count of the hull section is out of range";
	}
	bool has_volume = hull->kind == bv_hull_polyhedron;
	if ( !( hull->volume >= 0 && hull->volume < INFINITY ) || ( !has_volume && hull->volume > 0 ) )
	{
		return "the hull's volume is out of range";
	}
	bvfile_hull_view v = bvfile_hull_view_of( section, content->mesh );
	if ( bytes !=
	     sizeof *hull + v.vertex_bytes * (uint64_t)hull->vertices + 3 * v.face_bytes * (uint64_t)hull->faces )
	{
		return "the hull section has the wrong size";
	}
	if ( hull->own )
	{
		const char* wrong = check_points( v.vertices, hull->vertices, content->mesh );
		if ( wrong )
		{
			return wrong;
		}
	}
	else if ( !content->positions )
	{
		return "a section that another section needs is missing";
	}
	else if ( !are_indices( v.vertices, v.vertex_bytes, hull->vertices, content->mesh->vertices ) )
	{
		return "the hull refers to a vertex that does not exist";
	}
	return are_indices( v.faces, v.face_bytes, 3 * (uint64_t)hull->faces, hull->vertices )
	           ? NULL
	           : "the hull refers to a vertex that does not exist";
}

const char* bvfile_check_edges( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_mesh* mesh = content->mesh;
	const uint16_t* edges = (const uint16_t*)section;
	if ( bytes != mesh->triangles * sizeof *edges )
	{
		return "the edge section has the wrong size";
	}
	for ( uint32_t i = 0; i < mesh->triangles; ++i )
	{
		uint32_t sides = edges[i];
		for ( int k = 0; k < 3; ++k, sides >>= bvfile_edge_bits )
		{
			if ( ( sides & ( ( 1u << bvfile_edge_bits ) - 1 ) ) >= bv_edge_kinds )
			{
				return "an edge's kind is unknown";
			}
		}
		if ( sides )
		{
			return "an edge's kind is unknown";
		}
	}
	return NULL;
}

static const char* check_names( const bvfile_source_view* v )
{
	uint32_t first = 0;
	for ( uint32_t i = 0; i < v->head->names; ++i )
	{
		uint32_t end = v->name_ends[i];
		if ( end < first || end > v->head->text_bytes || !is_text( v->text + first, end - first, false ) )
		{
			return "a name of the source section is not valid UTF-8 or has control characters";
		}
		first = end;
	}
	return first == v->head->text_bytes
	           ? NULL
	           : "a name of the source section is not valid UTF-8 or has control characters";
}

const char* bvfile_check_source( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_mesh* mesh = content->mesh;
	const bvfile_source* head = (const bvfile_source*)section;
	if ( bytes < sizeof *head || head->reserved ||
	     bytes != sizeof *head +
	                  sizeof( uint32_t ) *
	                      ( head->names + 3 * (uint64_t)head->combinations + 2 * (uint64_t)mesh->triangles ) +
	                  head->text_bytes )
	{
		return "the source section has the wrong size";
	}
	bvfile_source_view v = bvfile_source_view_of( section, mesh->triangles );
	for ( uint32_t i = 0; i < head->combinations; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t name = v.combinations[i][k];
			if ( name >= head->names && name != BVFILE_NO_NAME )
			{
				return "the source section refers to a name that does not exist";
			}
		}
	}
	if ( !bvfile_all_below( v.combination, mesh->triangles, head->combinations ) )
	{
		return "the source section refers to a combination that does not exist";
	}
	return check_names( &v );
}

static bool are_intervals( const bv_interval* interval, size_t count )
{
	bool good = bvfile_all_finite_double( &interval->lower, 2 * count );
	for ( size_t i = 0; i < count; ++i )
	{
		good = good && interval[i].lower >= 0 && interval[i].lower <= interval[i].upper;
	}
	return good;
}

const char* bvfile_check_errors( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_hierarchy* hierarchy = content->hierarchy;
	const bvfile_errors* head = (const bvfile_errors*)section;
	if ( bytes < sizeof *head || head->nodes != hierarchy->nodes || head->levels != hierarchy->depth + 1 ||
	     bytes !=
	         sizeof *head + sizeof( bv_level_errors ) * (uint64_t)head->levels + 2 * (uint64_t)head->nodes )
	{
		return "the error section has the wrong size";
	}
	if ( !( head->relative >= 1e-6 && head->relative <= 1 && head->floor >= 1e-9 && head->floor <= 1 ) )
	{
		return "a tolerance of the error section is out of range";
	}
	bvfile_errors_view v = bvfile_errors_view_of( section );
	size_t first = offsetof( bvfile_errors, surface );
	size_t end = offsetof( bvfile_errors, levels );
	size_t of_level = sizeof( bv_level_errors ) / sizeof( bv_interval );
	if ( !are_intervals( &head->surface, ( end - first ) / sizeof( bv_interval ) ) ||
	     !are_intervals( (const bv_interval*)v.levels, of_level * head->levels ) )
	{
		return "an interval of the error section is invalid";
	}
	return NULL;
}

static bool are_primitives( const bvfile_primitives* p )
{
	const float( *ends )[3] = p->cylinder_ends;
	size_t first = offsetof( bvfile_primitives, sphere_center );
	size_t end = offsetof( bvfile_primitives, intervals );
	return bvfile_is_box( &p->box ) &&
	       bvfile_all_finite( p->sphere_center, ( end - first ) / sizeof( float ) ) &&
	       p->sphere_radius >= 0 && p->capsule_radius >= 0 && p->cylinder_radius > 0 &&
	       ( ends[0][0] != ends[1][0] || ends[0][1] != ends[1][1] || ends[0][2] != ends[1][2] );
}

// The third of each kind's intervals is the greater of the first two.
static bool are_errors( const bv_interval interval[3] )
{
	const bv_interval* a = interval;
	const bv_interval* b = interval + 1;
	return interval[2].lower == ( a->lower > b->lower ? a->lower : b->lower ) &&
	       interval[2].upper == ( a->upper > b->upper ? a->upper : b->upper );
}

const char* bvfile_check_primitives( const char* section, uint64_t bytes, const bvfile_content* content )
{
	(void)content;
	const bvfile_primitives* p = (const bvfile_primitives*)section;
	if ( bytes != sizeof *p || p->reserved )
	{
		return "the primitive section has the wrong size";
	}
	if ( !are_primitives( p ) )
	{
		return "a primitive is invalid";
	}
	if ( !are_intervals( p->intervals[0], 3 * bv_primitive_kinds ) )
	{
		return "an interval of the primitive section is invalid";
	}
	bool within = false;
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		if ( !are_errors( p->intervals[i] ) )
		{
			return "a primitive's error is not the larger of its two distances";
		}
		within = within || p->intervals[i][2].upper <= p->tolerance;
	}
	bool good = p->tolerance > 0 && bvfile_all_finite_double( &p->tolerance, 1 ) &&
	            ( p->best < bv_primitive_kinds ? p->intervals[p->best][2].upper <= p->tolerance
	                                           : p->best == bv_primitive_kinds && !within );
	return good ? NULL : "the best primitive does not match the tolerance";
}

const char* bvfile_check_mass( const char* section, uint64_t bytes, const bvfile_content* content )
{
	(void)content;
	const bvfile_masses* masses = (const bvfile_masses*)section;
	if ( bytes != sizeof *masses || !bvfile_all_zero( masses->reserved, sizeof masses->reserved ) )
	{
		return "the mass section has the wrong size";
	}
	size_t numbers = sizeof masses->mass / ( sizeof( double ) );
	for ( int i = 0; i < 3; ++i )
	{
		if ( masses->has[i] > 1 ||
		     ( !masses->has[i] && !bvfile_all_zero( &masses->mass[i], sizeof masses->mass[i] ) ) )
		{
			return "a flag of the mass section is invalid";
		}
	}
	return bvfile_all_finite_double( &masses->mass[0].mass, numbers )
	           ? NULL
	           : "a number of the mass section is not finite";
}

const char* bvfile_check_body( const char* section, uint64_t bytes, const bvfile_content* content )
{
	(void)content;
	const bvfile_moving_body* body = (const bvfile_moving_body*)section;
	if ( bytes != sizeof *body || !bvfile_all_zero( body->reserved, sizeof body->reserved ) )
	{
		return "the body section has the wrong size";
	}
	if ( body->of > bv_mass_of_hull || body->from_mass > 1 ||
	     ( body->of == bv_mass_of_surface && !body->from_mass ) )
	{
		return "the kind of body is invalid";
	}
	const double( *inertia )[3] = body->mass.inertia;
	bool positive = body->density > 0 && body->mass.mass > 0 && inertia[0][0] >= 0 && inertia[1][1] >= 0 &&
	                inertia[2][2] >= 0;
	return positive && bvfile_all_finite_double( &body->density, 1 + sizeof body->mass / sizeof( double ) )
	           ? NULL
	           : "the body's mass or inertia is out of range";
}
