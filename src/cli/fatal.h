// The end of a program whose OpenMP runtime cannot go on.

#pragma once

/// From now on nothing is printed when that happens: the process that waits for this one says it.
void end_without_words( void );
