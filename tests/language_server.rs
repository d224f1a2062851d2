//! `kolibri lsp`, spoken to as an editor does.

mod client;
mod edits;
mod session;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use kolibri::kif;
use serde_json::{Value, json};

use client::{Client, range_of};

const URI: &str = "file:///tmp/game.kif";

fn tictactoe() -> String {
    text_of(Path::new("games/tictactoe.kif"))
}

fn text_of(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    kif::decode(&bytes).text.into_owned()
}

/// The place of a byte, as the protocol counts.
fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let character = before[line_start..].encode_utf16().count();
    json!({"line": before.matches('\n').count(), "character": character})
}

/// The byte at a place of the protocol.
fn offset(text: &str, place: &Value) -> usize {
    let line = place["line"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = place["character"].as_u64().unwrap() as usize;
    let mut rest = text[start..].chars();
    let mut offset = start;
    while units > 0 {
        let character = rest.next().unwrap();
        units -= character.len_utf16();
        offset += character.len_utf8();
    }
    offset
}

/// The position of the first `|` of `marked` in `text`, which holds `marked` without it.
fn position(text: &str, marked: &str) -> Value {
    let offset = text.find(&marked.replacen('|', "", 1)).unwrap() + marked.find('|').unwrap();
    place(text, offset)
}

fn at(text: &str, marked: &str) -> Value {
    json!({"textDocument": {"uri": URI}, "position": position(text, marked)})
}

/// The text after edits of the protocol: the last is made first.
fn edited(text: &str, edits: &Value) -> String {
    let edits = edits.as_array().unwrap().iter();
    let mut edits: Vec<_> = edits
        .map(|edit| {
            let range = &edit["range"];
            let (start, end) = (offset(text, &range["start"]), offset(text, &range["end"]));
            (start, end, edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_unstable();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

/// The edits of one document in an edit of the workspace.
fn edits_of<'e>(edit: &'e Value, uri: &str) -> &'e Value {
    &edit["changes"][uri]
}

/// What the checker says of a text.
fn findings(text: &str) -> Vec<String> {
    let found = kolibri::gdl::load(text).diagnostics;
    found.into_iter().map(|finding| finding.message).collect()
}

#[test]
fn a_session_ends_in_order() {
    let mut client = Client::ready();
    client.open(URI, &tictactoe());
    assert_eq!(client.diagnostics(URI, 1), [json!(null); 0]);
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    assert_eq!(Client::ready().end().code(), Some(1));
    let mut client = Client::ready();
    client.notify("exit", Value::Null);
    assert_eq!(client.end().code(), Some(1));
}

#[test]
fn every_capability_is_announced() {
    let mut client = Client::start();
    let result = client.request("initialize", json!({"capabilities": {}}));
    let capabilities = result["capabilities"].as_object().unwrap();
    let names: Vec<&str> = capabilities.keys().map(String::as_str).collect();
    insta::assert_snapshot!(names.join("\n"), @r#"
    positionEncoding
    textDocumentSync
    selectionRangeProvider
    hoverProvider
    completionProvider
    signatureHelpProvider
    definitionProvider
    referencesProvider
    documentHighlightProvider
    documentSymbolProvider
    codeActionProvider
    codeLensProvider
    documentFormattingProvider
    documentRangeFormattingProvider
    renameProvider
    foldingRangeProvider
    semanticTokensProvider
    inlayHintProvider
    "#);
    assert_eq!(result["serverInfo"]["name"], "kolibri");
}

#[test]
fn messages_out_of_order_are_refused_and_the_server_goes_on() {
    let mut client = Client::start();
    let hover = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}});
    let response = client.respond("textDocument/hover", hover.clone());
    assert_eq!(response["error"]["code"], -32002);
    client.request("initialize", json!({"capabilities": {}}));
    assert!(client.respond("initialize", json!({"capabilities": {}}))["error"].is_object());
    // Nothing is open.
    assert_eq!(client.request("textDocument/hover", hover), Value::Null);
    client.change(URI, 2, None, "(role x)");
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": URI}}),
    );
    client.open(URI, "(role x");
    assert_eq!(
        client.diagnostics(URI, 1)[0]["code"],
        "unclosed-parenthesis"
    );
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn unknown_methods_and_malformed_messages_are_refused_and_the_server_goes_on() {
    let mut client = Client::ready();
    let response = client.respond("kolibri/unknown", json!({}));
    assert_eq!(response["error"]["code"], -32601);
    client.notify("$/unknown", json!({}));
    client.send_body("{\"jsonrpc\": \"2.0\", \"id\"");
    assert_eq!(client.response(Value::Null)["error"]["code"], -32700);
    client.send_body("[]");
    assert!(client.response(Value::Null)["error"].is_object());
    let wrong = json!({"textDocument": 5});
    let response = client.respond("textDocument/hover", wrong);
    assert_eq!(response["error"]["code"], -32602);
    client.open(URI, "(role x))");
    assert_eq!(client.diagnostics(URI, 1)[0]["code"], "surplus-parenthesis");
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn a_request_that_is_cancelled_in_time_is_not_answered() {
    let mut client = Client::ready();
    let ask = |id: &str| json!({"jsonrpc": "2.0", "id": id, "method": "shutdown"});
    let cancel =
        json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "cancelled"}});
    let symbols = json!({"textDocument": {"uri": URI}});
    let first = json!({"jsonrpc": "2.0", "id": "answered", "method": "textDocument/documentSymbol", "params": symbols});
    // So short that they arrive together.
    let messages = [first, ask("cancelled"), cancel].map(|message| {
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    });
    client.send_bytes(messages.concat().as_bytes());
    assert_eq!(client.response(json!("answered"))["result"], Value::Null);
    assert_eq!(client.response(json!("cancelled"))["error"]["code"], -32800);
    // It was not carried out.
    assert_eq!(client.shut_down().code(), Some(0));
}

#[test]
fn diagnostics_follow_edits() {
    let mut client = Client::ready();
    let text = tictactoe();
    client.open(URI, &text);
    assert!(client.diagnostics(URI, 1).is_empty());
    client.change(URI, 2, Some([0, 0, 0, 0]), "; 😀ž (\r\n(x 😀) (role 😀😀");
    let found = client.diagnostics(URI, 2);
    let unclosed = &found[0];
    assert_eq!(unclosed["code"], "unclosed-parenthesis");
    assert_eq!(unclosed["range"], range_of([1, 7, 1, 8]));
    let related = &unclosed["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], URI);
    assert_eq!(related["location"]["range"]["start"]["line"], 1);
    // The range counts UTF-16: it takes away all that was written.
    client.change(URI, 3, Some([0, 0, 1, 17]), "");
    assert_eq!(client.diagnostics(URI, 3), [json!(null); 0]);
    let formatting =
        json!({"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": true}});
    assert_eq!(
        client.request("textDocument/formatting", formatting),
        json!([])
    );
}

#[test]
fn the_newest_version_is_checked_last() {
    let mut client = Client::ready();
    client.open(URI, &tictactoe());
    for version in 2..60 {
        client.change(URI, version, Some([0, 0, 0, 0]), ";");
    }
    client.change(URI, 60, None, "(role x");
    assert_eq!(
        client.diagnostics(URI, 60)[0]["code"],
        "unclosed-parenthesis"
    );
}

#[test]
fn two_documents_are_kept_apart() {
    let mut client = Client::ready();
    let other = "file:///tmp/other%20game.kif";
    client.open(URI, "(role x");
    client.open(other, &tictactoe());
    assert_eq!(
        client.diagnostics(URI, 1)[0]["code"],
        "unclosed-parenthesis"
    );
    assert!(client.diagnostics(other, 1).is_empty());
    let closed = json!({"textDocument": {"uri": URI}});
    client.notify("textDocument/didClose", closed);
    let hover = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 2}});
    assert_eq!(client.request("textDocument/hover", hover), Value::Null);
    let hover = json!({"textDocument": {"uri": other}, "position": {"line": 10, "character": 2}});
    assert_ne!(client.request("textDocument/hover", hover), Value::Null);
}

#[test]
fn a_file_that_is_too_large_is_refused_until_it_is_shorter() {
    let mut client = Client::ready();
    let text = "; a comment that makes the file long\n".repeat(120_000);
    client.open(URI, &text);
    let found = client.diagnostics(URI, 1);
    assert_eq!(found[0]["code"], "file-too-large");
    let symbols = json!({"textDocument": {"uri": URI}});
    assert_eq!(
        client.request("textDocument/documentSymbol", symbols),
        json!([])
    );
    client.change(URI, 2, Some([3, 0, 120_000, 0]), "(role x))");
    assert_eq!(client.diagnostics(URI, 2)[0]["code"], "surplus-parenthesis");
}

#[test]
fn words_are_explained_and_found() {
    let mut client = Client::ready();
    let text = tictactoe();
    client.open(URI, &text);
    client.diagnostics(URI, 1);
    let hover = client.request("textDocument/hover", at(&text, "(leg|al ?p noop)"));
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("role `p` may make the move `m`"), "{shown}");
    let word = at(&text, "(opp|onent ?p ?q)");
    let definitions = client.request("textDocument/definition", word.clone());
    assert_eq!(definitions.as_array().unwrap().len(), 2);
    let mut with_context = word.clone();
    with_context["context"] = json!({"includeDeclaration": false});
    let uses = client.request("textDocument/references", with_context);
    let expected = text.matches("(opponent").count() - 2;
    assert_eq!(uses.as_array().unwrap().len(), expected);
    let highlights = client.request("textDocument/documentHighlight", word);
    assert_eq!(highlights.as_array().unwrap().len(), expected + 2);
}

#[test]
fn a_hover_tells_how_many_rows_hold() {
    let mut client = Client::ready();
    let text = tictactoe();
    client.open(URI, &text);
    client.diagnostics(URI, 1);
    let word = at(&text, "(opp|onent ?p ?q)");
    // The rows are derived after the findings are sent.
    let shown = (0..6000).find_map(|_| {
        thread::sleep(Duration::from_millis(10));
        let hover = client.request("textDocument/hover", word.clone());
        let shown = hover["contents"]["value"].as_str().unwrap().to_owned();
        shown.contains("in every position").then_some(shown)
    });
    let shown = shown.expect("rows");
    assert!(
        shown.contains("2 rows hold in every position:\n```kif\n(opponent o x)\n(opponent x o)"),
        "{shown}"
    );
}

#[test]
fn names_are_changed_in_the_whole_file_and_it_stays_valid() {
    let mut client = Client::ready();
    let text = tictactoe();
    client.open(URI, &text);
    for (marked, new_name) in [
        ("(true (ce|ll ?x ?y blank))", "square"),
        ("(opp|onent ?p ?q)", "other"),
        ("(does ?p (mark ?|x ?y))", "?column"),
        ("(mark ?x ?y|))", "row"),
        ("(role |x)", "white"),
    ] {
        let mut params = at(&text, marked);
        let prepared = client.request("textDocument/prepareRename", params.clone());
        assert!(prepared["range"].is_object(), "{marked}");
        params["newName"] = json!(new_name);
        let renamed = client.request("textDocument/rename", params);
        let text = edited(&text, edits_of(&renamed, URI));
        assert!(text.contains(new_name));
        assert_eq!(findings(&text), [""; 0], "{marked}");
    }
    let mut params = at(&text, "(leg|al ?p noop)");
    let message = client.refusal("textDocument/prepareRename", params.clone());
    assert!(message.contains("word of the language"), "{message}");
    params["newName"] = json!("may");
    client.refusal("textDocument/rename", params);
}

#[test]
fn a_rule_is_written_with_completions() {
    let mut client = Client::ready();
    let text = tictactoe() + "\n(<= (corner ?p)\n    (true (cell 1 1 ";
    client.open(URI, &text);
    let end =
        json!({"textDocument": {"uri": URI}, "position": position(&(text.clone() + "|"), "1 1 |")});
    let labels = |items: Value| -> Vec<String> {
        let items = items["items"].as_array().unwrap().iter();
        items
            .map(|item| item["label"].as_str().unwrap().to_owned())
            .collect()
    };
    let offered = labels(client.request("textDocument/completion", end.clone()));
    assert_eq!(offered, ["?p", "blank", "x", "o"]);
    let help = client.request("textDocument/signatureHelp", end);
    assert_eq!(help["signatures"][0]["label"], "(cell ?x ?y ?p)");
    assert_eq!(help["activeParameter"], 2);
    // What is there already is not written again.
    let place = at(&text, "(|true (cell 1 1 ");
    let found = client.request("textDocument/completion", place);
    let mut items = found["items"].as_array().unwrap().iter();
    let item = items.find(|item| item["label"] == "opponent").unwrap();
    assert_eq!(item["textEdit"]["newText"], "opponent");
}

#[test]
fn a_document_is_laid_out_outlined_and_coloured() {
    let mut client = Client::ready();
    let text = tictactoe().replace("    (true", "  (true");
    client.open(URI, &text);
    let document = json!({"uri": URI});
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let params = json!({"textDocument": document, "options": options});
    let edits = client.request("textDocument/formatting", params.clone());
    assert_eq!(edited(&text, &edits), tictactoe());
    let mut params = params;
    let line = position(&text, "|(<= (legal ?p (mark")["line"]
        .as_u64()
        .unwrap() as u32;
    params["range"] = range_of([line, 0, line, 1]);
    let edits = client.request("textDocument/rangeFormatting", params);
    let formatted = edited(&text, &edits);
    assert!(
        formatted.contains("(mark ?x ?y))\n    (true (control ?p))"),
        "{formatted}"
    );
    assert!(formatted.matches("\n  (true").count() == text.matches("\n  (true").count() - 2);
    let only = json!({"textDocument": document});
    let symbols = client.request("textDocument/documentSymbol", only.clone());
    assert_eq!(symbols[0]["name"], "roles");
    let folds = client.request("textDocument/foldingRange", only.clone());
    assert!(folds.as_array().unwrap().len() > 10);
    let tokens = client.request("textDocument/semanticTokens/full", only.clone());
    let numbers = tokens["data"].as_array().unwrap().len();
    assert!(numbers > 1000 && numbers.is_multiple_of(5), "{numbers}");
    let mut ranged = only.clone();
    ranged["range"] = range_of([0, 0, 3, 0]);
    let part = client.request("textDocument/semanticTokens/range", ranged.clone());
    assert!(part["data"].as_array().unwrap().len() < 50);
    ranged["range"] = range_of([0, 0, 99, 0]);
    let hints = client.request("textDocument/inlayHint", ranged);
    assert!(
        hints
            .as_array()
            .unwrap()
            .iter()
            .any(|hint| hint["label"] == "y:")
    );
    let lenses = client.request("textDocument/codeLens", only.clone());
    assert_eq!(lenses[1]["command"]["command"], "kolibri.playtest");
    let mut selected = only;
    selected["positions"] = json!([position(&text, "(does ?p (mark ?|x ?y))")]);
    let ranges = client.request("textDocument/selectionRange", selected);
    assert!(ranges[0]["parent"]["parent"].is_object());
}

#[test]
fn offered_changes_mend_the_rules() {
    let mut client = Client::ready();
    let good = tictactoe();
    let misspelt = good.replacen("(opponent ?p ?q)", "(oponent ?p ?q)", 1);
    let repeated = good.replacen(
        "(opponent x o)",
        "(<= (opponent x o))\n(<= (opponent x o))",
        1,
    );
    let mut version = 1;
    client.open(URI, &good);
    for (text, place, title, only) in [
        (&misspelt, "(|oponent", "opponent", None),
        (&repeated, "|(<= (opponent", "", Some("source.fixAll")),
    ] {
        version += 1;
        assert_ne!(findings(text), [""; 0]);
        client.change(URI, version, None, text);
        let found = client.diagnostics(URI, version);
        let start = position(text, place);
        let mut context = json!({"diagnostics": found});
        if let Some(kind) = only {
            context["only"] = json!([kind]);
        }
        let range = json!({"start": start, "end": start});
        let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
        let actions = client.request("textDocument/codeAction", params);
        let mut actions = actions.as_array().unwrap().iter();
        let is_meant = |action: &&Value| action["title"].as_str().unwrap().contains(title);
        let action = actions.find(is_meant).expect(title);
        let mended = edited(text, edits_of(&action["edit"], URI));
        assert_eq!(findings(&mended), [""; 0], "{mended}");
    }
}
