//! How many threads work.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cli::failure::Failure;

/// What was typed about threads.
#[derive(Debug, clap::Args)]
pub(super) struct ThreadArgs {
    /// How many threads work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
}

impl ThreadArgs {
    /// The number asked for.
    pub(super) fn count(&self) -> usize {
        usize::from(self.threads)
    }

    /// As many threads as were asked for.
    pub(super) fn pool(&self) -> Result<ThreadPool, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(self.count()).build();
        pool.map_err(|fault| {
            Failure::usage(format!("cannot start {} threads: {fault}", self.threads))
                .with_help("ask for fewer with `--threads`")
        })
    }
}
