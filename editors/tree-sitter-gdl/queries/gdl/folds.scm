; A rule or a condition of several lines folds.

[
  (rule)
  (negation)
  (disjunction)
  (distinction)
  (sentence)
  (compound)
  (comment)+
] @fold
