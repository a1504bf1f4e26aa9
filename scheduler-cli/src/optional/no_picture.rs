//! A build without pictures: the demo cannot draw its own.

pub(crate) fn bytes() -> anyhow::Result<Vec<u8>> {
    Err(anyhow::anyhow!(
        "this build has no pictures, of which the demo sends one; build it with the feature `media`"
    ))
}
