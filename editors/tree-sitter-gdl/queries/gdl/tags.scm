; Relations are defined by facts and by the heads of rules, and read in conditions.

(source_file
  (sentence name: [(relation) (keyword)] @name) @definition.function)

(rule
  head: (sentence name: [(relation) (keyword)] @name)) @definition.function

(rule
  condition: (sentence name: (relation) @name) @reference.call)
(negation
  condition: (sentence name: (relation) @name) @reference.call)
(disjunction
  condition: (sentence name: (relation) @name) @reference.call)
