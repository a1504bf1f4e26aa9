//! The key that seals, and where it comes from.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use hmac::{Hmac, KeyInit, Mac as _};
use secrecy::{ExposeSecret, SecretBox};
use sha2::Sha256;

const KEY_BYTES: usize = 32;

/// The key is there neither as text nor as a file.
#[derive(Debug, thiserror::Error)]
pub enum SealingKeyError {
    /// The text holds no key, or one that is not 32 bytes as hex or base64.
    #[error("the sealing key is not 32 bytes, written as 64 hex digits or as base64")]
    Text,
    /// The file could not be read or made.
    #[error("the file of the sealing key could not be read or made")]
    File(#[source] io::Error),
    /// The system gives no random bytes.
    #[error("the system gives no random bytes")]
    Random(#[source] getrandom::Error),
}

/// The key that seals secrets at rest, 32 bytes, and the earlier ones that still open them. Prints
/// as `[redacted]`.
///
/// Whoever loses it has to connect the accounts again and to make the webhooks anew; nothing else
/// is lost.
pub struct SealingKey {
    current: Bytes,
    earlier: Vec<Bytes>,
    /// The file that it was read from.
    file: Option<PathBuf>,
}

type Bytes = SecretBox<[u8; KEY_BYTES]>;

impl fmt::Debug for SealingKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SealingKey([redacted])")
    }
}

impl SealingKey {
    /// Takes these bytes as the key.
    #[must_use]
    pub fn from_bytes(bytes: [u8; KEY_BYTES]) -> Self {
        let current = SecretBox::new(Box::new(bytes));
        Self { current, earlier: Vec::new(), file: None }
    }

    /// Reads a key as text: 64 hex digits, or base64 of 32 bytes with either alphabet, with or
    /// without padding. Earlier keys follow it, with commas or white space between.
    ///
    /// # Errors
    /// [`SealingKeyError::Text`]
    pub fn from_text(text: &str) -> Result<Self, SealingKeyError> {
        let keys = text.split(|character: char| character == ',' || character.is_whitespace());
        let keys = keys.filter(|key| !key.is_empty()).map(one);
        let mut keys = keys.collect::<Result<Vec<Bytes>, SealingKeyError>>()?.into_iter();
        let current = keys.next().ok_or(SealingKeyError::Text)?;
        Ok(Self { current, earlier: keys.collect(), file: None })
    }

    /// Reads the key from a file. What seals by it reads the file again when that has changed.
    ///
    /// # Errors
    /// [`SealingKeyError::File`] when the file cannot be read, [`SealingKeyError::Text`] when it
    /// holds no key.
    pub fn load_file(path: &Path) -> Result<Self, SealingKeyError> {
        let text = read(path).map_err(SealingKeyError::File)?;
        Ok(Self { file: Some(path.to_owned()), ..Self::from_text(&text)? })
    }

    /// Reads the key from a file as [`load_file`](Self::load_file) does; makes a random one first,
    /// with mode 0600, when there is no such file. Of several that make it at once, all get the
    /// same.
    ///
    /// # Errors
    /// Those of [`load_file`](Self::load_file), also when the file cannot be made;
    /// [`SealingKeyError::Random`].
    pub fn load_or_create_file(path: &Path) -> Result<Self, SealingKeyError> {
        match Self::load_file(path) {
            Err(SealingKeyError::File(error)) if error.kind() == io::ErrorKind::NotFound => {
                create(path)?;
                Self::load_file(path)
            }
            loaded => loaded,
        }
    }

    /// Puts a new random key into the file, before those that it holds. When there is an earlier
    /// key already, the change to the present one was broken off, and the file stays as it is.
    ///
    /// # Errors
    /// As [`load_or_create_file`](Self::load_or_create_file).
    pub fn renew_file(path: &Path) -> Result<Self, SealingKeyError> {
        let loaded = Self::load_file(path)?;
        if loaded.earlier.is_empty() {
            let text = hex::encode(random::<KEY_BYTES>()?);
            replace(path, &[&text, &hex::encode(loaded.current.expose_secret())])?;
        }
        Self::load_file(path)
    }

    /// Leaves the present key alone in the file.
    ///
    /// # Errors
    /// As [`load_or_create_file`](Self::load_or_create_file).
    pub fn drop_earlier_from_file(path: &Path) -> Result<(), SealingKeyError> {
        let loaded = Self::load_file(path)?;
        replace(path, &[&hex::encode(loaded.current.expose_secret())])
    }

    /// How many earlier keys there are.
    #[must_use]
    pub fn earlier_count(&self) -> usize {
        self.earlier.len()
    }

    /// Derives a secret for one purpose, from which the key cannot be found again.
    ///
    /// The same key and purpose always give the same secret; `purpose` is a name of our own, such
    /// as `file links`.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> [u8; KEY_BYTES] {
        derive(&self.current, purpose)
    }

    /// Derives a secret for one purpose from the present key, then one from each earlier key.
    pub fn derive_all(&self, purpose: &str) -> impl Iterator<Item = [u8; KEY_BYTES]> {
        self.secrets().map(move |key| derive(key, purpose))
    }

    /// The present key, then the earlier ones.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Bytes> {
        std::iter::once(&self.current).chain(&self.earlier)
    }

    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }
}

fn one(text: &str) -> Result<Bytes, SealingKeyError> {
    let bytes = if text.len() == 2 * KEY_BYTES {
        hex::decode(text).ok()
    } else {
        let config =
            GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        [STANDARD, URL_SAFE]
            .iter()
            .find_map(|alphabet| GeneralPurpose::new(alphabet, config).decode(text).ok())
    };
    let bytes = bytes.and_then(|bytes| <[u8; KEY_BYTES]>::try_from(bytes).ok());
    bytes.map(|bytes| SecretBox::new(Box::new(bytes))).ok_or(SealingKeyError::Text)
}

pub(super) fn derive(key: &Bytes, purpose: &str) -> [u8; KEY_BYTES] {
    #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.expose_secret())
        .expect("a key of any length");
    mac.update(b"scheduler: ");
    mac.update(purpose.as_bytes());
    mac.finalize().into_bytes().into()
}

fn random<const N: usize>() -> Result<[u8; N], SealingKeyError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(SealingKeyError::Random)?;
    Ok(bytes)
}

fn read(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    warn_if_others_may_read(&file, path);
    Ok(text)
}

#[cfg(unix)]
fn warn_if_others_may_read(file: &std::fs::File, path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    if file.metadata().is_ok_and(|data| data.permissions().mode() & 0o077 != 0) {
        tracing::warn!(path = %path.display(), "others may read the file of the sealing key");
    }
}

#[cfg(not(unix))]
fn warn_if_others_may_read(_: &std::fs::File, _: &Path) {}

/// Writes a new key beside `path` and links it into place, so that the file is never seen half
/// written and never replaced.
fn create(path: &Path) -> Result<(), SealingKeyError> {
    let key = hex::encode(random::<KEY_BYTES>()?);
    let draft = draft_of(path)?;
    let created = write(&draft, &[&key]).and_then(|()| match std::fs::hard_link(&draft, path) {
        // Another has made it meanwhile: that one counts.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other,
    });
    let removed = std::fs::remove_file(draft);
    created.and(removed).and_then(|()| sync_folder(path)).map_err(SealingKeyError::File)
}

/// Puts a file of these keys in the place of another, in one step.
fn replace(path: &Path, keys: &[&str]) -> Result<(), SealingKeyError> {
    let draft = draft_of(path)?;
    let replaced = write(&draft, keys).and_then(|()| std::fs::rename(&draft, path));
    replaced.and_then(|()| sync_folder(path)).map_err(SealingKeyError::File)
}

fn draft_of(path: &Path) -> Result<PathBuf, SealingKeyError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}", hex::encode(random::<8>()?)));
    Ok(name.into())
}

fn write(draft: &Path, keys: &[&str]) -> io::Result<()> {
    let mut file = crate::private::create(draft)?;
    for key in keys {
        file.write_all(key.as_bytes())?;
        file.write_all(b"\n")?;
    }
    file.sync_all()
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    std::fs::File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_as_text() {
        let bytes = [0xfb_u8; 32];
        let hex = hex::encode(bytes);
        let padded = base64::engine::general_purpose::STANDARD.encode(bytes);
        let url_safe = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes);
        assert!(padded.contains('+') && url_safe.contains('-'));
        for (name, text, ok) in [
            ("hex", hex.clone(), true),
            ("capital hex", hex.to_uppercase(), true),
            ("with a line end", format!("{hex}\n"), true),
            ("base64", padded.clone(), true),
            ("base64 without padding", padded.trim_end_matches('=').to_owned(), true),
            ("base64 for addresses", url_safe, true),
            ("one digit short", hex[1..].to_owned(), false),
            ("64 characters, not hex", "z".repeat(64), false),
            ("31 bytes", base64::engine::general_purpose::STANDARD.encode([1; 31]), false),
            ("empty", String::new(), false),
            ("with an earlier one", format!("{hex}, {}", "0".repeat(64)), true),
            ("with something else", format!("{hex} earlier"), false),
        ] {
            let key = SealingKey::from_text(&text);
            assert_eq!(
                key.as_ref().is_ok_and(|key| *key.current.expose_secret() == bytes),
                ok,
                "{name}"
            );
        }
        assert_eq!(format!("{:?}", SealingKey::from_bytes(bytes)), "SealingKey([redacted])");
    }

    #[test]
    fn secrets_for_a_purpose() {
        let key = SealingKey::from_bytes([1; 32]);
        let links = key.derive("file links");
        assert_eq!(links, SealingKey::from_bytes([1; 32]).derive("file links"));
        assert_ne!(links, key.derive("others"));
        assert_ne!(links, SealingKey::from_bytes([2; 32]).derive("file links"));
        let both = SealingKey::from_text(&format!("{} {}", "02".repeat(32), "01".repeat(32)));
        let both: Vec<_> = both.unwrap().derive_all("file links").collect();
        assert_eq!(both, [SealingKey::from_bytes([2; 32]).derive("file links"), links]);
        assert_ne!(links, *key.current.expose_secret());
    }

    #[test]
    fn the_file_is_made_once_and_read_from_then_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sealing.key");
        let keys: Vec<[u8; 32]> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| SealingKey::load_or_create_file(&path).unwrap()))
                .collect();
            threads
                .into_iter()
                .map(|thread| *thread.join().unwrap().current.expose_secret())
                .collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0] && *key != [0; 32]));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no drafts are left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_file_that_holds_no_key_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sealing.key");
        std::fs::write(&path, "nonsense").unwrap();
        assert!(matches!(SealingKey::load_or_create_file(&path), Err(SealingKeyError::Text)));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "nonsense");
        let missing = folder.path().join("missing").join("sealing.key");
        assert!(matches!(SealingKey::load_or_create_file(&missing), Err(SealingKeyError::File(_))));
    }

    #[test]
    fn a_file_is_renewed_once_and_keeps_the_earlier_key_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.key");
        let bytes = |key: &SealingKey| -> Vec<[u8; 32]> {
            key.secrets().map(|key| *key.expose_secret()).collect()
        };
        let first = bytes(&SealingKey::load_or_create_file(&path).unwrap());
        let renewed = bytes(&SealingKey::renew_file(&path).unwrap());
        assert_eq!((renewed.len(), renewed[1], renewed[0] == first[0]), (2, first[0], false));
        let again = bytes(&SealingKey::renew_file(&path).unwrap());
        assert_eq!(again, renewed, "a change that was broken off goes on");
        SealingKey::drop_earlier_from_file(&path).unwrap();
        assert_eq!(bytes(&SealingKey::load_file(&path).unwrap()), renewed[..1]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no drafts are left");
    }
}
