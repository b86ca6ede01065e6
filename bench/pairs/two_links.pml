/* The alternating bit protocol over a lossy link, twice side by side: see two_links.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m4100000
 */
#ifndef LINKS
#define LINKS 2
#endif

mtype = { msg0, msg1, ack0, ack1 };

chan to_sender[LINKS] = [1] of { mtype };
chan to_receiver[LINKS] = [1] of { mtype };
chan to_link[LINKS] = [1] of { mtype };
chan to_user[LINKS] = [1] of { mtype };

active [LINKS] proctype sender()
{
  do
  :: to_link[_pid]!msg1;
     do
     :: to_sender[_pid]?ack1 -> break
     :: to_sender[_pid]?ack0
     :: empty(to_sender[_pid]) -> to_link[_pid]!msg1
     od;
     to_link[_pid]!msg0;
     do
     :: to_sender[_pid]?ack0 -> break
     :: to_sender[_pid]?ack1
     :: empty(to_sender[_pid]) -> to_link[_pid]!msg0
     od
  od
}

#define I (_pid - LINKS)
active [LINKS] proctype receiver()
{
await1:  /* a loop at the start of a loop would be a state twice */
  if
  :: to_receiver[I]?msg1 -> to_link[I]!ack1; to_user[I]!msg1
  :: to_receiver[I]?msg0 -> to_link[I]!ack0; goto await1
  fi;
await0:
  if
  :: to_receiver[I]?msg0 -> to_link[I]!ack0; to_user[I]!msg0; goto await1
  :: to_receiver[I]?msg1 -> to_link[I]!ack1; goto await0
  fi
}

#define J (_pid - 2 * LINKS)
active [LINKS] proctype user()
{
  do
  :: to_user[J]?_
  od
}

#define K (_pid - 3 * LINKS)
active [LINKS] proctype link()
{
  do
  :: to_link[K]?msg0 -> if :: to_receiver[K]!msg0 :: skip fi
  :: to_link[K]?msg1 -> if :: to_receiver[K]!msg1 :: skip fi
  :: to_link[K]?ack0 -> if :: to_sender[K]!ack0 :: skip fi
  :: to_link[K]?ack1 -> if :: to_sender[K]!ack1 :: skip fi
  od
}
