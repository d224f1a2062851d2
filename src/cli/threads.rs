//! The number of threads.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::cli::failure::Failure;
use crate::cli::number::whole;

/// More threads than any machine can use are refused before the system refuses to start them.
const MOST: u64 = 256;

/// Options about threads.
#[derive(Debug, clap::Args)]
pub(super) struct ThreadArgs {
    /// Number of threads
    #[arg(short = 'w', long, visible_alias = "workers", value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u16>(1, MOST))]
    threads: u16,
}

impl ThreadArgs {
    /// The number.
    pub(super) fn count(&self) -> usize {
        usize::from(self.threads)
    }

    /// A pool of that many threads.
    pub(super) fn pool(&self) -> Result<ThreadPool, Failure> {
        pool_of(self.count())
    }
}

/// The same for a command that takes all cores.
#[derive(Debug, clap::Args)]
pub(super) struct AllThreadsArgs {
    /// Number of threads [default: one for each core]
    #[arg(short = 'w', long, visible_alias = "workers", value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, MOST))]
    threads: Option<u16>,
}

impl AllThreadsArgs {
    /// A pool of that many threads.
    pub(super) fn pool(&self) -> Result<ThreadPool, Failure> {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        pool_of(self.threads.map_or_else(cores, usize::from))
    }
}

fn pool_of(threads: usize) -> Result<ThreadPool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|fault| {
        Failure::usage(format!("cannot start {threads} threads: {fault}"))
            .with_help("ask for fewer with `--threads`")
    })
}
