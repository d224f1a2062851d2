//! Matches in the words of two match servers of the field, as seen on the wire.

use super::wire::{dresden, ggp_base};
use super::{listening, odd, options};

/// Two players in turn, with the words of a scrambled match; the last rule is what Dresden appends for players of GDL-II.
const SCRAMBLED: &str = "(ROLE LIN) (ROLE JOANNIE) (FEKRI 1) (FEKRI 2) (INIT (NERTA 1 DARYA)) (INIT (NERTA 2 DARYA)) (INIT (LISABETH LIN)) \
    (<= (LEGAL ?WIELE (ROSALINDE ?TIEN)) (TRUE (LISABETH ?WIELE)) (TRUE (NERTA ?TIEN DARYA))) \
    (<= (LEGAL ?WIELE MORT) (ROLE ?WIELE) (NOT (TRUE (LISABETH ?WIELE)))) \
    (<= (NEXT (NERTA ?TIEN ?WIELE)) (DOES ?WIELE (ROSALINDE ?TIEN))) \
    (<= (NEXT (NERTA ?TIEN ?ANNNORA)) (TRUE (NERTA ?TIEN ?ANNNORA)) (DOES ?WIELE (ROSALINDE ?CLARIBEL)) (DISTINCT ?TIEN ?CLARIBEL)) \
    (<= (NEXT (LISABETH JOANNIE)) (TRUE (LISABETH LIN))) (<= (NEXT (LISABETH LIN)) (TRUE (LISABETH JOANNIE))) \
    (<= KALYAN (TRUE (NERTA ?TIEN DARYA))) (<= TERMINAL (NOT KALYAN)) \
    (<= (GOAL ?WIELE 100) (TRUE (NERTA 1 ?WIELE))) (<= (GOAL ?WIELE 0) (ROLE ?WIELE) (NOT (TRUE (NERTA 1 ?WIELE)))) \
    (<= (RCHLAB ?WIELE (NEENA ?ANNNORA ?ROXY)) (ROLE ?WIELE) (DOES ?ANNNORA ?ROXY) )";

/// Dresden's game controller: upper case, scrambled words, a player that is told what it sees.
#[test]
fn dresden_tells_a_player_of_gdl_ii_the_moves_as_percepts_in_scrambled_words() {
    let (_server, player, events) = listening(options("first"));
    let start = format!("(START dr.ticTacToe.1 JOANNIE ({SCRAMBLED}) 5 20)");
    assert_eq!(dresden(player, &start), "ready");
    for (message, reply) in [
        ("(PLAY dr.ticTacToe.1 NIL)", "MORT"),
        (
            "(PLAY dr.ticTacToe.1 ((NEENA LIN (ROSALINDE 2)) (NEENA JOANNIE MORT) ))",
            "(ROSALINDE 1)",
        ),
        (
            "(STOP dr.ticTacToe.1 ((NEENA LIN MORT) (NEENA JOANNIE (ROSALINDE 1)) ))",
            "done",
        ),
    ] {
        assert_eq!(dresden(player, message), reply, "{message}");
    }
    assert_eq!(odd(&events), [""; 0]);
}

/// A server of a game for one sends a list of one move, which may be a word.
#[test]
fn the_only_role_hears_its_move_in_a_list() {
    let rules = "(ROLE ROBOT) (INIT (AT 1)) (SUCC 1 2) (SUCC 2 3) (LEGAL ROBOT MOVE) (LEGAL ROBOT DROP) \
        (<= (NEXT (AT ?Y)) (TRUE (AT ?X)) (SUCC ?X ?Y) (DOES ROBOT MOVE)) (<= (NEXT (AT ?X)) (TRUE (AT ?X)) (DOES ROBOT DROP)) \
        (<= TERMINAL (TRUE (AT 3))) (<= (GOAL ROBOT 100) (TRUE (AT 3))) (<= (GOAL ROBOT 0) (TRUE (AT ?X)) (DISTINCT ?X 3))";
    let (_server, player, events) = listening(options("minimax:depth=3"));
    let start = format!("(START dr.mazelisp.0 ROBOT ({rules}) 5 20)");
    assert_eq!(dresden(player, &start), "ready");
    assert_eq!(dresden(player, "(PLAY dr.mazelisp.0 NIL)"), "MOVE");
    assert_eq!(dresden(player, "(PLAY dr.mazelisp.0 (MOVE))"), "MOVE");
    assert_eq!(dresden(player, "(STOP dr.mazelisp.0 (MOVE))"), "done");
    assert_eq!(odd(&events), [""; 0]);
}

/// ggp-base's match server: a blank after each parenthesis, words of a scrambled match in lower case.
#[test]
fn ggp_base_scrambles_words_and_ends_with_stop() {
    let (_server, player, events) = listening(options("first"));
    let rules = SCRAMBLED.to_lowercase();
    let rules = rules.replace('(', "( ").replace(')', " )");
    let start = format!("( START gb.ticTacToe.1795437000000 lin ({rules} ) 5 20)");
    assert_eq!(ggp_base(player, &start), "ready");
    for (message, reply) in [
        ("( PLAY gb.ticTacToe.1795437000000 NIL )", "(rosalinde 1)"),
        (
            "( PLAY gb.ticTacToe.1795437000000 (( rosalinde 1 ) mort ) )",
            "mort",
        ),
        (
            "( STOP gb.ticTacToe.1795437000000 (mort ( rosalinde 2 ) ) )",
            "done",
        ),
    ] {
        assert_eq!(ggp_base(player, message), reply, "{message}");
    }
    assert_eq!(odd(&events), [""; 0]);
}
