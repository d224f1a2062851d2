; Colours. One pattern for each node: editors differ in which one of several counts.

(comment) @spell @comment

["(" ")"] @punctuation.bracket

(arrow) @keyword.operator
[(not) (or) (distinct)] @keyword.operator

(keyword) @keyword
(relation) @function
(function) @constructor

(variable) @variable
(number) @number

; The role that moves by chance, and all other words.
((constant) @constant.builtin
  (#match? @constant.builtin "^[rR][aA][nN][dD][oO][mM]$"))
((constant) @constant
  (#not-match? @constant "^[rR][aA][nN][dD][oO][mM]$"))
