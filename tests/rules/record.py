#!/usr/bin/env python3
"""Records what the rule files in `kif/` say, in `trace/`, to test Kolibri against.

    python3 tests/rules/record.py            records every file
    python3 tests/rules/record.py --check    only says which traces would change; exit status 1 if any would

This is a naive evaluator of GDL that shares nothing with Kolibri: it derives all facts bottom-up, stratum by stratum,
and has no optimisation but an index. It expects valid rules and needs nothing but Python 3.10 or later.
"""

import itertools
import json
import math
import random
import sys
from collections import defaultdict
from pathlib import Path

KEYWORDS = "init true next role does goal legal terminal base input random not or distinct".split()
SEEDS, PLAYOUTS, MOVES, DEPTH, TRANSITIONS = 24, 4, 24, 10, 1500


# Reading. A word is a string and a list is a tuple.

def read(text):
    text = "\n".join(line.split(";")[0] for line in text.splitlines())
    stack = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token.lower() if token.lower() in KEYWORDS else token)
    assert len(stack) == 1, "parentheses do not match"
    return stack[0]


def show(term):
    return term if isinstance(term, str) else "(" + " ".join(map(show, term)) + ")"


def alternatives(condition, holds=True):
    """The conjunctions of literals (kind, sentence) that a condition amounts to."""
    if condition[0] == "not":
        return alternatives(condition[1], not holds)
    if condition[0] == "or":
        parts = [alternatives(part, holds) for part in condition[1:]]
        return sum(parts, []) if holds else [sum(choice, []) for choice in itertools.product(*parts)]
    if condition[0] == "distinct":
        return [[("differ" if holds else "equal", condition[1:])]]
    return [[("holds" if holds else "fails", condition)]]


def rules_of(sentences):
    for sentence in sentences:
        if sentence[0] != "<=":
            yield sentence, []
            continue
        for choice in itertools.product(*map(alternatives, sentence[2:])):
            # Tests come last, when their variables have values.
            yield sentence[1], sorted(sum(choice, []), key=lambda literal: literal[0] != "holds")


# Deriving.

def relation(sentence):
    return (sentence, -1) if isinstance(sentence, str) else (sentence[0], len(sentence))


def arguments(sentence):
    return () if isinstance(sentence, str) else sentence[1:]


def substitute(term, values):
    if isinstance(term, str):
        return values.get(term, term)
    return tuple(substitute(part, values) for part in term)


def is_ground(term):
    return not term.startswith("?") if isinstance(term, str) else all(map(is_ground, term))


def match(pattern, term, values):
    """`values` with what the variables of the pattern must be, or None."""
    if isinstance(pattern, str):
        if not pattern.startswith("?"):
            return values if pattern == term else None
        if pattern in values:
            return values if values[pattern] == term else None
        return {**values, pattern: term}
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    for part, other in zip(pattern, term):
        values = match(part, other, values)
        if values is None:
            return None
    return values


class Model:
    """The sentences that hold, by relation, and by the value of each argument."""

    def __init__(self, below=None):
        self.known = set(below.known) if below else set()
        self.index = defaultdict(list)
        for key, sentences in below.index.items() if below else ():
            self.index[key] = list(sentences)

    def add(self, sentence):
        if sentence in self.known:
            return False
        self.known.add(sentence)
        self.index[relation(sentence)].append(sentence)
        for place, argument in enumerate(arguments(sentence)):
            self.index[relation(sentence), place, argument].append(sentence)
        return True

    def candidates(self, sentence):
        if is_ground(sentence):
            return [sentence] if sentence in self.known else []
        keys = [relation(sentence)]
        for place, argument in enumerate(arguments(sentence)):
            if is_ground(argument):
                keys.append((relation(sentence), place, argument))
        return min((self.index.get(key, []) for key in keys), key=len)

    def solutions(self, body, values):
        if not body:
            yield values
            return
        (kind, sentence), rest = body[0], body[1:]
        sentence = substitute(sentence, values)
        if kind == "holds":
            for fact in list(self.candidates(sentence)):
                more = match(sentence, fact, values)
                if more is not None:
                    yield from self.solutions(rest, more)
        else:
            assert is_ground(sentence), f"unbound: {sentence}"
            passes = {
                "fails": lambda: sentence not in self.known,
                "differ": lambda: sentence[0] != sentence[1],
                "equal": lambda: sentence[0] == sentence[1],
            }[kind]
            if passes():
                yield from self.solutions(rest, values)

    def close(self, strata):
        for rules in strata:
            grows = True
            while grows:
                grows = False
                for head, body in rules:
                    for values in list(self.solutions(body, {})):
                        grows |= self.add(substitute(head, values))
        return self

    def column(self, name, *first):
        """The last arguments of the sentences of a relation that begin with these."""
        size = len(first) + 2
        return sorted((s[-1] for s in self.index[name, size] if s[1:-1] == first), key=show)


class Game:
    def __init__(self, text):
        rules = list(rules_of(read(text)))
        self.roles = list(dict.fromkeys(head[1] for head, _ in rules if relation(head) == ("role", 2)))
        self.by_rules, self.by_state, self.by_moves = layers(rules)
        self.fixed = Model().close(self.by_rules)
        self.initial = frozenset(self.fixed.column("init"))

    def look(self, state):
        model = Model(self.fixed)
        for fact in state:
            model.add(("true", fact))
        return model.close(self.by_state)

    def after(self, model, joint):
        model = Model(model)
        for role, move in zip(self.roles, joint):
            model.add(("does", role, move))
        return frozenset(model.close(self.by_moves).column("next"))


def layers(rules):
    """The rules in strata: what always holds, what rests on the state, and what rests on the moves."""
    layer = defaultdict(int, {("true", 2): 1, ("does", 3): 2})
    stratum, changed = defaultdict(int), True
    while changed:
        changed = False
        for head, body in rules:
            head = relation(head)
            for kind, sentence in body:
                if kind not in ("holds", "fails"):
                    continue
                at = relation(sentence)
                deeper, later = max(layer[head], layer[at]), max(stratum[head], stratum[at] + (kind == "fails"))
                assert later < 1000, "not stratified"
                changed |= (deeper, later) != (layer[head], stratum[head])
                layer[head], stratum[head] = deeper, later
    parts = [defaultdict(list), defaultdict(list), defaultdict(list)]
    for head, body in rules:
        parts[layer[relation(head)]][stratum[relation(head)]].append((head, body))
    return [[part[number] for number in sorted(part)] for part in parts]


# Recording.

def record_of(game, state, model):
    record = {"state": sorted(map(show, state))}
    record["legal"] = {role: list(map(show, model.column("legal", role))) for role in game.roles}
    record["terminal"] = "terminal" in model.known
    if record["terminal"]:
        values = {role: sorted(int(value) for value in model.column("goal", role)) for role in game.roles}
        record["goals"] = {role: found[0] if len(found) == 1 else None for role, found in values.items()}
        if None in record["goals"].values():
            record["goal_sets"] = values
    return record


def playout(game, seed):
    """The records of a random game, and how it ended."""
    rng, state, records = random.Random(seed), game.initial, []
    while True:
        model = game.look(state)
        records.append(record_of(game, state, model))
        legal = [model.column("legal", role) for role in game.roles]
        if records[-1]["terminal"]:
            return records, "terminal"
        if not all(legal):
            return records, "stuck"
        if len(records) > MOVES:
            return records, "steps"
        joint = [moves[int(rng.random() * len(moves))] for moves in legal]
        records[-1]["moves"] = list(map(show, joint))
        state = game.after(model, joint)


def paths(game):
    """The numbers of sequences of 1, 2, … joint moves, and why there are no more of them."""
    level, counts, transitions = {game.initial: 1}, [], 0
    for _ in range(DEPTH):
        count, chosen = 0, []
        for state, ways in level.items():
            model = game.look(state)
            if "terminal" not in model.known:
                legal = [model.column("legal", role) for role in game.roles]
                chosen.append((model, ways, legal))
                transitions += math.prod(map(len, legal))
                count += ways * math.prod(map(len, legal))
        if count == 0:
            return counts, "exhausted"
        counts.append(count)
        if transitions > TRANSITIONS:
            return counts, "expansions"
        level = defaultdict(int)
        for model, ways, legal in chosen:
            for joint in itertools.product(*legal):
                level[game.after(model, joint)] += ways
    return counts, "depth"


def different_playouts(game):
    """Random games that end differently, as far as there are such, and fewer if all end the same."""
    by_end = {}
    for seed in range(SEEDS):
        records, end = playout(game, seed)
        by_end.setdefault((end, json.dumps(records[-1].get("goals"))), (records, end))
    return list(by_end.values())[:PLAYOUTS]


def trace(file):
    game = Game(file.read_text(encoding="utf-8"))
    perft, perft_stop = paths(game)
    played = different_playouts(game)
    head = {
        "game": file.stem,
        "roles": game.roles,
        "perft": perft,
        "perft_stop": perft_stop,
        "playout_end": [end for _, end in played],
    }
    walks = ",\n".join("[\n" + ",\n".join(map(json.dumps, records)) + "\n]" for records, _ in played)
    return json.dumps(head)[:-1] + ', "playouts": [\n' + walks + "\n]}\n"


def main():
    folder, changed = Path(__file__).parent, []
    for file in sorted((folder / "kif").glob("*.kif")):
        text, target = trace(file), folder / "trace" / f"{file.stem}.json"
        if not target.is_file() or target.read_text(encoding="utf-8") != text:
            changed.append(file.stem)
            if "--check" not in sys.argv:
                target.write_text(text, encoding="utf-8", newline="\n")
    print("changed:", *changed or ["nothing"])
    sys.exit("--check" in sys.argv and bool(changed))


if __name__ == "__main__":
    main()
