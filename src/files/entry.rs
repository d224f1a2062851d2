//! The form of entries of a [`FileCache`](super::FileCache) that no other program reads.
//!
//! ```text
//! kolibri KIND GAME\n
//! the contents, in the form of the crate `postcard`
//! SHA-256 of all bytes before
//! ```
//!
//! Another build of the program has other entries, so that the form needs no version.

use std::ops::Range;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CHECKSUM, FileCache, add_checksum, first_line, without_checksum};

/// What takes less time to make is made again: it takes about as long to read.
const WORTH_KEEPING: Duration = Duration::from_millis(5);

/// What an entry holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    /// What compiling the rules of a game gave.
    Network,
    /// The boards of a game.
    Boards,
    /// How the reasoner plans the rules of a game.
    Plans,
}

impl EntryKind {
    /// The name, with which the names of entries begin, too.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Boards => "boards",
            Self::Plans => "plans",
        }
    }

    /// The beginning of an entry.
    pub(crate) fn begin(self, game: &str) -> Vec<u8> {
        format!("kolibri {} {}\n", self.name(), game.replace('\n', " ")).into_bytes()
    }

    /// The contents of an entry of this kind, if these bytes are one, and undamaged.
    pub(crate) fn contents(self, entry: &[u8]) -> Option<&[u8]> {
        let (_, contents) = self.read(without_checksum(entry)?)?;
        Some(contents)
    }

    /// Where the contents of an entry of this kind are, if these bytes are one; it may be damaged.
    pub(crate) fn place_of_contents(self, entry: &[u8]) -> Option<Range<usize>> {
        let end = entry.len().checked_sub(CHECKSUM)?;
        let (_, contents) = self.read(&entry[..end])?;
        Some(end - contents.len()..end)
    }

    /// The game and the contents of an entry without its checksum.
    fn read(self, body: &[u8]) -> Option<(&str, &[u8])> {
        let (first, contents) = first_line(body)?;
        let game = first.strip_prefix("kolibri ")?.strip_prefix(self.name())?;
        Some((game.strip_prefix(' ')?, contents))
    }
}

/// The place of an entry.
pub(crate) struct KeptEntry<'c> {
    cache: &'c FileCache,
    kind: EntryKind,
    game: &'c str,
    name: String,
}

impl<'c> KeptEntry<'c> {
    /// In `cache`; everything that the contents depend on is in `about`.
    pub(crate) fn new(cache: &'c FileCache, kind: EntryKind, game: &'c str, about: &str) -> Self {
        Self {
            cache,
            kind,
            game,
            name: FileCache::entry_name(kind.name(), about),
        }
    }

    /// What is kept, if it is there and undamaged.
    pub(crate) fn find<T: DeserializeOwned>(&self) -> Option<T> {
        let entry = self.cache.get(&self.name)?;
        let contents = self.kind.contents(&entry);
        let found = contents.and_then(|contents| postcard::from_bytes(contents).ok());
        if found.is_none() {
            tracing::info!("{} is damaged, and made again", self.name);
        }
        found
    }

    /// Keeps what took so long to make, if it would be missed.
    pub(crate) fn keep<T: Serialize>(&self, contents: &T, took: Duration) {
        if took < WORTH_KEEPING {
            return;
        }
        match postcard::to_extend(contents, self.kind.begin(self.game)) {
            Ok(mut entry) => {
                add_checksum(&mut entry);
                self.cache.put(&self.name, &entry);
            }
            Err(why) => tracing::info!("{} is not kept: {why}", self.name),
        }
    }
}

/// The game that these bytes of an entry are about, if they are whole.
pub fn game_of_entry(entry: &[u8]) -> Option<String> {
    let kinds = [EntryKind::Network, EntryKind::Boards, EntryKind::Plans];
    let body = without_checksum(entry)?;
    let read = kinds.into_iter().find_map(|kind| kind.read(body));
    read.map(|(game, _)| game.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::add_checksum;

    #[test]
    fn what_took_long_is_kept_until_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let kept = KeptEntry::new(&cache, EntryKind::Boards, "game", "about");
        let words = vec!["one".to_owned(), "two".to_owned()];
        kept.keep(&words, WORTH_KEEPING / 2);
        assert_eq!(kept.find::<Vec<String>>(), None);
        kept.keep(&words, WORTH_KEEPING);
        assert_eq!(kept.find(), Some(words));
        let mut entry = cache.peek(&kept.name).unwrap();
        entry[20] ^= 1;
        cache.put(&kept.name, &entry);
        assert_eq!(kept.find::<Vec<String>>(), None);
    }

    #[test]
    fn an_entry_is_read_as_what_it_is() {
        let mut entry = EntryKind::Boards.begin("a\nb");
        entry.extend(b"x\ny");
        add_checksum(&mut entry);
        assert_eq!(EntryKind::Boards.contents(&entry), Some(&b"x\ny"[..]));
        let place = EntryKind::Boards.place_of_contents(&entry).unwrap();
        assert_eq!(&entry[place], b"x\ny");
        assert_eq!(EntryKind::Network.place_of_contents(&entry), None);
        assert_eq!(EntryKind::Network.contents(&entry), None);
        assert_eq!(game_of_entry(&entry).as_deref(), Some("a b"));
        entry[10] ^= 1;
        assert_eq!(EntryKind::Boards.contents(&entry), None);
        assert_eq!(game_of_entry(&entry), None);
    }
}
