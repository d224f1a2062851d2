//! The rules of a record.

use std::path::Path;

use crate::catalog::{GameSource, Origin, SHIPPED, SourceError};

/// Why the rules of a record cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum RecordRulesError {
    /// The file that it names cannot be read.
    #[error("its rules cannot be read: {0}")]
    Unreadable(#[from] SourceError),
    /// It names none.
    #[error("it does not name its rules")]
    Unnamed,
}

/// The rules of the record at `path`: `rules` are their text, the name of a shipped game, or that of a file, which is looked
/// for beside the record, too.
///
/// # Errors
/// [`RecordRulesError`].
pub fn rules_of_record(rules: Option<&str>, path: &Path) -> Result<GameSource, RecordRulesError> {
    match rules {
        Some(text) if text.contains('(') => Ok(GameSource {
            name: "rules".to_owned(),
            text: text.to_owned(),
            diagnostics: Vec::new(),
            origin: Origin::File(path.to_owned()),
        }),
        Some(name) => Ok(GameSource::find(name).or_else(|fault| {
            let folder = path.parent().unwrap_or(Path::new("."));
            GameSource::from_file(&folder.join(name)).map_err(|_| fault)
        })?),
        None => Err(RecordRulesError::Unnamed),
    }
}

impl super::Record {
    /// The game of this record, which was read from the file at `path`: a shipped one if the rules are its rules.
    ///
    /// # Errors
    /// [`RecordRulesError`].
    pub fn game_source(&self, path: &Path) -> Result<GameSource, RecordRulesError> {
        let named = self.rulesheet.as_ref().or(self.game_name.as_ref());
        let source = rules_of_record(named.map(String::as_str), path)?;
        if let Some(shipped) = SHIPPED.iter().find(|game| game.text == source.text) {
            return Ok(GameSource::find(shipped.name)?);
        }
        let name = self.game_name.clone().unwrap_or(source.name);
        Ok(GameSource { name, ..source })
    }
}
