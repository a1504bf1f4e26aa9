//! Films.

use std::io::Cursor;

use super::build::{Film, atom, longs, webm};
use super::told;

/// A part of a film: pictures of the default length, and pictures with lengths of their own.
fn fragment(default_ticks: Option<u32>, runs: &[Vec<u8>]) -> Vec<u8> {
    let tfhd = match default_ticks {
        Some(ticks) => atom(b"tfhd", &[&longs(&[0x08, 1, ticks])]),
        None => atom(b"tfhd", &[&longs(&[0, 1])]),
    };
    let parts: Vec<&[u8]> =
        std::iter::once(&tfhd[..]).chain(runs.iter().map(Vec::as_slice)).collect();
    let traf = atom(b"traf", &parts);
    atom(b"moof", &[&atom(b"mfhd", &[&longs(&[0, 1])]), &traf])
}

fn in_parts(mehd: Option<u32>, fragments: Vec<Vec<u8>>) -> Vec<u8> {
    let film = Film { durations: Vec::new(), length: 0, fragments, ..Film::plain() };
    let trex = atom(b"trex", &[&longs(&[0, 1, 1, 3_000, 0, 0])]);
    let mvex = match mehd {
        Some(length) => atom(b"mvex", &[&atom(b"mehd", &[&longs(&[0, length])]), &trex]),
        None => atom(b"mvex", &[&trex]),
    };
    film.with_index(&[&film.header(), &film.track(), &mvex])
}

#[test]
fn each_container() {
    let plain = Film::plain;
    for (name, film, want) in [
        ("MP4", plain(), "video/mp4 1920x1080 10s 30fps H.264 #300"),
        (
            "QuickTime",
            Film { brand: b"qt  ", codec: b"apcn", ..plain() },
            "video/quicktime 1920x1080 10s 30fps ProRes #300",
        ),
        ("M4V", Film { brand: b"M4V ", ..plain() }, "video/x-m4v 1920x1080 10s 30fps H.264 #300"),
        ("3GPP", Film { brand: b"3gp5", ..plain() }, "video/3gpp 1920x1080 10s 30fps H.264 #300"),
        ("H.265", Film { codec: b"hvc1", ..plain() }, "video/mp4 1920x1080 10s 30fps HEVC #300"),
        ("VP9", Film { codec: b"vp09", ..plain() }, "video/mp4 1920x1080 10s 30fps VP9 #300"),
        ("AV1", Film { codec: b"av01", ..plain() }, "video/mp4 1920x1080 10s 30fps AV1 #300"),
        ("MPEG-4", Film { codec: b"mp4v", ..plain() }, "video/mp4 1920x1080 10s 30fps MPEG-4 #300"),
        (
            "another codec",
            Film { codec: b"s263", ..plain() },
            "video/mp4 1920x1080 10s 30fps an uncommon codec #300",
        ),
        (
            "a phone held upright",
            Film { matrix: [0, 1, -1, 0], ..plain() },
            "video/mp4 1080x1920 10s 30fps H.264 #300",
        ),
        (
            "a phone held upright the other way",
            Film { matrix: [0, -1, 1, 0], ..plain() },
            "video/mp4 1080x1920 10s 30fps H.264 #300",
        ),
        (
            "upside down",
            Film { matrix: [-1, 0, 0, -1], ..plain() },
            "video/mp4 1920x1080 10s 30fps H.264 #300",
        ),
        (
            "wide pixels",
            Film { stored: (1440, 1080), ..plain() },
            "video/mp4 1920x1080 10s 30fps H.264 #300",
        ),
        (
            "nonsense in the track",
            Film { shown: (1, 1), ..plain() },
            "video/mp4 1920x1080 10s 30fps H.264 #300",
        ),
        (
            "no size in the track",
            Film { shown: (0, 0), ..plain() },
            "video/mp4 1920x1080 10s 30fps H.264 #300",
        ),
        (
            "NTSC",
            Film { ticks_a_second: 30_000, durations: vec![(300, 1_001)], ..plain() },
            "video/mp4 1920x1080 10s 29.97fps H.264 #300",
        ),
        (
            "a rate that varies",
            Film { durations: vec![(100, 3_000), (50, 6_000)], ..plain() },
            "video/mp4 1920x1080 10s 22.5fps H.264 #150",
        ),
    ] {
        assert_eq!(told(&film.file()), want, "{name}");
    }
    assert_eq!(told(&webm(1)), "video/webm 640x360 12.5s 29.97fps VP9");
}

#[test]
fn films_that_are_stored_in_parts() {
    let plain = atom(b"trun", &[&longs(&[0, 150])]);
    let own = atom(b"trun", &[&longs(&[0x301, 2, 0, 6_000, 1, 3_000, 1])]);
    for (name, file, want) in [
        (
            "default lengths",
            in_parts(None, vec![fragment(None, std::slice::from_ref(&plain)); 2]),
            "video/mp4 1920x1080 10s 30fps H.264 #300",
        ),
        (
            "lengths of the part",
            in_parts(None, vec![fragment(Some(1_500), std::slice::from_ref(&plain)); 2]),
            "video/mp4 1920x1080 5s 60fps H.264 #300",
        ),
        (
            "lengths of their own",
            in_parts(None, vec![fragment(None, &[own])]),
            "video/mp4 1920x1080 0.1s 20fps H.264 #2",
        ),
        (
            "the whole length is said",
            in_parts(Some(10_500), vec![fragment(None, &[plain]); 2]),
            "video/mp4 1920x1080 10.5s 30fps H.264 #300",
        ),
    ] {
        assert_eq!(told(&file), want, "{name}");
    }
}

#[test]
fn edits_count_where_the_film_tells_no_length() {
    let film = Film { length: 0, ..Film::plain() };
    let mut track = film.track();
    let list = longs(&[0, 2, 1_500, 0, 1 << 16, 2_500, 0, 1 << 16]);
    let edts = atom(b"edts", &[&atom(b"elst", &[&list])]);
    track.splice(0..4, (track.len() as u32 + edts.len() as u32).to_be_bytes());
    track.extend(edts);
    assert_eq!(
        told(&film.with_index(&[&film.header(), &track])),
        "video/mp4 1920x1080 4s 30fps H.264 #300"
    );
    assert_eq!(told(&film.file()), "video/mp4 1920x1080 10s 30fps H.264 #300");
}

#[test]
fn what_is_wrong_with_a_film_is_said() {
    let film = Film::plain();
    let cut_off = "is cut off: it ends before its pictures do";
    let whole = film.file();
    let no_sound = Film { handler: b"soun", ..Film::plain() };
    let short = atom(b"moov", &[&longs(&[4]), b"free"]);
    let long = atom(b"moov", &[&longs(&[100]), b"free"]);
    let file = |moov: &[u8]| [&whole[..20], moov, &atom(b"mdat", &[&[0; 200]])].concat();
    for (name, file, want) in [
        ("the last byte is missing", whole[..whole.len() - 1].to_vec(), cut_off),
        ("a recording that was not ended", file(&[]), cut_off),
        ("an index alone", whole[..whole.len() - 16].to_vec(), cut_off),
        ("sound", no_sound.file(), "is neither a picture, a video nor a document (audio/mp4)"),
        (
            "no track",
            film.with_index(&[&film.header()]),
            "is neither a picture, a video nor a document",
        ),
        (
            "an atom of four bytes",
            file(&short),
            "is damaged: a part of it is shorter than its own header",
        ),
        (
            "an atom longer than its parent",
            file(&long),
            "is damaged: a part of it is longer than what holds it",
        ),
        (
            "sound in WebM",
            webm(2),
            "is neither a picture, a video nor a document (audio/x-matroska)",
        ),
        ("WebM, half", webm(1)[..60].to_vec(), cut_off),
    ] {
        assert_eq!(told(&file), want, "{name}");
    }
}

#[test]
fn what_hangs_behind_a_film_does_not_matter() {
    let want = told(&Film::plain().file());
    for tail in [vec![0; 64], vec![0, 0, 0, 2, b'x', b'x', b'x', b'x'], vec![1; 5]] {
        assert_eq!(told(&[Film::plain().file(), tail].concat()), want);
    }
}

/// A second opinion on codec, length and stored size.
#[test]
fn films_agree_with_another_reader() {
    for (codec, want) in [(b"avc1", "H264"), (b"vp09", "VP9"), (b"av01", "AV1")] {
        let film = Film { codec, ..Film::plain() };
        let context = mp4parse::read_mp4(&mut Cursor::new(film.file())).unwrap();
        let track = context.tracks.first().unwrap();
        let header = track.tkhd.as_ref().unwrap();
        assert_eq!((header.width >> 16, header.height >> 16), film.shown, "{want}");
        assert_eq!(track.timescale.map(|scale| scale.0), Some(90_000));
        assert_eq!(track.duration.map(|length| length.0), Some(900_000));
        assert_eq!(track.stts.as_ref().map(|table| table.samples[0].sample_count), Some(300));
    }
}
