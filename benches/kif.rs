//! Reading and formatting rule files, in bytes per second.

use std::path::Path;
use std::{env, fs};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kolibri::kif;

fn texts_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|entry| entry.expect("a folder that can be read").path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "kif"))
        .collect();
    paths.sort();
    let bytes = paths
        .iter()
        .map(|path| fs::read(path).expect("a file that can be read"));
    bytes
        .map(|bytes| kif::decode(&bytes).text.into_owned())
        .collect()
}

/// The collected rule files, or the shipped ones where there is no collection.
fn texts() -> (&'static str, Vec<String>) {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = project.join("../shared/corpus");
    let corpus = env::var_os("KOLIBRI_CORPUS").map_or(beside, Into::into);
    match texts_in(&corpus.join("kif")) {
        texts if texts.is_empty() => ("games", texts_in(&project.join("games"))),
        texts => ("corpus", texts),
    }
}

fn nodes(texts: &[String]) -> usize {
    let sizes = texts.iter().map(|text| {
        let parsed = kif::parse(text);
        assert_eq!(parsed.diagnostics, []);
        parsed.sexprs.iter().map(kif::Sexpr::size).sum::<usize>()
    });
    sizes.sum()
}

fn formatted(texts: &[String]) -> Vec<String> {
    let formatted = texts
        .iter()
        .map(|text| kif::format(text).expect("a text without mistakes"));
    formatted.collect()
}

fn bench(criterion: &mut Criterion) {
    let (name, texts) = texts();
    let expected = nodes(&texts);
    assert!(expected > 0, "no rule files found");
    assert_eq!(
        nodes(&formatted(&texts)),
        expected,
        "formatting changes nothing"
    );

    let mut group = criterion.benchmark_group(format!("kif/{name}"));
    let bytes: usize = texts.iter().map(String::len).sum();
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| assert_eq!(nodes(&texts), expected));
    });
    group.bench_function("format", |bencher| bencher.iter(|| formatted(&texts)));
    group.finish();

    // What a file full of mistakes costs: it must take time that is linear in its length.
    let mut group = criterion.benchmark_group("kif/mistakes");
    for times in [50_000, 500_000] {
        let line = "ž) ".repeat(times);
        group.throughput(Throughput::Bytes(line.len() as u64));
        group.bench_function(format!("{times} in one line"), |bencher| {
            bencher.iter(|| kif::render(&kif::parse(&line).diagnostics, "f", &line, false));
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
