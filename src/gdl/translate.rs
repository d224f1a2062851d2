//! Translation of GDL sentences to Datalog atoms.
//!
//! `true` and `does` are looked up far more often than other relations, so `(true (cell ?x ?y x))` does not become a
//! relation of compound terms but one relation per functor, `true cell`, with a column per argument; `(does ?role (mark ?x
//! ?y))` likewise, with the role in front. Where rules have a variable in place of a whole fluent or move, there is a
//! relation of whole terms as well. `next`, `init`, `legal` and all other sentences keep their arguments.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::datalog::{
    Atom, Clause, DatalogError, Functor, Growth, Literal, Pattern, Pred, Program, TermId, Terms,
};
use crate::gdl::{Rule, RuleLiteral, Rules, Term};
use crate::kif::GroundTerm;

/// The level of what depends on the state alone.
pub const STATE: usize = 1;
/// The level of what depends on the joint move too.
pub const JOINT_MOVE: usize = 2;

/// The relations of a [`Program`] that stand for GDL's keywords.
#[derive(Debug, Clone)]
pub struct GdlRelations {
    /// The roles, in order.
    pub roles: Vec<TermId>,
    /// `(init fact)`.
    pub init: Pred,
    /// `(next fact)`.
    pub next: Pred,
    /// `(legal role move)`.
    pub legal: Pred,
    /// `(goal role value)`.
    pub goal: Pred,
    /// `terminal`.
    pub terminal: Pred,
    /// `(true fact)`: the base propositions.
    pub base: InputRelations,
    /// `(does role move)`: the input propositions.
    pub input: InputRelations,
}

/// The input relations of a state's facts (base propositions) or of a joint move (input propositions).
#[derive(Debug, Clone, Default)]
pub struct InputRelations {
    /// One relation per functor that the rules mention.
    pub by_functor: FxHashMap<Functor, Pred>,
    /// The relation of whole terms, where the rules need it.
    pub whole_terms: Option<Pred>,
}

/// Translates checked rules.
pub fn translate(rules: &Rules) -> (Program, GdlRelations) {
    let mut program = Program::default();
    let roles = rules
        .roles()
        .iter()
        .map(|role| ground(&mut program, role))
        .collect();
    let [init, next] = ["init", "next"].map(|name| program.pred(name, 1));
    let [legal, goal] = ["legal", "goal"].map(|name| program.pred(name, 2));
    let terminal = program.pred("terminal", 0);
    let relations = GdlRelations {
        roles,
        init,
        next,
        legal,
        goal,
        terminal,
        base: InputRelations::default(),
        input: InputRelations::default(),
    };
    let mut translator = Translator {
        program,
        relations,
        variables: Vec::new(),
    };
    for rule in rules.rules() {
        translator.rule(rule);
    }
    (translator.program, translator.relations)
}

fn ground(program: &mut Program, term: &Term) -> TermId {
    match term {
        Term::Variable(name) | Term::Constant(name) => program.terms.word(name),
        Term::Compound(name, args) => {
            let args: Vec<TermId> = args.iter().map(|arg| ground(program, arg)).collect();
            let functor = program.terms.functor(name, Some(args.len()));
            program.terms.intern(functor, &args)
        }
    }
}

/// The id of a ground term, which is stored if it is new.
pub fn intern(terms: &mut Terms, term: &GroundTerm) -> TermId {
    match term {
        GroundTerm::Constant(word) => terms.word(word),
        GroundTerm::Compound(functor, args) => {
            let args: Vec<TermId> = args.iter().map(|arg| intern(terms, arg)).collect();
            let functor = terms.functor(functor, Some(args.len()));
            terms.intern(functor, &args)
        }
    }
}

/// Adds the line of the rule that was being applied when a limit was passed; nothing is said of relations that are not the
/// author's.
pub fn locate(error: DatalogError, rules: &Rules) -> DatalogError {
    match error {
        DatalogError::Exhausted { why, growth } => DatalogError::Exhausted {
            why,
            growth: growth.and_then(|growth| locate_growth(growth, rules)),
        },
        other => other,
    }
}

/// The same for a working memory.
pub fn locate_growth(growth: Growth, rules: &Rules) -> Option<Growth> {
    let (relation, functor) = match growth.relation.strip_prefix("true ") {
        Some(fact) => ("next", Some(fact.trim_matches(['(', ')']))),
        None => (growth.relation.as_str(), growth.functor.as_deref()),
    };
    let derives = |rule: &&(usize, &Rule)| derives(&rule.1.head, relation, functor);
    let mut found: Vec<(usize, &Rule)> = rules.rules().iter().enumerate().collect();
    found.retain(|rule| derives(&rule));
    found.sort_by_key(|(_, rule)| Reverse((depth_of_variables(&rule.head), !rule.body.is_empty())));
    let (index, _) = *found.first()?;
    Some(Growth {
        relation: relation.to_owned(),
        functor: functor.map(str::to_owned),
        line: rules.lines.get(index).copied(),
        ..growth
    })
}

fn derives(head: &Term, relation: &str, functor: Option<&str>) -> bool {
    let name = |term: &Term| match term {
        Term::Variable(_) => None,
        Term::Constant(name) | Term::Compound(name, _) => Some(Arc::clone(name)),
    };
    let first = match head {
        Term::Compound(_, args) => args.first().and_then(name),
        Term::Variable(_) | Term::Constant(_) => None,
    };
    name(head).as_deref() == Some(relation)
        && functor.is_none_or(|functor| first.as_deref() == Some(functor))
}

/// How deep variables are nested in a head: what grows is deepest.
fn depth_of_variables(term: &Term) -> usize {
    match term {
        Term::Variable(_) => 1,
        Term::Constant(_) => 0,
        Term::Compound(_, args) => match args.iter().map(depth_of_variables).max() {
            None | Some(0) => 0,
            Some(depth) => depth + 1,
        },
    }
}

struct Translator {
    program: Program,
    relations: GdlRelations,
    /// The variables of the rule at hand; a variable's number is its place.
    variables: Vec<Arc<str>>,
}

impl Translator {
    fn rule(&mut self, rule: &Rule) {
        self.variables.clear();
        let head = self.atom(&rule.head);
        let body = rule
            .body
            .iter()
            .map(|literal| self.literal(literal))
            .collect();
        self.program.add(Clause {
            head,
            body,
            variables: self.variables.len(),
        });
    }

    fn literal(&mut self, literal: &RuleLiteral) -> Literal {
        match literal {
            RuleLiteral::Holds(sentence) => Literal::Positive(self.atom(sentence)),
            RuleLiteral::Fails(sentence) => Literal::Negative(self.atom(sentence)),
            RuleLiteral::Distinct(left, right) => {
                Literal::Distinct(self.pattern(left), self.pattern(right))
            }
            RuleLiteral::Same(left, right) => {
                Literal::Same(self.pattern(left), self.pattern(right))
            }
        }
    }

    fn atom(&mut self, sentence: &Term) -> Atom {
        match sentence {
            Term::Compound(name, args) if &**name == "true" && args.len() == 1 => {
                self.input_atom("true", STATE, &[], &args[0])
            }
            Term::Compound(name, args) if &**name == "does" && args.len() == 2 => {
                self.input_atom("does", JOINT_MOVE, &args[..1], &args[1])
            }
            Term::Compound(name, args) => {
                let args: Vec<Pattern> = args.iter().map(|arg| self.pattern(arg)).collect();
                // A sentence with empty parentheses is not the bare word.
                let name = if args.is_empty() {
                    format!("({name})")
                } else {
                    name.to_string()
                };
                Atom {
                    pred: self.program.pred(&name, args.len()),
                    args,
                }
            }
            Term::Constant(name) | Term::Variable(name) => Atom {
                pred: self.program.pred(name, 0),
                args: Vec::new(),
            },
        }
    }

    /// A `true` or `does` sentence about `subject`, with the role, if any, in front.
    fn input_atom(&mut self, keyword: &str, level: usize, front: &[Term], subject: &Term) -> Atom {
        let mut args: Vec<Pattern> = front.iter().map(|term| self.pattern(term)).collect();
        let (name, functor) = match subject {
            Term::Variable(_) => {
                args.push(self.pattern(subject));
                (keyword.to_owned(), None)
            }
            Term::Constant(word) => (
                format!("{keyword} {word}"),
                Some(self.program.terms.functor(word, None)),
            ),
            Term::Compound(word, inner) => {
                args.extend(inner.iter().map(|term| self.pattern(term)));
                let functor = self.program.terms.functor(word, Some(inner.len()));
                (format!("{keyword} ({word})"), Some(functor))
            }
        };
        let pred = self.program.pred(&name, args.len());
        self.program.declare_input(pred, level);
        let relations = if level == STATE {
            &mut self.relations.base
        } else {
            &mut self.relations.input
        };
        match functor {
            Some(functor) => _ = relations.by_functor.insert(functor, pred),
            None => relations.whole_terms = Some(pred),
        }
        Atom { pred, args }
    }

    fn pattern(&mut self, term: &Term) -> Pattern {
        match term {
            Term::Variable(name) => Pattern::Var(self.variable(name)),
            Term::Constant(name) => Pattern::Ground(self.program.terms.word(name)),
            Term::Compound(name, args) => self.compound(name, args),
        }
    }

    fn compound(&mut self, name: &str, args: &[Term]) -> Pattern {
        let args: Vec<Pattern> = args.iter().map(|arg| self.pattern(arg)).collect();
        let functor = self.program.terms.functor(name, Some(args.len()));
        let ground: Option<Vec<TermId>> = args
            .iter()
            .map(|arg| match arg {
                Pattern::Ground(term) => Some(*term),
                Pattern::Var(_) | Pattern::Compound(..) => None,
            })
            .collect();
        match ground {
            Some(args) => Pattern::Ground(self.program.terms.intern(functor, &args)),
            None => Pattern::Compound(functor, args),
        }
    }

    fn variable(&mut self, name: &Arc<str>) -> usize {
        self.variables
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.variables.push(Arc::clone(name));
                self.variables.len() - 1
            })
    }
}
