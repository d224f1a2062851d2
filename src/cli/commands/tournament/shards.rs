//! Which shard of the games is played here, as the command line or a scheduler says.

use std::env;

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
        match of_scheduler(self.shards, &|name| env::var(name).ok())? {
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

/// The shard that the variables of a scheduler mean, and which variable says so. `count` is asked for by --shards.
fn of_scheduler(
    count: Option<u64>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<(Shard, &'static str)>, Failure> {
    const SLURM: &str = "SLURM_ARRAY_TASK_ID";
    const KUBERNETES: &str = "JOB_COMPLETION_INDEX";
    let number = |name: &str| -> Result<Option<u64>, Failure> {
        let Some(text) = variable(name) else {
            return Ok(None);
        };
        let number = text.trim().parse().map(Some);
        number.map_err(|_| {
            Failure::usage(format!("{name} is `{text}`, which is no whole number"))
                .with_help("name the shard with --shard I/N, or leave the variable out")
        })
    };
    let (index, tasks, from) = match (number(SLURM)?, number(KUBERNETES)?) {
        (Some(id), _) => {
            let first = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
            let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            let tasks = number("SLURM_ARRAY_TASK_COUNT")?;
            (
                id.checked_sub(first).map(|passed| passed / step),
                tasks,
                SLURM,
            )
        }
        // An indexed job does not say how many there are.
        (None, Some(index)) if count.is_some() => (Some(index), None, KUBERNETES),
        _ => (None, None, SLURM),
    };
    let shards = count.or(tasks);
    match (index, shards) {
        (Some(index), Some(shards)) => match Shard::new(index.saturating_add(1), shards) {
            Ok(shard) => Ok(Some((shard, from))),
            Err(_) => Err(
                Failure::usage(format!("{from} means shard {} of {shards}", index + 1))
                    .with_help("there must be as many tasks as shards"),
            ),
        },
        (None, Some(shards)) => {
            let message = format!("which of the {shards} shards is to be played?");
            let help = format!(
                "name it with --shard I/{shards}, or set {KUBERNETES}, which counts from 0"
            );
            Err(Failure::usage(message).with_help(help))
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(count: Option<u64>, variables: &[(&str, &str)]) -> String {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        match of_scheduler(count, &variable) {
            Ok(Some((shard, _))) => shard.to_string(),
            Ok(None) => "all".to_owned(),
            Err(Failure::Message { message, .. }) => message,
            Err(other) => format!("{other:?}"),
        }
    }

    #[test]
    fn schedulers_say_which_shard() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "14"),
            ("SLURM_ARRAY_TASK_MIN", "10"),
            ("SLURM_ARRAY_TASK_COUNT", "5"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
        ];
        assert_eq!(told(None, &slurm), "3/5");
        let kubernetes = [("JOB_COMPLETION_INDEX", "0")];
        assert_eq!(told(Some(8), &kubernetes), "1/8");
        assert_eq!(told(None, &kubernetes), "all");
        assert_eq!(told(None, &[]), "all");
    }

    #[test]
    fn what_cannot_be_a_shard_is_refused() {
        let beyond = [("JOB_COMPLETION_INDEX", "8")];
        assert_eq!(
            told(Some(8), &beyond),
            "JOB_COMPLETION_INDEX means shard 9 of 8"
        );
        assert_eq!(told(Some(8), &[]), "which of the 8 shards is to be played?");
        let word = [("SLURM_ARRAY_TASK_ID", "x")];
        assert!(told(None, &word).contains("is no whole number"));
    }
}
