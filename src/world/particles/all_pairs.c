// Every particle with every other one: what other methods are compared with.

#include "world/particles/job.h"

static uint64_t bytes( uint32_t of, uint32_t among )
{
	(void)of;
	(void)among;
	return 8;
}

static void prepare( bvwnear_job* job )
{
	(void)job;
}

static void visit( bvwnear_job* job )
{
	for ( uint32_t a = 0; a < job->of.count; ++a )
	{
		for ( uint32_t b = job->is_self ? a + 1 : 0; b < job->among.count; ++b )
		{
			++job->tests;
			if ( !bvwnear_decide( job, a, b ) )
			{
				continue;
			}
			if ( job->is_self )
			{
				bvwnear_keep_pair( job, a, b );
			}
			else
			{
				bvwnear_keep( job, a, b );
			}
		}
	}
}

const bvwnear_method bvwnear_all_pairs = {
	.name = "all-pairs",
	.help = "every particle with every other one",
	.bytes = bytes,
	.prepare = prepare,
	.visit = visit,
	.takes_periods = true,
};
