//! Checked rules as text again: one rule per line, as it would be written by hand.

use std::fmt::{Display, Formatter, Result};

use crate::gdl::rules::{Rule, RuleLiteral, Term};

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Variable(name) => write!(f, "?{name}"),
            Self::Constant(name) => write!(f, "{name}"),
            Self::Compound(name, arguments) => {
                write!(f, "({name}")?;
                for argument in arguments {
                    write!(f, " {argument}")?;
                }
                write!(f, ")")
            }
        }
    }
}

impl Display for RuleLiteral {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Holds(sentence) => write!(f, "{sentence}"),
            Self::Fails(sentence) => write!(f, "(not {sentence})"),
            Self::Distinct(one, other) => write!(f, "(distinct {one} {other})"),
            Self::Same(one, other) => write!(f, "(not (distinct {one} {other}))"),
        }
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.body.is_empty() {
            return write!(f, "{}", self.head);
        }
        write!(f, "(<= {}", self.head)?;
        for literal in &self.body {
            write!(f, " {literal}")?;
        }
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests {
    use crate::gdl::load;

    #[test]
    fn rules_print_as_they_are_written() {
        let text = "(role a)\n(<= (legal ?p go) (role ?p) (not done) (distinct ?p (b 1)))\n";
        let rest = "(next done)\n(<= terminal (true done))\n(<= (goal ?p 100) (role ?p))\n(<= done (true done))";
        let rules = load(&format!("{text}{rest}")).rules.unwrap();
        let printed: Vec<String> = rules.rules().iter().map(ToString::to_string).collect();
        assert_eq!(printed.join("\n"), format!("{text}{rest}"));
    }
}
