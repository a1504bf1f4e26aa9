//! Interim.
use super::Platform;
/// Interim sheet.
pub struct Sheet {
    /// Edit.
    pub can_edit_remote: bool,
    /// Delete.
    pub can_delete_remote: bool,
}
impl Platform {
    /// Interim.
    pub fn sheet(self) -> &'static Sheet {
        &Sheet { can_edit_remote: false, can_delete_remote: true }
    }
}
