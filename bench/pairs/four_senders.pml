/* The smallest alternating bit protocol, four times side by side: see four_senders.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m8600000
 */
#define PAIRS 4

mtype = { msg0, msg1, ack0, ack1 };

chan to_sender[PAIRS] = [1] of { mtype };
chan to_receiver[PAIRS] = [1] of { mtype };

active [PAIRS] proctype sender()
{
  do
  :: to_receiver[_pid]!msg1;
     do
     :: to_sender[_pid]?ack1 -> break
     :: to_sender[_pid]?ack0
     :: empty(to_sender[_pid]) -> to_receiver[_pid]!msg1
     od;
     to_receiver[_pid]!msg0;
     do
     :: to_sender[_pid]?ack0 -> break
     :: to_sender[_pid]?ack1
     :: empty(to_sender[_pid]) -> to_receiver[_pid]!msg0
     od
  od
}

#define I (_pid - PAIRS)
active [PAIRS] proctype receiver()
{
  do
  :: to_receiver[I]?msg1 -> to_sender[I]!ack1
  :: to_receiver[I]?msg0 -> to_sender[I]!ack0
  od
}
