//! What the computer thinks of a position, and how strong it plays.

use std::io;
use std::time::Duration;

use crate::game::is_chance;
use crate::play::{
    Found, LEVELS, MinimaxSettings, SearchLimits, Searcher, Session, Spec, check_fit,
};
use crate::search::MAX_DEPTH;
use crate::session::START_CLOCK;
use crate::state_space::SolvedValue;
use crate::terminal::interactive::{AfterLine, Dialogue, Ended, STRONG};
use crate::terminal::words::{contributions_text, wrapped};

/// How long the computer thinks about a question.
const TIME: Duration = Duration::from_secs(1);

impl Dialogue<'_> {
    /// The move that the computer would play for `role`.
    pub(super) fn hint(&mut self, role: Option<usize>) -> io::Result<AfterLine> {
        if let Some((mv, value)) = role.and_then(|role| self.solved_move(role)) {
            writeln!(self.output, "try {STRONG}{mv}{STRONG:#} ({value})")?;
            return self.unless_interrupted();
        }
        let found = match role {
            Some(role) => self.think(role, TIME)?,
            None => None,
        };
        match found {
            None => writeln!(self.output, "there is nothing to choose")?,
            Some(found) => {
                let value = if found.exact { "exact value" } else { "value" };
                let (mv, goal) = (found.best, found.value.goal());
                writeln!(self.output, "try {STRONG}{mv}{STRONG:#} ({value} {goal})")?;
            }
        }
        self.unless_interrupted()
    }

    /// What each role can expect of the position.
    pub(super) fn eval(&mut self) -> io::Result<AfterLine> {
        if let Some(end) = self.end() {
            return self.stay(&end);
        }
        let roles = self.roles_of_players();
        let time = TIME / u32::try_from(roles.len()).unwrap_or(1).max(1);
        for (role, name) in roles {
            if let Some(value) = self.solved_value(role) {
                writeln!(self.output, "{name} can expect {value}")?;
                continue;
            }
            let Some(found) = self.think(role, time)? else {
                continue;
            };
            if self.players.interrupts.was_cut_short() {
                break;
            }
            let value = if found.exact { "exactly" } else { "about" };
            let (points, depth) = (found.value.points(), found.depth);
            let words = format!("{name} can expect {value} {points:.0} points, depth {depth}");
            let used = words.chars().count() + 2;
            let line = match wrapped(&found.line, (used, self.screen.width())) {
                none if none.is_empty() => none,
                line => format!(": {line}"),
            };
            writeln!(self.output, "{words}{line}")?;
        }
        self.unless_interrupted()
    }

    /// What the position is worth to a role, if the solution tells.
    fn solved_value(&self, role: usize) -> Option<String> {
        let solved = self.solution.as_ref()?;
        solved.check_role(role).ok()?;
        let value = solved.value(self.session.position())?;
        let points = solved.points(value, role);
        Some(match value {
            SolvedValue::Goal { plies, .. } => format!("exactly {points} points in {plies} plies"),
            SolvedValue::Endless => "a game without end".to_owned(),
        })
    }

    /// The best move of a role, if the solution tells, and what it is worth.
    fn solved_move(&self, role: usize) -> Option<(String, String)> {
        let value = self.solved_value(role)?;
        let position = self.session.position();
        let moves = self.solution.as_ref()?.moves(position).into_iter();
        let best = moves.take(1).find(|mv| mv.role == role)?;
        Some((best.text, value))
    }

    fn think(&mut self, role: usize, time: Duration) -> io::Result<Option<Found>> {
        let interrupts = self.players.interrupts.clone();
        let limits = SearchLimits {
            time: Some(time),
            stop: Some(interrupts.move_now()),
            ..SearchLimits::to_depth(MAX_DEPTH)
        };
        self.with_adviser(role, |session, searcher| {
            session.search_with_lines(role, &limits, searcher)
        })
    }

    /// Asks the searcher for a role, which keeps what it learns.
    fn with_adviser<R>(
        &mut self,
        role: usize,
        ask: impl FnOnce(&mut Session, &mut Searcher) -> R,
    ) -> io::Result<R> {
        let interrupts = self.players.interrupts.clone();
        let known = self.advisers.remove(&role);
        let mut searcher = known.unwrap_or_else(|| Searcher::minimax(MinimaxSettings::default()));
        let answer = self.while_busy("thinking", |dialogue| {
            let stop = interrupts.move_now();
            let session = &mut *dialogue.session;
            session.prepare(role, &mut searcher, START_CLOCK, stop);
            ask(session, &mut searcher)
        })?;
        // One that was interrupted while it learned learns again.
        if !searcher.training_cut_short() {
            self.advisers.insert(role, searcher);
        }
        Ok(answer)
    }

    /// What the static evaluation of the position is made of, for each role.
    pub(super) fn why(&mut self) -> io::Result<AfterLine> {
        if let Some(end) = self.end() {
            return self.stay(&end);
        }
        for (role, name) in self.roles_of_players() {
            let parts = self.with_adviser(role, |session, searcher| {
                session.contributions(role, searcher)
            })?;
            if self.players.interrupts.was_cut_short() {
                break;
            }
            let words = match parts.is_empty() {
                true => "there is no static evaluation in this game".to_owned(),
                false => contributions_text(parts),
            };
            writeln!(self.output, "{name}: {words}")?;
        }
        self.unless_interrupted()
    }

    /// The roles of people and machines, without chance.
    fn roles_of_players(&self) -> Vec<(usize, String)> {
        let roles = self.session.roles().iter().cloned().enumerate();
        roles.filter(|(_, role)| !is_chance(role)).collect()
    }

    fn unless_interrupted(&mut self) -> io::Result<AfterLine> {
        match self.players.interrupts.takes_leave() {
            true => self.leave(Ended::Interrupted),
            false => Ok(AfterLine::Again),
        }
    }

    /// Shows who plays how strongly, or lets all machines play at a level.
    pub(super) fn level(&mut self, name: &str) -> io::Result<()> {
        if !name.is_empty() {
            let words = match self.change_level(name) {
                Ok(()) => {
                    self.prepare()?;
                    self.keep()?;
                    format!("the computer plays at the level {name} from now on")
                }
                Err(why) => why,
            };
            return writeln!(self.output, "{words}");
        }
        let roles = self.session.roles().iter().zip(self.players.specs());
        for (role, spec) in roles.filter(|(_, spec)| **spec != Spec::Human) {
            writeln!(self.output, "{role} is played by {spec}")?;
        }
        for level in LEVELS {
            let (name, meaning, player) = (level.name, level.meaning, level.player);
            writeln!(self.output, "  {name:<8} {meaning} ({player})")?;
        }
        Ok(())
    }

    fn change_level(&mut self, name: &str) -> Result<(), String> {
        let read: Result<Spec, _> = name.parse();
        let spec = read.map_err(|why| format!("{why}: {}", why.help))?;
        // Whoever plays a role may have the level.
        let players = (0..self.session.roles().len()).map(|role| (role, &spec));
        check_fit(players, self.session.game()).map_err(|why| format!("{why}: {}", why.help))?;
        if spec == Spec::Human {
            return Err("a person is no level; `new ROLE` changes the role you play".to_owned());
        }
        let machines: Vec<usize> = self.players.machines().map(|(role, _)| role).collect();
        let machines = machines
            .into_iter()
            .filter(|&role| !is_chance(&self.session.roles()[role]));
        let machines: Vec<usize> = machines.collect();
        if machines.is_empty() {
            return Err("nobody but people plays".to_owned());
        }
        for role in machines {
            self.players.change(role, spec.clone());
        }
        Ok(())
    }
}
