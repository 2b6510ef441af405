// Rays in turns. See flight.h.

#include "runtime/flight.h"

void bv_flight_finish( const bv_lanes* lanes, const bvh_view* view, bv_flight* f )
{
	bv_waiting stack[bv_descent_stack];
	memcpy( stack, f->waiting, f->waiting_count * sizeof *stack );
	while ( bv_flight_visit_next( lanes, view, f, stack ) && bv_flight_take( f, stack ) )
	{
	}
}
