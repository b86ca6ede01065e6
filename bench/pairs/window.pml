/* Go-back-N over lines that lose messages: see window.argos.
 *
 * spin: -o1 -o2 -o3
 * pan: -m230000
 */
#ifndef WINDOW
#define WINDOW 3
#endif
#define MODULUS (WINDOW + 1)
#define CYCLE (2 * MODULUS)

chan to_sender = [2] of { byte };
chan to_receiver = [WINDOW] of { byte, byte };

active proctype sender()
{
  byte base, sent, number;

  do
  :: (sent < WINDOW) ->
     if
     :: to_receiver!((base + sent) % MODULUS), ((base + sent) % CYCLE)
     :: skip
     fi;
     sent++
  :: to_sender?number ->
     number = (number + CYCLE - base) % MODULUS + 1;
     if
     :: (number <= sent) ->
        base = (base + number) % CYCLE;
        sent = sent - number
     :: (number > sent)
     fi;
     number = 0
  :: empty(to_sender) -> sent = 0
  od
}

active proctype receiver()
{
  byte expected, number, real;

  do
  :: to_receiver?number, real ->
     if
     :: (number == expected % MODULUS) ->
        assert(real == expected);
        expected = (expected + 1) % CYCLE
     :: (number != expected % MODULUS)
     fi;
     if
     :: to_sender!((expected + CYCLE - 1) % MODULUS)
     :: skip
     fi
  od
}
