/* Relays of messages with three values: see wide_relay.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m8200000
 */
#define RELAYS 2
#define SLOTS 4
#define NUMBERS 3400

chan stage[RELAYS + 1] = [SLOTS] of { short, short, short };

active [RELAYS] proctype relay()
{
  short number, product, remainder;

  do
  :: stage[_pid]?number, product, remainder -> stage[_pid + 1]!number, product, remainder
  od
}

active proctype source()
{
  short next;

  do
  :: stage[0]!next, next * 4, 16000 - next -> next = (next + 1) % NUMBERS
  od
}

active proctype goal()
{
  short number, product, remainder, expected;

  do
  :: stage[RELAYS]?number, product, remainder ->
     assert(number == expected && number + remainder == 16000);
     expected = (expected + 1) % NUMBERS
  od
}
