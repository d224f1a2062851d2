//! The scripts for schedulers, run by the schedulers themselves where they are installed. Where one is not, its test says so and is
//! left out, unless `KOLIBRI_SCHEDULERS` is set, as the hosted checks set it.

mod slurm;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use self::slurm::Cluster;
use super::{games, random_plan, run};
use crate::cli::Folder;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("scripts")
        .join(name)
}

/// Where programs are looked for: kolibri first, and the daemons of the system, too.
fn search_path() -> OsString {
    let program = assert_cmd::cargo::cargo_bin("kolibri");
    let usual = env::var_os("PATH").unwrap_or_default();
    let folders = [program.parent().unwrap().to_owned()]
        .into_iter()
        .chain(env::split_paths(&usual))
        .chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    env::join_paths(folders).unwrap()
}

/// A program of the system, which runs in a folder.
fn program(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.current_dir(folder).env("PATH", search_path());
    for of_scheduler in [
        "SLURM_ARRAY_TASK_ID",
        "SLURM_CPUS_PER_TASK",
        "JOB_COMPLETION_INDEX",
    ] {
        command.env_remove(of_scheduler);
    }
    command.stdin(Stdio::null());
    command
}

/// Whether programs are installed; says so where they are not.
fn are_installed(names: &[&str], package: &str) -> bool {
    let path = search_path();
    let is_there = |name: &&&str| env::split_paths(&path).any(|folder| folder.join(name).is_file());
    let missing = names.iter().find(|name| !is_there(name));
    if let Some(missing) = missing {
        let message = format!("there is no `{missing}`: install the package {package}");
        assert!(env::var_os("KOLIBRI_SCHEDULERS").is_none(), "{message}");
        // Not `eprintln!`, which the test harness swallows where a test passes.
        let said = writeln!(io::stderr(), "skipped: {message}");
        said.unwrap();
    }
    missing.is_none()
}

fn succeeded(output: &Output) -> String {
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}{err}");
    out
}

/// The logs of all shards are those of the whole tournament.
fn assert_shards_are_whole(folder: &Folder, plan: &str, shards: u64) {
    let whole = run(
        folder,
        &format!("{plan}.toml --log whole.jsonl --shard 1/1"),
    );
    assert_eq!(whole.status, 0, "{}", whole.shown());
    let logs = (1..=shards).map(|shard| format!("{plan}.{shard}-of-{shards}.games.jsonl"));
    let logs: Vec<String> = logs.collect();
    let words = ["merge", "--output", "all.jsonl"].into_iter();
    let words: Vec<&str> = words.chain(logs.iter().map(String::as_str)).collect();
    let merged = folder.run(&words);
    assert_eq!(merged.status, 0, "{}", merged.shown());
    let [whole, all] = ["whole.jsonl", "all.jsonl"].map(|log| folder.path().join(log));
    assert_eq!(games(&all), games(&whole));
}

/// As Slurm runs it: once for each task.
#[test]
fn the_script_of_a_job_array_plays_its_shard() {
    let folder = Folder::new().with("cup.toml", random_plan(6, ""));
    for task in ["0", "1", "2"] {
        let mut command = program("bash", folder.path());
        command.arg(script("tournament-slurm.sh")).arg("cup.toml");
        let played = command.envs([
            ("SLURM_ARRAY_TASK_ID", task),
            ("SLURM_ARRAY_TASK_MIN", "0"),
            ("SLURM_ARRAY_TASK_COUNT", "3"),
            ("SLURM_CPUS_PER_TASK", "1"),
        ]);
        let played = played.output().unwrap();
        succeeded(&played);
        let told = String::from_utf8_lossy(&played.stderr);
        assert!(told.contains("; 1 at once, "), "{told}");
    }
    assert_shards_are_whole(&folder, "cup", 3);
}

#[test]
fn slurm_plays_a_job_array() {
    let needed = ["munged", "slurmctld", "slurmd", "sinfo", "sbatch"];
    if !are_installed(&needed, "slurm-wlm") {
        return;
    }
    let folder = Folder::new().with("cup.toml", random_plan(6, "[openings]\nplies = 1\n"));
    let cluster = Cluster::start();
    let submit = |array: &str| {
        // Should no task ever begin, the test fails rather than wait for ever.
        let mut command = program("timeout", folder.path());
        command.args(["300", "sbatch", "--wait", "--time=1", "--cpus-per-task=1"]);
        command.args(["--output=task-%a.log", array]);
        command.arg(script("tournament-slurm.sh")).arg("cup.toml");
        let ended = command.env("SLURM_CONF", cluster.configuration()).output();
        let ended = ended.unwrap();
        assert!(ended.status.success(), "{ended:?}\n{}", cluster.logs());
    };
    submit("--array=0-2");
    assert_shards_are_whole(&folder, "cup", 3);
    let told = std::fs::read_to_string(folder.path().join("task-0.log")).unwrap();
    assert!(
        told.contains("; 1 at once, "),
        "a task takes its own cores only, though it is not confined to them: {told}"
    );
    // Numbers of tasks may begin anywhere, and leave some out.
    submit("--array=7-13:2");
    for shard in 1..=4 {
        let log = folder.path().join(format!("cup.{shard}-of-4.games.jsonl"));
        assert_eq!(games(&log).len(), 3);
    }
}

#[test]
fn gnu_parallel_plays_all_shards() {
    if !are_installed(&["parallel"], "parallel") {
        return;
    }
    // A name that a shell would take apart.
    let folder = Folder::new().with("my $cup.toml", random_plan(6, "[openings]\nplies = 1\n"));
    let play = || {
        let mut command = program("bash", folder.path());
        let words = ["my $cup.toml", "3", "--jobs", "2"];
        command.arg(script("tournament-parallel.sh")).args(words);
        command.env("HOME", folder.path()).output().unwrap()
    };
    let table = succeeded(&play());
    assert!(table.contains("12 games\n"), "{table}");
    for shard in 1..=3 {
        let log = format!("my $cup.{shard}-of-3.games.jsonl");
        assert_eq!(games(&folder.path().join(log)).len(), 4);
    }
    assert_eq!(succeeded(&play()), table, "nothing is left to be played");
    let missing = program("bash", folder.path())
        .arg(script("tournament-parallel.sh"))
        .args(["none.toml", "2"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&missing.stderr);
    assert!(!missing.status.success(), "{told}");
    assert!(told.contains("cannot read the plan `none.toml`"), "{told}");
}

/// What the first line of a manifest says that begins with a key.
fn values_of(manifest: &str) -> impl Fn(&str) -> String {
    let manifest = std::fs::read_to_string(script(manifest)).unwrap();
    move |key| {
        let mut lines = manifest.lines().map(str::trim);
        let found = lines.find_map(|line| line.strip_prefix(key));
        let found = found.unwrap_or_else(|| panic!("no {key}"));
        found.trim().to_owned()
    }
}

/// Each pod of the manifest runs its command, with a number of its own.
#[test]
fn the_pods_of_a_job_play_all_shards() {
    let value = values_of("tournament-kubernetes.yaml");
    assert_eq!(value("completionMode:"), "Indexed");
    let pods: u64 = value("completions:").parse().unwrap();
    let words: Vec<String> = serde_json::from_str(&value("command:")).unwrap();
    let folder = Folder::new().with("cup.toml", random_plan(pods, "[openings]\nplies = 1\n"));
    for index in 0..pods {
        let mut command = program(&words[0], folder.path());
        command.args(&words[1..]);
        command.env("JOB_COMPLETION_INDEX", index.to_string());
        succeeded(&command.output().unwrap());
    }
    assert_shards_are_whole(&folder, "cup", pods);
}

/// All pods at the same time, at addresses of this machine.
#[test]
fn the_pods_of_a_job_count_states_together() {
    let value = values_of("states-kubernetes.yaml");
    assert_eq!(value("completions:"), value("parallelism:"));
    let pods: usize = value("completions:").parse().unwrap();
    let words: Vec<String> = serde_json::from_str(&value("command:")).unwrap();
    let game = kolibri::catalog::SHIPPED.iter();
    let game = game.clone().find(|game| game.name == "tictactoe").unwrap();
    let folder = Folder::new().with("game.kif", game.text);
    std::fs::create_dir(folder.path().join("hosts")).unwrap();
    let hosts = crate::cli::cluster::hosts(pods);
    std::fs::write(folder.path().join("hosts/hosts.txt"), hosts).unwrap();
    let begin = |index: usize| {
        let mut command = program(&words[0], folder.path());
        command.args(&words[1..]).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        command
            .env("JOB_COMPLETION_INDEX", index.to_string())
            .spawn()
    };
    let running: Vec<_> = (0..pods).map(|index| begin(index).unwrap()).collect();
    for pod in running {
        let told = succeeded(&pod.wait_with_output().unwrap());
        assert!(told.contains("\"states\":5478,"), "{told}");
    }
}

#[test]
fn slurm_counts_states_in_the_tasks_of_a_job() {
    let needed = ["munged", "slurmctld", "slurmd", "sinfo", "sbatch", "srun"];
    if !are_installed(&needed, "slurm-wlm") {
        return;
    }
    let folder = Folder::new();
    let cluster = Cluster::start();
    for (asked, answer) in [
        (&["tictactoe"][..], "5478, of which 958 are over"),
        (&["solve", "tictactoe"], "x gets 50"),
    ] {
        let mut command = program("timeout", folder.path());
        command.args(["300", "sbatch", "--wait", "--time=1", "--ntasks=2"]);
        command.args(["--cpus-per-task=2", "--output=job.log"]);
        command.arg(script("states-slurm.sh")).args(asked);
        let ended = command.env("SLURM_CONF", cluster.configuration()).output();
        let ended = ended.unwrap();
        let told = std::fs::read_to_string(folder.path().join("job.log")).unwrap_or_default();
        assert!(
            ended.status.success(),
            "{ended:?}\n{told}\n{}",
            cluster.logs()
        );
        assert!(told.contains(answer), "{told}");
    }
}
