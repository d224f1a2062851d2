/**
 * GDL, the Game Description Language, in KIF (prefix) syntax, as Kolibri reads it.
 *
 * Every text with matching parentheses has a tree without errors: what is wrong with the rules beyond that is for
 * `kolibri check` to say. So each place takes whatever may stand there by mistake, for example a rule within a rule.
 */

// White space of Unicode, as the program splits words at it.
const BLANK = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

/** The relations whose meaning GDL fixes. */
const KEYWORDS = ['role', 'init', 'true', 'next', 'legal', 'does', 'goal', 'terminal', 'base', 'input'];

/** A pattern for a word in any case. */
function anyCase(word) {
  return new RegExp(word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
}

module.exports = grammar({
  name: 'gdl',

  extras: ($) => [new RegExp(`[${BLANK}]`), $.comment],

  // Groups of tokens, no nodes of the tree.
  inline: ($) => [$._name, $._any_word, $._any_name, $._connective],

  // Of two tokens of the same length the one that stands first below wins.
  rules: {
    source_file: ($) => repeat($._statement),

    _statement: ($) =>
      choice($.rule, $.negation, $.disjunction, $.distinction, $.sentence, $.list, $.variable),

    // (<= head condition …)
    rule: ($) =>
      seq('(', $.arrow, optional(seq(field('head', $._statement), repeat(field('condition', $._statement)))), ')'),

    negation: ($) => seq('(', $.not, repeat(field('condition', $._statement)), ')'),

    disjunction: ($) => seq('(', $.or, repeat(field('condition', $._statement)), ')'),

    distinction: ($) => seq('(', $.distinct, repeat(field('argument', $._term)), ')'),

    // terminal, (role white), (true (cell 1 1 b))
    sentence: ($) =>
      choice(
        field('name', choice($.keyword, alias($._name, $.relation), alias($._connective, $.relation))),
        seq('(', field('name', choice($.keyword, alias($._name, $.relation))), repeat(field('argument', $._term)), ')'),
      ),

    _term: ($) => choice($.variable, $.number, alias($._any_word, $.constant), $.compound, $.list),

    // (cell 1 1 b), a fact or a move
    compound: ($) =>
      seq('(', field('name', alias($._any_name, $.function)), repeat(field('argument', $._term)), ')'),

    // A list without a name, which no rule has.
    list: ($) => seq('(', optional(seq(choice($.variable, $.compound, $.list), repeat($._term))), ')'),

    _name: ($) => choice($._word, $._digits),
    _any_word: ($) => choice($._word, $.keyword, $._connective),
    _any_name: ($) => choice($._any_word, $._digits),
    _connective: ($) => choice($.arrow, $.not, $.or, $.distinct),

    number: ($) => $._digits,

    arrow: () => '<=',
    not: () => anyCase('not'),
    or: () => anyCase('or'),
    distinct: () => anyCase('distinct'),
    keyword: () => choice(...KEYWORDS.map(anyCase)),
    variable: () => new RegExp(`\\?[^${BLANK}();]*`),
    _digits: () => /[0-9]+/,
    _word: () => new RegExp(`[^${BLANK}();?][^${BLANK}();]*`),
    comment: () => /;[^\r\n]*/,
  },
});
