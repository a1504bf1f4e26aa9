//! The film of the demo, read as others read it.

use std::io::Cursor;

use scheduler_core::media::VideoCodec;
use scheduler_media::measure;

use super::film::{Bits, bytes, picture};

#[test]
fn it_is_a_film_of_five_seconds() {
    let film = bytes();
    let measured = measure(Cursor::new(&film), film.len() as u64).unwrap();
    assert_eq!(measured.mime_type, "video/mp4");
    assert_eq!((measured.width, measured.height), (Some(1280), Some(720)));
    assert_eq!(measured.duration_seconds, Some(5.0));
    assert_eq!(measured.fps, Some(30.0));
    assert_eq!(measured.video_codec, Some(VideoCodec::H264));
    assert!(film.len() < 10_000, "{} bytes", film.len());
}

#[test]
fn the_index_leads_to_the_first_picture() {
    let film = bytes();
    let place = film.windows(4).position(|name| name == b"stco").unwrap() + 12;
    let begin = u32::from_be_bytes(film[place..place + 4].try_into().unwrap()) as usize;
    let first = picture(0);
    assert_eq!(&film[begin..begin + first.len()], first);
    assert_eq!(&film[begin - 4..begin], b"mdat");
}

#[test]
fn numbers_are_coded_as_the_table_of_the_standard_has_them() {
    // Source: ITU-T H.264, table 9-2.
    for (value, want) in
        [(0, "1"), (1, "010"), (2, "011"), (3, "00100"), (6, "00111"), (7, "0001000")]
    {
        let mut bits = Bits::default();
        bits.golomb(value);
        let text: String = bits.bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        assert_eq!(text[..text.len() - bits.free as usize], *want, "{value}");
    }
}

#[test]
fn nothing_in_a_unit_reads_as_the_start_of_another() {
    let mut bits = Bits::default();
    bits.put(32, 0).put(8, 1);
    assert_eq!(bits.unit(0x41), [0x41, 0, 0, 3, 0, 0, 3, 1, 0x80]);
}
