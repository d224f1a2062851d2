//! Properties of any input: asserted by the fuzz targets, and by the ordinary tests for the inputs that those kept.

use kolibri::engine_protocol::{
    HostMessage, LongestLine, MoveAnswer, ProgramMessage, ProtocolLine, read_protocol_line,
};
use kolibri::gdl;
use kolibri::kif;
#[cfg(feature = "serve")]
use kolibri::play::Record;
use kolibri::protocol::Message;
#[cfg(feature = "serve")]
use kolibri::serve::{MatchRequest, SocketRequest};

/// Parsing terminates, diagnostics have places, and rendering them terminates.
pub fn parse(bytes: &[u8]) {
    let decoded = kif::decode(bytes);
    let parsed = kif::parse(&decoded.text);
    assert!(parsed.diagnostics.len() <= kif::MAX_DIAGNOSTICS);
    draw(&decoded.diagnostics, &decoded.text);
    draw(&parsed.diagnostics, &decoded.text);
    for sexpr in &parsed.sexprs {
        assert_is_within(sexpr, kif::Span::new(0, decoded.text.len()));
    }
    let once = printed(&parsed);
    let again = kif::parse(&once);
    assert_eq!(again.diagnostics, []);
    assert_eq!(printed(&again), once);
}

/// A text that parses can be formatted; formatting keeps its meaning and is idempotent.
pub fn format(bytes: &[u8]) {
    let text = kif::decode(bytes).text;
    let parsed = kif::parse(&text);
    let Ok(once) = kif::format(&text) else {
        assert_ne!(parsed.diagnostics, []);
        return;
    };
    let again = kif::parse(&once);
    assert_eq!(again.diagnostics, parsed.diagnostics);
    assert_eq!(printed(&again), printed(&parsed));
    assert_eq!(kif::format(&once).as_ref(), Ok(&once));
    assert_eq!(once.matches(';').count(), text.matches(';').count());
}

/// Checking terminates, and returns rules if and only if there is no error.
pub fn check(bytes: &[u8]) {
    let text = kif::decode(bytes).text;
    let checked = gdl::load(&text);
    let mut findings = checked.diagnostics.iter();
    assert_ne!(
        checked.rules.is_some(),
        findings.any(kif::Diagnostic::is_error)
    );
    draw(&checked.diagnostics, &text);
}

/// Whatever comes over the network is read or refused, and what is read can be written and read again.
pub fn message(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(message) = text.parse::<Message>() {
        let written = message.to_string();
        let again: Message = written.parse().expect("a message, as it is written");
        assert_eq!(again.to_string(), written);
    }
}

/// Whatever a host or a program writes is read line by line or refused, and what is read can be written and read again.
pub fn line(bytes: &[u8]) {
    const LONGEST: LongestLine = LongestLine(512);
    let mut input = bytes;
    while let Some(line) = read_protocol_line(&mut input, LONGEST).expect("bytes in memory") {
        let (ProtocolLine::Text(line) | ProtocolLine::TooLong(line)) = line;
        assert!(line.len() <= 4 * LONGEST.0 as usize);
        if let Ok(message) = line.parse::<HostMessage>() {
            let written = message.to_string();
            let again: HostMessage = written.parse().expect("a message, as it is written");
            assert_eq!(again.to_string(), written);
        }
        if let Ok(message) = line.parse::<ProgramMessage>() {
            let written = message.to_string();
            let again: ProgramMessage = written.parse().expect("a message, as it is written");
            assert_eq!(without_value(again), without_value(message));
        }
    }
}

/// Whatever callers of the browser interface send is read or refused; what clients of a match ask for can be written and read
/// again, and so can the record of a match that is to be gone on with.
#[cfg(feature = "serve")]
pub fn browser_request(bytes: &[u8]) {
    if let Ok(request) = SocketRequest::read(&String::from_utf8_lossy(bytes)) {
        let written = serde_json::to_string(&request).expect("words and numbers");
        let again = SocketRequest::read(&written).expect("a request, as it is written");
        assert_eq!(again, request);
    }
    let recorded = MatchRequest::read(bytes).and_then(|request| request.recorded());
    if let Ok(Some(record)) = recorded {
        let again = Record::read(&record.to_json()).expect("a record, as it is written");
        assert_eq!(again.moves, record.moves);
    }
}

/// Numbers with a fraction may change in their last digit.
fn without_value(message: ProgramMessage) -> ProgramMessage {
    match message {
        ProgramMessage::Move(answer) => ProgramMessage::Move(MoveAnswer {
            value: None,
            ..answer
        }),
        other => other,
    }
}

/// A valid description keeps its meaning when it is printed, and when it is formatted.
pub fn roundtrip(bytes: &[u8]) {
    let text = kif::decode(bytes).text;
    let Some(rules) = gdl::load(&text).rules else {
        return;
    };
    let formatted = kif::format(&text).expect("rules come from a text without mistakes");
    for again in [printed(&kif::parse(&text)), formatted] {
        let again = gdl::load(&again).rules.expect("the same rules");
        assert_eq!(again.roles(), rules.roles());
        assert_eq!(without_places(&again), without_places(&rules));
    }
}

fn without_places(rules: &gdl::Rules) -> Vec<(&gdl::Term, &[gdl::RuleLiteral])> {
    let rules = rules.rules().iter();
    rules
        .map(|rule| (&rule.head, rule.body.as_slice()))
        .collect()
}

fn printed(parsed: &kif::Parsed<'_>) -> String {
    let sexprs = parsed.sexprs.iter();
    sexprs.map(|sexpr| format!("{sexpr}\n")).collect()
}

fn draw(findings: &[kif::Diagnostic], text: &str) {
    for finding in findings {
        assert!(finding.span.start <= finding.span.end, "{finding:?}");
        assert!(finding.span.end <= text.len(), "{finding:?}");
    }
    let drawn = kif::render(findings, "game.kif", text, false);
    assert!(
        drawn
            .chars()
            .all(|character| character == '\n' || !character.is_control())
    );
}

fn assert_is_within(sexpr: &kif::Sexpr<'_>, span: kif::Span) {
    assert!(
        span.start <= sexpr.span.start && sexpr.span.end <= span.end,
        "{sexpr}"
    );
    for item in sexpr.as_list().unwrap_or_default() {
        assert_is_within(item, sexpr.span);
    }
}
