//! What compiling rules gave, kept for the next time: a network, or why there is none.
//!
//! ```text
//! how many tries it counts for, and what compiling the rules gave, in the form of the crate `postcard`
//! the circuits of a network, each after what is known of it before it is decoded
//! a byte: 1 if a self-check compared the network with the rules, else 0
//! ```

use std::sync::Arc;
use std::time::Duration;

use super::compile::NotGroundable;
use super::parts::PropnetParts;
use crate::catalog::GameSource;
use crate::datalog::EvaluationLimits;
use crate::files::{EntryKind, FileCache, add_checksum, without_checksum};
use crate::ground::startup_limits;
use crate::util::{StopFlag, WorkTime};

/// What was compiled in less time is compiled again: a small entry is read in a millisecond.
const WORTH_KEEPING: Duration = Duration::from_millis(10);

/// So often rules are compiled where time ended that, and something may have held it up.
const TRIES: u8 = 2;

/// What compiling rules gives.
pub(super) type Compiled = Result<PropnetParts, NotGroundable>;

/// An entry.
#[derive(Debug, PartialEq)]
pub(super) struct NetworkEntry {
    /// For how many tries it counts, all until now together: one that time ended, and that may have been held up, for one, any other for
    /// [`TRIES`].
    tries: u8,
    pub(super) compiled: Compiled,
    /// Whether a self-check compared the network with the rules, in some states at least.
    pub(super) is_checked: bool,
}

/// An entry that is to be kept.
pub(super) struct EncodedNetwork {
    /// All but whether it is checked, and the checksum.
    bytes: Vec<u8>,
    /// Where it is that of an earlier try, whether that one was checked.
    was_checked: Option<bool>,
}

/// The place of what some rules were compiled to.
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
            name: FileCache::entry_name(EntryKind::Network.name(), &source.text),
        }
    }

    /// What is kept, if it is there and undamaged. Where time ended the compilation, it serves only after enough tries, and only where
    /// time is limited again; and that rules do not ground, only within the limits of start-up.
    pub(super) fn find(&self, limits: &EvaluationLimits) -> Option<NetworkEntry> {
        let kept = self.read()?;
        let usual = startup_limits(StopFlag::default());
        let is_limited = limits.time <= usual.time && kept.tries >= TRIES;
        let is_sure = !is_cut_short(&kept.compiled) || is_limited;
        let serves = is_sure && (kept.compiled.is_ok() || limits.are_within(&usual));
        serves.then_some(kept)
    }

    fn read(&self) -> Option<NetworkEntry> {
        let read = entry_of(self.cache.get(&self.name)?);
        if read.is_none() {
            let name = &self.name;
            tracing::info!("the network is compiled anew: {name} is damaged");
        }
        read
    }

    /// What to keep of rules that were compiled within `limits`, if it would be missed after what it `took`. What time ended is kept
    /// where there was as much as at start-up, and that rules do not ground where the limits are those of start-up.
    pub(super) fn entry(
        &self,
        compiled: &Compiled,
        limits: &EvaluationLimits,
        took: &WorkTime,
    ) -> Option<EncodedNetwork> {
        let usual = startup_limits(StopFlag::default());
        let are_enough = usual.are_within(limits);
        let are_usual = are_enough && limits.are_within(&usual);
        let is_of_limits = is_cut_short(compiled) && !are_enough || compiled.is_err() && !are_usual;
        if took.wall < WORTH_KEEPING || is_of_limits {
            return None;
        }
        let before = match is_cut_short(compiled) {
            true => self.read(),
            false => None,
        };
        let tries = match is_cut_short(compiled) && took.may_have_been_held_up() {
            true => before
                .as_ref()
                .map_or(1, |before| before.tries.saturating_add(1)),
            false => TRIES,
        };
        // The machine may have been busier this time.
        let better = before.filter(|before| gates(&before.compiled) < gates(compiled));
        let compiled = better.as_ref().map_or(compiled, |before| &before.compiled);
        let bytes = bytes_of(self.game, tries, compiled);
        let bytes = bytes.inspect_err(|why| tracing::info!("the network is not kept: {why}"));
        Some(EncodedNetwork {
            bytes: bytes.ok()?,
            was_checked: better.as_ref().map(|before| before.is_checked),
        })
    }

    /// Keeps an entry; `is_checked` is that of [`NetworkEntry`] for what was compiled last.
    pub(super) fn put(&self, entry: EncodedNetwork, is_checked: bool) {
        let mut bytes = entry.bytes;
        bytes.push(entry.was_checked.unwrap_or(is_checked).into());
        add_checksum(&mut bytes);
        self.cache.put(&self.name, &bytes);
    }
}

/// Whether time ended the compilation.
fn is_cut_short(compiled: &Compiled) -> bool {
    match compiled {
        Ok(parts) => parts.report.is_cut_short,
        Err(NotGroundable(why)) => why.is_out_of_time(),
    }
}

/// The size of the network; rules without one come last.
fn gates(compiled: &Compiled) -> usize {
    compiled
        .as_ref()
        .map_or(usize::MAX, |parts| parts.report.gates)
}

/// An entry up to the byte for the self-check.
fn bytes_of(game: &str, tries: u8, compiled: &Compiled) -> Result<Vec<u8>, postcard::Error> {
    let begin = EntryKind::Network.begin(game);
    let mut bytes = postcard::to_extend(&(tries, compiled), begin)?;
    if let Ok(parts) = compiled {
        parts.write_circuits(&mut bytes)?;
    }
    Ok(bytes)
}

/// The entry that these bytes are, if they are whole. The checksum comes first: no other bytes are decoded.
fn entry_of(bytes: Vec<u8>) -> Option<NetworkEntry> {
    without_checksum(&bytes)?;
    let place = EntryKind::Network.place_of_contents(&bytes)?;
    let bytes = Arc::new(bytes);
    let (is_checked, contents) = bytes[place.clone()].split_last()?;
    let (begin, circuits) = postcard::take_from_bytes(contents).ok()?;
    let (tries, compiled): (u8, Compiled) = begin;
    let end = place.end - 1;
    let compiled = match compiled {
        Ok(parts) => Ok(parts.with_circuits(&bytes, end - circuits.len()..end)?),
        Err(why) => Err(why),
    };
    Some(NetworkEntry {
        tries,
        compiled,
        is_checked: *is_checked == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datalog::Exhausted;
    use crate::engine::{CompiledNetwork, LoadReport, Stages, check_rules};
    use crate::files::game_of_entry;
    use crate::ground::GroundError;
    use crate::util::ThreadTime;

    /// It may have been held up all the time.
    const BUSY: WorkTime = WorkTime {
        wall: Duration::from_secs(1),
        threads: None,
    };

    /// Nothing else ran.
    fn quiet() -> WorkTime {
        let threads = ThreadTime {
            ran: BUSY.wall,
            ..ThreadTime::default()
        };
        WorkTime {
            threads: Some(threads),
            ..BUSY
        }
    }

    fn compiled(game: &str) -> (GameSource, Compiled) {
        let source = GameSource::find(game).unwrap();
        let mut report = LoadReport::default();
        let rules = check_rules(&source, &StopFlag::default(), &mut report).unwrap();
        let network = CompiledNetwork::new(&rules, &EvaluationLimits::default()).unwrap();
        let parts = PropnetParts::new(network, &mut Stages::default());
        (source, Ok(parts))
    }

    fn keep(kept: &KeptNetwork<'_>, compiled: &Compiled, limits: &EvaluationLimits) {
        kept.put(kept.entry(compiled, limits, &BUSY).unwrap(), true);
    }

    fn found(kept: &KeptNetwork<'_>, limits: &EvaluationLimits) -> Option<Compiled> {
        kept.find(limits).map(|kept| kept.compiled)
    }

    /// The limits of start-up, and as much time as it takes.
    fn limits() -> [EvaluationLimits; 2] {
        let limited = startup_limits(StopFlag::default());
        let time = Duration::MAX;
        let unlimited = EvaluationLimits {
            time,
            ..limited.clone()
        };
        [limited, unlimited]
    }

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let [limited, unlimited] = limits();
        for game in ["breakthrough", "checkers"] {
            let (source, mut compiled) = compiled(game);
            let kept = KeptNetwork::new(&cache, &source);
            assert_eq!(found(&kept, &limited), None);
            keep(&kept, &compiled, &limited);
            assert_eq!(found(&kept, &limited).as_ref(), Some(&compiled));
            assert_eq!(found(&kept, &unlimited).as_ref(), Some(&compiled));
            compiled.as_mut().unwrap().report.is_cut_short = true;
            cache.clear().unwrap();
            keep(&kept, &compiled, &limited);
            assert_eq!(found(&kept, &limited), None);
            keep(&kept, &compiled, &limited);
            assert_eq!(found(&kept, &limited).as_ref(), Some(&compiled));
            assert_eq!(found(&kept, &unlimited), None);
            let bytes = cache.peek(&kept.name).unwrap();
            assert_eq!(game_of_entry(&bytes).as_deref(), Some(game));
        }
    }

    #[test]
    fn why_rules_do_not_ground_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let source = GameSource::from_text("g", "(role a)");
        let kept = KeptNetwork::new(&cache, &source);
        let [limited, unlimited] = limits();
        let many: Compiled = Err(NotGroundable(Exhausted::Rows(limited.rows).into()));
        let late: Compiled = Err(NotGroundable(GroundError::Time(limited.time)));
        let narrow = EvaluationLimits {
            rows: 10,
            ..limited.clone()
        };
        assert!(kept.entry(&many, &narrow, &BUSY).is_none());
        assert!(kept.entry(&many, &unlimited, &BUSY).is_none());
        keep(&kept, &many, &limited);
        assert_eq!(found(&kept, &limited).as_ref(), Some(&many));
        assert_eq!(found(&kept, &narrow).as_ref(), Some(&many));
        assert_eq!(found(&kept, &unlimited), None);
        cache.clear().unwrap();
        keep(&kept, &late, &limited);
        assert_eq!(found(&kept, &limited), None);
        keep(&kept, &late, &limited);
        assert_eq!(found(&kept, &limited).as_ref(), Some(&late));
        let (_, network) = compiled("tictactoe");
        keep(&kept, &network, &limited);
        assert_eq!(found(&kept, &limited).as_ref(), Some(&network));
    }

    #[test]
    fn where_nothing_else_ran_one_try_will_do() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let source = GameSource::from_text("g", "(role a)");
        let kept = KeptNetwork::new(&cache, &source);
        let [limited, _] = limits();
        let late: Compiled = Err(NotGroundable(GroundError::Time(limited.time)));
        for (took, serves) in [(BUSY, false), (quiet(), true)] {
            cache.clear().unwrap();
            kept.put(kept.entry(&late, &limited, &took).unwrap(), true);
            assert_eq!(found(&kept, &limited).is_some(), serves);
        }
        let (_, network) = compiled("tictactoe");
        let bytes = |took| kept.entry(&network, &limited, &took).unwrap().bytes;
        assert!(bytes(BUSY) == bytes(quiet()), "time did not end it");
    }

    #[test]
    fn what_little_time_cut_short_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let (source, mut compiled) = compiled("tictactoe");
        let kept = KeptNetwork::new(&cache, &source);
        let [limited, _] = limits();
        let little = EvaluationLimits {
            time: limited.time / 2,
            ..limited.clone()
        };
        assert!(kept.entry(&compiled, &little, &BUSY).is_some());
        compiled.as_mut().unwrap().report.is_cut_short = true;
        assert!(kept.entry(&compiled, &little, &BUSY).is_none());
        assert!(kept.entry(&compiled, &limited, &BUSY).is_some());
    }

    #[test]
    fn whether_a_network_was_checked_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let (source, compiled) = compiled("tictactoe");
        let kept = KeptNetwork::new(&cache, &source);
        let [limited, _] = limits();
        for is_checked in [false, true] {
            kept.put(kept.entry(&compiled, &limited, &BUSY).unwrap(), is_checked);
            assert_eq!(kept.find(&limited).unwrap().is_checked, is_checked);
        }
    }

    #[test]
    fn the_better_network_of_an_earlier_try_stays_checked_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let (source, mut better) = compiled("tictactoe");
        better.as_mut().unwrap().report.is_cut_short = true;
        let (_, mut worse) = compiled("tictactoe");
        let report = &mut worse.as_mut().unwrap().report;
        (report.is_cut_short, report.gates) = (true, report.gates + 1);
        let kept = KeptNetwork::new(&cache, &source);
        let [limited, _] = limits();
        for was_checked in [false, true] {
            cache.clear().unwrap();
            let keep = |compiled, is_checked| {
                kept.put(kept.entry(compiled, &limited, &BUSY).unwrap(), is_checked);
            };
            keep(&better, was_checked);
            keep(&worse, !was_checked);
            let found = kept.find(&limited).unwrap();
            assert_eq!(found.compiled.as_ref(), better.as_ref());
            assert_eq!(found.is_checked, was_checked);
        }
    }

    #[test]
    fn what_is_compiled_at_once_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let (source, compiled) = compiled("tictactoe");
        let kept = KeptNetwork::new(&cache, &source);
        let [limited, _] = limits();
        let short = WorkTime {
            wall: WORTH_KEEPING / 2,
            ..BUSY
        };
        assert!(kept.entry(&compiled, &limited, &short).is_none());
    }

    #[test]
    fn a_damaged_entry_is_not_taken() {
        let (_, compiled) = compiled("tictactoe");
        let mut bytes = bytes_of("tictactoe", 1, &compiled).unwrap();
        bytes.push(0);
        add_checksum(&mut bytes);
        assert!(entry_of(bytes.clone()).is_some());
        for place in [0, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            assert!(entry_of(damaged).is_none(), "{place}");
            assert!(entry_of(bytes[..place].to_vec()).is_none(), "{place}");
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
