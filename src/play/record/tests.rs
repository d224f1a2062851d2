use super::*;
use crate::files::Existing;
use crate::game::fixture::Subtraction;
use crate::play::Session;
use crate::session::Game;

fn played() -> Record {
    let game = Subtraction::new(3, 3);
    let mut session = Session::new(&Game::from_engine("fixture", game));
    let mut record = Record::begin("subtraction", &session, 7, 1_800_000_000_000);
    let step = Step {
        number: 1,
        joint: vec!["(take 3)".to_owned(), "noop".to_owned()],
        choices: vec![3, 1],
        found: vec![None, None],
        time: Vec::new(),
        errors: vec![String::new(); 2],
    };
    session.play_joint(&step.joint).unwrap();
    record.add(&step, &session, 1_800_000_000_010);
    record.close(&End::Terminal, session.goals());
    record
}

#[test]
fn records_read_back() {
    let record = played();
    assert_eq!(Record::read(&record.to_json()).unwrap(), record);
    assert_eq!(record.goal_values, [Some(100), Some(0)]);
    assert!(record.is_completed && record.random_token.len() >= 12);
    assert_eq!(record.facts(1).unwrap(), ["(control second)", "(heap 0)"]);
}

#[test]
fn foreign_records_are_read() {
    let text = r#"{"matchId":"t.ticTacToe.1","randomToken":"abc","startTime":1795208147070,
        "gameMetaURL":"http://example.org/base/games/ticTacToe/v0/","startClock":10,"playClock":5,
        "states":["( ( cell 1 2 b ) ( control xplayer ) )","( ( control oplayer ) )"],
        "moves":[["( mark 1 2 )","noop"]],"stateTimes":[1795208147136,1795208147693],
        "errors":[["",""],["IL ( x )","TO"]],"goalValues":[0,100],"tournamentNameFromHost":"",
        "scrambled":false,"isCompleted":true,"isAborted":false}"#;
    let record = Record::read(text).unwrap();
    assert_eq!(
        record.facts(0).unwrap(),
        ["(cell 1 2 b)", "(control xplayer)"]
    );
}

fn fault(change: impl Fn(&mut Record)) -> String {
    let mut record = played();
    change(&mut record);
    Record::read(&record.to_json()).unwrap_err().to_string()
}

#[test]
fn parts_that_do_not_fit_are_named() {
    assert_eq!(
        fault(|record| record.states.truncate(1)),
        "1 joint moves lead through 2 states, but 1 are listed"
    );
    assert_eq!(
        fault(|record| record.moves[0].truncate(1)),
        "joint move 1 holds 1 moves, but there are 2 roles"
    );
    let unread = fault(|record| record.states[1] = "((heap".to_owned());
    assert!(unread.starts_with("state 1: "), "{unread}");
}

#[test]
fn what_is_no_record_is_refused() {
    let fault = |text: &str| Record::read(text).unwrap_err().to_string();
    for text in ["", "[]", "{}", "{\"matchId\":3}", "null", "\u{0}"] {
        assert!(fault(text).starts_with("not a match record"));
    }
    assert!(fault(" \n").starts_with("not a match record: the file is empty; "));
    for text in ["[]", "null", "\u{0}", "PNG"] {
        assert!(
            fault(text).starts_with("not a match record: a record is JSON and begins with {; ")
        );
    }
    assert!(fault("; nim").starts_with("not a match record: these are rules"));
}

#[test]
fn files_are_read_whether_compressed_or_not() {
    let folder = tempfile::TempDir::new().unwrap();
    let record = played();
    for name in ["one.json", "one.json.gz", "one.GZ", "one"] {
        let path = folder.path().join(name);
        record.save(&path, Existing::Keep).unwrap();
        let is_compressed = std::fs::read(&path).unwrap().starts_with(&[0x1f, 0x8b]);
        assert_eq!(is_compressed, name.to_lowercase().ends_with("gz"), "{name}");
        assert_eq!(Record::load(&path).unwrap(), record);
    }
    let broken = folder.path().join("broken.json.gz");
    let bytes = std::fs::read(folder.path().join("one.json.gz")).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() / 2]).unwrap();
    let message = Record::load(&broken).unwrap_err().to_string();
    assert!(message.starts_with("cannot read "), "{message}");
    for format in [RecordFormat::Json, RecordFormat::CompressedJson] {
        let path = record.save_new(folder.path(), format).unwrap();
        assert!(path.to_string_lossy().ends_with(format.ending()));
        let again = record.save_new(folder.path(), format).unwrap();
        assert!(path != again && Record::load(&again).unwrap() == record);
    }
}

#[test]
fn a_position_is_set_up_or_the_fault_is_named() {
    let game = Game::from_engine("fixture", Subtraction::new(3, 3));
    let mut session = Session::new(&game);
    played().set_up(&mut session).unwrap();
    assert!(session.is_terminal());
    let message = |change: fn(&mut Record)| {
        let mut record = played();
        change(&mut record);
        let fault = record.set_up(&mut Session::new(&game)).unwrap_err();
        fault.to_string()
    };
    assert_eq!(
        message(|record| record.game_role_names.truncate(1)),
        "the record is of another game: its roles are first"
    );
    let illegal = message(|record| record.moves[0][0] = "(take 9)".to_owned());
    assert!(illegal.starts_with("move 1 of the record: "), "{illegal}");
    let fault = |change: fn(&mut Record)| {
        let mut record = played();
        change(&mut record);
        record.set_up(&mut Session::new(&game)).unwrap_err()
    };
    assert!(matches!(
        fault(|record| record.states[0] = "((heap".to_owned()),
        SetUpError::Record(_)
    ));
    assert!(matches!(
        fault(|record| record.states[0] = "(nothing)".to_owned()),
        SetUpError::Facts(_)
    ));
}
