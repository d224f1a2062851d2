//! The colours of messages.

use anstyle::{AnsiColor, Style};

/// Something is wrong.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Something may be wrong.
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// All is well.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Advice.
pub(super) const HELP: Style = AnsiColor::Cyan.on_default().bold();
/// Important text.
pub(super) const STRONG: Style = Style::new().bold();
/// Less important text.
pub(super) const FAINT: Style = Style::new().dimmed();
