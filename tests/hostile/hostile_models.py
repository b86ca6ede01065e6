# SPDX-License-Identifier: Apache-2.0
"""Models that ask for more than there is: many errors, deep trails, wide states, large assertions.

A model depends on its number alone. Each is a few lines of legal Argos, or nearly so, and none is
meant to be understood: what matters is that whoever is given one keeps to time and memory.
"""

import random


def many_groups(chance):
    """Processes that each choose a place to wait for ever: a deadlock for every choice."""
    members, places = chance.randint(2, 7), chance.randint(2, 14)
    options = " ".join(f":: skip -> c[i]?a{place}" for place in range(places))
    return f"proc p[i : 0..{members - 1}] channel c[1]; {{ if {options} fi }}\n"


def many_receptions(chance):
    """Messages that nobody takes, in many states."""
    messages, states = chance.randint(2, 40), chance.randint(2, 60)
    sends = " ".join(f":: to!m{message}" for message in range(messages))
    body = "; ".join(f"if :: skip -> to?x{state} :: skip fi" for state in range(states))
    return (f"channel to[{chance.randint(1, 6)}];\nproc a {{ do {sends} od }}\n"
            f"proc b {{ {body}; to?y }}\n")


def deep_trails(chance):
    """A long way to very many errors."""
    depth, errors = chance.choice([100, 3000, 30000, 32000]), chance.randint(1, 1000)
    asserts = " ".join(f":: assert(x == {error})" for error in range(errors))
    return (f"proc p {{ var x; do :: (x < {depth}) -> x = x + 1 :: (x == {depth}) -> break od;\n"
            f"if {asserts} fi }}\n")


def nested_counters(chance):
    """A way so long that a depth-first path of it has no room."""
    size = chance.randint(10, 32000)
    return (f"proc p {{ var x, y; do :: (x < {size}) -> x++ :: (x == {size}) -> x = 0; "
            f"y++; assert(y < {chance.randint(2, 3000)}) od }}\n")


def wide_states(chance):
    """Many processes that all can move, each in several ways."""
    members, values = chance.randint(50, 1000), chance.choice([2, 4, 16, 256])
    ways = " ".join(f":: a = (a + {way + 1}) % {values}" for way in range(chance.randint(1, 6)))
    return f"proc p[i : 0..{members - 1}] {{ var a : 0..{values - 1}; do {ways} od }}\n"


def wide_channels(chance):
    """Long queues of messages with values."""
    capacity = chance.choice([64, 500, 2000, 4096])
    return (f"channel c[{capacity}];\nproc a {{ var x; do :: c!m(x) -> x++ :: c!n od }}\n"
            f"proc b {{ var y; do :: c?m(y) :: c?n :: c!m(y) od }}\n")


def large_assertions(chance):
    """Assertions whose sets of states are exponentially many."""
    count, size = chance.randint(1, 200), chance.randint(4, 17)
    steps = " ".join("if :: mon!a :: mon!b fi;" for _ in range(size))
    return ("sink mon;\nproc p { do :: mon!a :: mon!b od }\n"
            f"assert big[i : 0..{count - 1}] "
            f"{{ do :: mon!a :: mon!b :: mon!a -> {steps} break od }}\n")


def long_process(chance):
    """Very many statements in a row."""
    count = chance.choice([1000, 5000, 20000])
    statement = chance.choice(["c!m", "x = x + 1", "c!m(x)", "skip"])
    return "sink c;\nproc p { var x; " + "; ".join([statement] * count) + " }\n"


def long_assertion(chance):
    count = chance.choice([500, 2000, 8000])
    return ("sink c;\nproc p { do :: c!m :: c!n od }\nassert { "
            + "; ".join(["c!m"] * count) + " }\n")


def many_options(chance):
    """States with very many successors."""
    members, options = chance.randint(1, 40), chance.randint(10, 500)
    ways = " ".join(f":: x = {way}" for way in range(options))
    return f"proc p[i : 0..{members - 1}] {{ var x; do {ways} od }}\n"


def inlined_procedures(chance):
    """Procedures that call each other twice: twice as much at every level."""
    levels = chance.randint(5, 25)
    text = "procedure p0() { x = x + 1 }\n"
    for level in range(1, levels):
        text += f"procedure p{level}() {{ p{level - 1}(); p{level - 1}() }}\n"
    return f"var x;\n{text}proc main {{ p{levels - 1}() }}\n"


def growing_macros(chance):
    levels = chance.randint(5, 40)
    text = "#define m0 x = x + 1;\n"
    for level in range(1, levels):
        text += f"#define m{level} m{level - 1} m{level - 1}\n"
    return f"{text}var x;\nproc main {{ m{levels - 1} skip }}\n"


def many_messages(chance):
    count = chance.randint(100, 3000)
    sends = " ".join(f":: c!m{message}" for message in range(count))
    receives = " ".join(f":: c?m{message}" for message in range(0, count, 2))
    return (f"channel c[{chance.randint(1, 40)}];\nproc a {{ do {sends} od }}\n"
            f"proc b {{ do {receives} od }}\n")


def spinning(chance):
    """Livelocks of many shapes."""
    members, places = chance.randint(1, 6), chance.randint(2, 12)
    options = " ".join(f":: skip -> do :: x = {place} -> x = {place + 1} od"
                       for place in range(places))
    return f"proc p[i : 0..{members - 1}] {{ var x; if {options} fi }}\n"


def unread(chance):
    count = chance.randint(10, 1000)
    return (f"channel c[0..{count - 1}][1];\nproc a {{ var i; do :: (i < {count}) -> "
            f"if :: c[i]!m :: skip fi; i++ :: (i == {count}) -> break od }}\n")


def deep_nesting(chance):
    depth = chance.choice([50, 190, 5000])
    return "proc p { " + "if :: " * depth + "skip" + " fi" * depth + " }\n"


def product(chance):
    """More states than anything holds, and nothing wrong with them."""
    members = chance.randint(3, 12)
    return (f"channel ring[0..{members - 1}][2];\nproc p[i : 0..{members - 1}] {{ var x : 0..63; "
            f"do :: ring[(i + 1) % {members}]!m(x) :: ring[i]?m(x) :: x = (x + 1) % 64 od }}\n")


KINDS = [many_groups, many_receptions, deep_trails, nested_counters, wide_states, wide_channels,
         large_assertions, long_process, long_assertion, many_options, inlined_procedures,
         growing_macros, many_messages, spinning, unread, deep_nesting, product]

SEARCHES = [[], [], ["--search", "exhaustive"], ["--search", "exhaustive", "--order", "depth"],
            ["--search", "supertrace"], ["--search", "supertrace", "--runs", "3"],
            ["--search", "scatter"], ["--search", "stack"], ["--search", "cache"],
            ["--search", "walk"], ["--store", "compact"], ["--store", "hash"],
            ["--search", "exhaustive", "--keep-graph"], ["--stepper", "interpreter"],
            ["--reduce", "internal"], ["--first"]]
REPORTS = [["--json"], ["--json"], [], ["--chart", "text"], ["--steps", "--stats"], ["--strict"],
           ["--receptions", "any", "--json"]]


def model(number):
    """The text of a model, what kind it is, and options for a check of it."""
    chance = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    return kind(chance), kind.__name__, chance.choice(SEARCHES) + chance.choice(REPORTS)
