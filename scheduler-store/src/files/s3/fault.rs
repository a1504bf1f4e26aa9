//! Faults of the service, for the core.

use object_store::Error;
use scheduler_core::ports::FilesError;

/// A fault of the service, in words that hold no signature and no answer of the service.
pub(super) fn fault(error: &Error) -> FilesError {
    let reason = match error {
        Error::NotFound { .. } => return FilesError::Missing,
        Error::PermissionDenied { .. } => "the S3 service does not allow it with these keys",
        Error::Unauthenticated { .. } => "the S3 service does not know these keys",
        Error::Generic { .. } => "the S3 service does not answer as it should",
        Error::NotSupported { .. } | Error::NotImplemented { .. } => {
            "the S3 service cannot do what is needed"
        }
        Error::Precondition { .. } | Error::AlreadyExists { .. } | Error::NotModified { .. } => {
            "the S3 service says that the file is another one"
        }
        _ => "the S3 service refused the request",
    };
    FilesError::Unavailable(reason.to_owned())
}

/// The code of an error that the service has put into its answer, such as `InvalidPart`, if it is
/// one of these.
///
/// Source: Amazon S3 API Reference, CompleteMultipartUpload, "Errors".
pub(super) fn code_among<'a>(error: &Error, codes: &[&'a str]) -> Option<&'a str> {
    let text = error.to_string();
    codes.iter().copied().find(|code| text.contains(&format!("<Code>{code}</Code>")))
}
