//! The colours and weights of text. A terminal may show none of them, so that meaning must not depend on them.

use anstyle::{AnsiColor, Style};

pub(crate) const PATH: Style = AnsiColor::Magenta.on_default();
pub(crate) const NAME: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const MATCH: Style = AnsiColor::Red.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
