//! What else was played in a game: lines that were left for other moves.

use std::io;

use crate::session::IllegalMove;
use crate::terminal::interactive::{AfterLine, Dialogue};
use crate::terminal::lines::LeftLine;
use crate::terminal::words::wrapped;

/// The joint moves of a game from its first position on.
pub(super) type Variation = Vec<Vec<String>>;

impl Dialogue<'_> {
    /// Plays a joint move. One that was taken back is played again, and what followed it can be; where another one was, that
    /// line is kept as a variation.
    pub(super) fn play(&mut self, joint: &[String]) -> Result<(), IllegalMove> {
        let next = self.session.taken_back().next();
        match next.map(|(next, _)| next == joint) {
            None => self.session.play_joint(joint)?,
            Some(true) => {
                self.session.redo();
            }
            Some(false) => {
                let left = self.whole_line();
                self.session.play_joint(joint)?;
                self.keep_variation(left);
            }
        }
        self.forget_shown();
        Ok(())
    }

    /// Forgets variations of which the line that is shown says as much.
    fn forget_shown(&mut self) {
        let shown = self.whole_line();
        self.variations.retain(|known| !shown.starts_with(known));
    }

    /// The moves played, and those taken back.
    fn whole_line(&self) -> Variation {
        let played = self.session.history().into_iter();
        let later = self.session.taken_back().map(|(joint, _)| joint);
        played.chain(later).map(<[String]>::to_vec).collect()
    }

    /// Keeps a line that was left, unless another one says as much.
    fn keep_variation(&mut self, left: Variation) {
        self.variations.retain(|known| !left.starts_with(known));
        let mut known = self.variations.iter();
        if !known.any(|known| known.starts_with(&left)) {
            self.variations.push(left);
        }
    }

    /// Tells what else was played, and from which ply on.
    pub(super) fn list_variations(&mut self) -> io::Result<()> {
        if self.variations.is_empty() {
            return writeln!(self.output, "nothing else was played in this game");
        }
        for left in self.left_lines() {
            let words = format!("{:>2} after ply {}: ", left.number, left.after);
            let width = self.screen.width();
            let moves = wrapped(&left.moves, (words.chars().count(), width));
            writeln!(self.output, "{words}{moves}")?;
        }
        Ok(())
    }

    /// What else was played.
    pub(super) fn left_lines(&self) -> Vec<LeftLine> {
        let here = self.whole_line();
        let left = (1..).zip(&self.variations).map(|(number, line)| {
            let after = same_plies(line, &here);
            LeftLine {
                number,
                after,
                moves: line[after..].iter().map(|joint| acting(joint)).collect(),
            }
        });
        left.collect()
    }

    /// Goes to the end of a variation; the line that is left becomes one.
    pub(super) fn go_to_variation(&mut self, number: usize) -> io::Result<AfterLine> {
        let place = number.checked_sub(1);
        let Some(line) = place.and_then(|place| self.variations.get(place)).cloned() else {
            let known = match self.variations.len() {
                1 => "is 1 variation".to_owned(),
                known => format!("are {known} variations"),
            };
            return self.stay(&format!("there {known}: `variations` lists what there is"));
        };
        let here = self.whole_line();
        let same = same_plies(&line, &here);
        self.given_up = None;
        self.move_to_ply(same);
        for joint in &line[same..] {
            if let Err(fault) = self.session.play_joint(joint) {
                self.keep_variation(here);
                return self.moved(&fault.to_string());
            }
        }
        self.keep_variation(here);
        self.forget_shown();
        self.moved(&format!(
            "variation {number}: another line from ply {same} on"
        ))
    }

    /// Goes to the position after so many plies, of those played and those taken back.
    pub(super) fn go_to_ply(&mut self, plies: usize) -> io::Result<AfterLine> {
        let last = self.whole_line().len();
        if plies > last {
            return self.stay(&format!("the last ply is {last}"));
        }
        self.move_to_ply(plies);
        self.given_up = None;
        self.moved(&format!("the position after ply {plies}"))
    }

    fn move_to_ply(&mut self, plies: usize) {
        while self.session.history().len() > plies && self.session.undo() {}
        while self.session.history().len() < plies && self.session.redo() {}
    }
}

/// How many plies two lines begin with alike.
fn same_plies(one: &Variation, other: &Variation) -> usize {
    let pairs = one.iter().zip(other);
    pairs.take_while(|(one, other)| one == other).count()
}

/// The moves of those who do not merely wait.
fn acting(joint: &[String]) -> String {
    let acting = joint.iter().filter(|mv| *mv != "noop");
    let acting: Vec<&str> = acting.map(String::as_str).collect();
    acting.join(" ")
}
