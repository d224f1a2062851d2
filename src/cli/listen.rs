//! The address that a server listens on.

use std::io;
use std::net::TcpListener;

use crate::cli::failure::Failure;
use crate::util::system_said;

/// Listens on `HOST:PORT`.
///
/// # Errors
/// Why that is not possible.
pub(super) fn listen(address: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|why| {
        let why = match why.kind() {
            io::ErrorKind::InvalidInput => "it is not of the form HOST:PORT".to_owned(),
            _ => system_said(&why),
        };
        Failure::usage(format!("cannot listen on {address}: {why}")).with_help(
            "name an address of this machine and a free port, such as --listen 127.0.0.1:0",
        )
    })
}
