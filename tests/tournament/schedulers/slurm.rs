//! A Slurm cluster of one node, which belongs to a test.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{program, succeeded};

/// How long the daemons have to find each other.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Runs as long as it lives, with whatever rights the test has.
pub(super) struct Cluster {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    /// Starts the daemons, and waits until jobs can be submitted.
    pub(super) fn start() -> Self {
        let folder = TempDir::new().unwrap();
        let mut cluster = Self {
            folder,
            daemons: Vec::new(),
        };
        for part in ["state", "spool"] {
            fs::create_dir(cluster.path(part)).unwrap();
        }
        cluster.start_munge();
        let configuration = cluster.configured();
        fs::write(cluster.configuration(), configuration).unwrap();
        cluster.daemon("slurmctld", &["-D", "-i"]);
        cluster.daemon("slurmd", &["-D", "-N", "node"]);
        let begin = Instant::now();
        while !cluster.is_idle() {
            assert!(begin.elapsed() < TIMEOUT, "{}", cluster.logs());
            thread::sleep(Duration::from_millis(200));
        }
        cluster
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn configuration(&self) -> PathBuf {
        self.path("slurm.conf")
    }

    /// What the daemons said, for a test that fails.
    pub(super) fn logs(&self) -> String {
        let logs =
            ["munged", "slurmctld", "slurmd"].map(|daemon| self.path(&format!("{daemon}.err")));
        logs.map(|log| fs::read_to_string(log).unwrap_or_default())
            .join("\n")
    }

    fn daemon(&mut self, name: &str, words: &[&str]) {
        let said = fs::File::create(self.path(&format!("{name}.err"))).unwrap();
        let mut command = program(name, self.folder.path());
        command.args(words).env("SLURM_CONF", self.configuration());
        command.stdout(Stdio::null()).stderr(said);
        self.daemons.push(command.spawn().unwrap());
    }

    /// Slurm wants to be told by MUNGE who asks. This one has a key and a socket of its own.
    fn start_munge(&mut self) {
        let key = self.path("munge.key");
        fs::write(&key, [7; 1024]).unwrap();
        set_private(&key);
        let option = |name: &str, file: &str| format!("--{name}={}", self.path(file).display());
        let words = [
            "--foreground".to_owned(),
            // The folder of a test may be open to others.
            "--force".to_owned(),
            option("key-file", "munge.key"),
            option("socket", "munge.socket"),
            option("pid-file", "munge.pid"),
            option("log-file", "munge.log"),
            option("seed-file", "munge.seed"),
        ];
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.daemon("munged", &words);
    }

    fn configured(&self) -> String {
        let mut who = program("id", self.folder.path());
        let user = succeeded(&who.arg("-un").output().unwrap());
        let user = user.trim();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        // Slurm knows hosts by their short names.
        let host = host.trim().split('.').next().unwrap();
        let folder = self.folder.path().display();
        let [control_port, node_port] = free_ports();
        format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             SlurmctldPort={control_port}\nSlurmdPort={node_port}\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/munge.socket\nCredType=cred/munge\n\
             MpiDefault=none\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             ReturnToService=2\nSlurmdParameters=config_overrides\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             NodeName=node NodeAddr=127.0.0.1 CPUs=8\nPartitionName=all Nodes=node Default=YES\n"
        )
    }

    fn is_idle(&self) -> bool {
        // While nobody answers, `sinfo` would try for a long time.
        let mut command = program("timeout", self.folder.path());
        command.args(["10", "sinfo", "--noheader", "--format=%T"]);
        command.env("SLURM_CONF", self.configuration());
        let state = command.output().unwrap();
        String::from_utf8_lossy(&state.stdout).trim() == "idle"
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            // It may have ended by itself; then there is nobody to end.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// Only its owner may read it, which MUNGE insists on.
fn set_private(file: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

/// Slurm cannot be told to take any port that is free.
fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind(("127.0.0.1", 0)).unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}
