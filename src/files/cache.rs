//! A folder for what can be made again: bounded in size, and shared by several programs.

use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use super::{Existing, file_stem, write_file};

/// The ending of entries: nothing else in the folder is touched.
const ENDING: &str = ".kolibri-cache";

/// A folder of entries that can be made again. All of them together take at most so many bytes: those that were used longest ago
/// go first. What the system refuses is no error, but as if nothing were kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCache {
    folder: PathBuf,
    most_bytes: u64,
}

/// An entry of a [`FileCache`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheEntry {
    /// Its name.
    pub name: String,
    /// The size of its file.
    pub bytes: u64,
    /// When it was written or read last.
    pub used: SystemTime,
}

impl FileCache {
    /// The bound that is usual.
    pub const MOST_BYTES: u64 = 256 << 20;

    /// The name of an entry of some kind. Everything that its contents depend on must be in `about`; another build of the program has
    /// other entries.
    pub(crate) fn entry_name(kind: &str, about: &str) -> String {
        let (version, sources) = (env!("CARGO_PKG_VERSION"), env!("KOLIBRI_SOURCES"));
        let digest = Sha256::digest(format!("{version} {sources} {about}"));
        let key: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("{kind}-{key}")
    }

    /// In this folder, which is made when something is kept first.
    pub fn new(folder: PathBuf, most_bytes: u64) -> Self {
        Self { folder, most_bytes }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The contents of an entry, if it is there; that counts as use.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.path(name);
        let contents = self.peek(name)?;
        let touched = File::options().write(true).open(&path).and_then(|file| {
            let now = FileTimes::new().set_modified(SystemTime::now());
            file.set_times(now)
        });
        if let Err(why) = touched {
            tracing::debug!("the time of {} stays as it is: {why}", path.display());
        }
        Some(contents)
    }

    /// The same, which does not count as use.
    pub fn peek(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.path(name);
        // Nothing that is larger was kept by this program.
        let is_kept = fs::metadata(&path).is_ok_and(|file| file.len() <= self.most_bytes);
        is_kept.then(|| fs::read(&path).ok()).flatten()
    }

    /// Keeps an entry, in place of one of the same name, and makes room for it.
    pub fn put(&self, name: &str, contents: &[u8]) {
        if contents.len() as u64 > self.most_bytes {
            return;
        }
        let path = self.path(name);
        let written = match fs::create_dir_all(&self.folder) {
            Ok(()) => write_file(&path, contents, Existing::Remake).map_err(|why| why.to_string()),
            Err(why) => Err(why.to_string()),
        };
        match written {
            Ok(()) => self.make_room(name),
            Err(why) => {
                let folder = self.folder.display();
                tracing::info!("nothing is kept in {folder} for the next time: {why}");
            }
        }
    }

    /// All entries, the one that was used last first.
    pub fn entries(&self) -> Vec<CacheEntry> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let entry = |file: fs::DirEntry| {
            let name = file.file_name().into_string().ok()?;
            let metadata = file.metadata().ok().filter(fs::Metadata::is_file)?;
            Some(CacheEntry {
                name: name.strip_suffix(ENDING)?.to_owned(),
                bytes: metadata.len(),
                used: metadata.modified().ok()?,
            })
        };
        let mut entries: Vec<CacheEntry> = files.filter_map(entry).collect();
        entries.sort_by(|one, other| (other.used, &one.name).cmp(&(one.used, &other.name)));
        entries
    }

    /// Removes all entries, and tells which.
    ///
    /// # Errors
    /// What the system refuses; the entries before are removed.
    pub fn clear(&self) -> io::Result<Vec<CacheEntry>> {
        let entries = self.entries();
        entries.iter().try_for_each(|entry| self.remove(entry))?;
        Ok(entries)
    }

    /// Removes what was used longest ago until the rest fits beside `newest`.
    fn make_room(&self, newest: &str) {
        let newest = file_stem(newest);
        let (new, others): (Vec<_>, Vec<_>) =
            self.entries().into_iter().partition(|of| of.name == newest);
        let mut bytes: u64 = new.iter().map(|of| of.bytes).sum();
        for entry in others {
            bytes += entry.bytes;
            if bytes > self.most_bytes
                && let Err(why) = self.remove(&entry)
            {
                tracing::debug!("{} stays in the cache: {why}", entry.name);
            }
        }
    }

    /// Another program may have removed it meanwhile.
    fn remove(&self, entry: &CacheEntry) -> io::Result<()> {
        match fs::remove_file(self.path(&entry.name)) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{}{ENDING}", file_stem(name)))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;

    fn cache(most_bytes: u64) -> (TempDir, FileCache) {
        let folder = TempDir::new().unwrap();
        let cache = FileCache::new(folder.path().join("a/b"), most_bytes);
        (folder, cache)
    }

    /// Makes an entry look as if it was used so many seconds ago.
    fn age(cache: &FileCache, name: &str, seconds: u64) {
        let file = File::options().write(true).open(cache.path(name)).unwrap();
        let then = SystemTime::now() - Duration::from_secs(seconds);
        file.set_times(FileTimes::new().set_modified(then)).unwrap();
    }

    fn names(cache: &FileCache) -> Vec<String> {
        cache
            .entries()
            .into_iter()
            .map(|entry| entry.name)
            .collect()
    }

    #[test]
    fn what_is_kept_is_found_until_it_is_removed() {
        let (_folder, cache) = cache(100);
        assert_eq!((cache.get("one"), cache.entries()), (None, Vec::new()));
        cache.put("one", b"1");
        cache.put("../one", b"2");
        cache.put("one", b"3");
        assert_eq!(cache.get("one"), Some(b"3".to_vec()));
        assert_eq!(cache.get("../one"), Some(b"2".to_vec()));
        fs::write(cache.folder().join("a letter"), "to a friend").unwrap();
        assert_eq!(cache.clear().unwrap().len(), 2);
        assert_eq!((cache.get("one"), cache.entries()), (None, Vec::new()));
        assert!(cache.folder().join("a letter").exists());
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let (_folder, cache) = cache(10);
        for (name, seconds) in [("a", 40), ("b", 30), ("c", 20)] {
            cache.put(name, b"123");
            age(&cache, name, seconds);
        }
        assert_eq!(names(&cache), ["c", "b", "a"]);
        assert!(cache.get("a").is_some());
        cache.put("d", b"1234");
        assert_eq!(names(&cache).len(), 3, "{:?}", names(&cache));
        assert!(!names(&cache).contains(&"b".to_owned()), "a was used since");
        cache.put("too large", &[0; 11]);
        assert_eq!(names(&cache).len(), 3);
    }

    #[test]
    fn several_programs_may_share_it() {
        let (_folder, cache) = cache(2000);
        thread::scope(|scope| {
            for writer in 0..4u8 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..10 {
                        cache.put(&format!("e{}", round % 3), &[writer; 900]);
                        let read = cache.get("e0").unwrap_or_default();
                        assert!(read.iter().all(|byte| *byte == read[0]), "torn");
                    }
                });
            }
        });
        assert!(cache.entries().iter().map(|of| of.bytes).sum::<u64>() <= 2700);
    }

    #[test]
    fn a_folder_that_takes_nothing_is_no_error() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let cache = FileCache::new(folder.path().join("file"), 100);
        cache.put("one", b"1");
        assert_eq!((cache.get("one"), cache.entries()), (None, Vec::new()));
        assert!(cache.clear().unwrap().is_empty());
    }
}
