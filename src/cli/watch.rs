//! Files that are watched: work that is done again at every save.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::catalog::{GameSource, SHIPPED};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::info::board::BoardFile;
use crate::util::StopFlag;

/// How often the files are looked at where the system does not tell of changes; it never does so on network drives.
const POLL: Duration = Duration::from_millis(500);
/// How often Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(50);
/// A file is saved once it has not changed for so long: editors write in several steps.
const QUIET: Duration = Duration::from_millis(60);
/// A file that changes all the time is read nevertheless.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Does `work` for rule files and for those in folders, and again whenever one of them or the board file beside it is saved,
/// until Ctrl-C. The flag that `work` is given is raised once that happens.
pub(super) fn again_at_every_save(
    named: &[String],
    console: &mut Console<'_>,
    mut work: impl FnMut(&[String], &StopFlag, &mut Console<'_>) -> Result<(), Failure>,
) -> Result<Outcome, Failure> {
    let stop = console.stop_flag();
    let mut watch = Watch::of(named)?;
    loop {
        clear(console)?;
        let files = watch.files();
        let ended = watch.during(&stop, |outdated| work(&files, outdated, console));
        match ended {
            // What was being read has changed, and is worked on again.
            Err(_) if watch.has_changed() => {}
            ended => ended?,
        }
        console.out.flush()?;
        if !watch.has_changed() && !stop.is_raised() {
            let names = named.join(", ");
            console.hint(&format!("watching {names}; Ctrl-C ends"))?;
        }
        if !watch.wait(&stop) {
            return Ok(Outcome::Interrupted);
        }
    }
}

/// A terminal shows the newest report alone; in a file, reports follow each other.
fn clear(console: &mut Console<'_>) -> Result<(), Failure> {
    const HOME_AND_CLEAR: &str = "\x1b[H\x1b[2J\x1b[3J";
    if io::stdout().is_terminal() {
        write!(io::stdout(), "{HOME_AND_CLEAR}")?;
        console.out.flush()?;
    }
    Ok(())
}

/// What tells one version of a file from the next.
type Stamp = (PathBuf, Option<(SystemTime, u64)>);

struct Watch {
    /// Files and folders.
    named: Vec<PathBuf>,
    /// The versions that were worked on last.
    seen: BTreeSet<Stamp>,
    events: Receiver<()>,
    /// Ends with the watch.
    _watcher: Option<RecommendedWatcher>,
}

impl Watch {
    fn of(named: &[String]) -> Result<Self, Failure> {
        for name in named {
            check_name(name)?;
        }
        let named: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
        let (sender, events) = channel();
        let watcher = watcher(&named, sender);
        Ok(Self {
            seen: stamps(&named),
            named,
            events,
            _watcher: watcher,
        })
    }

    /// The rule files as they are named, and those in the folders.
    fn files(&self) -> Vec<String> {
        let files = self.named.iter().flat_map(|path| files_of(path));
        files.map(|path| path.display().to_string()).collect()
    }

    fn has_changed(&self) -> bool {
        stamps(&self.named) != self.seen
    }

    /// Does `work` with a flag that is raised once a file changes or Ctrl-C is pressed.
    fn during<R>(&mut self, stop: &StopFlag, work: impl FnOnce(&StopFlag) -> R) -> R {
        self.seen = stamps(&self.named);
        let (outdated, is_done) = (StopFlag::default(), StopFlag::default());
        let (named, seen) = (&self.named, &self.seen);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.is_raised() {
                    if stop.is_raised() || stamps(named) != *seen {
                        outdated.raise();
                    }
                    thread::sleep(TICK);
                }
            });
            let result = work(&outdated);
            is_done.raise();
            result
        })
    }

    /// Waits until a file has changed and is saved; false after Ctrl-C.
    fn wait(&mut self, stop: &StopFlag) -> bool {
        let mut looked = Instant::now();
        loop {
            if stop.is_raised() {
                return false;
            }
            let told = self.events.recv_timeout(TICK).is_ok();
            if (told || looked.elapsed() >= POLL) && self.has_changed() {
                self.settle();
                return true;
            }
            if told || looked.elapsed() >= POLL {
                looked = Instant::now();
            }
        }
    }

    /// Waits for the end of a save.
    fn settle(&mut self) {
        let begin = Instant::now();
        let mut now = stamps(&self.named);
        while begin.elapsed() < TIMEOUT {
            thread::sleep(QUIET);
            let next = stamps(&self.named);
            if next == now {
                break;
            }
            now = next;
        }
        while self.events.try_recv().is_ok() {}
    }
}

/// Only files change, and a name that is misspelt would be waited for in vain.
fn check_name(name: &str) -> Result<(), Failure> {
    let is_shipped = SHIPPED.iter().any(|game| game.name == name);
    if name == "-" || is_shipped {
        return Err(
            Failure::usage(format!("`{name}` cannot be watched: it is no file"))
                .with_help("name a rule file or a folder"),
        );
    }
    let path = Path::new(name);
    match path.exists() {
        true => Ok(()),
        false => Ok(GameSource::from_file(path).map(drop)?),
    }
}

/// Tells of every change in the folders of the files: editors save by renaming, which a watched file would not survive.
fn watcher(named: &[PathBuf], sender: Sender<()>) -> Option<RecommendedWatcher> {
    let told = move |_| {
        // Nobody waits any more where this fails.
        let _ = sender.send(());
    };
    let mut watcher = notify::recommended_watcher(told)
        .inspect_err(|fault| tracing::debug!("the system does not tell of changes: {fault}"))
        .ok()?;
    let folders: BTreeSet<&Path> = named.iter().map(|path| folder_of(path)).collect();
    for folder in folders {
        if let Err(fault) = watcher.watch(folder, RecursiveMode::NonRecursive) {
            tracing::debug!("changes in {} are looked for: {fault}", folder.display());
        }
    }
    Some(watcher)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        _ if path.is_dir() => path,
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The file itself, or the rule files in a folder in the order of their names.
fn files_of(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "kif"));
    files.sort();
    files
}

/// The versions of the rule files, and of the board files beside them.
fn stamps(named: &[PathBuf]) -> BTreeSet<Stamp> {
    let files = named.iter().flat_map(|path| files_of(path));
    let files = files.flat_map(|path| [BoardFile::path_beside(&path), path]);
    let stamp = |path: PathBuf| {
        let metadata = fs::metadata(&path).ok();
        let version = metadata.and_then(|found| Some((found.modified().ok()?, found.len())));
        (path, version)
    };
    files.map(stamp).collect()
}
