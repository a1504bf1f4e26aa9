//! A delivery as it is sent.

use chrono::{DateTime, Utc};

use super::Webhook;
use crate::ids::EventId;
use crate::ports::Request;
use crate::signing::{
    EVENT_HEADER, ID_HEADER, SIGNATURE_HEADER, SIGNATURE_V2_HEADER, STANDARD_ID_HEADER,
    STANDARD_SIGNATURE_HEADER, STANDARD_TIMESTAMP_HEADER, TIMESTAMP_HEADER, sign, sign_standard,
    sign_v2,
};

/// The request that tells a webhook of an event, signed with its secret; with the headers of
/// Standard Webhooks as well, where the secret is one of theirs.
pub(crate) fn signed(
    webhook: &Webhook,
    secret: &str,
    (id, kind): (EventId, &str),
    body: &str,
    at: DateTime<Utc>,
) -> Request {
    let (id, seconds, bytes) = (id.to_string(), at.timestamp().to_string(), body.as_bytes());
    let mut headers = vec![
        (EVENT_HEADER, kind.to_owned()),
        (ID_HEADER, id.clone()),
        (TIMESTAMP_HEADER, seconds.clone()),
        (SIGNATURE_V2_HEADER, sign_v2(secret, at, bytes)),
        (SIGNATURE_HEADER, sign(secret, bytes)),
    ];
    if let Some(signature) = sign_standard(secret, &id, at, bytes) {
        headers.extend([
            (STANDARD_ID_HEADER, id),
            (STANDARD_TIMESTAMP_HEADER, seconds),
            (STANDARD_SIGNATURE_HEADER, signature),
        ]);
    }
    Request { url: webhook.url.clone(), headers, body: body.to_owned() }
}
