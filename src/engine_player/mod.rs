//! A player that other programs start, and talk to in the engine protocol on two streams.
//!
//! ```text
//! input ─listening (own thread)─▶ HostMessage ─channel─▶ serve ─HostedMatch─▶ ProgramMessage ─▶ output
//! ```

mod listening;
mod match_played;

use std::io::{self, BufRead, Write};

use self::listening::{Heard, Listening};
use self::match_played::HostedMatch;
use crate::engine::EngineChoice;
use crate::engine_protocol::{HostMessage, PROTOCOL_VERSION, ProgramMessage};
use crate::files::FileCache;
use crate::play::Spec;

/// How a player in the engine protocol plays.
#[derive(Debug, Clone)]
pub struct EnginePlayerOptions {
    /// How it chooses moves: see [`Spec::under_clocks`].
    pub spec: Spec,
    /// What runs the rules; until it is ready, the reasoner does.
    pub engine: EngineChoice,
    /// Where what is learned of a game is kept for the next time; without it, nothing is.
    pub cache: Option<FileCache>,
    /// What chance is drawn from.
    pub seed: u64,
}

/// Plays the matches that come on `input`, one after the other, and answers on `output`, until the host says that the player must
/// end or either stream ends.
///
/// # Errors
/// `output` cannot be written.
pub fn serve_host(
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
    options: &EnginePlayerOptions,
) -> io::Result<()> {
    let listening = Listening::begin(input);
    let mut playing: Option<HostedMatch> = None;
    loop {
        let heard = match &mut playing {
            Some(playing) => playing.while_pondering(|| listening.next()),
            None => listening.next(),
        };
        let answer = match heard {
            Heard::End | Heard::Message(HostMessage::Quit) => return Ok(()),
            Heard::Unreadable(why) => Some(ProgramMessage::Error { message: why }),
            Heard::Message(message) => reply(message, &mut playing, options, &listening),
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
}

/// What a message is answered by, if it is.
fn reply(
    message: HostMessage,
    playing: &mut Option<HostedMatch>,
    options: &EnginePlayerOptions,
    listening: &Listening,
) -> Option<ProgramMessage> {
    let answer = match message {
        HostMessage::Hello { protocol, .. } => hello(protocol),
        HostMessage::Start(start) => {
            let stop = listening.stop_flag();
            let begun = HostedMatch::begin(&start, options, stop);
            begun.map(|begun| {
                *playing = Some(begun);
                ProgramMessage::Ready
            })
        }
        HostMessage::Play(turn) => match playing {
            Some(playing) => playing.answer(&turn).map(ProgramMessage::Move),
            None => Err("no match has begun".to_owned()),
        },
        HostMessage::Stop { .. } | HostMessage::Abort { .. } | HostMessage::Quit => {
            *playing = None;
            return None;
        }
    };
    Some(answer.unwrap_or_else(|message| ProgramMessage::Error { message }))
}

fn hello(protocol: u32) -> Result<ProgramMessage, String> {
    match protocol {
        PROTOCOL_VERSION => Ok(ProgramMessage::Hello {
            protocol,
            name: concat!("Kolibri ", env!("CARGO_PKG_VERSION")).to_owned(),
        }),
        other => Err(format!(
            "version {other} of the engine protocol is not known; this is version {PROTOCOL_VERSION}"
        )),
    }
}
