; Colours by the scopes of Helix. One pattern for each node.

(comment) @comment.line

["(" ")"] @punctuation.bracket

[(arrow) (not) (or) (distinct)] @keyword.operator

(keyword) @keyword
(relation) @function
(function) @constructor

(variable) @variable.parameter
(number) @constant.numeric.integer

; The role that moves by chance, and all other words.
((constant) @constant.builtin
  (#match? @constant.builtin "^[rR][aA][nN][dD][oO][mM]$"))
((constant) @constant
  (#not-match? @constant "^[rR][aA][nN][dD][oO][mM]$"))
