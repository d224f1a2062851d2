//! What the operating system says.

use std::io;

/// What the system said, in our style: lower case, without the number of the error.
pub fn system_said(cause: &io::Error) -> String {
    let text = cause.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or(&text)
        .to_lowercase()
}
