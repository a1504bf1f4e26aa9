//! Bodies that hold files as text, for networks that take them within JSON.

use serde_json::Value;

use super::FileBody;

/// JSON of which some values are files, in the standard alphabet of base64 with padding.
#[derive(Clone, PartialEq)]
pub struct JsonWithFiles {
    /// The JSON, with any value at the places of the files.
    pub value: Value,
    /// JSON pointers (RFC 6901) to the values that the driver replaces by a file.
    pub files: Vec<(String, FileBody)>,
}
