/* Processes that count in a shared variable and lose updates: see counters.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m200
 */
#define PROCESSES 3
#define ROUNDS 5

byte total;

active [PROCESSES] proctype counter()
{
  byte copy, round;

  do
  :: (round < ROUNDS) ->
     copy = total;
     copy = copy + 1;
     total = copy;
     round++
  :: (round == ROUNDS) -> break
  od;
  assert(total >= 1);
end_counted:
  false
}
