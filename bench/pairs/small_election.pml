/* The protocol of election.pml, smaller.
 *
 * spin: -o1 -o2 -o3
 * pan: -m300
 */
#define N 6
#include "election.pml"
