; Each depth of parentheses has its own colour, where `editor.rainbow-brackets` is set.

[
  (rule)
  (negation)
  (disjunction)
  (distinction)
  (sentence)
  (compound)
  (list)
] @rainbow.scope

["(" ")"] @rainbow.bracket
