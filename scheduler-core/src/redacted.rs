//! Secrets that print nothing of themselves.

/// Has types print as `[redacted]`.
macro_rules! redacted {
    ($($secret:ty),+) => {$(
        impl std::fmt::Debug for $secret {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("[redacted]")
            }
        }
    )+};
}

pub(crate) use redacted;
