; The parts of a list stand one step deeper than the list, as `kolibri fmt` sets them.

[
  (rule)
  (negation)
  (disjunction)
  (distinction)
  (sentence)
  (compound)
  (list)
] @indent.begin

")" @indent.end @indent.branch

(ERROR "(") @indent.begin

(comment) @indent.ignore
