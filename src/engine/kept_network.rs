//! Compiled networks that are kept for the next time.
//!
//! ```text
//! kolibri network GAME\n
//! how often it was compiled, and what it is made of, in the form of the crate `postcard`
//! SHA-256 of all bytes before
//! ```
//!
//! Another build of the program has other entries, so that the form needs no version.

use super::parts::PropnetParts;
use crate::catalog::GameSource;
use crate::datalog::EvaluationLimits;
use crate::files::{FileCache, add_checksum, first_line, without_checksum};
use crate::ground::startup_limits;
use crate::util::StopFlag;

/// The first line of every entry is this and the name of the game.
const MAGIC: &str = "kolibri network ";

/// Networks of fewer ground rules are not kept: they are compiled in some 20 ms.
const WORTH_KEEPING: usize = 1_500;

/// So often a network is compiled of which time ends the simplification: it may have been a busy machine that did.
const TRIES: u8 = 2;

/// The place of the network of some rules.
pub(super) struct KeptNetwork<'c> {
    cache: &'c FileCache,
    game: &'c str,
    name: String,
}

impl<'c> KeptNetwork<'c> {
    /// In `cache`. The order of the rules matters: roles, facts and moves are numbered by it.
    pub(super) fn new(cache: &'c FileCache, source: &'c GameSource) -> Self {
        Self {
            cache,
            game: &source.name,
            name: FileCache::entry_name("network", &source.text),
        }
    }

    /// What is kept, if it is there and undamaged. A network of which time ended the simplification, some times one after the other, serves only
    /// where time is limited again.
    pub(super) fn find(&self, limits: &EvaluationLimits) -> Option<PropnetParts> {
        let (tries, parts) = self.read()?;
        let is_limited = limits.time <= startup_limits(StopFlag::default()).time;
        let serves = !parts.report.is_cut_short || is_limited && tries >= TRIES;
        serves.then_some(parts)
    }

    /// How often the network was compiled, and what is kept of it.
    fn read(&self) -> Option<(u8, PropnetParts)> {
        let read = parts_of(&self.cache.get(&self.name)?);
        if read.is_none() {
            let name = &self.name;
            tracing::info!("the network is compiled anew: {name} is damaged");
        }
        read
    }

    /// Keeps a network, if it would be missed.
    pub(super) fn keep(&self, parts: &PropnetParts) {
        if parts.report.ground_rules < WORTH_KEEPING {
            return;
        }
        let before = match parts.report.is_cut_short {
            true => self.read(),
            false => None,
        };
        let tries = before.as_ref().map_or(0, |(tries, _)| *tries);
        // The machine may have been busier this time.
        let known = before.map(|(_, known)| known);
        let better = known.filter(|known| known.report.gates < parts.report.gates);
        let parts = better.as_ref().unwrap_or(parts);
        match bytes_of(self.game, tries.saturating_add(1), parts) {
            Ok(bytes) => self.cache.put(&self.name, &bytes),
            Err(why) => tracing::info!("the network is not kept: {why}"),
        }
    }
}

/// The name of the game whose network these bytes of an entry hold, if they are whole.
pub fn game_of_network(bytes: &[u8]) -> Option<String> {
    let (first, _) = first_line(without_checksum(bytes)?)?;
    Some(first.strip_prefix(MAGIC)?.to_owned())
}

fn bytes_of(game: &str, tries: u8, parts: &PropnetParts) -> Result<Vec<u8>, postcard::Error> {
    let beginning = format!("{MAGIC}{}\n", game.replace('\n', " "));
    let mut bytes = postcard::to_extend(&(tries, parts), beginning.into_bytes())?;
    add_checksum(&mut bytes);
    Ok(bytes)
}

fn parts_of(bytes: &[u8]) -> Option<(u8, PropnetParts)> {
    let (first, parts) = first_line(without_checksum(bytes)?)?;
    first.strip_prefix(MAGIC)?;
    postcard::from_bytes(parts).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::{CompiledNetwork, LoadReport, Stages, check_rules};

    fn compiled(game: &str) -> (GameSource, PropnetParts) {
        let source = GameSource::find(game).unwrap();
        let mut report = LoadReport::default();
        let rules = check_rules(&source, &StopFlag::default(), &mut report).unwrap();
        let network = CompiledNetwork::new(&rules, &EvaluationLimits::default()).unwrap();
        let parts = PropnetParts::new(network, &mut Stages::default());
        (source, parts)
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let limited = startup_limits(StopFlag::default());
        let unlimited = EvaluationLimits {
            time: Duration::MAX,
            ..limited.clone()
        };
        for game in ["breakthrough", "checkers"] {
            let (source, mut parts) = compiled(game);
            let kept = KeptNetwork::new(&cache, &source);
            assert_eq!(kept.find(&limited), None);
            kept.keep(&parts);
            assert_eq!(kept.find(&limited).as_ref(), Some(&parts));
            assert_eq!(kept.find(&unlimited).as_ref(), Some(&parts));
            parts.report.is_cut_short = true;
            cache.clear().unwrap();
            kept.keep(&parts);
            assert_eq!(kept.find(&limited), None);
            kept.keep(&parts);
            assert_eq!(kept.find(&limited).as_ref(), Some(&parts));
            assert_eq!(kept.find(&unlimited), None);
            let bytes = cache.peek(&kept.name).unwrap();
            assert_eq!(game_of_network(&bytes).as_deref(), Some(game));
        }
    }

    #[test]
    fn what_is_compiled_at_once_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let (source, parts) = compiled("tictactoe");
        KeptNetwork::new(&cache, &source).keep(&parts);
        assert_eq!(cache.entries(), []);
    }

    #[test]
    fn a_damaged_entry_is_not_taken() {
        let (_, parts) = compiled("tictactoe");
        let bytes = bytes_of("tictactoe", 1, &parts).unwrap();
        assert!(parts_of(&bytes).is_some());
        for place in [0, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(parts_of(&damaged).is_none(), "{place}");
            assert!(parts_of(&bytes[..place]).is_none(), "{place}");
        }
    }

    #[test]
    fn rules_in_another_order_have_another_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let source = |text: &str| GameSource::from_text("g", text);
        let (one, other) = (source("(role a) (role b)"), source("(role b) (role a)"));
        let name = |source: &GameSource| KeptNetwork::new(&cache, source).name;
        assert_ne!(name(&one), name(&other));
        assert_eq!(name(&one), name(&one));
    }
}
