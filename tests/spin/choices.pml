byte sum;

active [2] proctype roller()
{
  byte rolled, tries;
again:
  atomic {
    (sum < 12) ->
    if
    :: rolled = 1
    :: rolled = 2
    :: rolled = 3
    fi;
    do
    :: (rolled > 0) -> rolled--; sum++
    :: (rolled == 0) -> break
    od;
    if
    :: (sum > 9) -> goto out
    :: (sum <= 9) -> tries = (tries + 1) % 4
    fi;
    tries = (tries + 1) % 4
  };
  goto again;
out:
  sum = 0;
  tries = 0;
  (false)
}
