//! The configuration file on the disk, and what it says.
//!
//! Not its job: reading and replacing it (see [`crate::persons_file`]), and what of it changes.

use super::{Config, ConfigError};
use crate::persons_file::PersonsFile;

impl PersonsFile {
    /// What it says, taken as a configuration.
    ///
    /// # Errors
    /// When it holds an unknown key or a bad value.
    pub fn config(&self) -> Result<Config, ConfigError> {
        Config::understand(&self.text(), &self.path)
    }
}
