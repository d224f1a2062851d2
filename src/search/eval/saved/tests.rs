//! Weights are read as they were written, and nothing else is.

use super::*;
use crate::search::eval::tuples::ChangedTuples;

/// Weights for two facts, a cell of them, and the number of moves.
fn saved() -> SavedWeights {
    let choices = |side| Feature {
        heuristic: "mobility",
        about: "moves".to_owned(),
        measure: FeatureMeasure::Choices(side),
    };
    let pieces = Feature {
        heuristic: "pieces",
        about: "(cell ? x)".to_owned(),
        measure: FeatureMeasure::Facts(vec![(0, 0.1), (1, -0.7)]),
    };
    let features = vec![choices(Side::Own), pieces, choices(Side::Others)];
    let cell = Cell {
        facts: vec![0, 1],
        place: None,
    };
    let tuples = Tuples::new(vec![vec![cell.clone(), cell.clone()], vec![cell]], 2, 100);
    let turns = TurnFacts {
        of_roles: vec![0, 1],
        are_choices: false,
    };
    let mut model = EvaluationModel::new(features, tuples, turns, 2, true);
    for (number, weights) in (1u8..).zip(&mut model.weights) {
        let number = f32::from(number);
        weights.constant = 0.1 * number;
        weights.features.fill(0.3 * number);
        weights.scales.fill((0.7, 1.3 * number));
        weights.facts.fill(-0.01 * number);
        let tuples = (0u8..).zip(&mut weights.tuples);
        tuples.for_each(|(place, weight)| *weight = 0.1 * f32::from(place));
    }
    let mut model = model.with_hidden(3);
    model.round();
    SavedWeights {
        subject: WeightsSubject {
            game: "a \"game\"\n".to_owned(),
            rules: "none".to_owned(),
            role: 1,
            shares_points: true,
        },
        training: TrainingRecord {
            states: 7,
            games: 3,
            seconds: 0.1,
            cut_short: true,
            seconds_to_double: 40.0,
        },
        heuristics: Heuristics::ALL,
        facts: vec!["(cell 1 x)".to_owned(), "(cell 1 o)".to_owned()],
        model,
    }
}

fn fault(bytes: &[u8]) -> WeightsFileFault {
    SavedWeights::from_bytes(bytes).unwrap_err()
}

#[test]
fn weights_are_read_as_they_were_written() {
    let saved = saved();
    let bytes = saved.to_bytes();
    let read = SavedWeights::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.subject(), saved.subject());
    assert_eq!(read.training(), saved.training());
    assert_eq!(read.facts, saved.facts);
    assert_eq!(arrays(&read.model), arrays(&saved.model));
    let sums = |saved: &SavedWeights| -> Vec<Vec<f32>> {
        let of_turns = saved.model.weights.iter();
        of_turns.map(|of| of.sums.clone()).collect()
    };
    assert_eq!(sums(&read), sums(&saved));
    let mut scratch = ChangedTuples::default();
    read.model
        .tuples
        .changes(&[0, 9], [(1, true)].into_iter(), &mut scratch, |_, to| {
            assert!(to as usize <= read.model.tuples.weights);
        });
}

#[test]
fn weights_of_the_version_before_are_read() {
    let mut saved = saved();
    saved.model = saved.model.with_hidden(0);
    let whole = saved.to_bytes();
    for (version, left_out) in [(b'2', ""), (b'1', "\"threats\":null,")] {
        let older = changed_header(&whole, left_out, "");
        let older = changed_header(&older, ",\"hidden\":0", "");
        let mut older = without_checksum(&older).unwrap().to_vec();
        older["kolibri weights ".len()] = version;
        add_checksum(&mut older);
        assert_eq!(SavedWeights::from_bytes(&older).unwrap().to_bytes(), whole);
    }
}

#[test]
fn too_many_hidden_units_are_refused() {
    let mut saved = saved();
    saved.model = saved.model.with_hidden(MOST_HIDDEN_UNITS);
    let bytes = saved.to_bytes();
    assert_eq!(SavedWeights::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    saved.model = saved.model.with_hidden(MOST_HIDDEN_UNITS + 1);
    assert_eq!(fault(&saved.to_bytes()), WeightsFileFault::Header);
    assert_eq!(most_hidden_units(100, 2), MOST_HIDDEN_UNITS);
    assert!(most_hidden_units(1 << 20, 2) < 16, "they have many inputs");
}

#[test]
fn threats_are_kept_with_the_weights() {
    let record = r#"{"implicants":[[0,1,2]],"cells":[{"filled":[0],"contents":[0]},{"filled":[1],"contents":[1]},{"filled":[2],"contents":[2]}]}"#;
    let threats = Threats::of_record(serde_json::from_str(record).unwrap(), 3).unwrap();
    let facts = threats.facts();
    let threat = Cell {
        facts: vec![5],
        place: None,
    };
    let tuples = Tuples::new(vec![vec![threat.clone(), threat]], facts, 100);
    let model = EvaluationModel::new(Vec::new(), tuples, TurnFacts::default(), facts, true);
    let mut saved = saved();
    saved.facts.push("(cell 2 x)".to_owned());
    saved.model = model.with_threats(Some(Arc::new(threats)));
    saved.model.weights[0].facts[5] = 0.5;
    let bytes = saved.to_bytes();
    let read = SavedWeights::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    assert_eq!(read.model.weights[0].facts, [0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    assert!(read.model.threats.is_some());
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let whole = saved().to_bytes();
    let foreign: [&[u8]; 4] = [b"", b"(role x)\n", b"kolibri weights", b"\xff\n"];
    for foreign in foreign {
        assert_eq!(fault(foreign), WeightsFileFault::Foreign);
    }
    let newer = b"kolibri weights 4\n{}\n";
    let version = WeightsFileFault::Version("4".to_owned());
    assert_eq!(fault(newer), version);
    for end in 18..whole.len() {
        assert_eq!(fault(&whole[..end]), WeightsFileFault::Damaged, "{end}");
    }
    for place in 18..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 4;
        assert_eq!(fault(&damaged), WeightsFileFault::Damaged, "byte {place}");
    }
}

/// Replaces words in the header of a whole file, and makes its checksum right again.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    changed_header(&saved().to_bytes(), from, to)
}

fn changed_header(whole: &[u8], from: &str, to: &str) -> Vec<u8> {
    let checked = without_checksum(whole).unwrap();
    let (first, rest) = first_line(checked).unwrap();
    let (header, arrays) = first_line(rest).unwrap();
    assert!(header.contains(from), "{header}");
    let header = header.replacen(from, to, 1);
    let mut bytes = format!("{first}\n{header}\n").into_bytes();
    bytes.extend(arrays);
    add_checksum(&mut bytes);
    bytes
}

#[test]
fn headers_that_contradict_themselves_are_refused() {
    for (from, to) in [
        ("\"cells\":[[0,1]]", "\"cells\":[[0,2]]"),
        ("\"cells\":[[0,1]]", "\"cells\":[[0,1,0]]"),
        ("\"tuples\":[[0,0],[0]]", "\"tuples\":[[0,1],[0]]"),
        ("\"tuples\":[[0,0],[0]]", "\"tuples\":[[0,0]]"),
        (
            "\"tuples\":[[0,0],[0]]",
            "\"tuples\":[[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]",
        ),
        ("\"turns\":[0,1]", "\"turns\":[0,9]"),
        ("\"turns\":[0,1]", "\"turns\":[0]"),
        ("\"facts\":[0,1]", "\"facts\":[0,7]"),
        ("\"facts\":[0,1]", "\"facts\":[0]"),
        ("\"heuristic\":\"pieces\"", "\"heuristic\":\"luck\""),
        ("\"heuristics\":\"all\"", "\"heuristics\":\"luck\""),
        ("\"role\":1", "\"role\":-1"),
        ("\"hidden\":3", "\"hidden\":4"),
        ("\"hidden\":3", "\"hidden\":257"),
        ("\"hidden\":3", "\"hidden\":18446744073709551615"),
    ] {
        assert_eq!(
            fault(&with_header(from, to)),
            WeightsFileFault::Header,
            "{to}"
        );
    }
    assert!(SavedWeights::from_bytes(&with_header("\"role\":1", "\"role\":0")).is_ok());
}

#[test]
fn weights_suit_their_rules_and_roles_alone() {
    let mut saved = saved();
    let facts = GameFacts {
        facts: saved.facts.clone(),
        ..GameFacts::default()
    };
    let roles = ["x".to_owned(), "o".to_owned(), "z".to_owned()];
    let check = |saved: &SavedWeights, rules: &str, count: usize, role| {
        saved.check(rules, Some(&facts), (&roles[..count], role))
    };
    assert_eq!(check(&saved, "none", 2, 0), Ok(()));
    assert_eq!(check(&saved, "none", 3, 1), Ok(()));
    let other_role = Err(UnsuitableWeights::OtherRole("o".to_owned()));
    assert_eq!(check(&saved, "none", 3, 0), other_role);
    assert!(matches!(
        check(&saved, "", 2, 0),
        Err(UnsuitableWeights::OtherRules(_))
    ));
    assert_eq!(
        check(&saved, "none", 1, 0),
        Err(UnsuitableWeights::OtherFacts)
    );
    saved.subject.shares_points = false;
    assert_eq!(check(&saved, "none", 2, 0), other_role);
    saved.facts.pop();
    assert_eq!(
        check(&saved, "none", 2, 1),
        Err(UnsuitableWeights::OtherFacts)
    );
}
