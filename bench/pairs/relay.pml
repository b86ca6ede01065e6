/* Relays in a row: see relay.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m10000000
 */
#define RELAYS 3
#define SLOTS 4
#define NUMBERS 400

chan stage[RELAYS + 1] = [SLOTS] of { short };

active [RELAYS] proctype relay()
{
  short number;

  do
  :: stage[_pid]?number -> stage[_pid + 1]!number
  od
}

active proctype source()
{
  short next;

  do
  :: stage[0]!next -> next = (next + 1) % NUMBERS
  od
}

active proctype goal()
{
  short number, expected;

  do
  :: stage[RELAYS]?number ->
     assert(number == expected);
     expected = (expected + 1) % NUMBERS
  od
}
