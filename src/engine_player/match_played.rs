//! A match: its position, and who plays it.

use std::iter;
use std::time::{Duration, Instant};

use super::EnginePlayerOptions;
use crate::catalog::GameSource;
use crate::engine::LoadOptions;
use crate::engine_protocol::{MatchStart, MoveAnswer, Turn};
use crate::play::{
    Found, MatchTerms, Player, Spec, choose_legal, player_for, role_number, seed_of_role,
    while_others_ponder,
};
use crate::session::{LoadingGame, Session};
use crate::util::StopFlag;

/// A match whose rules are loaded.
pub(super) struct HostedMatch {
    loading: LoadingGame,
    session: Session,
    role: usize,
    player: Box<dyn Player>,
    maker: PlayerMaker,
}

/// What a player is made from.
struct PlayerMaker {
    spec: Spec,
    seed: u64,
    stop: StopFlag,
    terms: MatchTerms,
}

impl PlayerMaker {
    fn player(&self, role: usize) -> Result<Box<dyn Player>, String> {
        let seed = seed_of_role(self.seed, role);
        let player = player_for(&self.spec, seed, &self.stop, None);
        let mut player = player.ok_or("a person cannot answer a host")?;
        player.begin(&self.terms);
        Ok(player)
    }
}

impl HostedMatch {
    /// Loads the rules and gets ready, within the start clock.
    pub(super) fn begin(
        start: &MatchStart,
        options: &EnginePlayerOptions,
        stop: &StopFlag,
    ) -> Result<Self, String> {
        let begin = Instant::now();
        let time = search_time(start.start_clock);
        let source = GameSource::from_text(&start.match_id, &start.rules);
        // Dropping what is loaded stops the loading alone.
        let how = LoadOptions {
            cache: options.cache.clone(),
            ..LoadOptions::from(options.engine)
        };
        let loading = LoadingGame::begin(source, &how);
        let game = loading.game_by(begin + time * 3 / 5);
        let game = game.map_err(|why| why.to_string())?;
        let position = match &start.state {
            None => game.initial(),
            Some(facts) => game.position(facts).map_err(|why| why.to_string())?,
        };
        let session = Session::from(position);
        let role = role_number(&start.role, session.roles()).map_err(|why| why.to_string())?;
        let maker = PlayerMaker {
            spec: options.spec.clone(),
            seed: options.seed,
            stop: stop.clone(),
            terms: MatchTerms {
                match_id: start.match_id.clone(),
                start_clock: start.start_clock,
                start_clock_for_all: true,
                play_clock: start.play_clock,
                words: None,
            },
        };
        let mut this = Self {
            player: maker.player(role)?,
            loading,
            session,
            role,
            maker,
        };
        this.prepare(time.saturating_sub(begin.elapsed()));
        Ok(this)
    }

    fn prepare(&mut self, time: Duration) {
        self.player.set_clock(time);
        self.player.prepare(&mut self.session, self.role);
    }

    /// The move for this turn, before its clock is over.
    pub(super) fn answer(&mut self, turn: &Turn) -> Result<MoveAnswer, String> {
        let begin = Instant::now();
        for joint in &turn.moves {
            let played = self.session.play_joint(joint);
            played.map_err(|why| format!("the joint move {joint:?} cannot be played: {why}"))?;
        }
        let plies = self.session.history().len();
        if plies != turn.turn {
            let asked = turn.turn;
            return Err(format!(
                "turn {asked} is asked for, but {plies} joint moves were played"
            ));
        }
        let time = search_time(turn.clock);
        if self.session.legal_of(self.role).len() > 1 {
            self.change_engine(time)?;
        }
        self.player.set_clock(time.saturating_sub(begin.elapsed()));
        let choice = choose_legal(&mut *self.player, &self.session, self.role);
        let choice = choice.map_err(|fault| fault.to_string())?;
        let thoughts = choice.found.as_ref().map(thoughts).unwrap_or_default();
        Ok(MoveAnswer {
            mv: choice.mv,
            turn: Some(plies),
            ..thoughts
        })
    }

    /// Changes to the engine that was wanted, if it has become ready; what the player has learned is lost.
    fn change_engine(&mut self, time: Duration) -> Result<(), String> {
        const LEAST: Duration = Duration::from_millis(500);
        if time < LEAST {
            return Ok(());
        }
        if let Some(game) = self.loading.better()
            && let Some(session) = self.session.replayed_on(&game)
        {
            self.session = session;
            self.player = self.maker.player(self.role)?;
            self.prepare(time / 3);
        }
        Ok(())
    }

    /// Does `wait` while the player ponders, if it does so.
    pub(super) fn while_pondering<R>(&mut self, wait: impl FnOnce() -> R) -> R {
        let players = iter::once((self.role, &mut self.player));
        while_others_ponder(players, &self.session, wait)
    }
}

/// The part of a clock that is searched for: the rest is for the way.
fn search_time(clock: Duration) -> Duration {
    const RESERVE: Duration = Duration::from_millis(50);
    clock.saturating_sub(RESERVE.min(clock / 10))
}

fn thoughts(found: &Found) -> MoveAnswer {
    let joint_moves = found.pv.iter().map(|joint| joint.join(" "));
    MoveAnswer {
        depth: Some(found.depth),
        value: Some(found.value.points()),
        nodes: Some(found.nodes),
        line: joint_moves.collect(),
        ..MoveAnswer::default()
    }
}
