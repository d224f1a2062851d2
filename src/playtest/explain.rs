//! Causes in the rules, and steps of games that show them.

use crate::catalog::{GameSource, Origin};
use crate::drawing::{Screen, Style};
use crate::engine::{MissingRow, NearMiss, RuleProbe, TriedRule, head_name};
use crate::gdl::{Rule, RuleLiteral, Rules, Term};
use crate::kif::{GroundTerm, LineIndex, in_one_line};
use crate::play::Spec;
use crate::session::{Game, Position, Session};
use crate::util::plural;

use super::games::{GameSetup, PlayedGame, PlayedStep};
use super::values::ValuesOfRules;
use super::{RulePlace, ShownStep};

/// A finding names so many places at most.
pub(super) const MOST_PLACES: usize = 4;

/// Finds causes in the rules, and draws positions.
pub(super) struct Explainer<'e> {
    pub(super) rules: &'e Rules,
    pub(super) roles: &'e [String],
    probe: Option<&'e mut RuleProbe>,
    values: Option<&'e ValuesOfRules>,
    lines: LineIndex<'e>,
    source: &'e GameSource,
    screen: Screen,
}

impl<'e> Explainer<'e> {
    pub(super) fn new(
        game: &'e Game,
        rules: &'e Rules,
        probe: Option<&'e mut RuleProbe>,
        values: Option<&'e ValuesOfRules>,
    ) -> Self {
        Self {
            rules,
            roles: game.roles(),
            probe,
            values,
            lines: LineIndex::new(&game.source().text),
            source: game.source(),
            screen: Screen::survey_anyway(&Session::new(game), Style::UNCOLOURED),
        }
    }

    /// The place of a rule.
    pub(super) fn place(&self, rule: usize, message: impl Into<String>) -> RulePlace {
        let span = self.rules.rules()[rule].span;
        RulePlace {
            line: self.lines.position(span.start).line,
            span,
            message: message.into(),
        }
    }

    /// A rule as it is written, in one line of limited length.
    pub(super) fn rule_text(&self, rule: usize) -> String {
        const MOST: usize = 90;
        let span = self.rules.rules()[rule].span;
        in_one_line(&self.source.text[span.start..span.end], MOST)
    }

    /// The rules that derive `keyword`, and whose first arguments may be these words.
    pub(super) fn rules_for(&self, keyword: &str, first: Option<&str>) -> Vec<usize> {
        let rules = self.rules.rules().iter().enumerate();
        let fits = |rule: &Rule| {
            let Some(first) = first else { return true };
            match arguments(&rule.head).first() {
                Some(Term::Variable(_)) | None => true,
                Some(term) => head_name(term) == first,
            }
        };
        let found = rules.filter(|(_, rule)| head_name(&rule.head) == keyword && fits(rule));
        found.map(|(number, _)| number).collect()
    }

    /// The rules that derive `keyword` of a fact, by what their heads say.
    pub(super) fn rules_giving(&self, keyword: &str, fact: &str) -> Vec<usize> {
        let fact = term_of(fact);
        let mut rules = self.rules_for(keyword, None);
        let of_rule = |rule: usize| arguments(&self.rules.rules()[rule].head);
        rules.retain(|&rule| may_be_same(of_rule(rule), std::slice::from_ref(&fact)));
        rules
    }

    /// The roles and moves that the conditions `does` of all rules ask for.
    pub(super) fn moves_asked_for(&self) -> impl Iterator<Item = &'e [Term]> {
        let literals = self.rules.rules().iter().flat_map(|rule| &rule.body);
        literals.filter_map(|literal| match literal {
            RuleLiteral::Holds(of) | RuleLiteral::Fails(of) if head_name(of) == "does" => {
                Some(arguments(of))
            }
            _ => None,
        })
    }

    /// Whether some rule asks for a move by name, as hardly any does for one that only waits.
    pub(super) fn has_effect(&self, mv: &str) -> bool {
        let mv = term_of(mv);
        let mut asked = self.moves_asked_for();
        asked.any(|asked| asked.get(1) == Some(&mv))
    }

    /// What alone keeps each of `rules` from deriving a head with these arguments in a step; the most telling one first.
    pub(super) fn near_misses(
        &mut self,
        rules: &[usize],
        wanted: &[Option<GroundTerm>],
        position: &Position,
        joint: &[String],
    ) -> Vec<NearMiss> {
        let Some(probe) = self.probe.as_deref_mut() else {
            return Vec::new();
        };
        if probe.look(&position.facts(), joint).is_err() {
            return Vec::new();
        }
        let found = rules
            .iter()
            .map_while(|&rule| probe.near_miss(rule, wanted).ok());
        let mut found: Vec<NearMiss> = found.flatten().collect();
        found.sort_by_key(|miss| (!miss.is_static, !miss.is_positive));
        found
    }

    /// The row of a table that alone keeps one of `rules` from deriving a head with these arguments in a step.
    pub(super) fn missing_row(
        &mut self,
        rules: &[usize],
        wanted: &[Option<GroundTerm>],
        position: &Position,
        joint: &[String],
    ) -> Option<MissingRow> {
        let probe = self.probe.as_deref_mut()?;
        probe.look(&position.facts(), joint).ok()?;
        let mut found = rules
            .iter()
            .map_while(|&rule| probe.missing_row(rule, wanted).ok());
        found.find_map(|row| row)
    }

    /// The rules for `legal` that may give a role a move in some position.
    pub(super) fn move_rules(&self, role: &str) -> Vec<usize> {
        let rules = self.rules_for("legal", Some(role));
        let may_give = |rule: &usize| {
            self.values
                .is_none_or(|values| values.may_move(*rule, role))
        };
        let giving: Vec<usize> = rules.iter().copied().filter(may_give).collect();
        if giving.is_empty() { rules } else { giving }
    }

    /// The rules for a sentence, condition by condition, in a position.
    pub(super) fn why(&mut self, sentence: &Term, position: &Position) -> Vec<TriedRule> {
        let Some(probe) = self.probe.as_deref_mut() else {
            return Vec::new();
        };
        let wanted = arguments(sentence).iter();
        let wanted: Vec<Option<GroundTerm>> =
            wanted.map(|arg| arg.to_string().parse().ok()).collect();
        match probe.look(&position.facts(), &[]) {
            Ok(()) => probe
                .why(head_name(sentence), &wanted, 0)
                .unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    /// The rules that might give a fact in a step, condition by condition.
    pub(super) fn why_not_next(
        &mut self,
        wanted: &[Option<GroundTerm>],
        position: &Position,
        joint: &[String],
    ) -> Vec<TriedRule> {
        let Some(probe) = self.probe.as_deref_mut() else {
            return Vec::new();
        };
        match probe.look(&position.facts(), joint) {
            Ok(()) => probe.why("next", wanted, 0).unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    /// What each of `rules` derives in a step, of those that do.
    pub(super) fn derivations(
        &mut self,
        rules: &[usize],
        position: &Position,
        joint: &[String],
    ) -> Vec<(usize, Vec<Vec<String>>)> {
        let Some(probe) = self.probe.as_deref_mut() else {
            return Vec::new();
        };
        if probe.look(&position.facts(), joint).is_err() {
            return Vec::new();
        }
        let derived = rules
            .iter()
            .map_while(|&rule| Some((rule, probe.derives(rule).ok()?)));
        derived.filter(|(_, rows)| !rows.is_empty()).collect()
    }

    /// The places of rules that nearly apply.
    pub(super) fn places_of(&self, misses: &[NearMiss]) -> Vec<RulePlace> {
        let message = |miss: &NearMiss| match miss.is_static {
            true => format!(
                "all that is missing is {}, which the rules do not list",
                miss.condition
            ),
            false => format!("all that is missing is {}", miss.condition),
        };
        let mut places: Vec<RulePlace> = Vec::new();
        for miss in misses {
            let place = self.place(miss.rule, message(miss));
            if places.len() < MOST_PLACES && places.iter().all(|known| known.span != place.span) {
                places.push(place);
            }
        }
        places
    }

    /// A step as it is shown.
    pub(super) fn step(&mut self, step: &PlayedStep) -> ShownStep {
        self.forget();
        self.draw(&step.before);
        ShownStep {
            before: step.before.facts(),
            ..self.shown(&step.setup, step.ply, &step.joint, &step.after)
        }
    }

    /// The first position of a game.
    pub(super) fn start(&mut self, position: &Position) -> ShownStep {
        self.forget();
        let setup = GameSetup {
            players: vec![Spec::Random { seed: None }; self.roles.len()].into(),
            seed: 1,
            opening: 0,
        };
        self.shown(&setup, 0, &[], position)
    }

    /// The last step of a game.
    pub(super) fn last_step(&mut self, game: &PlayedGame) -> ShownStep {
        self.forget();
        if let Some(before) = &game.before {
            self.draw(before);
        }
        let before = game.before.as_ref();
        ShownStep {
            before: before.map_or(Vec::new(), Position::facts),
            ..self.shown(&game.setup, game.plies, &game.joint, &game.last)
        }
    }

    fn shown(
        &mut self,
        setup: &GameSetup,
        ply: usize,
        joint: &[String],
        position: &Position,
    ) -> ShownStep {
        ShownStep {
            players: setup.players.iter().map(Spec::to_string).collect(),
            seed: setup.seed,
            opening: setup.opening,
            ply,
            joint: joint.to_vec(),
            picture: self.draw(position),
            facts: position.facts(),
            before: Vec::new(),
            command: command(self.source, self.roles, setup, ply),
        }
    }

    fn forget(&mut self) {
        self.screen.forget();
    }

    fn draw(&mut self, position: &Position) -> String {
        self.screen.show(&position.facts())
    }
}

/// The command that plays a game again, up to this ply.
pub(super) fn command(
    source: &GameSource,
    roles: &[String],
    setup: &GameSetup,
    ply: usize,
) -> String {
    let GameSetup {
        players,
        seed,
        opening,
    } = setup;
    let game = match &source.origin {
        Origin::File(path) => in_quotes(&path.display().to_string()),
        Origin::Stdin => "-".to_owned(),
        Origin::Shipped | Origin::Text => in_quotes(&source.name),
    };
    let mut specs: Vec<String> = players.iter().map(Spec::to_string).collect();
    specs.dedup();
    let players = match &specs[..] {
        [all] => format!(" --player {all}"),
        _ => {
            let each = roles.iter().zip(players.iter());
            let each = each
                .map(|(role, spec)| format!(" --player {}", in_quotes(&format!("{role}={spec}"))));
            each.collect()
        }
    };
    let opened = match opening {
        0 => String::new(),
        plies => format!(" --opening {plies}"),
    };
    // An opening is followed by a move at least.
    let max_plies = ply.max(opening + 1);
    format!("kolibri match {game}{players}{opened} --seed {seed} --max-plies {max_plies}")
}

/// Whether two lists of terms may stand for the same ones; every variable may stand for anything.
pub(super) fn may_be_same(one: &[Term], other: &[Term]) -> bool {
    let mut pairs = one.iter().zip(other);
    one.len() == other.len()
        && pairs.all(|pair| match pair {
            (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (Term::Compound(one, args), Term::Compound(other, others)) => {
                one == other && may_be_same(args, others)
            }
            _ => false,
        })
}

/// A ground term from its text.
pub(super) fn term_of(text: &str) -> Term {
    let parsed = text.parse::<GroundTerm>();
    parsed.map_or_else(|_| Term::Constant(text.into()), |ground| term(&ground))
}

fn term(ground: &GroundTerm) -> Term {
    match ground {
        GroundTerm::Constant(word) => Term::Constant(word.as_str().into()),
        GroundTerm::Compound(functor, args) => {
            Term::Compound(functor.as_str().into(), args.iter().map(term).collect())
        }
    }
}

/// The arguments of a sentence.
pub(super) fn arguments(sentence: &Term) -> &[Term] {
    match sentence {
        Term::Compound(_, args) => args,
        Term::Variable(_) | Term::Constant(_) => &[],
    }
}

/// A text as one word of a shell.
fn in_quotes(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// A count with its noun.
pub(super) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        many => format!("{} {}", grouped(many), plural(noun)),
    }
}

/// What stands for so many things.
pub(super) fn pronoun(count: u64) -> &'static str {
    if count == 1 { "it" } else { "they" }
}

/// A number with a comma after every three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<String>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_are_written_as_people_do() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(1000, "game"), "1,000 games");
        assert_eq!(in_quotes("games/a.kif"), "games/a.kif");
        assert_eq!(in_quotes("it's.kif"), r"'it'\''s.kif'");
    }
}
