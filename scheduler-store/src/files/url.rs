//! Which file store a server uses, as one text.

use std::path::PathBuf;
use std::str::FromStr;

use url::Url;

/// The region of a bucket at a service that has none, such as most that are self-hosted.
const REGION_DEFAULT: &str = "us-east-1";

/// Which file store a server uses.
/// ```
/// use scheduler_store::FilesUrl;
/// let bucket: FilesUrl = "s3://media/posts?region=eu-central-1".parse()?;
/// assert!(matches!(bucket, FilesUrl::Bucket(bucket) if bucket.prefix == "posts"));
/// assert_eq!("/var/lib/media".parse(), Ok(FilesUrl::Folder("/var/lib/media".into())));
/// # Ok::<(), scheduler_store::FilesUrlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesUrl {
    /// A folder of the server, by its path or as `file:///path`.
    Folder(PathBuf),
    /// A bucket of an S3 service, as `s3://bucket/prefix?endpoint=…&region=…`.
    Bucket(BucketUrl),
}

/// A bucket of an S3 service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BucketUrl {
    /// Its name.
    pub bucket: String,
    /// What the keys of all files begin with, without slashes at its ends; empty for nothing.
    pub prefix: String,
    /// The address of the service; `None` for the one of Amazon in the region.
    pub endpoint: Option<Url>,
    /// The region that requests are signed for.
    pub region: String,
    /// Whether the bucket stands in the path of an address, or in the name of the host.
    pub addressing: Addressing,
}

/// Where the name of a bucket stands in an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressing {
    /// `https://host/bucket/key`, which every service understands.
    Path,
    /// `https://bucket.host/key`.
    Host,
}

/// Why a text names no file store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesUrlError {
    /// There is nothing.
    #[error("the file store is empty: name a folder, or a bucket as s3://bucket/prefix")]
    Empty,
    /// It begins with another scheme.
    #[error("a file store is a folder or begins with s3://, not with {0}://")]
    Scheme(String),
    /// It is no address at all.
    #[error("the address of the bucket cannot be read: {0}")]
    Address(url::ParseError),
    /// It has no bucket, or one that no service would take.
    #[error(
        "the name of a bucket has 3 to 63 small letters, digits, dots and hyphens, as in \
         s3://bucket/prefix"
    )]
    Bucket,
    /// Its prefix holds more than plain segments.
    #[error(
        "the prefix {0:?} may hold only letters, digits, dots, hyphens, underscores and single \
         slashes between them"
    )]
    Prefix(String),
    /// It holds a user or a password.
    #[error("keys do not stand in the address; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")]
    Keys,
    /// There is no such option.
    #[error("there is no option {0:?}; there are endpoint, region and addressing")]
    Option(String),
    /// An option stands twice.
    #[error("the option {0} stands twice")]
    Twice(&'static str),
    /// The endpoint is no http or https address without a path.
    #[error("endpoint={0:?} is not an address such as https://s3.example.com")]
    Endpoint(String),
    /// The region is no name of one.
    #[error("region={0:?} is not the name of a region, such as eu-central-1")]
    Region(String),
    /// The addressing is neither of the two.
    #[error("addressing={0:?} is neither path nor host")]
    Addressing(String),
}

impl FromStr for FilesUrl {
    type Err = FilesUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err(FilesUrlError::Empty);
        }
        match text.split_once("://") {
            None => Ok(Self::Folder(text.into())),
            Some(("s3", _)) => bucket(text).map(Self::Bucket),
            Some(("file", path)) if path.starts_with('/') => Ok(Self::Folder(path.into())),
            Some((scheme, _)) => Err(FilesUrlError::Scheme(scheme.to_owned())),
        }
    }
}

fn bucket(text: &str) -> Result<BucketUrl, FilesUrlError> {
    // Before anything of it is quoted: what stands before the sign is a name or a secret.
    if text.contains('@') {
        return Err(FilesUrlError::Keys);
    }
    let url: Url = text.parse().map_err(FilesUrlError::Address)?;
    let bucket = url.host_str().unwrap_or_default();
    if url.port().is_some() || !is_bucket(bucket) {
        return Err(FilesUrlError::Bucket);
    }
    let prefix = url.path().trim_matches('/');
    if !is_prefix(prefix) {
        return Err(FilesUrlError::Prefix(prefix.to_owned()));
    }
    let mut options = Options::default();
    for (name, value) in url.query_pairs() {
        let (known, place) = match &*name {
            "endpoint" => ("endpoint", &mut options.endpoint),
            "region" => ("region", &mut options.region),
            "addressing" => ("addressing", &mut options.addressing),
            other if is_key(other) => return Err(FilesUrlError::Keys),
            other => return Err(FilesUrlError::Option(other.to_owned())),
        };
        if place.replace(value.into_owned()).is_some() {
            return Err(FilesUrlError::Twice(known));
        }
    }
    let endpoint = options.endpoint.map(|text| endpoint(&text)).transpose()?;
    let addressing = match options.addressing.as_deref() {
        Some("path") | None => Addressing::Path,
        Some("host") => Addressing::Host,
        Some(other) => return Err(FilesUrlError::Addressing(other.to_owned())),
    };
    let region = options.region.unwrap_or_else(|| REGION_DEFAULT.to_owned());
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if region.is_empty() || !region.bytes().all(is_name) {
        return Err(FilesUrlError::Region(region));
    }
    Ok(BucketUrl {
        bucket: bucket.to_owned(),
        prefix: prefix.to_owned(),
        endpoint,
        region,
        addressing,
    })
}

#[derive(Default)]
struct Options {
    endpoint: Option<String>,
    region: Option<String>,
    addressing: Option<String>,
}

/// Source: Amazon S3 User Guide, "General purpose bucket naming rules".
fn is_bucket(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (3..=63).contains(&name.len())
        && name.bytes().all(|byte| is_letter(byte) || byte == b'.' || byte == b'-')
        && name.bytes().next().is_some_and(is_letter)
        && name.bytes().next_back().is_some_and(is_letter)
}

fn is_prefix(prefix: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_segment = |segment: &str| {
        !segment.is_empty() && segment != "." && segment != ".." && segment.bytes().all(is_plain)
    };
    prefix.is_empty() || prefix.split('/').all(is_segment)
}

fn is_key(option: &str) -> bool {
    let option = option.to_ascii_lowercase();
    option.contains("key") || option.contains("secret") || option.contains("token")
}

fn endpoint(text: &str) -> Result<Url, FilesUrlError> {
    if text.contains('@') {
        return Err(FilesUrlError::Keys);
    }
    let refused = || FilesUrlError::Endpoint(text.to_owned());
    let url: Url = text.parse().map_err(|_| refused())?;
    let is_plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none();
    is_plain.then_some(url).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores() {
        let amazon = BucketUrl {
            bucket: "media".to_owned(),
            prefix: String::new(),
            endpoint: None,
            region: "us-east-1".to_owned(),
            addressing: Addressing::Path,
        };
        let own = BucketUrl {
            prefix: "a/b".to_owned(),
            endpoint: Some("http://127.0.0.1:9000".parse().unwrap()),
            region: "garage".to_owned(),
            addressing: Addressing::Host,
            ..amazon.clone()
        };
        for (name, text, want) in [
            ("a path", " data/files ", FilesUrl::Folder("data/files".into())),
            ("a file URL", "file:///srv/files", FilesUrl::Folder("/srv/files".into())),
            ("a bucket", "s3://media", FilesUrl::Bucket(amazon.clone())),
            ("a slash after it", "s3://media/", FilesUrl::Bucket(amazon)),
            (
                "everything",
                "s3://media/a/b/?endpoint=http://127.0.0.1:9000&region=garage&addressing=host",
                FilesUrl::Bucket(own),
            ),
        ] {
            assert_eq!(text.parse(), Ok(want), "{name}");
        }
    }

    #[test]
    fn what_is_no_store_says_why() {
        for (text, want) in [
            ("  ", "the file store is empty"),
            ("https://s3.example/bucket", "not with https://"),
            ("file://host/path", "not with file://"),
            ("s3://", "the name of a bucket"),
            ("s3:///prefix", "the name of a bucket"),
            ("s3://ab", "the name of a bucket"),
            ("s3://a_b_c", "the name of a bucket"),
            ("s3://bucket:9000/x", "the name of a bucket"),
            ("s3://bucket/a//b", "the prefix"),
            ("s3://bucket/a%20b", "the prefix"),
            ("s3://key:secret@bucket", "AWS_ACCESS_KEY_ID"),
            ("s3://key:se/secret@bucket", "AWS_ACCESS_KEY_ID"),
            ("s3://bucket/key:secret@x", "AWS_ACCESS_KEY_ID"),
            ("s3://bucket?endpoint=https://key:secret@s3.example", "AWS_ACCESS_KEY_ID"),
            ("s3://bucket?endpoint=https%3A%2F%2Fkey:secret%40s3.example", "AWS_ACCESS_KEY_ID"),
            ("s3://bucket?access_key_id=abc", "AWS_ACCESS_KEY_ID"),
            ("s3://bucket?zone=1", "no option \"zone\""),
            ("s3://bucket?region=a&region=b", "region stands twice"),
            ("s3://bucket?endpoint=s3.example", "endpoint=\"s3.example\""),
            ("s3://bucket?endpoint=https://s3.example/path", "endpoint="),
            ("s3://bucket?region=", "region=\"\""),
            ("s3://bucket?addressing=virtual", "neither path nor host"),
        ] {
            let error = text.parse::<FilesUrl>().unwrap_err().to_string();
            assert!(error.contains(want), "{text}: {error}");
            assert!(!error.contains(":secret"), "{text}: {error}");
        }
    }
}
