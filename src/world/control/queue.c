// The queue of pairs: a heap, the pair with the least lower bound first. See control.h.

#include "world/control/control.h"

static uint32_t* queue_of( const bvw_control* control )
{
	return bvwcontrol_at( control, control->queue_at );
}

static bool comes_before( const bvw_control* control, uint32_t x, uint32_t y )
{
	const bvwcontrol_pair* pairs = bvwcontrol_pairs( control );
	return pairs[x].lower < pairs[y].lower || ( pairs[x].lower == pairs[y].lower && x < y );
}

static void set( bvw_control* control, uint32_t at, uint32_t pair )
{
	queue_of( control )[at] = pair;
	bvwcontrol_pairs( control )[pair].queued = at;
}

static void rise( bvw_control* control, uint32_t at, uint32_t pair )
{
	const uint32_t* queue = queue_of( control );
	while ( at > 0 && comes_before( control, pair, queue[( at - 1 ) / 2] ) )
	{
		set( control, at, queue[( at - 1 ) / 2] );
		at = ( at - 1 ) / 2;
	}
	set( control, at, pair );
}

static void sink( bvw_control* control, uint32_t at, uint32_t pair )
{
	const uint32_t* queue = queue_of( control );
	uint32_t count = control->queue_count;
	for ( uint32_t next = 2 * at + 1; next < count; next = 2 * at + 1 )
	{
		next += next + 1 < count && comes_before( control, queue[next + 1], queue[next] );
		if ( !comes_before( control, queue[next], pair ) )
		{
			break;
		}
		set( control, at, queue[next] );
		at = next;
	}
	set( control, at, pair );
}

void bvwcontrol_queue_put( bvw_control* control, uint32_t pair )
{
	uint32_t at = bvwcontrol_pairs( control )[pair].queued;
	if ( at == BVWCONTROL_NONE )
	{
		at = control->queue_count++;
	}
	rise( control, at, pair );
	at = bvwcontrol_pairs( control )[pair].queued;
	sink( control, at, pair );
}

void bvwcontrol_queue_remove( bvw_control* control, uint32_t pair )
{
	uint32_t at = bvwcontrol_pairs( control )[pair].queued;
	if ( at == BVWCONTROL_NONE )
	{
		return;
	}
	bvwcontrol_pairs( control )[pair].queued = BVWCONTROL_NONE;
	uint32_t last = queue_of( control )[--control->queue_count];
	if ( last != pair )
	{
		bvwcontrol_pairs( control )[last].queued = at;
		bvwcontrol_queue_put( control, last );
	}
}
