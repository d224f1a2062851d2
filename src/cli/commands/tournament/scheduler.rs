//! What schedulers say in the environment of a task.

use std::env;

use crate::cli::failure::Failure;
use crate::tournament::Shard;

const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";
const CORES: &str = "SLURM_CPUS_PER_TASK";
/// What helps against wrong variables of an array.
const NAME_SHARD: &str = "name the shard with --shard I/N, or leave the variable out";

/// The variables that schedulers set.
pub(super) struct Scheduler<'v> {
    variable: &'v dyn Fn(&str) -> Option<String>,
}

impl Scheduler<'_> {
    pub(super) fn of_environment() -> Self {
        Self {
            variable: &|name| env::var(name).ok(),
        }
    }

    /// How many cores Slurm gives to the task, which it does not confine to them everywhere.
    pub(super) fn cores(&self) -> Result<Option<usize>, Failure> {
        let help =
            "say with --concurrency how many games are played at once, or leave the variable out";
        let cores = self.number(CORES, help)?;
        Ok(cores.map(|cores| usize::try_from(cores).unwrap_or(usize::MAX)))
    }

    /// The shard that the variables mean, and which variable says so. `count` is asked for by --shards.
    pub(super) fn shard(
        &self,
        count: Option<u64>,
    ) -> Result<Option<(Shard, &'static str)>, Failure> {
        let (index, tasks, from) = match (
            self.number(SLURM, NAME_SHARD)?,
            self.number(KUBERNETES, NAME_SHARD)?,
        ) {
            (Some(id), _) => {
                let first = self
                    .number("SLURM_ARRAY_TASK_MIN", NAME_SHARD)?
                    .unwrap_or(0);
                let step = self
                    .number("SLURM_ARRAY_TASK_STEP", NAME_SHARD)?
                    .unwrap_or(1)
                    .max(1);
                let tasks = self.number("SLURM_ARRAY_TASK_COUNT", NAME_SHARD)?;
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
                Err(_) => Err(Failure::usage(format!(
                    "{from} means shard {} of {shards}",
                    index + 1
                ))
                .with_help("there must be as many tasks as shards")),
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

    fn number(&self, name: &str, help: &str) -> Result<Option<u64>, Failure> {
        let Some(text) = (self.variable)(name) else {
            return Ok(None);
        };
        let number = text.trim().parse().map(Some);
        number.map_err(|_| {
            Failure::usage(format!("{name} is `{text}`, which is no whole number")).with_help(help)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(variables: &[(&str, &str)], name: &str) -> Option<String> {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    }

    fn told(count: Option<u64>, variables: &[(&str, &str)]) -> String {
        let scheduler = Scheduler {
            variable: &|name| value(variables, name),
        };
        match scheduler.shard(count) {
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

    #[test]
    fn slurm_says_how_many_cores() {
        let cores = |variables: &[(&str, &str)]| {
            let scheduler = Scheduler {
                variable: &|name| value(variables, name),
            };
            scheduler.cores()
        };
        assert_eq!(cores(&[(CORES, "4")]).unwrap(), Some(4));
        assert_eq!(cores(&[]).unwrap(), None);
        let Err(Failure::Message { message, .. }) = cores(&[(CORES, "many")]) else {
            panic!("a number of cores that is none");
        };
        assert_eq!(
            message,
            "SLURM_CPUS_PER_TASK is `many`, which is no whole number"
        );
    }
}
