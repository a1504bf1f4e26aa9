//! A copy as one file: a tar archive, sealed by a passphrase in the format of age.
//!
//! `age --decrypt FILE | tar -x -C FOLDER` opens it as well. Source of the format:
//! <https://age-encryption.org/v1>, with a recipient of the kind scrypt.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, IsTerminal as _, Read, Write as _};
use std::iter;
use std::path::Path;

use age::DecryptError;
use age::scrypt::Identity;
use anyhow::Context as _;
use dialoguer::Password;
use secrecy::{ExposeSecret as _, SecretString};
use tar::{Archive, Builder, Entry, EntryType, Header};

use super::draft::sync_folder;
use crate::config::{KEY_FILE, Sources, variable};
use crate::failure::Failure;

/// The key of the setting that holds the passphrase.
const PASSPHRASE: &str = "backup_passphrase";

/// The fewest characters of a passphrase that alone guards a copy.
///
/// Source: NIST SP 800-63B-4, 3.1.1.2, a password that is the only factor.
pub(crate) const PASSPHRASE_CHARACTERS_MIN: usize = 15;

/// The most work that opening may take, as a power of two: some ten times what sealing on a machine
/// of today takes, so that a made-up file does not hold a machine for hours.
const WORK_FACTOR_MAX: u8 = 22;

/// The passphrase for a new copy: from the settings, else from the person at the terminal, twice.
///
/// # Errors
/// [`Failure::Usage`] when there is neither, and for one that is too short.
pub(crate) fn new_passphrase(sources: &Sources) -> Result<SecretString, Failure> {
    let prompt = Password::new()
        .with_prompt("Passphrase for the copy")
        .with_confirmation("Once more", "They differ; again");
    let passphrase = passphrase(sources, prompt)?;
    if passphrase.expose_secret().chars().count() < PASSPHRASE_CHARACTERS_MIN {
        return Err(Failure::Usage(format!(
            "the passphrase is too short: it alone guards the copy and the secret key in it; give at least {PASSPHRASE_CHARACTERS_MIN} characters"
        )));
    }
    Ok(passphrase)
}

/// The passphrase of a copy that is there.
///
/// # Errors
/// [`Failure::Usage`] when there is neither a setting nor a terminal.
pub(crate) fn present_passphrase(sources: &Sources) -> Result<SecretString, Failure> {
    passphrase(sources, Password::new().with_prompt("Passphrase of the copy"))
}

fn passphrase(sources: &Sources, prompt: Password<'_>) -> Result<SecretString, Failure> {
    if let Some(text) = sources.text(PASSPHRASE) {
        return Ok(text.into());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let variable = variable(PASSPHRASE);
        return Err(Failure::Usage(format!(
            "there is no passphrase: name a file that holds it in {variable}_FILE, or run this at a terminal"
        )));
    }
    Ok(prompt.interact().map_err(anyhow::Error::from)?.into())
}

/// Writes the files of a folder and the secret key into a sealed file.
///
/// # Errors
/// [`Failure::Other`] by what the file system says.
pub(super) fn seal(
    folder: &Path,
    key: Option<&SecretString>,
    passphrase: SecretString,
    to: &Path,
) -> Result<(), Failure> {
    let written = || -> io::Result<()> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let sealing = age::Encryptor::with_user_passphrase(passphrase);
        let mut archive = Builder::new(sealing.wrap_output(BufWriter::new(options.open(to)?))?);
        archive.follow_symlinks(false);
        archive.append_dir_all(".", folder)?;
        if let Some(key) = key {
            let mut header = Header::new_ustar();
            header.set_entry_type(EntryType::Regular);
            header.set_mode(0o600);
            header.set_size(key.expose_secret().len() as u64);
            archive.append_data(&mut header, KEY_FILE, key.expose_secret().as_bytes())?;
        }
        let mut file = archive.into_inner()?.finish()?;
        file.flush()?;
        file.get_ref().sync_all()
    };
    Ok(written().with_context(|| format!("cannot write {}", to.display()))?)
}

/// Reads a sealed file whole, and proves that the passphrase opens it.
///
/// # Errors
/// Those of [`open`].
pub(super) fn check(file: &Path, passphrase: SecretString) -> Result<(), Failure> {
    let mut plain = opened(file, passphrase)?;
    io::copy(&mut plain, &mut io::sink()).map_err(|error| not_whole(file, &error))?;
    Ok(())
}

/// Opens a sealed file into a folder.
///
/// # Errors
/// [`Failure::Other`] when the passphrase is another one, and for a file that is no sealed copy or
/// is not whole.
pub(crate) fn open(file: &Path, passphrase: SecretString, folder: &Path) -> Result<(), Failure> {
    let mut plain = opened(file, passphrase)?;
    let mut unpack = || -> io::Result<()> {
        let mut archive = Archive::new(&mut plain);
        archive.set_overwrite(false);
        for entry in archive.entries()? {
            unpack_entry(entry?, folder)?;
        }
        // The archive ends before its seal does, and only the seal shows that nothing was cut off.
        io::copy(&mut plain, &mut io::sink())?;
        sync_all(folder)
    };
    unpack().map_err(|error| not_whole(file, &error))
}

/// Unpacks a file or a folder, for the user alone.
fn unpack_entry(mut entry: Entry<'_, impl Read>, folder: &Path) -> io::Result<()> {
    let kind = entry.header().entry_type();
    entry.set_mask(0o077);
    if (kind.is_file() || kind.is_dir()) && entry.unpack_in(folder)? {
        return Ok(());
    }
    let path = entry.path()?.into_owned();
    Err(io::Error::other(format!("it holds {}, which no copy does", path.display())))
}

fn opened(file: &Path, passphrase: SecretString) -> Result<impl Read, Failure> {
    let shown = file.display();
    let sealed = File::open(file).with_context(|| format!("cannot open {shown}"))?;
    let mut identity = Identity::new(passphrase);
    identity.set_max_work_factor(WORK_FACTOR_MAX);
    let opened = age::Decryptor::new_buffered(BufReader::new(sealed))
        .and_then(|opening| opening.decrypt(iter::once(&identity as &dyn age::Identity)));
    opened.map_err(|error| match error {
        DecryptError::DecryptionFailed
        | DecryptError::KeyDecryptionFailed
        | DecryptError::NoMatchingKeys => Failure::advised(
            format!("the passphrase does not open {shown}"),
            "give the one that it was sealed with",
        ),
        error => Failure::advised(
            format!("{shown} cannot be opened: {error}"),
            "name a file that `scheduler backup --sealed` has made",
        ),
    })
}

fn not_whole(file: &Path, error: &io::Error) -> Failure {
    Failure::advised(
        format!("{} cannot be read whole: {error}", file.display()),
        "it may have been cut off or changed, or the disk may be full: compare it with the original",
    )
}

/// Brings everything below a folder to the disk.
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    sync_folder(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seals an archive with one entry.
    fn sealed(kind: EntryType, name: &str, to: &Path) {
        let sealing = age::Encryptor::with_user_passphrase(PASSPHRASE.to_owned().into());
        let file = File::create_new(to).unwrap();
        let mut archive = Builder::new(sealing.wrap_output(file).unwrap());
        let mut header = Header::new_ustar();
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_mode(0o666);
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        if !matches!(kind, EntryType::Regular | EntryType::Directory) {
            header.set_link_name("/etc/hostname").unwrap();
        }
        header.set_cksum();
        archive.append(&header, io::empty()).unwrap();
        archive.into_inner().unwrap().finish().unwrap();
    }

    #[test]
    fn nothing_but_files_and_folders_within_the_destination_is_unpacked() {
        let place = tempfile::tempdir().unwrap();
        for (number, (name, kind, is_taken)) in [
            ("file", EntryType::Regular, true),
            ("folder/", EntryType::Directory, true),
            ("../file", EntryType::Regular, false),
            ("symlink", EntryType::Symlink, false),
            ("link", EntryType::Link, false),
            ("fifo", EntryType::Fifo, false),
        ]
        .into_iter()
        .enumerate()
        {
            let (file, folder) =
                (place.path().join(format!("{number}.age")), place.path().join(number.to_string()));
            sealed(kind, name, &file);
            fs::create_dir(&folder).unwrap();
            let opened = open(&file, PASSPHRASE.to_owned().into(), &folder);
            assert_eq!(opened.is_ok(), is_taken, "{name}: {opened:?}");
            let found = fs::read_dir(&folder).unwrap().count();
            assert_eq!(found, usize::from(is_taken), "{name}");
        }
        assert!(!place.path().join("file").exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(place.path().join("0/file")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
