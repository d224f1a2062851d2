//! The modules, lowest first, and what each may use: see the crate documentation in `src/lib.rs`.

use std::fs;
use std::path::Path;

const MODULES: &[(&str, &[&str])] = &[
    ("util", &[]),
    ("files", &["util"]),
    ("kif", &[]),
    ("datalog", &["util"]),
    ("gdl", &["kif", "datalog"]),
    ("ground", &["util", "datalog", "gdl"]),
    ("invariants", &["datalog", "gdl", "ground"]),
    ("propnet", &["datalog", "gdl", "ground", "invariants"]),
    ("game", &["util"]),
    ("conformance", &["util", "game"]),
    (
        "info",
        &[
            "util",
            "kif",
            "datalog",
            "gdl",
            "ground",
            "invariants",
            "propnet",
            "game",
        ],
    ),
    ("native", &["util", "kif", "game"]),
    ("catalog", &["util", "kif"]),
    ("generate", &["kif", "gdl", "catalog"]),
    (
        "engine",
        &[
            "util",
            "kif",
            "datalog",
            "gdl",
            "ground",
            "invariants",
            "propnet",
            "game",
            "conformance",
            "info",
            "native",
            "catalog",
            "generate",
        ],
    ),
    ("search", &["util", "game", "info"]),
    ("analysis", &["util", "game", "search"]),
    (
        "session",
        &[
            "util",
            "kif",
            "game",
            "conformance",
            "catalog",
            "engine",
            "search",
            "analysis",
        ],
    ),
    (
        "play",
        &[
            "util",
            "files",
            "kif",
            "game",
            "conformance",
            "search",
            "analysis",
            "native",
            "catalog",
            "engine",
            "session",
        ],
    ),
    (
        "terminal",
        &[
            "util", "files", "kif", "game", "info", "catalog", "search", "session", "play",
        ],
    ),
    (
        "cli",
        &[
            "util",
            "files",
            "kif",
            "datalog",
            "gdl",
            "ground",
            "propnet",
            "game",
            "conformance",
            "info",
            "native",
            "catalog",
            "generate",
            "engine",
            "search",
            "analysis",
            "session",
            "play",
            "terminal",
        ],
    ),
];

#[test]
fn modules_are_declared_in_order() {
    let declared: Vec<String> = fs::read_to_string("src/lib.rs")
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    let known = MODULES.iter().map(|(module, _)| *module);
    let expected: Vec<&str> = known
        .filter(|module| declared.iter().any(|name| name == module))
        .collect();
    assert_eq!(
        declared, expected,
        "a module is unknown, or stands out of order"
    );
}

#[test]
fn modules_rest_on_lower_ones() {
    for (level, (module, may_use)) in MODULES.iter().enumerate() {
        for lower in *may_use {
            let is_lower = MODULES[..level].iter().any(|(name, _)| name == lower);
            assert!(
                is_lower,
                "`{module}` may not rest on `{lower}`: it is not below"
            );
        }
    }
}

#[test]
fn modules_use_only_what_they_may() {
    let mut faults = Vec::new();
    for (module, may_use) in MODULES {
        visit(
            Path::new("src").join(module).as_path(),
            &mut |path, text| {
                for (n, line) in text.lines().enumerate() {
                    for used in modules_named_in(line) {
                        if used != *module && !may_use.contains(&used) {
                            let place = format!("{}:{}", path.display(), n + 1);
                            faults.push(format!("{place}: `{module}` uses `{used}`"));
                        }
                    }
                }
            },
        );
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// A grouped `use crate::{…}` shows as a module without a name, which no module may use.
fn modules_named_in(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

fn visit(path: &Path, see: &mut dyn FnMut(&Path, &str)) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            visit(&entry.unwrap().path(), see);
        }
    } else if let Ok(text) = fs::read_to_string(path.with_extension("rs")) {
        see(&path.with_extension("rs"), &text);
    }
}
