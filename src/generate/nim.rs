//! Nim with other heaps.

use crate::generate::family::make;
use crate::generate::words::{chain, counted, facts, letters, numbers};
use crate::generate::{Family, Size, SizeParameter};

/// The heaps of nim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NimSize {
    /// The sticks in each heap.
    pub piles: Vec<u8>,
}

impl Default for NimSize {
    fn default() -> Self {
        Self::shipped()
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
    const FAMILY: Family = Family {
        name: "nim",
        title: "Nim with any heaps",
        parameters: &[SizeParameter::list(
            "piles",
            "sticks in each heap",
            &[1, 3, 5, 7],
            (1, 99),
            (1, 12),
        )],
        presets: &[&[&[1, 3, 5, 7]], &[&[3, 4, 5]]],
        make: make::<Self>,
    };

    fn from_numbers(numbers: &[Vec<u8>]) -> Self {
        Self {
            piles: numbers[0].clone(),
        }
    }

    fn numbers(&self) -> Vec<Vec<u8>> {
        vec![self.piles.clone()]
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
