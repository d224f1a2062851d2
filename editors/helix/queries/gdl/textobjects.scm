; A rule is a function, an argument is a parameter.

(rule) @function.around
(rule condition: (_)+ @function.inside)

(sentence argument: (_) @parameter.inside)
(compound argument: (_) @parameter.inside)
(distinction argument: (_) @parameter.inside)

(comment) @comment.inside
(comment)+ @comment.around
