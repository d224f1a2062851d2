//! Bytes → text: UTF-8 decoding with diagnostics. Files of other kinds are recognised and refused.

use std::borrow::Cow;

use crate::kif::lexeme::ends_line;
use crate::kif::{Diagnostic, Span};

/// The longest file that is read, in bytes (4 MiB): it bounds the memory that findings take. The longest rule file in
/// circulation has a tenth of that.
pub const MAX_BYTES: usize = 4 << 20;

/// A decoded text with its diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'b> {
    /// The text without a byte order mark, with U+FFFD for every malformed piece. Empty where the bytes are not text
    /// at all. Unusable where a diagnostic is an error, though still fit to show the place.
    pub text: Cow<'b, str>,
    /// Errors and warnings, with spans in [`Decoded::text`].
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads bytes as UTF-8.
///
/// Malformed UTF-8 is an error, except in comments, where it is a warning: old files carry names in other
/// encodings there. NUL bytes, more than [`MAX_BYTES`] and the most common files that are no text are errors.
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some(diagnostic) = refusal(bytes) {
        return Decoded {
            text: Cow::Borrowed(""),
            diagnostics: vec![diagnostic],
        };
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let (text, mut diagnostics) = match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), Vec::new()),
        Err(_) => replace_malformed(bytes),
    };
    diagnostics.extend(nul(&text));
    Decoded { text, diagnostics }
}

/// Why `bytes` are not read as text at all.
fn refusal(bytes: &[u8]) -> Option<Diagnostic> {
    let error = |code, message: String| Some(Diagnostic::error(code, Span::at(0), message));
    if bytes.len() > MAX_BYTES {
        let message = format!(
            "the file has {} bytes, more than the {MAX_BYTES} that are read",
            bytes.len()
        );
        return error("file-too-large", message);
    }
    let (what, help) = foreign_format(bytes)?;
    let found = error(
        "not-a-rule-file",
        format!("this is {what}, not a text of rules"),
    );
    found.map(|diagnostic| diagnostic.help(help))
}

/// What the file is, by its first bytes, and what to do about it.
fn foreign_format(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const RULES_AS_TEXT: &str = "give the file that holds the rules, as plain text";
    const SIGNATURES: [(&[u8], &str, &str); 8] = [
        (
            b"%PDF",
            "a PDF document",
            "copy the rules out of it into a plain text file",
        ),
        (
            b"\x1F\x8B",
            "a gzip archive",
            "unpack it first, for example with `gunzip`",
        ),
        (
            b"PK\x03\x04",
            "a zip archive",
            "unpack it first, for example with `unzip`",
        ),
        (b"\x89PNG", "a picture (PNG)", RULES_AS_TEXT),
        (b"\xFF\xD8\xFF", "a picture (JPEG)", RULES_AS_TEXT),
        (b"\x7FELF", "a program", RULES_AS_TEXT),
        (b"\xFF\xFE", "UTF-16 text", "save it as UTF-8"),
        (b"\xFE\xFF", "UTF-16 text", "save it as UTF-8"),
    ];
    let by_signature = SIGNATURES
        .iter()
        .find(|(signature, ..)| bytes.starts_with(signature))
        .map(|(_, what, help)| (*what, *help));
    let help = "open the page in a browser and save the rules themselves as a text file";
    by_signature.or_else(|| is_web_page(bytes).then_some(("a web page (HTML or XML)", help)))
}

fn is_web_page(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let start = bytes.trim_ascii_start();
    [&b"<!doctype"[..], b"<html", b"<?xml"].iter().any(|tag| {
        start
            .get(..tag.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(tag))
    })
}

fn replace_malformed(bytes: &[u8]) -> (Cow<'_, str>, Vec<Diagnostic>) {
    let mut text = String::with_capacity(bytes.len());
    let (mut in_comment, mut outside) = (false, None);
    let mut inside = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        in_comment = is_in_comment(in_comment, chunk.valid());
        if chunk.invalid().is_empty() {
            continue;
        }
        let span = Span::new(text.len(), text.len() + '\u{FFFD}'.len_utf8());
        text.push('\u{FFFD}');
        if !in_comment {
            outside = outside.or(Some((span, chunk.invalid()[0])));
        } else if inside.len() < 2 {
            inside.push(span);
        }
    }
    let diagnostics = malformed(outside, &inside).into_iter().collect();
    (Cow::Owned(text), diagnostics)
}

/// Whether the end of `piece` is inside a comment, given whether its start is.
fn is_in_comment(before: bool, piece: &str) -> bool {
    match piece.rsplit_once(ends_line) {
        Some((_, line)) => line.contains(';'),
        None => before || piece.contains(';'),
    }
}

fn malformed(outside: Option<(Span, u8)>, inside: &[Span]) -> Option<Diagnostic> {
    if let Some((span, byte)) = outside {
        let message = format!("the byte 0x{byte:02X} here is not valid UTF-8");
        return Some(
            Diagnostic::error("invalid-utf8", span, message).help("save the file as UTF-8"),
        );
    }
    let message = match inside {
        [] => return None,
        [_] => "this comment is not valid UTF-8",
        _ => "this comment, and more after it, is not valid UTF-8",
    };
    Some(
        Diagnostic::warning("invalid-utf8", inside[0], message)
            .help("save the file as UTF-8; the rules themselves are not affected"),
    )
}

fn nul(text: &str) -> Option<Diagnostic> {
    let at = text.find('\0')?;
    let error = Diagnostic::error(
        "nul-byte",
        Span::new(at, at + 1),
        "there is a NUL byte here, which no text contains",
    );
    Some(error.help("the file is damaged, or not a text file"))
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, decode};

    fn codes(bytes: &[u8]) -> Vec<&'static str> {
        let found = decode(bytes).diagnostics;
        found.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn plain_text_is_borrowed() {
        let decoded = decode("(role ž)".as_bytes());
        assert!(matches!(
            decoded.text,
            std::borrow::Cow::Borrowed("(role ž)")
        ));
        assert!(decoded.diagnostics.is_empty());
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(decode(b"\xEF\xBB\xBF(a)").text, "(a)");
        assert_eq!(decode(b"\xEF\xBB\xBF").text, "");
    }

    #[test]
    fn other_kinds_of_files_are_named() {
        for (bytes, expected) in [
            (&b"%PDF-1.7\n"[..], "a PDF document"),
            (b"\x1F\x8B\x08", "gzip"),
            (b"PK\x03\x04\x14", "zip"),
            (b"\x89PNG\r\n", "a picture"),
            (b"\xFF\xD8\xFF\xE0", "a picture"),
            (b"\x7FELF\x02", "a program"),
            (b"\xFF\xFE(\0", "UTF-16"),
            (b"\xFE\xFF\0(", "UTF-16"),
            (b"\n <!DOCTYPE html>", "a web page"),
            (b"\xEF\xBB\xBF<?xml version='1.0'?>", "a web page"),
        ] {
            let decoded = decode(bytes);
            assert_eq!(decoded.text, "");
            assert!(decoded.diagnostics[0].is_error());
            let message = &decoded.diagnostics[0].message;
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn too_large_a_file_is_refused_and_the_largest_is_not() {
        assert_eq!(codes(&vec![b' '; MAX_BYTES]), [""; 0]);
        assert_eq!(codes(&vec![b' '; MAX_BYTES + 1]), ["file-too-large"]);
    }

    #[test]
    fn malformed_bytes_are_accepted_in_comments_only() {
        let decoded = decode(b"(a) ; caf\xE9 \xE9\n(b)");
        assert_eq!(decoded.text, "(a) ; caf\u{FFFD} \u{FFFD}\n(b)");
        assert!(!decoded.diagnostics[0].is_error());
        assert!(decoded.diagnostics[0].message.contains("more after it"));

        for bytes in [&b"(caf\xE9)"[..], b";a\r\xE9", b"; \xE9 \n \xE9", b"\xE9;"] {
            let decoded = decode(bytes);
            let diagnostic = &decoded.diagnostics[0];
            assert!(diagnostic.is_error(), "{bytes:?}");
            assert!(diagnostic.message.contains("0xE9"));
            let span = diagnostic.span;
            assert_eq!(&decoded.text[span.start..span.end], "\u{FFFD}");
        }
    }

    #[test]
    fn a_nul_is_an_error_even_in_a_comment() {
        assert_eq!(codes(b"(a\0)"), ["nul-byte"]);
        assert_eq!(codes(b";\0\xE9"), ["invalid-utf8", "nul-byte"]);
    }
}
