//! How well players play: how often their moves keep what positions are worth.

mod draw;
mod figures;
mod judge;
#[cfg(test)]
mod tests;

pub use figures::KeptCount;
pub use judge::{Judge, ProofJudge, SolutionJudge};

use self::draw::PositionDraw;
use crate::game::Stopped;
use crate::play::{
    End, MatchTerms, NoPlayerProgram, PlayerFault, Spec, check_programs, choose_legal, player_for,
    seed_of_role,
};
use crate::session::{Game, Session};
use crate::util::StopFlag;

/// After so many positions in a row that are not new, or in which no move loses anything, no more are drawn.
const FRUITLESS: usize = 2_000;

/// A player in positions drawn at random, each of them a match of its own.
pub struct QualityTest<'q> {
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
    /// Positions of which the judge did not find out what the moves are worth.
    pub undecided: usize,
}

/// A move of a player, and what there was to choose from. Points are those of the role that chooses, if everyone plays as well as
/// possible from there on.
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
    /// Where `judge` twice does not find out what moves are worth, and never does, that ply and those before it are left out.
    ///
    /// # Errors
    /// The engine ran out of a budget.
    pub fn run(
        &self,
        game: &Game,
        judge: &mut dyn Judge,
        on_answer: &mut dyn FnMut(&Quality),
    ) -> Result<Quality, Stopped> {
        let mut draw = PositionDraw::new(game, self.plies, self.seed, self.stop)?;
        let mut quality = Quality::default();
        let mut fruitless = 0;
        while quality.answers.len() < self.positions && fruitless < FRUITLESS {
            let drawn = draw.next_position();
            let asked = drawn.map_or(Drawn::Nothing, |session| self.question(session, judge));
            if self.stop.is_raised() {
                break;
            }
            let question = match asked {
                Drawn::Question(question) => question,
                Drawn::Nothing => {
                    fruitless += 1;
                    continue;
                }
                Drawn::Undecided(ply) => {
                    quality.undecided += 1;
                    draw.note_undecided(ply);
                    if draw.is_over() {
                        break;
                    }
                    continue;
                }
            };
            draw.note_decided(question.session.history().len());
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
    fn question(&self, session: Session, judge: &mut dyn Judge) -> Drawn {
        let role = match session.position().choosing()[..] {
            [role] if judge.knows(role) => role,
            _ => return Drawn::Nothing,
        };
        let Some(moves) = judge.moves(session.position(), role, self.stop) else {
            return Drawn::Undecided(session.history().len());
        };
        let best = moves.iter().map(|(_, points)| *points).max();
        match best.filter(|best| moves.iter().any(|(_, points)| points < best)) {
            None => Drawn::Nothing,
            Some(best) => Drawn::Question(Question {
                session,
                role,
                moves,
                best,
            }),
        }
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
        let unknown = || PlayerFault("nothing is known of the move".to_owned());
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

/// What a position has to ask.
enum Drawn {
    /// Which move keeps what it is worth.
    Question(Question),
    /// No move loses anything, or nobody is asked.
    Nothing,
    /// What the moves of a position at this ply are worth was not found out.
    Undecided(usize),
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
