//! Findings that only follow from others: they are left out, so that nobody looks for a second cause.

use super::ends::EndWatch;
use super::report::{Finding, FindingSeverity};

/// Facts that go where they should stay: most other findings may follow from that.
const LOST: [&str; 2] = ["lost", MISSING_ROW];
/// A fact that goes since a table lacks a row: the next value of another one may need that fact.
const MISSING_ROW: &str = "counter-ends";
/// What is said of results; they mean nothing where something else is wrong.
const OF_RESULTS: [&str; 2] = ["always-wins", "always-drawn"];
/// What was not seen.
const NOT_SEEN: [&str; 4] = [
    "goal-not-seen",
    "move-not-seen",
    "fact-not-seen",
    "not-seen",
];

/// The findings without those that another one explains; `is_constant` says whether all games had the same result.
pub(super) fn without_consequences(
    mut findings: Vec<Finding>,
    ends: &EndWatch,
    is_constant: bool,
) -> Vec<Finding> {
    let rows = findings
        .iter()
        .filter(|finding| finding.code == MISSING_ROW);
    let rows: Vec<(u64, usize)> = rows.filter_map(when).collect();
    let follows = |(seed, ply): (u64, usize)| {
        let mut rows = rows.iter();
        rows.any(|&(game, earlier)| game == seed && earlier < ply)
    };
    findings.retain(|finding| finding.code != "lost" || !when(finding).is_some_and(follows));
    let is_lost = has(&findings, &LOST);
    let is_doubled = has(&findings, &["doubled", "swapped"]);
    if is_lost || is_doubled {
        findings.retain(|finding| finding.code != "endless");
    }
    let is_wrong = |finding: &Finding| {
        finding.severity != FindingSeverity::Note && !OF_RESULTS.contains(&finding.code)
    };
    if findings.iter().any(is_wrong) {
        findings.retain(|finding| !OF_RESULTS.contains(&finding.code));
        if is_constant {
            let follows = |finding: &Finding| matches!(finding.code, "goal-not-seen" | "not-seen");
            findings.retain(|finding| !follows(finding));
        }
    }
    // Games that got stuck show too little of the rules.
    if is_lost || 2 * ends.stuck > ends.games {
        findings.retain(|finding| !NOT_SEEN.contains(&finding.code));
    }
    if has(&findings, &OF_RESULTS) {
        findings.retain(|finding| finding.code != "goal-not-seen");
    }
    findings
}

/// The game that shows a finding, and the ply.
fn when(finding: &Finding) -> Option<(u64, usize)> {
    let step = finding.step.as_ref()?;
    Some((step.seed, step.ply))
}

fn has(findings: &[Finding], codes: &[&str]) -> bool {
    findings.iter().any(|finding| codes.contains(&finding.code))
}
