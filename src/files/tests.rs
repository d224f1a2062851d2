use std::fs::{self, File};
use std::path::Path;
use std::thread;

use tempfile::TempDir;

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

fn fault(path: &Path, existing: Existing<'_>) -> String {
    let fault = write_file(path, b"new", existing).unwrap_err();
    assert!(!fault.help().is_empty());
    fault.fault.to_string()
}

#[test]
fn what_is_there_is_replaced_only_if_it_may_be() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.kif");
    write_file(&path, b"one", Existing::Keep).unwrap();
    assert_eq!(fault(&path, Existing::Keep), "there is such a file already");
    let is_two = |path: &Path| text(path) == "two";
    assert!(
        write_file(&path, b"three", Existing::ReplaceIf(&is_two))
            .is_err_and(|fault| fault.is_existing_file())
    );
    assert_eq!(text(&path), "one");
    write_file(&path, b"two", Existing::Replace).unwrap();
    write_file(&path, b"three", Existing::ReplaceIf(&is_two)).unwrap();
    assert_eq!(text(&path), "three");
    let other = folder.path().join("other.kif");
    write_file(&other, b"new", Existing::ReplaceIf(&is_two)).unwrap();
    assert_eq!(names(folder.path()), ["game.kif", "other.kif"]);
}

#[test]
fn places_where_nothing_can_be_written_are_named() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "old").unwrap();
    let fault = |path: &str| fault(&folder.path().join(path), Existing::Replace);
    assert_eq!(fault("file/x"), "its folder is a file");
    assert_eq!(fault("none/x"), "its folder does not exist");
    assert_eq!(fault(""), "it is a folder");
    assert_eq!(fault(".."), "it is a folder");
    let message = write_file(Path::new("none/x"), b"", Existing::Keep).unwrap_err();
    assert_eq!(
        message.to_string(),
        "cannot write `none/x`: its folder does not exist"
    );
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn new_files_take_the_next_free_name() {
    const THREADS: usize = 4;
    const FILES: usize = 10;
    let folder = TempDir::new().unwrap();
    thread::scope(|scope| {
        for number in 0..THREADS {
            let contents = number.to_string();
            let folder = folder.path();
            scope.spawn(move || {
                for _ in 0..FILES {
                    let path = write_new_file(folder, "m", ".json", contents.as_bytes()).unwrap();
                    assert_eq!(text(&path), contents);
                }
            });
        }
    });
    let names = names(folder.path());
    assert_eq!(names.len(), THREADS * FILES);
    assert!(names.contains(&"m.json".to_owned()) && names.contains(&"m-40.json".to_owned()));
    let folder = folder.path().join("m.json");
    assert!(write_new_file(&folder, "m", ".json", b"").is_err());
}

#[test]
fn a_reader_never_sees_half_a_file() {
    const ROUNDS: usize = 50;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("game.kif");
    let texts = ["a".repeat(100_000), "b".repeat(200_000)];
    fs::write(&path, &texts[0]).unwrap();
    thread::scope(|scope| {
        for text in &texts {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..ROUNDS {
                    write_file(path, text.as_bytes(), Existing::Replace).unwrap();
                }
            });
        }
        for _ in 0..ROUNDS {
            assert!(texts.contains(&text(&path)));
        }
    });
    assert_eq!(names(folder.path()), ["game.kif"]);
}

#[test]
fn leftovers_are_removed_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let kept = [
        ".kolibri-12345678",
        ".kolibri-1234567.tmp",
        ".kolibri-1234.678.tmp",
        "kolibri-12345678.tmp",
    ];
    for name in kept {
        File::create(folder.path().join(name)).unwrap();
    }
    File::create(folder.path().join(".kolibri-12345678.tmp")).unwrap();
    let locked = File::create(folder.path().join(".kolibri-abcdEFGH.tmp")).unwrap();
    locked.lock().unwrap();
    let at_work = Temporary::in_folder(folder.path(), false).unwrap();
    write_file(&folder.path().join("x"), b"", Existing::Keep).unwrap();
    let found = names(folder.path());
    assert_eq!(found.len(), kept.len() + 3, "{found:?}");
    drop((locked, at_work));
    remove_leftovers(folder.path());
    let mut expected = [&kept[..], &["x"]].concat();
    expected.sort_unstable();
    assert_eq!(names(folder.path()), expected);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_kept() {
        let folder = TempDir::new().unwrap();
        let (path, usual) = (folder.path().join("x"), folder.path().join("usual"));
        fs::write(&usual, "").unwrap();
        write_file(&path, b"one", Existing::Keep).unwrap();
        assert_eq!(mode(&path), mode(&usual));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        write_file(&path, b"two", Existing::Replace).unwrap();
        assert_eq!((mode(&path), text(&path).as_str()), (0o640, "two"));
    }

    #[test]
    fn symbolic_links_are_followed() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        symlink("deep/b", at("a")).unwrap();
        symlink("../c", at("deep/b")).unwrap();
        write_file(&at("a"), b"one", Existing::Keep).unwrap();
        assert_eq!(text(&at("c")), "one");
        write_file(&at("a"), b"two", Existing::Replace).unwrap();
        assert_eq!(text(&at("c")), "two");
        assert!(at("a").is_symlink() && at("deep/b").is_symlink() && !at("c").is_symlink());
        symlink("round", at("round")).unwrap();
        assert_eq!(
            fault(&at("round"), Existing::Replace),
            "too many symbolic links"
        );
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        for existing in [Existing::Keep, Existing::Replace] {
            write_file(Path::new("/dev/null"), b"x", existing).unwrap();
        }
        let is_device = !fs::metadata("/dev/null").unwrap().is_file();
        assert!(is_device, "it was replaced");
        if cfg!(target_os = "linux") {
            assert_eq!(
                fault(Path::new("/dev/full"), Existing::Keep),
                "no space left on device"
            );
            let nowhere = write_file(Path::new("/proc/x"), b"x", Existing::Keep);
            assert!(nowhere.is_err());
        }
    }
}
