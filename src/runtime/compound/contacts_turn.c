// Other normals for pairs of leaves that overlap along one that the surface of a compound does not have. See contacts.h.
//
// The shortest way out of one leaf can lead into its neighbor. Such a pair has no contacts if moving b out of another pair ends it, too.
// Otherwise the normals of the leaves' faces are tried, those first along which the overlap is the least deep: the first that the
// surface has is taken.

#include "runtime/compound/contacts.h"

enum
{
	most_tries = 16,
	most_points = 16,
	most_failures = 64, // deep in each other most pairs have no normal to turn to
};

// What remains of an overlap and counts as none, as a part of the size of the smaller leaf.
static const double left_over = 0x1p-20;

// Not inlined, as all below that has local variables: nothing of it is on the stack while contacts are found.
BVSIMD_NOINLINE double overlap_along( bvcomp_contacts* q, const bv_vec3* normal )
{
	double height = bvcomp_contacts_highest( q, 0, q->leaf[0], *normal ).height;
	return height + bvcomp_contacts_highest( q, 1, q->leaf[1], bv_negate( *normal ) ).height;
}

BVSIMD_NOINLINE void move_second( bvcomp_contacts* q, double depth, const bv_vec3* normal )
{
	q->other_placement = bvcomp_placement_of( q->side + 1, q->item[1] );
	bv_vec3* at = &q->other_placement.pose.translation;
	*at = bv_add( *at, bv_scale( depth, *normal ) );
	if ( q->is_moved )
	{
		q->other_placement = bv_transform_between( &q->first, &q->other_placement );
	}
}

// Finds the distance of the pair when b is moved along a normal.
static bool measure_moved( bvcomp_contacts* q, double depth, const bv_vec3* normal )
{
	move_second( q, depth, normal );
	return bv_convex_distance( q->shape, q->shape + 1, &q->other_placement, NULL, &q->measured ) == bv_ok;
}

static double left_slack( const bvcomp_contacts* q )
{
	return bvmath_max( left_over * q->size, 2 * q->slack );
}

// Whether b leaves the pair when it leaves those that have contacts.
static bool is_left( bvcomp_contacts* q )
{
	bool found = false;
	for ( uint32_t i = 0; i < q->exit_count && !found; ++i )
	{
		found = overlap_along( q, &q->exit[i].normal ) <= q->exit[i].depth + left_slack( q );
	}
	for ( uint32_t i = 0; i < q->exit_count && !found; ++i )
	{
		found = q->exit[i].depth > 0 && measure_moved( q, q->exit[i].depth, &q->exit[i].normal ) &&
		        q->first.scale * q->measured.lower >= -left_slack( q );
	}
	return found;
}

// Of few points all triples are tried.
static uint32_t faces_of( const bv_convex* shape )
{
	bv_part part;
	switch ( shape->kind )
	{
	case bv_convex_of_box: return 6;
	case bv_convex_of_part: return bv_file_get_part( shape->file, shape->part, &part ) ? part.faces : 0;
	case bv_convex_of_hull: return bv_file_get_hull( shape->file ).faces;
	case bv_convex_of_graph: return shape->first_neighbor[shape->count];
	case bv_convex_of_points:
		return shape->count <= most_points ? shape->count * shape->count * shape->count : 0;
	default: return 0;
	}
}

// A corner, and two of its neighbors that follow each other. Neighbors are not known to be corners.
static bool corners_of_graph( const bv_convex* shape, uint32_t face, uint32_t corner[3] )
{
	const uint32_t* first = shape->first_neighbor;
	if ( face < first[0] )
	{
		return false;
	}
	corner[0] = 0;
	while ( corner[0] + 1 < shape->count && first[corner[0] + 1] <= face )
	{
		++corner[0];
	}
	uint32_t next = face + 1 < first[corner[0] + 1] ? face + 1 : first[corner[0]];
	corner[1] = shape->neighbors[face];
	corner[2] = shape->neighbors[next];
	return corner[1] < shape->count && corner[2] < shape->count;
}

// @return false if there is no such face
static bool corners_of( const bv_convex* shape, uint32_t face, bv_vec3 at[3] )
{
	uint32_t corner[3];
	uint32_t count = shape->count;
	switch ( shape->kind )
	{
	case bv_convex_of_part: bv_file_get_part_triangle( shape->file, shape->part, face, corner ); break;
	case bv_convex_of_hull: bv_file_get_hull_triangle( shape->file, face, corner ); break;
	case bv_convex_of_graph:
		if ( !corners_of_graph( shape, face, corner ) )
		{
			return false;
		}
		break;
	default:
		corner[0] = face / ( count * count );
		corner[1] = face / count % count;
		corner[2] = face % count;
		break;
	}
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = shape->kind == bv_convex_of_part
		            ? bv_file_get_part_vertex( shape->file, shape->part, corner[k] )
		        : shape->kind == bv_convex_of_hull ? bv_file_get_hull_position( shape->file, corner[k] )
		                                           : shape->points[corner[k]];
	}
	return shape->kind != bv_convex_of_points || ( corner[0] < corner[1] && corner[0] < corner[2] );
}

// Whether no point is in front of three.
static bool is_face( const bv_convex* shape, const bv_vec3 at[3], bv_vec3 normal )
{
	double slack = 0x1p-40 * bv_length( normal );
	bool found = true;
	for ( uint32_t i = 0; i < shape->count && found; ++i )
	{
		bv_vec3 from = bv_sub( shape->points[i], at[0] );
		found = bv_dot( normal, from ) <= slack * bv_length( from );
	}
	return found;
}

// @return a vector outwards, of any length, in coordinates of the shape; 0 for none
static bv_vec3 normal_of( const bv_convex* shape, uint32_t face )
{
	const bv_vec3 none = { 0, 0, 0 };
	bv_vec3 at[3];
	if ( shape->kind == bv_convex_of_box )
	{
		return bv_scale( face % 2 == 0 ? 1 : -1, shape->box.axis[face / 2] );
	}
	if ( !corners_of( shape, face, at ) )
	{
		return none;
	}
	bv_vec3 normal = bv_cross( bv_sub( at[1], at[0] ), bv_sub( at[2], at[0] ) );
	return shape->kind != bv_convex_of_points || is_face( shape, at, normal ) ? normal : none;
}

// @return a unit vector from a to b; 0 for none
static bv_vec3 candidate( const bvcomp_contacts* q, uint32_t index )
{
	const bvcomp_turn* t = &q->turn;
	if ( index < t->exits )
	{
		return q->exit[index].normal;
	}
	index -= t->exits;
	int which = index < t->faces[0] ? 0 : 1;
	bv_vec3 own = normal_of( q->shape + which, index - ( which == 0 ? 0 : t->faces[0] ) );
	bv_vec3 normal = bv_normalize( bvcomp_placed_direction( q->side + which, q->item[which], own ) );
	return which == 0 ? normal : bv_negate( normal );
}

BVSIMD_NOINLINE void begin_turn( bvcomp_contacts* q )
{
	q->turn.exits = q->exit_count;
	q->turn.faces[0] = faces_of( q->shape );
	q->turn.faces[1] = faces_of( q->shape + 1 );
	q->turn.index = UINT32_MAX;
	q->turn.depth = 0;
}

// Finds the next normal in the order of depths, and the points that are farthest along it.
// @return false behind the last
BVSIMD_NOINLINE bool next_turn( bvcomp_contacts* q )
{
	bvcomp_turn* t = &q->turn;
	uint32_t count = t->exits + t->faces[0] + t->faces[1];
	double least = INFINITY;
	uint32_t found = count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 along = candidate( q, i );
		double square = bv_dot( along, along );
		double overlap = square > 0.5 && square < 2 ? overlap_along( q, &along ) : INFINITY;
		bool is_next = overlap > t->depth || ( overlap >= t->depth && i > t->index );
		if ( is_next && overlap < least )
		{
			least = overlap;
			found = i;
			t->normal = along;
		}
	}
	t->depth = least;
	t->index = found;
	if ( found == count )
	{
		return false;
	}
	t->end[0] = bvcomp_contacts_highest( q, 0, q->leaf[0], t->normal ).point;
	t->end[1] = bvcomp_contacts_highest( q, 1, q->leaf[1], bv_negate( t->normal ) ).point;
	return true;
}

typedef enum turn_result
{
	turn_none,  // no face has a normal that both surfaces have
	turn_later, // one has, but both leaves do not face each other along it
	turn_done,  // the manifold is along one
} turn_result;

// What is deepest along the normal may be above another leaf. Then that one has the contact, and this one is left by it.
static turn_result turn( bvcomp_contacts* q )
{
	if ( q->separation[q->pair_at - 1] == -INFINITY || ( !q->is_last && q->failures >= most_failures ) )
	{
		return turn_none;
	}
	begin_turn( q );
	for ( int i = 0; i < most_tries && next_turn( q ); ++i )
	{
		bvcomp_contacts_find_along( q, q->turn.normal );
		if ( q->manifold.count > 0 && bvcomp_contacts_allow( q ) )
		{
			return turn_done;
		}
		if ( q->manifold.count == 0 && bvcomp_contacts_allow_at( q, q->turn.end, &q->turn.normal ) )
		{
			return turn_later;
		}
	}
	q->failures += 1;
	return turn_none;
}

// Makes the manifold one contact of leaves that do not face each other along a normal: where they touch first when b comes back along
// it, which is beside both.
BVSIMD_NOINLINE void describe_beside( bvcomp_contacts* q )
{
	const bvcomp_turn* t = &q->turn;
	bv_manifold* m = &q->manifold;
	bv_contact* c = m->contact;
	m->count = 1;
	m->normal = t->normal;
	m->lower = m->upper = c->separation = -t->depth;
	for ( int i = 0; i < 2; ++i )
	{
		bv_vec3 point = q->measured.point[i];
		c->point[i] = q->is_moved ? bv_transform_point( &q->first, point ) : point;
	}
	c->point[1] = bv_sub( c->point[1], bv_scale( t->depth, t->normal ) );
	c->position = bv_scale( 0.5, bv_add( c->point[0], c->point[1] ) );
}

// Finds the contacts of a pair that has no other ones.
static bv_status find_last( bvcomp_contacts* q, turn_result turned )
{
	bv_status status = turned == turn_done ? bv_ok : bvcomp_contacts_find( q, NULL );
	if ( status == bv_ok && turned == turn_later && q->manifold.count > 0 &&
	     measure_moved( q, q->turn.depth, &q->turn.normal ) )
	{
		describe_beside( q );
	}
	return status;
}

static void move_pair( bvcomp_contacts* q, uint32_t to, uint32_t from )
{
	q->pairs[to] = q->pairs[from];
	q->separation[to] = q->separation[from];
}

BVSIMD_NOINLINE void put_off( bvcomp_contacts* q, turn_result turned )
{
	uint32_t at = q->pair_at - 1;
	q->separation[at] = turned == turn_none ? -INFINITY : q->separation[at];
	move_pair( q, q->late_count++, at );
}

// The pair that is looked at. If other pairs are done, it has contacts unless these end it; if not, it may have to come again.
BVSIMD_INLINE bv_status look_at( bvcomp_contacts* q )
{
	if ( is_left( q ) )
	{
		return bv_ok;
	}
	turn_result turned = turn( q );
	if ( turned != turn_done && !q->is_last )
	{
		put_off( q, turned );
		return bv_ok;
	}
	q->found.turned += turned != turn_none;
	bv_status status = find_last( q, turned );
	if ( status == bv_ok && q->manifold.count > 0 )
	{
		bvcomp_contacts_add_exit( q );
		bvcomp_contacts_keep( q );
	}
	return status;
}

static bool comes_first( double separation, uint64_t pair, const bvcomp_contacts* q, uint32_t than )
{
	return separation > q->separation[than] || ( separation >= q->separation[than] && pair < q->pairs[than] );
}

static void sift( bvcomp_contacts* q, uint32_t count, uint32_t at )
{
	uint64_t pair = q->pairs[at];
	double separation = q->separation[at];
	for ( uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && comes_first( q->separation[child], q->pairs[child], q, child + 1 );
		if ( !comes_first( separation, pair, q, child ) )
		{
			break;
		}
		move_pair( q, at, child );
		at = child;
	}
	q->pairs[at] = pair;
	q->separation[at] = separation;
}

// Heapsort of the pairs that overlap along a normal that is not allowed: those that b leaves soonest come first.
BVSIMD_NOINLINE void sort_pairs( bvcomp_contacts* q )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < q->pair_count; ++i )
	{
		if ( q->separation[i] < INFINITY )
		{
			move_pair( q, count++, i );
		}
	}
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sift( q, count, i - 1 );
	}
	for ( uint32_t last = count; last > 1; --last )
	{
		uint64_t pair = q->pairs[0];
		double separation = q->separation[0];
		move_pair( q, 0, last - 1 );
		q->pairs[last - 1] = pair;
		q->separation[last - 1] = separation;
		sift( q, last - 1, 0 );
	}
	q->pair_count = count;
	q->pair_at = q->late_count = q->failures = 0;
	q->is_last = false;
}

// Makes the next pair the one that is looked at. Those without another normal come a second time, last: what is deepest over a
// neighbor has the contacts there.
// @return false behind the last
BVSIMD_NOINLINE bool next_pair( bvcomp_contacts* q )
{
	if ( q->pair_at == q->pair_count && !q->is_last )
	{
		q->pair_count = q->late_count;
		q->pair_at = 0;
		q->is_last = true;
	}
	if ( q->pair_at == q->pair_count )
	{
		return false;
	}
	bvcomp_contacts_place( q, q->pairs[q->pair_at++] );
	return true;
}

bv_status bvcomp_contacts_turn( bvcomp_contacts* q )
{
	bv_status status = bv_ok;
	sort_pairs( q );
	while ( status == bv_ok && next_pair( q ) )
	{
		status = look_at( q );
	}
	return status;
}
