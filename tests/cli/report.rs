//! Published figures beside ours.

use crate::cli::Folder;

/// The rows of the tables of a report.
fn rows(out: &str) -> Vec<Vec<&str>> {
    let lines = out.lines().filter(|line| line.starts_with("| "));
    lines
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn tic_tac_toe_is_as_published() {
    let folder = Folder::new();
    let ended = folder.run(&["report", "tictactoe", "--html", "page.html"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let rows = rows(&ended.out);
    assert_eq!(rows.len(), 8, "{}", ended.out);
    assert!(
        rows[1..].iter().all(|row| row[3] == "agrees"),
        "{}",
        ended.out
    );
    assert_eq!(rows[1][..3], ["positions", "5478", "5478"]);
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<td>255168</td>"), "{page}");
    let pictures = page.matches("<svg").count();
    assert_eq!(pictures, 2, "{page}");
    assert!(
        page.contains("States by the plies that they need"),
        "{page}"
    );
    let again = folder.run(&["report", "tictactoe", "--html", "page.html"]);
    assert_eq!(again.status, 2, "files are kept: {}", again.shown());
}

#[test]
fn what_differs_from_the_thesis_is_named() {
    let ended = Folder::new().run(&["report", "kolibrat", "--max-states", "3000"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let rows = rows(&ended.out);
    let of = |what: &str| {
        let row = rows.iter().find(|row| row[0] == what);
        row.unwrap_or_else(|| panic!("{what}: {}", ended.out))
            .clone()
    };
    assert_eq!(of("3x4, P = 4: placements n")[3], "agrees");
    assert_eq!(
        of("3x4, P = 4: 50n − 1")[1..],
        ["8500949", "8500949", "agrees"]
    );
    let meant = of("3x4, P = 4: states");
    assert_eq!(meant[1..3], ["8500949", "8160912"]);
    assert!(
        meant[3].starts_with("slip: 50n − 1 is printed"),
        "{meant:?}"
    );
    assert_eq!(of("2x2, P = 2, S = 1: who wins")[3], "agrees");
    let solved = of("2x2, P = 2, S = 1");
    assert_eq!(
        solved[1..],
        ["black after 6 plies", "black after 6 plies", "agrees"]
    );
    assert_eq!(of("3x4, P = 4, S = 1")[3], "not worked out");
    assert!(of("3x4, P = 4, S = 4")[3].starts_with("measured otherwise"));
    assert_eq!(of("3x2, P = 4, S = 1")[3], "agrees");
    assert_eq!(of("3x4, P = 6, S = 1")[3], "not worked out");
    let mean = of("2x2, P = 2, S = 1: mean");
    assert_eq!(mean[1..3], ["1.74", "1.70"]);
    assert!(mean[3].starts_with("counted otherwise"), "{mean:?}");
    let random = of("3x4, P = 4, S = 4: moves");
    assert_eq!((random[1], random[3]), ("3.69", "agrees"));
    assert_eq!(of("3x4, P = 4, S = 5: plies of a game")[3], "agrees");
    let stuck = of("3x4, P = 4, S = 5: % that end as nobody can move");
    assert_eq!(stuck[3], "agrees", "{stuck:?}");
    // 820 of 32 · 63 states; the estimate of the memory is 44 bytes for each of 3,149.
    let going_on = of("2x2, P = 2, S = 4: states in which the game goes on");
    assert_eq!(going_on[1..], ["2016", "820", "40.7 % of the estimate"]);
    assert_eq!(of("2x2, P = 2, S = 4: all states")[1..3], ["3024", "915"]);
    let memory = of("2x2, P = 2, S = 4: kilobytes, with the states that follow");
    assert_eq!(memory[1], "138");
    assert_eq!(of("3x4, P = 4, S = 4: all states")[3], "not worked out");
    assert_eq!(of("2x2, P = 2, S = 1: most")[3], "agrees");
    let corner = of("3x4, P = 1, S = 1: after (insert 0 0)");
    assert_eq!(corner[1..], ["red", "red", "agrees"]);
    let middle = of("3x4, P = 1, S = 1: after (insert 1 0)");
    assert_eq!(middle[1..], ["black", "black", "agrees"]);
    assert!(!ended.out.contains("**differs**"), "{}", ended.out);
}

#[test]
fn searches_on_two_threads_find_the_same() {
    let ended = Folder::new().run(&["report", "threads", "--threads", "2"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert_eq!(rows(&ended.out).len(), 1 + 2 * 4, "{}", ended.out);
    assert!(!ended.out.contains("**differs**"), "{}", ended.out);
}

#[test]
fn an_unknown_report_is_refused() {
    let ended = Folder::new().run(&["report", "chess"]);
    assert_eq!(ended.status, 2, "{}", ended.shown());
    assert!(
        ended.err.contains("kolibrat, tictactoe, checkers, threads"),
        "{}",
        ended.err
    );
}
