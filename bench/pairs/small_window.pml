/* The protocol of window.pml, smaller.
 *
 * spin: -o1 -o2 -o3
 * pan: -m30000
 */
#define WINDOW 2
#include "window.pml"
