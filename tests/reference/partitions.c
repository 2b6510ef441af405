// All divisions. See partitions.h.

#include "tests/reference/partitions.h"

static uint32_t parts_of( const uint8_t* part, uint32_t count )
{
	uint32_t greatest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		greatest = part[i] > greatest ? part[i] : greatest;
	}
	return greatest + 1;
}

void partitions_each( uint32_t count, uint32_t fewest, uint32_t most, partitions_visit* visit, void* context )
{
	uint8_t part[partitions_most] = { 0 };
	for ( ;; )
	{
		uint32_t parts = parts_of( part, count );
		if ( parts >= fewest && parts <= most )
		{
			visit( context, part, parts );
		}

		// The last number that can grow does, and all after it start again.
		uint32_t i = count - 1;
		while ( i > 0 && ( part[i] + 1u >= most || part[i] >= parts_of( part, i ) ) )
		{
			--i;
		}
		if ( i == 0 )
		{
			return;
		}
		part[i] += 1;
		for ( uint32_t k = i + 1; k < count; ++k )
		{
			part[k] = 0;
		}
	}
}
