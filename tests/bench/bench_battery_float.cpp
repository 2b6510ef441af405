// Bullet in single precision about the battery: bench_battery_float FROM prints one line per pair, from the pair FROM on. For
// bench_battery, as one program cannot have both precisions of Bullet.

#include "tests/bench/peer_bullet_battery.h"

#include <cstdlib>

static_assert( sizeof( btScalar ) == sizeof( float ), "Bullet's single precision build" );

int main( int argc, char** argv )
{
	bullet_battery peer( "Bullet float" );
	battery_ask_all( &peer, argc > 1 ? strtoul( argv[1], nullptr, 10 ) : 0 );
	return 0;
}
