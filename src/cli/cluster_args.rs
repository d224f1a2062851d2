//! States enumerated and solved together with other processes, as the command line asks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::catalog::GameSource;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::number::{counted, whole};
use crate::cli::space_args::{SpaceArgs, advice, not_kept};
use crate::cli::status_line::StatusLine;
use crate::engine::Propnet;
use crate::gdl::rules_digest;
use crate::state_space::{
    ClusterDifference, ClusterError, ClusterHosts, ClusterOptions, ClusterQuestion,
    ClusterSolution, ClusterSpace, ClusterStage, SolutionSubject, SolveError, SpaceError,
    enumerate_on_cluster, solve_on_cluster,
};
use crate::symmetry::SymmetryGroup;
use crate::util::system_said;

/// Options about other processes.
#[derive(Debug, clap::Args)]
pub(super) struct ClusterArgs {
    /// Work together with other processes: FILE lists the addresses of all, one `host:port` a line. Connections are not encrypted
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
    /// Which of them this process is, counted from 0
    #[arg(long, value_name = "I", requires = "hosts", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<usize>(0, 65_535))]
    process: usize,
    /// How many seconds to wait for the others at the beginning
    #[arg(long, value_name = "S", requires = "hosts", default_value_t = 300, allow_negative_numbers = true, value_parser = whole::<u64>(1, 86_400))]
    wait: u64,
}

impl ClusterArgs {
    pub(super) fn is_asked_for(&self) -> bool {
        self.hosts.is_some()
    }

    /// Refuses options that only one process can follow, of which these are given.
    pub(super) fn refuse(&self, options: &[(&str, bool)]) -> Result<(), Failure> {
        match options.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::usage(format!(
                "`{option}` cannot be used with `--hosts`"
            ))
            .with_help(format!(
                "leave out `--hosts` to use `{option}` on one machine"
            ))),
        }
    }

    /// What all processes find together.
    pub(super) fn enumerate(
        &self,
        space: &SpaceArgs,
        source: &GameSource,
        game: Propnet,
        symmetries: Option<Arc<SymmetryGroup>>,
        console: &mut Console<'_>,
    ) -> Result<ClusterSpace, Failure> {
        let (hosts, options) = self.options(space, source, symmetries, console)?;
        let found = enumerate_on_cluster(game, options).map_err(|why| refused(&why, &hosts))?;
        tell_kept(&found, console)?;
        Ok(found)
    }

    /// What the states are worth that all processes find together.
    pub(super) fn solve(
        &self,
        space: &SpaceArgs,
        source: &GameSource,
        game: Propnet,
        (question, symmetries): (ClusterQuestion, Option<Arc<SymmetryGroup>>),
        console: &mut Console<'_>,
    ) -> Result<ClusterSolution, Failure> {
        let (hosts, options) = self.options(space, source, symmetries, console)?;
        let found = solve_on_cluster(game, options, question);
        let found = found.map_err(|why| refused(&why, &hosts))?;
        tell_kept(&found.space, console)?;
        Ok(found)
    }

    fn options(
        &self,
        space: &SpaceArgs,
        source: &GameSource,
        symmetries: Option<Arc<SymmetryGroup>>,
        console: &Console<'_>,
    ) -> Result<(ClusterHosts, ClusterOptions), Failure> {
        let hosts = match &self.hosts {
            Some(path) => self.read(path)?,
            None => return Err(Failure::usage("`--hosts` names no file")),
        };
        let status = Mutex::new(StatusLine::new(console.quiet));
        let on_stage = move |stage: ClusterStage<'_>| {
            if let Ok(mut status) = status.lock() {
                status.show(&words(stage));
            }
        };
        let options = ClusterOptions {
            hosts: hosts.clone(),
            threads: space.threads.count(),
            wait: Duration::from_secs(self.wait),
            deadline: space.deadline(console),
            most_bytes: space.most_bytes(),
            subject: SolutionSubject {
                game: source.name.clone(),
                rules: rules_digest(&source.text),
            },
            symmetries,
            checkpoint: space.checkpoint().map(Path::to_owned),
            on_stage: Box::new(on_stage),
        };
        Ok((hosts, options))
    }

    fn read(&self, path: &Path) -> Result<ClusterHosts, Failure> {
        let shown = path.display();
        let text = fs::read_to_string(path)
            .map_err(|cause| Failure::usage(format!("`{shown}`: {}", system_said(&cause))))?;
        ClusterHosts::new(&text, self.process)
            .map_err(|fault| Failure::usage(format!("`{shown}`: {fault}")))
    }
}

/// How far all have come.
fn words(stage: ClusterStage<'_>) -> String {
    match stage {
        ClusterStage::Ply { by_ply, bytes } => {
            let found = counted(by_ply.iter().sum(), "state");
            let (ply, bytes) = (by_ply.len().saturating_sub(1), bytes >> 20);
            format!("ply {ply}: {found}, {bytes} MiB here")
        }
        ClusterStage::Value {
            goal,
            plies,
            states,
        } => {
            let states = counted(states, "state");
            format!("goal {goal}: {states}, {plies} plies from the end")
        }
    }
}

/// Tells what was found by an earlier run.
fn tell_kept(found: &ClusterSpace, console: &mut Console<'_>) -> Result<(), Failure> {
    if let Some(ply) = found.kept.checked_sub(1) {
        console.hint(&format!(
            "went on after ply {ply}, which all processes have kept"
        ))?;
    }
    Ok(())
}

/// Why the processes did not come to an end.
fn refused(why: &ClusterError, hosts: &ClusterHosts) -> Failure {
    let failure = Failure::finding(why.to_string());
    match why {
        ClusterError::Space(SpaceError::Expired(why)) => (*why).into(),
        ClusterError::Space(SpaceError::Checkpoint(fault)) => not_kept(fault),
        ClusterError::Solve(SolveError::Expired(why)) => (*why).into(),
        ClusterError::Space(SpaceError::Simultaneous(_)) | ClusterError::Solve(SolveError::Chance) => {
            failure.with_help("leave out `--hosts`: values on average are found on one machine")
        }
        ClusterError::Space(why) => failure.with_help(advice(why)),
        ClusterError::Lost(process) => Failure::finding(format!(
            "process {process} at {} has ended before all was done",
            hosts.address(*process)
        ))
        .with_help("see what it says; begin all again, with `--checkpoint` from the last ply that all have kept"),
        ClusterError::Absent(..) => failure
            .with_help("begin all processes within `--wait` seconds, with the same list of addresses"),
        ClusterError::Stranger(_, difference) => failure.with_help(in_common(*difference)),
        ClusterError::Listen { .. } => failure.with_help("the address must be this machine's, and unused"),
        _ => failure,
    }
}

/// What to do about processes that differ.
fn in_common(difference: ClusterDifference) -> &'static str {
    match difference {
        ClusterDifference::Program => {
            "use the same version of the program everywhere, and addresses that nothing else uses"
        }
        ClusterDifference::Rules | ClusterDifference::Question => {
            "give all processes the same command with the same rules"
        }
        ClusterDifference::Hosts => "give all processes the same list with `--hosts`",
        ClusterDifference::Threads => "give all processes the same `--threads`",
        ClusterDifference::Checkpoint => "give all processes `--checkpoint`, or none of them",
        ClusterDifference::Place => {
            "begin each process on the machine whose address it has in the list"
        }
    }
}
