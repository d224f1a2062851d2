//! How well players play: how often their moves keep what positions are worth.

mod draw;
mod figures;
#[cfg(test)]
mod tests;

pub use figures::KeptCount;

use self::draw::PositionDraw;
use crate::game::Stopped;
use crate::play::{
    End, MatchTerms, NoPlayerProgram, PlayerFault, Spec, check_programs, choose_legal, player_for,
    seed_of_role,
};
use crate::session::{Game, Session};
use crate::solved::SolvedGame;
use crate::util::StopFlag;

/// After so many positions in a row that are not new, or in which no move loses anything, no more are drawn.
const FRUITLESS: usize = 2_000;

/// A player in positions drawn at random, each of them a match of its own.
pub struct QualityTest<'q> {
    /// For each role, a solution that tells what is best for it; none where its moves are not judged.
    pub judges: &'q [Option<SolvedGame>],
    /// The player, which [`check_player`] has checked.
    pub player: &'q Spec,
    /// How many positions, if there are as many.
    pub positions: usize,
    /// Positions come before this ply.
    pub plies: u32,
    /// What chance is drawn from.
    pub seed: u64,
    /// Ends it, with what was found until then.
    pub stop: &'q StopFlag,
}

/// What a player did in positions in which some move loses value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quality {
    /// One for each position, in the order in which they were drawn.
    pub answers: Vec<JudgedAnswer>,
}

/// A move of a player, and what there was to choose from. Points are those of the role that chooses, if everyone plays as well as
/// possible from there on ([`SolvedGame::points`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedAnswer {
    /// The role.
    pub role: usize,
    /// How many joint moves led to the position.
    pub ply: usize,
    /// Those of the roles that had a choice; where none had, that of the role whose turn it was.
    pub moves: Vec<String>,
    /// How many legal moves there are.
    pub legal: usize,
    /// Those that keep what the position is worth.
    pub best: Vec<String>,
    /// What these are worth.
    pub best_points: i64,
    /// The move that was played and what it is worth, or why there was none.
    pub played: Result<(String, i64), PlayerFault>,
}

/// Why a player cannot be asked about single positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnaskedPlayer {
    /// A person.
    #[error("a person is not asked about positions")]
    Person,
    /// A player on the network.
    #[error("a player on the network plays matches only from their beginning")]
    Remote,
    /// A program that does not play.
    #[error(transparent)]
    Program(#[from] NoPlayerProgram),
}

/// Whether a player can be asked about single positions. A program is started once.
///
/// # Errors
/// [`UnaskedPlayer`].
pub fn check_player(player: &Spec, stop: &StopFlag) -> Result<(), UnaskedPlayer> {
    match player {
        Spec::Human => Err(UnaskedPlayer::Person),
        Spec::Remote(_) => Err(UnaskedPlayer::Remote),
        player => {
            let players = std::slice::from_ref(player);
            check_programs(players, MatchTerms::default().start_clock, stop)?;
            Ok(())
        }
    }
}

impl QualityTest<'_> {
    /// Asks the player about positions of `game`, the same number for each ply as far as there are any; calls `on_answer` after each.
    ///
    /// # Errors
    /// The engine ran out of a budget.
    pub fn run(
        &self,
        game: &Game,
        on_answer: &mut dyn FnMut(&Quality),
    ) -> Result<Quality, Stopped> {
        let mut draw = PositionDraw::new(game, self.plies, self.seed, self.stop)?;
        let mut quality = Quality::default();
        let mut fruitless = 0;
        while quality.answers.len() < self.positions && fruitless < FRUITLESS {
            let drawn = draw.next_position();
            let asked = drawn.and_then(|session| self.question(session));
            if self.stop.is_raised() {
                break;
            }
            let Some(question) = asked else {
                fruitless += 1;
                continue;
            };
            let answer = self.ask(question, quality.answers.len());
            // What a player says that was interrupted is not what it would have said.
            if self.stop.is_raised() {
                break;
            }
            fruitless = 0;
            quality.answers.push(answer);
            on_answer(&quality);
        }
        Ok(quality)
    }

    /// What there is to choose from, if some move loses something.
    fn question(&self, session: Session) -> Option<Question> {
        let [role] = session.position().choosing()[..] else {
            return None;
        };
        let judge = self.judges[role].as_ref()?;
        let moves = judge.moves(session.position()).into_iter();
        let moves: Vec<(String, i64)> = moves
            .map(|mv| (mv.text, judge.points(mv.value, role)))
            .collect();
        let best = moves.iter().map(|(_, points)| *points).max()?;
        let matters = moves.iter().any(|(_, points)| *points < best);
        matters.then_some(Question {
            session,
            role,
            moves,
            best,
        })
    }

    fn ask(&self, mut question: Question, number: usize) -> JudgedAnswer {
        let answer = self.answer(&mut question, number);
        let Question {
            session,
            role,
            moves,
            best,
        } = question;
        let points = |mv: &str| moves.iter().find(|(text, _)| text == mv).map(|(_, p)| *p);
        let unknown = || PlayerFault("the solution does not know the move".to_owned());
        let played = answer.and_then(|mv| {
            let points = points(&mv).ok_or_else(unknown)?;
            Ok((mv, points))
        });
        let keeping = moves.iter().filter(|(_, points)| *points == best);
        JudgedAnswer {
            role,
            ply: session.history().len(),
            moves: moves_to(&session),
            legal: moves.len(),
            best: keeping.map(|(text, _)| text.clone()).collect(),
            best_points: best,
            played,
        }
    }

    fn answer(&self, question: &mut Question, number: usize) -> Result<String, PlayerFault> {
        let seed = seed_of_role(self.seed, number);
        let player = player_for(self.player, seed, self.stop, None);
        let mut player = player.ok_or_else(|| PlayerFault(UnaskedPlayer::Person.to_string()))?;
        player.begin(&MatchTerms {
            match_id: format!("position.{number}"),
            ..MatchTerms::default()
        });
        player.prepare(&mut question.session, question.role);
        let choice = choose_legal(&mut *player, &question.session, question.role);
        player.finish(&question.session, &End::Stopped);
        Ok(choice?.mv)
    }
}

/// A position in which some move loses something.
struct Question {
    session: Session,
    role: usize,
    /// The legal moves with what they are worth.
    moves: Vec<(String, i64)>,
    /// What the best is worth.
    best: i64,
}

/// What was played in a session, as [`JudgedAnswer::moves`] has it.
fn moves_to(session: &Session) -> Vec<String> {
    let plies = session.past().zip(session.history());
    let moves = plies.flat_map(|(position, joint)| {
        let roles = match position.choosing() {
            roles if roles.is_empty() => position.role_to_move().into_iter().collect(),
            roles => roles,
        };
        roles.into_iter().map(|role| joint[role].clone())
    });
    moves.collect()
}
