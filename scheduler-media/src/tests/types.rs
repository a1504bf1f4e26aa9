//! What a file is, by its content alone.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use super::{measured, told};
use crate::{MeasureError, measure};

/// A file that begins so and goes on with zeros.
fn beginning(start: &[u8]) -> Vec<u8> {
    let mut file = start.to_vec();
    file.resize(600, 0);
    file
}

/// A ZIP file with a list of two files at its end.
fn zip(name: &str) -> Vec<u8> {
    let mut file = beginning(b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0");
    file.resize(20_000, 0);
    for name in ["[Content_Types].xml", name] {
        file.extend(b"PK\x01\x02");
        file.extend([0; 42]);
        file.extend(name.bytes());
    }
    file.extend(b"PK\x05\x06");
    file.extend([0; 18]);
    file
}

#[test]
fn types_that_are_only_told() {
    let mut transport = vec![0; 600];
    for at in [0, 188, 376, 564] {
        transport[at] = b'G';
    }
    let ogg = [&b"OggS\0\x02"[..], &[0; 22], b"\x80theora"].concat();
    let sound = [&b"OggS\0\x02"[..], &[0; 22], b"\x01vorbis"].concat();
    for (name, file, want) in [
        ("AVI", beginning(b"RIFF\x10\0\0\0AVI LIST"), "video/x-msvideo"),
        ("MPEG", beginning(b"\0\0\x01\xba"), "video/mpeg"),
        ("MPEG transport", transport, "video/mp2t"),
        ("Ogg with pictures", beginning(&ogg), "video/ogg"),
        (
            "Ogg with sound",
            beginning(&sound),
            "is neither a picture, a video nor a document (audio/ogg)",
        ),
        ("Flash", beginning(b"FLV\x01"), "video/x-flv"),
        ("Windows", beginning(b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9"), "video/x-ms-wmv"),
        ("an icon", beginning(b"\0\0\x01\0"), "image/vnd.microsoft.icon"),
        ("JPEG XL", beginning(b"\xff\x0a"), "image/jxl"),
        ("SVG", b"<?xml version='1.0'?>\n<svg/>".to_vec(), "image/svg+xml"),
        ("SVG with a mark", b"\xef\xbb\xbf <svg/>".to_vec(), "image/svg+xml"),
        ("a PDF", b"%PDF-1.7".to_vec(), "application/pdf"),
        (
            "a presentation",
            zip("ppt/presentation.xml"),
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        ),
        (
            "a text",
            zip("word/document.xml"),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
        (
            "a program in a ZIP",
            zip("main.class"),
            "is neither a picture, a video nor a document (application/zip)",
        ),
        (
            "a program",
            b"MZ\0\0".to_vec(),
            "is neither a picture, a video nor a document (application/vnd.microsoft.portable-executable)",
        ),
        (
            "an old document",
            beginning(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
            "is neither a picture, a video nor a document (application/x-ole-storage)",
        ),
        ("text", b"BMW builds cars".to_vec(), "is neither a picture, a video nor a document"),
        (
            "markup",
            b"<html><svg></html>".to_vec(),
            "is neither a picture, a video nor a document (text/html)",
        ),
        ("a byte", vec![0], "is neither a picture, a video nor a document"),
        ("nothing", Vec::new(), "is empty"),
    ] {
        assert_eq!(told(&file), want, "{name}");
    }
}

/// A disk that fails.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

impl Seek for Broken {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[test]
fn a_file_that_cannot_be_read_and_one_that_shrinks() {
    let error = measure(Broken, 100).unwrap_err();
    assert_eq!(error.to_string(), "cannot be read: the disk is gone");
    let png = super::build::png(10, 10, &[(b"IDAT", b"pixels")]);
    let shrunk = measure(Cursor::new(&png[..30]), png.len() as u64);
    assert!(matches!(shrunk, Err(MeasureError::CutOff)), "{shrunk:?}");
}

#[test]
fn the_rules_get_all_that_was_measured() {
    let measured = measured(&super::build::Film::plain().file()).unwrap();
    let facts = measured.facts();
    assert!(facts.ready);
    assert_eq!(facts.mime_type.as_deref(), Some(measured.mime_type));
    assert_eq!(facts.size_bytes, Some(measured.size_bytes));
    assert_eq!((facts.width, facts.height), (Some(1920), Some(1080)));
    assert_eq!((facts.duration_seconds, facts.fps), (Some(10.0), Some(30.0)));
    assert_eq!((facts.video_codec, facts.frame_count), (measured.video_codec, Some(300)));
}
