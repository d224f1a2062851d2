//! States counted, and games solved, by several processes on one machine.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::Folder;

/// The addresses of so many processes on this machine, one a line.
pub(crate) fn hosts(count: usize) -> String {
    // All at once, so that no port comes twice.
    let ports = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let ports: Vec<TcpListener> = ports.collect();
    let lines = ports
        .iter()
        .map(|port| format!("{}\n", port.local_addr().unwrap()));
    lines.collect()
}

/// One of the processes that count states; `more` are other options.
fn process(folder: &Folder, game: &str, number: usize, more: &[&str]) -> Child {
    asked(folder, ["states", game], number, more)
}

/// One of the processes that do this; `more` are other options.
fn asked(folder: &Folder, [command, game]: [&str; 2], number: usize, more: &[&str]) -> Child {
    let number = number.to_string();
    let words = [
        command,
        game,
        "--json",
        "--hosts",
        "hosts.txt",
        "--process",
        &number,
    ];
    Command::new(env!("CARGO_BIN_EXE_kolibri"))
        .current_dir(folder.path())
        .args(words)
        .args(more)
        .env_clear()
        .envs(folder.places())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What processes say when all have ended, which they must do in time.
fn all_end(processes: Vec<Child>) -> Vec<Output> {
    let until = Instant::now() + Duration::from_secs(120);
    let end = |mut process: Child| {
        while process.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until, "a process never ends");
            std::thread::sleep(Duration::from_millis(20));
        }
        process.wait_with_output().unwrap()
    };
    processes.into_iter().map(end).collect()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// All that does not depend on how the states were counted.
fn counts(report: &Value) -> Value {
    let mut counts = report.clone();
    for field in [
        "seconds",
        "states_per_second",
        "peak_memory_bytes",
        "bytes_per_state",
        "games",
        "infinite",
        "games_of_classes",
        "threads",
    ] {
        counts.as_object_mut().unwrap().remove(field);
    }
    counts
}

/// What these processes have printed, which must be the same.
fn same_answer(ended: &[Output]) -> Value {
    let reports = ended.iter().map(|output| {
        assert!(output.status.success(), "{}", said(output));
        counts(&serde_json::from_slice(&output.stdout).unwrap())
    });
    let reports: Vec<Value> = reports.collect();
    assert!(
        reports.iter().all(|report| *report == reports[0]),
        "{reports:?}"
    );
    reports[0].clone()
}

/// What so many processes of so many threads each count; all must say the same.
fn counted(game: &str, processes: usize, threads: &str) -> Value {
    let folder = Folder::new().with("hosts.txt", hosts(processes));
    let begun =
        (0..processes).map(|number| process(&folder, game, number, &["--threads", threads]));
    same_answer(&all_end(begun.collect()))
}

#[test]
fn several_processes_count_what_one_counts() {
    for game in ["tictactoe", "rock-paper-scissors", "fakelogic"] {
        let alone = Folder::new().run(&["states", game, "--json"]).json();
        for (processes, threads) in [(1, "1"), (1, "3"), (2, "1"), (4, "1"), (2, "2")] {
            let together = counted(game, processes, threads);
            assert_eq!(together, counts(&alone), "{game}: {processes} of {threads}");
        }
    }
}

#[test]
fn several_processes_count_the_classes_that_one_counts() {
    let folder = Folder::new().with("hosts.txt", hosts(2));
    let generated = folder.run(&["generate", "connect-four", "--width", "4", "--height", "4"]);
    let folder = folder.with("game.kif", generated.out);
    let classes = ["classes", "symmetries", "symmetries_used"];
    for (game, symmetry) in [
        ("tictactoe", "--symmetry"),
        ("tictactoe", "--symmetry=swap"),
        ("game.kif", "--symmetry"),
    ] {
        let alone = folder.run(&["states", game, "--json", symmetry]).json();
        let fields = |report: &Value| classes.map(|field| report[field].clone());
        assert!(fields(&alone).iter().all(Value::is_number), "{alone}");
        for keep in [&[][..], &["--checkpoint", symmetry.trim_matches('-')]] {
            let more = [&[symmetry], keep].concat();
            let begun = (0..2).map(|number| process(&folder, game, number, &more));
            for output in all_end(begun.collect()) {
                assert!(output.status.success(), "{}", said(&output));
                let report: Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(counts(&report), counts(&alone), "{game} {symmetry}");
                assert_eq!(fields(&report), fields(&alone), "{game} {symmetry}");
            }
        }
        for kept in 1..=2 {
            let name = format!("{}.{kept}-of-2", symmetry.trim_matches('-'));
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
    let symmetries: [&[&str]; 2] = [&["--symmetry"], &[]];
    let begun = symmetries.iter().zip(0..);
    let begun = begun.map(|(more, number)| process(&folder, "tictactoe", number, more));
    for output in all_end(begun.collect()) {
        assert!(!output.status.success(), "{}", said(&output));
        assert!(
            said(&output).contains("another question"),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn a_killed_process_ends_all_and_they_go_on_where_they_were() {
    let folder = Folder::new().with("hosts.txt", hosts(3));
    let generated = folder.run(&["generate", "connect-four", "--width", "4", "--height", "4"]);
    let folder = folder.with("game.kif", generated.out);
    let keep = ["--checkpoint", "kept"];
    let begin = || {
        (0..3)
            .map(|number| process(&folder, "game.kif", number, &keep))
            .collect()
    };
    let mut processes: Vec<Child> = begin();
    // Once some plies are kept.
    let file = folder.path().join("kept.1-of-3");
    let until = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&file).map_or(0, |file| file.len()) < 20_000 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    processes[1].kill().unwrap();
    let ended = all_end(processes);
    let others = [&ended[0], &ended[2]];
    // Unless all was known before it was killed.
    let failed = others.iter().filter(|other| !other.status.success());
    let failed: Vec<String> = failed
        .map(|other| {
            assert_eq!(other.status.code(), Some(1), "{}", said(other));
            said(other)
        })
        .collect();
    for told in &failed {
        assert!(told.contains("has ended before all was done"), "{told}");
    }
    // Who ends last may see the other one end first.
    let names = |told: &String| told.contains("process 1 at 127.0.0.1:");
    assert!(failed.is_empty() || failed.iter().any(names), "{failed:?}");
    let ended = all_end(begin());
    let alone = folder.run(&["states", "game.kif", "--json"]).json();
    for output in &ended {
        assert!(output.status.success(), "{}", said(output));
        assert!(
            said(output).contains("went on after ply"),
            "{}",
            said(output)
        );
        let report = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(counts(&report), counts(&alone));
    }
}

/// What so many processes say of the values of a game; all must say the same.
fn solved(folder: &Folder, processes: usize, more: &[&str]) -> Value {
    let begun = (0..processes).map(|number| asked(folder, ["solve", "game.kif"], number, more));
    same_answer(&all_end(begun.collect()))
}

/// Turns that do not alternate, cycles, and values without end.
#[test]
fn several_processes_solve_what_one_solves() {
    let shipped = |name: &str| fs::read_to_string(format!("games/{name}.kif")).unwrap();
    let size = ["--width", "2", "--height", "3", "--pieces", "3"];
    let kolibrat = [&["generate", "kolibrat"], &size[..]].concat();
    let kolibrat = Folder::new().run(&kolibrat).out;
    for (name, rules, more) in [
        ("tictactoe", shipped("tictactoe"), &["(mark 2 2)"][..]),
        ("tictactoe", shipped("tictactoe"), &["--symmetry"]),
        ("fakelogic", shipped("fakelogic"), &["--role", "black"]),
        ("kolibrat", kolibrat, &[]),
    ] {
        let folder = Folder::new().with("game.kif", rules);
        let words = [&["solve", "game.kif", "--json"], more].concat();
        let alone = counts(&folder.run(&words).json());
        for processes in [1, 2, 4] {
            let folder = Folder::new()
                .with(
                    "game.kif",
                    fs::read(folder.path().join("game.kif")).unwrap(),
                )
                .with("hosts.txt", hosts(processes));
            let together = solved(&folder, processes, more);
            assert_eq!(together, alone, "{name} by {processes}");
        }
    }
}

#[test]
fn a_killed_process_ends_all_that_solve_and_they_go_on_where_they_were() {
    let size = ["--width", "4", "--height", "4"];
    let generated = Folder::new().run(&[&["generate", "connect-four"], &size[..]].concat());
    let folder = Folder::new()
        .with("hosts.txt", hosts(2))
        .with("game.kif", generated.out);
    let keep = ["--checkpoint", "kept"];
    let begin = |number| asked(&folder, ["solve", "game.kif"], number, &keep);
    let mut processes: Vec<Child> = (0..2).map(begin).collect();
    // Once some plies are kept.
    let file = folder.path().join("kept.1-of-2");
    let until = Instant::now() + Duration::from_secs(60);
    while fs::metadata(&file).map_or(0, |file| file.len()) < 50_000 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    processes[0].kill().unwrap();
    let ended = all_end(processes);
    if !ended[1].status.success() {
        // Else, all was known before it was killed.
        let told = said(&ended[1]);
        assert!(told.contains("process 0 at 127.0.0.1:"), "{told}");
        assert!(told.contains("has ended before all was done"), "{told}");
    }
    let ended = all_end((0..2).map(begin).collect());
    let alone = folder.run(&["solve", "game.kif", "--json"]).json();
    for output in &ended {
        let told = said(output);
        assert!(output.status.success(), "{told}");
        assert!(told.contains("went on after ply"), "{told}");
        let report = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(counts(&report), counts(&alone));
    }
}

#[test]
fn what_one_process_must_do_is_refused_at_once() {
    let folder = Folder::new().with("hosts.txt", hosts(2));
    for (command, option) in [
        ("solve", &["--out", "solution"][..]),
        ("solve", &["--strategy", "x"]),
        ("solve", &["--verify"]),
        ("solve", &["--by", "control"]),
        ("solve", &["--max-states", "10"]),
        ("states", &["--dot", "graph.dot"]),
        ("states", &["--max-states", "10"]),
    ] {
        let words = [&[command, "tictactoe", "--hosts", "hosts.txt"], option].concat();
        let refused = folder.run(&words);
        assert_eq!(refused.status, 2, "{}", refused.shown());
        let shown = refused.shown();
        let told = format!("`{}` cannot be used with `--hosts`", option[0]);
        assert!(shown.contains(&told), "{shown}");
    }
    let alone = Folder::new().with("hosts.txt", hosts(1));
    let together = ["solve", "rock-paper-scissors", "--hosts", "hosts.txt"];
    let refused = alone.run(&together);
    assert_eq!(refused.status, 1, "{}", refused.shown());
    let shown = refused.shown();
    assert!(
        shown.contains("several roles choose at the same time"),
        "{shown}"
    );
    assert!(shown.contains("leave out `--hosts`"), "{shown}");
}

#[test]
fn processes_that_do_not_belong_together_say_so() {
    let folder = Folder::new().with("hosts.txt", hosts(2));
    let wait = ["--wait", "1"];
    let alone = all_end(vec![process(&folder, "tictactoe", 1, &wait)]);
    assert_eq!(alone[0].status.code(), Some(1), "{}", said(&alone[0]));
    assert!(
        said(&alone[0]).contains("process 0 is not at"),
        "{}",
        said(&alone[0])
    );
    let third = all_end(vec![process(&folder, "nim", 2, &[])]);
    assert_eq!(third[0].status.code(), Some(2), "{}", said(&third[0]));
    assert!(
        said(&third[0]).contains("there is no process 2"),
        "{}",
        said(&third[0])
    );
}

/// Both processes say in what they differ, and neither begins.
#[test]
fn processes_that_have_not_the_same_in_common_are_refused_when_they_meet() {
    let states = ["states", "tictactoe"];
    let role = ["--role", "o"];
    for (other, more, told) in [
        (["states", "nim"], &[][..], "has other rules"),
        (["solve", "tictactoe"], &[], "has another question"),
        (states, &["--threads", "2"], "has another number of threads"),
        (
            states,
            &["--checkpoint", "kept"],
            "give all processes `--checkpoint`, or none of them",
        ),
    ] {
        assert_refused([states, other], [&[], more], told);
    }
    let solve = ["solve", "tictactoe"];
    assert_refused([solve, solve], [&[], &role], "has another question");
    assert_refused(
        [solve, solve],
        [&["--checkpoint", "kept"], &[]],
        "has a checkpoint",
    );
}

fn assert_refused(commands: [[&str; 2]; 2], more: [&[&str]; 2], told: &str) {
    let folder = Folder::new().with("hosts.txt", hosts(2));
    let begun = (0..2).map(|number| {
        let more = [&["--wait", "20"], more[number]].concat();
        asked(&folder, commands[number], number, &more)
    });
    for output in all_end(begun.collect()) {
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains(told), "{}", said(&output));
    }
    assert!(!folder.path().join("kept.1-of-2").exists());
}
