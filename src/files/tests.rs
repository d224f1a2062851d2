use std::fs::{self, File};
use std::path::Path;
use std::sync::Barrier;
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
    assert_eq!(fault("./"), "it is a folder");
    assert_eq!(fault("none/"), "its folder does not exist");
    assert_eq!(fault("file/"), "its folder is a file");
    let message = write_file(Path::new("none/x"), b"", Existing::Keep).unwrap_err();
    assert_eq!(
        message.to_string(),
        "cannot write `none/x`: its folder does not exist"
    );
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn places_that_are_taken_are_told_beforehand() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "old").unwrap();
    let fault = |path: &str| {
        check_target(&folder.path().join(path), Existing::Keep)
            .unwrap_err()
            .to_string()
    };
    check_target(&folder.path().join("free"), Existing::Keep).unwrap();
    check_target(Path::new("free"), Existing::Keep).unwrap();
    let file = folder.path().join("file");
    assert!(check_target(&file, Existing::Keep).is_err_and(|fault| fault.is_existing_file()));
    check_target(&file, Existing::Replace).unwrap();
    // Not even root makes files there.
    #[cfg(target_os = "linux")]
    assert!(check_target(Path::new("/sys/free"), Existing::Keep).is_err());
    assert!(fault("none/x").ends_with("its folder does not exist"));
    assert!(fault(".").ends_with("it is a folder"));
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

#[test]
fn a_file_that_appears_meanwhile_is_replaced() {
    const ROUNDS: usize = 25;
    const WRITERS: usize = 4;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("same.kif");
    let write = |existing: Existing<'_>| write_file(&path, b"new", existing).unwrap();
    for _ in 0..ROUNDS {
        let together = Barrier::new(2 * WRITERS);
        thread::scope(|scope| {
            for _ in 0..WRITERS {
                scope.spawn(|| {
                    together.wait();
                    write(Existing::Replace);
                });
                scope.spawn(|| {
                    together.wait();
                    write(Existing::ReplaceIf(&|path| text(path) == "new"));
                });
            }
        });
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn new_files_stay_in_their_folder() {
    let folder = TempDir::new().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    let absolute = folder.path().join("abs").display().to_string();
    for stem in ["../up", "sub/x", &absolute, &"n".repeat(300)] {
        let path = write_new_file(&inside, stem, ".json.gz", b"").unwrap();
        assert_eq!(path.parent(), Some(&*inside));
    }
    assert_eq!(names(folder.path()), ["inside"]);
    assert_eq!(names(&inside).len(), 4);
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

    /// `u:nobody:rw, group::---, mask::rw` as Linux writes it.
    const ACCESS_LIST: &[u8] = &[
        2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 254, 255, 0, 0, 4, 0, 0, 0, 255,
        255, 255, 255, 16, 0, 6, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255,
    ];

    #[test]
    fn access_lists_and_extended_attributes_are_kept() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "one").unwrap();
        // File systems without them have nothing to lose.
        let list = "system.posix_acl_access";
        let has_list = xattr::set(&path, list, ACCESS_LIST).is_ok();
        let has_note = xattr::set(&path, "user.note", b"mine").is_ok();
        let before = mode(&path);
        write_file(&path, b"two", Existing::Replace).unwrap();
        assert_eq!((text(&path).as_str(), mode(&path)), ("two", before));
        let kept = |name: &str| xattr::get(&path, name).ok().flatten();
        assert_eq!(kept(list), has_list.then(|| ACCESS_LIST.to_vec()));
        assert_eq!(kept("user.note"), has_note.then(|| b"mine".to_vec()));
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

#[cfg(unix)]
#[test]
fn a_socket_is_no_file() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("socket");
    let _bound = std::os::unix::net::UnixListener::bind(&path).unwrap();
    assert_eq!(fault(&path, Existing::Replace), "it is a socket");
}
