; A variable belongs to its rule. Where it stands first counts as its definition.

(rule) @local.scope

(rule head: (sentence argument: (variable) @local.definition))
(rule head: (sentence argument: (compound argument: (variable) @local.definition)))

(variable) @local.reference
