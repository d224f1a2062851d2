//! Nim with other heaps.

use crate::generate::words::{chain, counted, facts, letters, numbers};
use crate::generate::{NoSuchSize, Size, within};

/// The heaps of nim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NimSize {
    /// The sticks in each of 1 to 12 heaps, 1 to 99 in each.
    pub piles: Vec<u8>,
}

impl Default for NimSize {
    fn default() -> Self {
        Self {
            piles: vec![1, 3, 5, 7],
        }
    }
}

impl NimSize {
    /// The numbers of sticks, as they are said.
    fn sticks(&self) -> String {
        let texts: Vec<String> = self.piles.iter().map(u8::to_string).collect();
        match texts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

impl Size for NimSize {
    const GAME: &'static str = "nim";

    fn check(&self) -> Result<(), NoSuchSize> {
        let count = self.piles.len();
        if !(1..=12).contains(&count) {
            let said = format!("piles: give from 1 to 12 of them, not {count}");
            return Err(NoSuchSize(said));
        }
        let mut piles = self.piles.iter();
        piles.try_for_each(|&sticks| within("piles", sticks, 1..=99))
    }

    fn parts(&self) -> Vec<String> {
        let count = self.piles.len() as u8;
        let heaps = counted(count, "heap");
        let (source, misere) = match *self == Self::default() {
            true => (
                "; these heaps are known as Marienbad",
                ", as Marienbad is played",
            ),
            false => ("", ""),
        };
        let named = letters(count).into_iter().zip(&self.piles);
        let starts: Vec<String> = named
            .map(|(heap, sticks)| format!("{heap} {sticks}"))
            .collect();
        let most = self.piles.iter().copied().max().unwrap_or_default();
        vec![
            format!("; Nim, with {heaps} of {} sticks.", self.sticks()),
            format!(
                "; Source:  common knowledge{source}.\n; Variant: misère{misere}: whoever takes"
            ),
            facts("start", &starts),
            chain("succ", &numbers(0, most)),
        ]
    }

    fn guess(text: &str) -> Option<Self> {
        let starts = text
            .lines()
            .filter_map(|line| line.strip_prefix("(start "))
            .map(|rest| {
                let (_, sticks) = rest.strip_suffix(')')?.split_once(' ')?;
                sticks.parse().ok()
            });
        let piles: Option<Vec<u8>> = starts.collect();
        piles.map(|piles| Self { piles })
    }
}
