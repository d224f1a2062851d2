//! The `kolibri` program: everything it does lives in the library.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    kolibri::cli::run(
        std::env::args_os(),
        &mut io::stdout().lock(),
        &mut io::stderr(),
    )
}
