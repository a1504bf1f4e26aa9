//! Files that want to do harm.

use std::io::{Cursor, Read, Result, Seek, SeekFrom};

use proptest::prelude::*;

use super::build::{
    Film, atom, bmp, element, file_type, gif, heif, jpeg, longs, orientation, png, tiff, webm, webp,
};
use super::{measured, told};
use crate::{BYTES_READ_MAX, MeasureError, measure};

/// One small file of every container.
fn samples() -> Vec<Vec<u8>> {
    let exif = [b"Exif\0\0".to_vec(), orientation(6)].concat();
    let canvas = [2, 0, 0, 0, 99, 0, 0, 99, 0, 0];
    vec![
        jpeg(100, 50, &[(0xe1, &exif)]),
        png(100, 50, &[(b"eXIf", &orientation(6)), (b"IDAT", b"pixels")]),
        gif(100, 50, 3),
        webp(&[(b"VP8X", &canvas), (b"EXIF", &orientation(6)), (b"ANMF", b"one")]),
        bmp(100, 50),
        tiff(true, &[(0x100, 4, 100), (0x101, 3, 50)]),
        heif(b"heic", 400, 300, 1),
        Film::plain().file(),
        webm(1),
    ]
}

/// Counts what is read of a file that has no end.
struct Endless {
    start: Vec<u8>,
    repeated: Vec<u8>,
    at: u64,
    read: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        for byte in buffer.iter_mut() {
            let at = usize::try_from(self.at).unwrap();
            *byte = match self.start.get(at) {
                Some(byte) => *byte,
                None => self.repeated[(at - self.start.len()) % self.repeated.len()],
            };
            self.at += 1;
        }
        self.read += buffer.len() as u64;
        Ok(buffer.len())
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.at = at;
        }
        Ok(self.at)
    }
}

#[test]
fn a_file_that_ends_anywhere_is_an_error_and_never_a_panic() {
    for file in samples() {
        let whole = told(&file);
        assert!(whole.contains('/'), "{whole}");
        for length in 0..file.len() {
            let cut = told(&file[..length]);
            // Pixels are not read, and a GIF that ends behind one of its pictures is taken so.
            let sides = whole.split(" #").next().unwrap_or_default();
            assert!(cut.starts_with("is ") || cut.starts_with(sides), "{length} of {whole}: {cut}");
        }
        assert!(told(&file[..file.len() / 3]).starts_with("is "), "{whole}");
    }
}

#[test]
fn headers_without_an_end() {
    let moov = |name: &[u8; 4]| {
        [file_type(b"isom", b"mp42"), longs(&[u32::MAX]), b"moov".to_vec(), atom(name, &[])]
            .concat()
    };
    let endless = "is damaged: its headers have no end";
    for (name, start, repeated, want) in [
        ("JPEG segments", b"\xff\xd8\xff".to_vec(), b"\xe2\0\x02\xff".to_vec(), endless),
        ("JPEG filling", b"\xff\xd8".to_vec(), b"\xff".to_vec(), endless),
        (
            "PNG chunks",
            png(9, 9, &[])[..33].to_vec(),
            b"\0\0\0\0tEXt\0\0\0\0".to_vec(),
            "image/png 9x9 #1",
        ),
        (
            "GIF blocks",
            gif(9, 9, 1)[..13 + 6 + 19 + 11].to_vec(),
            [&[0xff][..], &[0; 255]].concat(),
            "image/gif 9x9",
        ),
        ("GIF extensions", gif(9, 9, 0)[..19].to_vec(), b"\x21\xfe\0".to_vec(), "image/gif 9x9"),
        ("atoms", file_type(b"isom", b"mp42"), atom(b"free", &[]), endless),
        ("atoms in an index", moov(b"free"), atom(b"free", &[]), endless),
        ("tracks", moov(b"free"), atom(b"trak", &[]), endless),
        ("atoms of a picture", file_type(b"heic", b"mif1"), atom(b"free", &[]), endless),
        ("elements", webm(1)[..16].to_vec(), b"\xec\x80".to_vec(), endless),
    ] {
        let mut file = Endless { start, repeated, at: 0, read: 0 };
        let result = measure(&mut file, u64::MAX >> 1);
        let said = match &result {
            Ok(found) => {
                let count = found.frame_count.map(|count| format!(" #{count}"));
                let sides = (found.width.unwrap(), found.height.unwrap());
                format!("{} {}x{}{}", found.mime_type, sides.0, sides.1, count.unwrap_or_default())
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(said, want, "{name}");
        assert!(file.read <= BYTES_READ_MAX, "{name}: {} bytes", file.read);
    }
}

#[test]
fn large_numbers_cost_nothing() {
    let idat: (&[u8; 4], &[u8]) = (b"IDAT", b"pixels");
    let largest = png(u32::MAX, u32::MAX, &[idat]);
    let many = [u8::MAX; 8];
    let film = Film::plain();
    let wide = [longs(&[1]), b"mdat".to_vec(), vec![0xff; 8]].concat();
    let table = atom(b"stts", &[&longs(&[0, u32::MAX, 1, 1])]);
    let stsz = atom(b"stsz", &[&longs(&[0, 0, u32::MAX])]);
    let with_table = |table: &[u8]| {
        // The last atom of the track is its table.
        let track = film.track();
        let stts = 8 + 8 + 8;
        let mut track = [&track[..track.len() - stts], table].concat();
        for name in [b"trak", b"mdia", b"minf", b"stbl"] {
            let at = track.windows(4).position(|window| window == name).unwrap();
            let length = (track.len() - (at - 4)) as u32;
            track.splice(at - 4..at, length.to_be_bytes());
        }
        film.with_index(&[&film.header(), &track])
    };
    for (name, file, want) in [
        ("PNG", png(60_000, 60_000, &[idat]), "image/png 60000x60000 #1"),
        ("the largest PNG", largest, "image/png 4294967295x4294967295 #1"),
        ("PNG pictures", png(9, 9, &[(b"acTL", &many), idat]), "image/png 9x9 #100000"),
        ("BMP", bmp(i32::MIN, i32::MIN), "image/bmp 2147483648x2147483648 #1"),
        ("a million pictures", gif(9, 9, 1_000_000), "image/gif 9x9 #100000"),
        ("HEIF", heif(b"avif", u32::MAX, u32::MAX, 1), "image/avif 4294967295x4294967295"),
        (
            "an atom of 2^64 bytes",
            [film.file(), wide].concat(),
            "is cut off: it ends before its pictures do",
        ),
        (
            "a table longer than its place",
            with_table(&table),
            "is damaged: a table is longer than its place",
        ),
        (
            "a number of pictures and no table",
            with_table(&stsz),
            "video/mp4 1920x1080 10s 429496730fps H.264 #4294967295",
        ),
    ] {
        assert_eq!(told(&file), want, "{name}");
    }
}

#[test]
fn depth_costs_nothing() {
    let mut nested = atom(b"trak", &[]);
    for _ in 0..20_000 {
        nested = [&(nested.len() as u32 + 8).to_be_bytes()[..], b"trak", &nested].concat();
    }
    let film = Film::plain();
    let deep = film.with_index(&[&film.header(), &film.track(), &nested]);
    assert_eq!(told(&deep), told(&film.file()), "what is not asked for is passed over");
}

#[test]
fn a_track_like_a_picture_is_measured_by_its_first() {
    let film = Film::plain();
    let other = Film { stored: (10, 10), shown: (10, 10), ..Film::plain() };
    let both = film.with_index(&[&film.header(), &film.track(), &other.track()]);
    assert_eq!(told(&both), told(&film.file()));
    let tracks = vec![film.track(); 65].concat();
    let many = film.with_index(&[&film.header(), &tracks]);
    assert!(matches!(measured(&many), Err(MeasureError::Endless)));
}

#[test]
fn a_header_that_leaves_what_holds_it_is_no_header() {
    // The id of a length fills its parent; its size, which says "unknown", lies behind.
    let info = element(b"\x15\x49\xa9\x66", b"\x44\x89");
    let segment = element(b"\x18\x53\x80\x67", &[&info[..], b"\xff"].concat());
    let file = [element(b"\x1a\x45\xdf\xa3", b"webm"), segment].concat();
    assert_eq!(told(&file), "is cut off: it ends before its pictures do");
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let starts = prop::sample::select(vec![
        b"\xff\xd8\xff".to_vec(),
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec(),
        b"GIF89a".to_vec(),
        b"RIFF\x20\0\0\0WEBPVP8X".to_vec(),
        b"BM".to_vec(),
        b"II*\0\x08\0\0\0".to_vec(),
        b"MM\0*\0\0\0\x08".to_vec(),
        file_type(b"heic", b"mif1"),
        [file_type(b"isom", b"mp42"), b"\0\0\x01\0moov".to_vec()].concat(),
        webm(1)[..24].to_vec(),
        b"OggS".to_vec(),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(),
        Vec::new(),
    ]);
    let bytes = prop::collection::vec(prop_oneof![Just(0_u8), Just(0xff), any::<u8>()], 0..400);
    (starts, bytes).prop_map(|(start, bytes)| [start, bytes].concat())
}

/// A sound file with some bytes changed.
fn changed_file() -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6);
    (prop::sample::select(samples()), changes).prop_map(|(mut file, changes)| {
        for (index, byte) in changes {
            let at = index.index(file.len());
            file[at] = byte;
        }
        file
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_bytes_are_measured_or_refused(file in prop_oneof![any_file(), changed_file()]) {
        let length = file.len() as u64;
        // A length that is a lie must not matter either.
        for said in [length, length / 2, length + 100, u64::MAX] {
            if let Ok(found) = measure(Cursor::new(&file), said) {
                prop_assert_eq!(found.size_bytes, said.min(i64::MAX.unsigned_abs()));
                prop_assert!(found.width != Some(0) && found.height != Some(0));
                prop_assert!(found.fps.is_none_or(|fps| fps.is_finite() && fps >= 0.0));
                let seconds = found.duration_seconds;
                prop_assert!(seconds.is_none_or(|seconds| seconds.is_finite() && seconds > 0.0));
            }
        }
    }
}
