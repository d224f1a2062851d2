//! The cache of compiled rules, and of what is learned of games.

use crate::cli::state_folder;
use crate::files::FileCache;

/// Options about the cache.
#[derive(Debug, clap::Args)]
pub(super) struct CacheArgs {
    /// Neither read nor keep compiled rules, plans, boards and learned weights in the cache
    #[arg(long)]
    no_cache: bool,
}

impl CacheArgs {
    /// The cache, unless none is wanted, or there is no place for it.
    pub(super) fn cache(&self) -> Option<FileCache> {
        (!self.no_cache).then(cache).flatten()
    }
}

/// The cache of this program, if there is a place for it.
pub(super) fn cache() -> Option<FileCache> {
    let folder = state_folder::cache()?;
    Some(FileCache::new(folder, FileCache::MOST_BYTES))
}
