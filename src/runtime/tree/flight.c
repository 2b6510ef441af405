// Rays in turns. See flight.h.

#include "runtime/tree/flight.h"

void bvtree_flight_finish( const bvtree_lanes* lanes, const bvfile_view* view, bvtree_flight* f )
{
	bvtree_waiting stack[bvtree_descent_stack];
	memcpy( stack, f->waiting, f->waiting_count * sizeof *stack );
	while ( bvtree_flight_visit_next( lanes, view, f, stack ) && bvtree_flight_take( f, stack ) )
	{
	}
}
