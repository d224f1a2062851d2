//! States enumerated together with other processes, as the command line asks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
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
    ClusterError, ClusterHosts, ClusterOptions, SolutionSubject, SpaceError, SpaceTotals,
    enumerate_on_cluster,
};
use crate::util::{Deadline, system_said};

/// Options about other processes.
#[derive(Debug, clap::Args)]
pub(super) struct ClusterArgs {
    /// Enumerate together with other processes: FILE lists the addresses of all, one `host:port` a line. Connections are not encrypted
    #[arg(long, value_name = "FILE", conflicts_with_all = ["symmetry", "dot", "max_states", "symbolic"])]
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

    /// What all processes find together.
    pub(super) fn enumerate(
        &self,
        space: &SpaceArgs,
        source: &GameSource,
        game: Propnet,
        console: &mut Console<'_>,
    ) -> Result<SpaceTotals, Failure> {
        let hosts = match &self.hosts {
            Some(path) => self.read(path)?,
            None => return Err(Failure::usage("`--hosts` names no file")),
        };
        let status = Mutex::new(StatusLine::new(console.quiet));
        let on_ply = move |by_ply: &[u64], bytes: u64| {
            let found = counted(by_ply.iter().sum(), "state");
            let (ply, bytes) = (by_ply.len().saturating_sub(1), bytes >> 20);
            if let Ok(mut status) = status.lock() {
                status.show(&format!("ply {ply}: {found}, {bytes} MiB here"));
            }
        };
        let options = ClusterOptions {
            hosts: hosts.clone(),
            threads: space.threads.count(),
            wait: Duration::from_secs(self.wait),
            deadline: Deadline::new(None, &console.stop_flag()),
            most_bytes: space.most_bytes(),
            subject: SolutionSubject {
                game: source.name.clone(),
                rules: rules_digest(&source.text),
            },
            checkpoint: space.checkpoint().map(Path::to_owned),
            on_ply: Box::new(on_ply),
        };
        let found = enumerate_on_cluster(game, options).map_err(|why| refused(&why, &hosts))?;
        if let Some(ply) = found.kept.checked_sub(1) {
            console.hint(&format!(
                "went on after ply {ply}, which all processes have kept"
            ))?;
        }
        Ok(found.totals)
    }

    fn read(&self, path: &Path) -> Result<ClusterHosts, Failure> {
        let shown = path.display();
        let text = fs::read_to_string(path)
            .map_err(|cause| Failure::usage(format!("`{shown}`: {}", system_said(&cause))))?;
        ClusterHosts::new(&text, self.process)
            .map_err(|fault| Failure::usage(format!("`{shown}`: {fault}")))
    }
}

/// Why the processes did not come to an end.
fn refused(why: &ClusterError, hosts: &ClusterHosts) -> Failure {
    let failure = Failure::finding(why.to_string());
    match why {
        ClusterError::Space(SpaceError::Expired(_)) => Failure::interrupted(),
        ClusterError::Space(SpaceError::Checkpoint(fault)) => not_kept(fault),
        ClusterError::Space(why) => failure.with_help(advice(why)),
        ClusterError::Lost(process) => Failure::finding(format!(
            "process {process} at {} has ended before the states were enumerated",
            hosts.address(*process)
        ))
        .with_help("see what it says; begin all again, with `--checkpoint` from the last ply that all have kept"),
        ClusterError::Absent(..) => failure
            .with_help("begin all processes within `--wait` seconds, with the same list of addresses"),
        ClusterError::Stranger(_) => {
            failure.with_help("give all the same rules, `--hosts` and `--threads`")
        }
        ClusterError::Listen { .. } => failure.with_help("the address must be this machine's, and unused"),
        _ => failure,
    }
}
