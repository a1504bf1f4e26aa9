//! The workspace that a command of the application works on.

use clap::Args;

use crate::client::Client;
use crate::config::StorageOptions;
use crate::context::Context;
use crate::failure::Failure;

/// A workspace, and where it is kept.
#[derive(Args, Debug)]
pub(crate) struct OfWorkspace {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

impl OfWorkspace {
    /// A client of the application that works on it.
    ///
    /// # Errors
    /// Those of [`Context::application`].
    pub(super) async fn open(self, context: &Context) -> Result<Client, Failure> {
        context.application(self.storage, self.workspace.as_deref()).await
    }
}
