/* The protocol of two_links.pml, once.
 *
 * spin: -o1 -o2 -o3
 * pan: -m1100
 */
#define LINKS 1
#include "two_links.pml"
