//! The moves of the players who are no people.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crate::play::PlayerFault;
use crate::terminal::interactive::{Dialogue, FAINT};

impl Dialogue<'_> {
    /// The moves of the players who are no people; `None` if the person asked to leave while they thought.
    pub(super) fn opponents(
        &mut self,
        choices: &[usize],
    ) -> io::Result<Option<Vec<(usize, String)>>> {
        let machines: Vec<usize> = self.players.machines().map(|(role, _)| role).collect();
        let mut choosing = machines.iter().filter(|&&role| choices[role] > 1);
        let Some(&first) = choosing.next() else {
            let forced = machines
                .iter()
                .map(|&role| (role, self.session.legal_of(role)[0].clone()));
            return Ok(Some(forced.collect()));
        };
        let doing = format!("{} thinks", self.session.roles()[first]);
        let chosen = self.while_busy(&doing, |dialogue| {
            let moves = machines.into_iter();
            let moves = moves.map(|role| (role, dialogue.players.choose(dialogue.session, role)));
            let moves: Vec<_> = moves.collect();
            dialogue.pause();
            moves
        })?;
        if self.players.interrupts.takes_leave() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        for (role, mv) in chosen {
            moves.push((role, self.move_or_first(role, mv)?));
        }
        Ok(Some(moves))
    }

    /// The move that a player chose; the first legal one where it failed to choose any.
    fn move_or_first(
        &mut self,
        role: usize,
        chosen: Result<String, PlayerFault>,
    ) -> io::Result<String> {
        let why = match chosen {
            Ok(mv) => return Ok(mv),
            Err(why) => why,
        };
        let name = &self.session.roles()[role];
        writeln!(
            self.output,
            "{FAINT}the first legal move is played for {name}: {why}{FAINT:#}"
        )?;
        let first = self.session.legal_of(role).first();
        Ok(first.cloned().unwrap_or_default())
    }

    /// Waits until the next move of a machine may be shown, or Ctrl-C is pressed.
    fn pause(&mut self) {
        const SLICE: Duration = Duration::from_millis(20);
        if let Some(last) = self.last_move {
            let move_now = self.players.interrupts.move_now();
            while !move_now.is_raised() {
                let left = self.delay.saturating_sub(last.elapsed());
                if left.is_zero() {
                    break;
                }
                thread::sleep(left.min(SLICE));
            }
        }
        self.last_move = Some(Instant::now());
    }
}
