//! Signing a link together with headers that have to be sent with it.
//!
//! The library that makes the other links leaves `Content-Length` out of what it signs.
//!
//! Source: Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters (AWS Signature
//! Version 4)".

use std::fmt::Write as _;
use std::time::Duration;

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest as _, Sha256};
use url::{Position, Url};

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// What a link is signed with.
pub(super) struct Signing<'a> {
    pub(super) access_key_id: &'a str,
    pub(super) secret_access_key: &'a str,
    /// What a key for a short time needs besides.
    pub(super) session_token: Option<&'a str>,
    pub(super) region: &'a str,
    pub(super) at: DateTime<Utc>,
    pub(super) life: Duration,
}

impl Signing<'_> {
    /// Signs a link without a query: for a method, with this query and these headers beside `host`,
    /// in lower case.
    pub(super) fn sign(
        &self,
        method: &str,
        url: &Url,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> String {
        let mut headers = headers.to_vec();
        headers.push(("host", &url[Position::BeforeHost..Position::AfterPort]));
        headers.sort_unstable();
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        let names = names.join(";");
        let mut lines = String::new();
        for (name, value) in headers {
            let _ = writeln!(lines, "{name}:{value}");
        }

        let day = self.at.format("%Y%m%d").to_string();
        let time = self.at.format("%Y%m%dT%H%M%SZ").to_string();
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let mut fields: Vec<(String, String)> = query
            .iter()
            .copied()
            .chain([
                ("X-Amz-Algorithm", ALGORITHM),
                ("X-Amz-Credential", &format!("{}/{scope}", self.access_key_id)),
                ("X-Amz-Date", &time),
                ("X-Amz-Expires", &self.life.as_secs().to_string()),
                ("X-Amz-SignedHeaders", &names),
            ])
            .chain(self.session_token.map(|token| ("X-Amz-Security-Token", token)))
            .map(|(name, value)| (encoded(name), encoded(value)))
            .collect();
        fields.sort_unstable();
        let fields: Vec<String> =
            fields.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        let query = fields.join("&");

        let request =
            format!("{method}\n{}\n{query}\n{lines}\n{names}\nUNSIGNED-PAYLOAD", url.path());
        let request = hex::encode(Sha256::digest(request));
        let mut key = format!("AWS4{}", self.secret_access_key).into_bytes();
        for part in [&day, self.region, "s3", "aws4_request"] {
            key = hmac(&key, part);
        }
        let signature = hmac(&key, &format!("{ALGORITHM}\n{time}\n{scope}\n{request}"));
        format!("{url}?{query}&X-Amz-Signature={}", hex::encode(signature))
    }
}

fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    // A key of any length does.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return Vec::new() };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Everything escaped but what is unreserved.
fn encoded(text: &str) -> String {
    const ESCAPED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the example of the reference.
    const SIGNING: Signing<'_> = Signing {
        access_key_id: "AKIAIOSFODNN7EXAMPLE",
        secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        session_token: None,
        region: "us-east-1",
        at: DateTime::from_timestamp(1_369_353_600, 0).unwrap(),
        life: Duration::from_secs(86_400),
    };

    #[test]
    fn the_example_of_the_reference() {
        let url = "https://examplebucket.s3.amazonaws.com/test.txt".parse().unwrap();
        assert_eq!(
            SIGNING.sign("GET", &url, &[], &[]),
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256\
             &X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request\
             &X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host\
             &X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        );
    }

    #[test]
    fn what_is_signed_makes_the_signature() {
        let url: Url = "http://127.0.0.1:9000/media/a".parse().unwrap();
        let other: Url = "http://127.0.0.1:9000/media/b".parse().unwrap();
        let token = Signing { session_token: Some("a+b/c="), ..SIGNING };
        let part = [("uploadId", "x y"), ("partNumber", "1")];
        let links = [
            SIGNING.sign("PUT", &url, &[], &[("content-length", "5")]),
            SIGNING.sign("PUT", &url, &[], &[("content-length", "6")]),
            SIGNING.sign("PUT", &other, &[], &[("content-length", "5")]),
            SIGNING.sign("PUT", &url, &part, &[("content-length", "5")]),
            token.sign("PUT", &url, &[], &[("content-length", "5")]),
        ];
        let signature = |link: &String| link.rsplit_once('=').unwrap().1.to_owned();
        let signatures: std::collections::BTreeSet<String> = links.iter().map(signature).collect();
        assert_eq!(signatures.len(), links.len());
        assert!(links[0].contains("&X-Amz-SignedHeaders=content-length%3Bhost&"), "{}", links[0]);
        assert!(links[3].contains("&partNumber=1&uploadId=x%20y&"), "{}", links[3]);
        assert!(links[4].contains("&X-Amz-Security-Token=a%2Bb%2Fc%3D&"), "{}", links[4]);
    }
}
