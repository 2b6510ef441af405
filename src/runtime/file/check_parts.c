// The checks of PART and PTRI. See check.h.

#include "runtime/file/check.h"

enum
{
	least_corners = 4,
	most_corners = 255,
	words_of_row = 4, // of 64 bits: one for each corner
};

static bool is_interval( const bv_interval* interval )
{
	return bvfile_all_finite_double( &interval->lower, 2 ) && interval->lower >= 0 &&
	       interval->lower <= interval->upper;
}

// The sizes of the arrays, which the places of all of them follow from.
static const char* check_sizes( const bvfile_parts* head, uint64_t bytes )
{
	if ( bytes < sizeof *head )
	{
		return "the part section has the wrong size";
	}
	uint64_t parts = head->parts;
	if ( parts == 0 || parts > bvfile_max_parts || head->vertices < least_corners * parts ||
	     head->vertices > most_corners * parts || head->neighbors > parts * ( parts - 1 ) )
	{
		return "a count of the part section is out of range";
	}
	uint64_t whole = sizeof *head + parts * sizeof( bvfile_part ) +
	                 bvfile_part_nodes( head->parts ) * sizeof( bvfile_part_node ) +
	                 head->vertices * (uint64_t)( 3 * sizeof( float ) ) +
	                 head->neighbors * (uint64_t)sizeof( uint32_t ) +
	                 3 * bvfile_part_faces( head->parts, head->vertices );
	return bytes == whole ? NULL : "the part section has the wrong size";
}

// Before anything of a part is looked at, since the places of what it has follow from these.
static bool are_ranges( const bvfile_parts_view* v )
{
	uint32_t parts = v->head->parts;
	bool good = v->parts[0].first_vertex == 0 && v->parts[0].first_neighbor == 0;
	for ( uint32_t i = 0; i < parts && good; ++i )
	{
		bvfile_part_ends ends = bvfile_part_ends_of( v, i );
		uint32_t vertices = ends.vertex - v->parts[i].first_vertex;
		uint32_t neighbors = ends.neighbor - v->parts[i].first_neighbor;
		good = ends.vertex >= v->parts[i].first_vertex && ends.vertex <= v->head->vertices &&
		       vertices >= least_corners && vertices <= most_corners &&
		       ends.neighbor >= v->parts[i].first_neighbor && ends.neighbor <= v->head->neighbors &&
		       neighbors < parts;
	}
	return good;
}

// The least around its corners, which are finite.
static bool is_box_of( const bvfile_part* part, const float ( *corner )[3], uint32_t count )
{
	bool good = true;
	for ( int k = 0; k < 3; ++k )
	{
		float lower = corner[0][k];
		float upper = corner[0][k];
		for ( uint32_t i = 1; i < count; ++i )
		{
			lower = corner[i][k] < lower ? corner[i][k] : lower;
			upper = corner[i][k] > upper ? corner[i][k] : upper;
		}
		good = good && part->lower[k] == lower && part->upper[k] == upper;
	}
	return good;
}

// Whether every side of a face is run through once, and once the other way by another. With two faces fewer
// than twice the corners that is a sphere cut into triangles, unless it is in several pieces.
static bool is_closed( const uint8_t ( *face )[3], uint64_t faces, uint32_t corners )
{
	uint64_t there[most_corners][words_of_row];
	memset( there, 0, corners * sizeof *there );
	for ( uint64_t i = 0; i < 3 * faces; ++i )
	{
		uint32_t from = face[i / 3][i % 3];
		uint32_t to = face[i / 3][( i + 1 ) % 3];
		if ( from >= corners || to >= corners || from == to )
		{
			return false;
		}
		uint64_t bit = (uint64_t)1 << to % 64;
		if ( there[from][to / 64] & bit )
		{
			return false;
		}
		there[from][to / 64] |= bit;
	}
	bool good = true;
	for ( uint64_t i = 0; i < 3 * faces; ++i )
	{
		uint32_t from = face[i / 3][i % 3];
		uint32_t to = face[i / 3][( i + 1 ) % 3];
		good = good && ( there[to][from / 64] >> from % 64 & 1 );
	}

	// A corner of no face has no side that begins there.
	for ( uint32_t i = 0; i < corners; ++i )
	{
		good = good && ( there[i][0] | there[i][1] | there[i][2] | there[i][3] );
	}
	return good;
}

static const char* check_part( const bvfile_parts_view* v, uint32_t index )
{
	const bvfile_part* part = v->parts + index;
	uint32_t corners = bvfile_part_ends_of( v, index ).vertex - part->first_vertex;
	if ( !bvfile_all_finite_double( &part->mass.mass, sizeof part->mass / sizeof( double ) ) ||
	     !( part->mass.mass > 0 ) )
	{
		return "a part's mass is not positive and finite";
	}
	if ( !is_interval( &part->concavity ) )
	{
		return "an interval of the part section is invalid";
	}
	if ( !is_box_of( part, v->positions + part->first_vertex, corners ) )
	{
		return "a part's box is not the bounding box of its vertices";
	}
	return is_closed( v->faces + bvfile_first_part_face( v, index ), bvfile_part_faces( 1, corners ),
	                  corners )
	           ? NULL
	           : "a part's faces do not form a closed surface";
}

static bool has_neighbor( const bvfile_parts_view* v, uint32_t part, uint32_t wanted )
{
	uint32_t first = v->parts[part].first_neighbor;
	uint32_t last = bvfile_part_ends_of( v, part ).neighbor;
	for ( uint32_t end = last; first < end; )
	{
		uint32_t middle = first + ( end - first ) / 2;
		if ( v->neighbors[middle] < wanted )
		{
			first = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	return first < last && v->neighbors[first] == wanted;
}

// All ascend before any is looked for. There are so few parts that looking for one takes twelve steps at
// most.
static bool are_neighbors( const bvfile_parts_view* v )
{
	bool good = bvfile_all_below( v->neighbors, v->head->neighbors, v->head->parts );
	for ( uint32_t i = 0; i < v->head->parts; ++i )
	{
		uint32_t first = v->parts[i].first_neighbor;
		for ( uint32_t k = first; k < bvfile_part_ends_of( v, i ).neighbor; ++k )
		{
			good = good && v->neighbors[k] != i && ( k == first || v->neighbors[k - 1] < v->neighbors[k] );
		}
	}
	for ( uint32_t i = 0; i < v->head->parts && good; ++i )
	{
		for ( uint32_t k = v->parts[i].first_neighbor; k < bvfile_part_ends_of( v, i ).neighbor && good; ++k )
		{
			good = has_neighbor( v, v->neighbors[k], i );
		}
	}
	return good;
}

static bool encloses( const bvfile_part_node* node, const float lower[3], const float upper[3] )
{
	bool good = true;
	for ( int k = 0; k < 3; ++k )
	{
		good = good && node->lower[k] <= lower[k] && upper[k] <= node->upper[k];
	}
	return good;
}

// An inner node is followed by its first child, and that one's subtree by the second, which ends where the
// node's own does. So subtrees are divided again and again until each node is in its place, without ever
// going back.
static bool is_inner( const bvfile_parts_view* v, uint32_t index, uint32_t count )
{
	const bvfile_part_node* node = v->nodes + index;
	if ( node->next <= index + 1 || node->next > count )
	{
		return false;
	}
	uint32_t first = index + 1;
	uint32_t second = v->nodes[first].next;
	return second > first && second < node->next && v->nodes[second].next == node->next &&
	       encloses( node, v->nodes[first].lower, v->nodes[first].upper ) &&
	       encloses( node, v->nodes[second].lower, v->nodes[second].upper );
}

// Leaves name the parts in order.
static bool is_hierarchy( const bvfile_parts_view* v )
{
	uint32_t count = bvfile_part_nodes( v->head->parts );
	uint32_t leaves = 0;
	bool good = v->nodes[0].next == count;
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		const bvfile_part_node* node = v->nodes + i;
		if ( !bvfile_all_finite( node->lower, 6 ) )
		{
			good = false;
		}
		else if ( node->part == BVFILE_NO_PART )
		{
			good = is_inner( v, i, count );
		}
		else
		{
			good = node->next == i + 1 && node->part == leaves && leaves < v->head->parts &&
			       encloses( node, v->parts[leaves].lower, v->parts[leaves].upper );
			leaves += 1;
		}
	}
	return good && leaves == v->head->parts;
}

// The whole is as far from the shape as the part that is farthest.
static bool is_whole( const bvfile_parts_view* v )
{
	bv_interval most = { 0, 0 };
	for ( uint32_t i = 0; i < v->head->parts; ++i )
	{
		const bv_interval* own = &v->parts[i].concavity;
		most.lower = own->lower > most.lower ? own->lower : most.lower;
		most.upper = own->upper > most.upper ? own->upper : most.upper;
	}
	return v->head->concavity.lower == most.lower && v->head->concavity.upper == most.upper;
}

const char* bvfile_check_parts( const char* section, uint64_t bytes, const bvfile_content* content )
{
	(void)content;
	const bvfile_parts* head = (const bvfile_parts*)section;
	const char* wrong = check_sizes( head, bytes );
	if ( wrong )
	{
		return wrong;
	}
	if ( head->solid > 1 || head->out_of_time > 1 ||
	     !bvfile_all_zero( head->reserved, sizeof head->reserved ) )
	{
		return "a flag of the part section is invalid";
	}
	if ( !bvfile_all_finite_double( &head->tolerance, 2 ) || !( head->tolerance >= 0 ) ||
	     !( head->uncovered >= 0 ) )
	{
		return "a number of the part section is out of range";
	}
	bvfile_parts_view v = bvfile_parts_view_of( section );
	if ( !are_ranges( &v ) )
	{
		return "a part's counts are out of range";
	}
	if ( !bvfile_all_finite( v.positions[0], 3 * (size_t)head->vertices ) )
	{
		return "a position is not finite";
	}
	for ( uint32_t i = 0; i < head->parts && !wrong; ++i )
	{
		wrong = check_part( &v, i );
	}
	return wrong                  ? wrong
	       : !is_whole( &v )      ? "the decomposition's concavity is not that of its worst part"
	       : !are_neighbors( &v ) ? "the neighbors of a part are invalid"
	       : !is_hierarchy( &v )  ? "the hierarchy over the parts is invalid"
	                              : NULL;
}

const char* bvfile_check_part_triangles( const char* section, uint64_t bytes, const bvfile_content* content )
{
	uint32_t parts = content->parts->parts;
	bvfile_part_triangles_view v = bvfile_part_triangles_view_of( section, parts );
	uint64_t firsts = ( (uint64_t)parts + 1 ) * sizeof *v.first;
	if ( bytes < firsts || bytes != firsts + v.first[parts] * (uint64_t)sizeof *v.triangles )
	{
		return "the section of the parts' triangles has the wrong size";
	}
	bool good = v.first[0] == 0 && bvfile_all_below( v.triangles, v.first[parts], content->mesh->triangles );
	for ( uint32_t i = 0; i < parts && good; ++i )
	{
		// Not beyond the end as long as it does not descend from there.
		good = v.first[i] <= v.first[i + 1] && v.first[i + 1] <= v.first[parts];
		for ( uint32_t k = v.first[i] + 1; good && k < v.first[i + 1]; ++k )
		{
			good = v.triangles[k - 1] < v.triangles[k];
		}
	}
	return good ? NULL : "the triangle list of a part is invalid";
}
