//! The modules, lowest first, and what each may use: see the crate documentation in `src/lib.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const MODULES: &[(&str, &[&str])] = &[
    ("util", &[]),
    ("statistics", &[]),
    ("files", &["util"]),
    ("kif", &[]),
    ("protocol", &["util", "kif"]),
    ("engine_protocol", &[]),
    ("datalog", &["util"]),
    ("gdl", &["util", "kif", "datalog"]),
    ("scramble", &["kif", "gdl"]),
    ("ground", &["util", "datalog", "gdl"]),
    ("invariants", &["util", "datalog", "gdl", "ground"]),
    (
        "propnet",
        &["util", "datalog", "gdl", "ground", "invariants"],
    ),
    ("game", &["util", "kif"]),
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
            "files",
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
    (
        "symmetry",
        &[
            "util",
            "datalog",
            "gdl",
            "ground",
            "invariants",
            "propnet",
            "game",
            "info",
            "catalog",
            "engine",
        ],
    ),
    ("search", &["util", "files", "game", "info", "symmetry"]),
    ("analysis", &["util", "game", "search"]),
    (
        "state_space",
        &[
            "util",
            "files",
            "kif",
            "datalog",
            "gdl",
            "ground",
            "invariants",
            "propnet",
            "game",
            "info",
            "catalog",
            "generate",
            "engine",
            "symmetry",
            "search",
            "analysis",
        ],
    ),
    (
        "session",
        &[
            "util",
            "files",
            "kif",
            "gdl",
            "game",
            "conformance",
            "catalog",
            "engine",
            "symmetry",
            "search",
            "analysis",
        ],
    ),
    (
        "solved",
        &[
            "util",
            "gdl",
            "game",
            "generate",
            "engine",
            "state_space",
            "session",
        ],
    ),
    (
        "play",
        &[
            "util",
            "statistics",
            "files",
            "kif",
            "protocol",
            "engine_protocol",
            "scramble",
            "game",
            "conformance",
            "search",
            "analysis",
            "native",
            "catalog",
            "engine",
            "session",
            "solved",
        ],
    ),
    (
        "quality",
        &[
            "util",
            "statistics",
            "game",
            "analysis",
            "search",
            "generate",
            "session",
            "solved",
            "play",
        ],
    ),
    (
        "tournament",
        &[
            "util",
            "statistics",
            "files",
            "kif",
            "game",
            "catalog",
            "engine",
            "session",
            "play",
        ],
    ),
    (
        "tuning",
        &["util", "native", "generate", "engine", "search", "session"],
    ),
    (
        "drawing",
        &["util", "files", "kif", "info", "catalog", "engine", "play"],
    ),
    (
        "terminal",
        &[
            "util",
            "files",
            "kif",
            "game",
            "info",
            "catalog",
            "search",
            "session",
            "play",
            "drawing",
            "state_space",
            "solved",
        ],
    ),
    (
        "playtest",
        &[
            "util",
            "statistics",
            "kif",
            "datalog",
            "gdl",
            "ground",
            "game",
            "info",
            "catalog",
            "engine",
            "search",
            "session",
            "play",
            "drawing",
        ],
    ),
    (
        "engine_player",
        &[
            "util",
            "files",
            "catalog",
            "engine",
            "session",
            "play",
            "engine_protocol",
        ],
    ),
    ("connections", &[]),
    (
        "network_player",
        &[
            "connections",
            "util",
            "files",
            "kif",
            "game",
            "catalog",
            "engine",
            "session",
            "play",
            "protocol",
        ],
    ),
    ("lsp", &["util", "kif", "datalog", "gdl"]),
    (
        "serve",
        &[
            "util",
            "files",
            "kif",
            "gdl",
            "game",
            "info",
            "catalog",
            "generate",
            "engine",
            "search",
            "session",
            "play",
            "drawing",
            "connections",
        ],
    ),
    (
        "cli",
        &[
            "util",
            "statistics",
            "files",
            "kif",
            "datalog",
            "gdl",
            "scramble",
            "ground",
            "invariants",
            "propnet",
            "game",
            "conformance",
            "info",
            "native",
            "catalog",
            "generate",
            "engine",
            "symmetry",
            "search",
            "analysis",
            "state_space",
            "session",
            "solved",
            "play",
            "quality",
            "tournament",
            "tuning",
            "drawing",
            "terminal",
            "playtest",
            "engine_player",
            "network_player",
            "lsp",
            "serve",
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

/// Associated types of a trait and its implementations are no declarations here: they have one name by design.
#[test]
fn a_type_name_is_declared_once() {
    let test_modules = test_modules();
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    visit(Path::new("src"), &mut |path, text| {
        if test_modules.iter().any(|module| path.starts_with(module)) {
            return;
        }
        let (code, _tests) = text
            .split_once("\n#[cfg(test)]\nmod tests {")
            .unwrap_or((text, ""));
        for (n, line) in code.lines().enumerate() {
            if let Some(name) = declared_type(line) {
                let place = format!("{}:{}", path.display(), n + 1);
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
    });
    assert!(places.len() > 500, "found {} types only", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "declared more than once: {places:#?}");
}

/// The folders and the files without extension of modules declared `#[cfg(test)] mod NAME;`.
fn test_modules() -> Vec<PathBuf> {
    let mut modules = Vec::new();
    visit(Path::new("src"), &mut |path, text| {
        let is_folder = path.ends_with("mod.rs") || path.ends_with("lib.rs");
        let folder = match is_folder {
            true => path.parent().unwrap().to_path_buf(),
            false => path.with_extension(""),
        };
        for declaration in text.split("#[cfg(test)]\n").skip(1) {
            let first = declaration.lines().next().unwrap_or_default();
            if let Some((_, name)) = first.split_once("mod ")
                && let Some(name) = name.strip_suffix(';')
            {
                modules.push(folder.join(name));
                modules.push(folder.join(name).with_extension("rs"));
            }
        }
    });
    modules
}

fn declared_type(line: &str) -> Option<&str> {
    let is_indented = line.starts_with(' ');
    let item = line.trim_start();
    let item = match item.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => item,
    };
    let (keyword, rest) = item.split_once(' ')?;
    let declares = match keyword {
        "struct" | "enum" | "trait" | "union" => true,
        "type" => !is_indented,
        _ => false,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    declares.then(|| &rest[..end.unwrap_or(rest.len())])
}
