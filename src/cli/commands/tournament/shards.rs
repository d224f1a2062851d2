//! Which shard of the games is played here, as the command line or a scheduler says.

use super::scheduler::Scheduler;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::number::whole;
use crate::tournament::Shard;

/// Options about shards.
#[derive(Debug, clap::Args)]
pub(super) struct ShardArgs {
    /// Play shard I of N only [default: as the variables of a Slurm job array say]
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Play one of N shards: which one, a scheduler says (JOB_COMPLETION_INDEX of Kubernetes, or those of Slurm)
    #[arg(long, value_name = "N", conflicts_with = "shard", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    shards: Option<u64>,
}

impl ShardArgs {
    /// The shard; all games if nobody says anything.
    pub(super) fn shard(&self, console: &mut Console<'_>) -> Result<Shard, Failure> {
        if let Some(shard) = self.shard {
            return Ok(shard);
        }
        match Scheduler::of_environment().shard(self.shards)? {
            Some((shard, from)) => {
                console.hint(&format!(
                    "shard {shard}, as {from} says; --shard 1/1 plays all games"
                ))?;
                Ok(shard)
            }
            None => Ok(Shard::ALL),
        }
    }
}
