//! PDFs that are made of JPEGs, read again by a library that is not ours.

use lopdf::{Document, Object};
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::FileKey;
use uuid::Uuid;

use super::*;

/// The bytes of a JPEG as far as its head says something: JFIF, and the segment of its frame.
fn jpeg(before: &[u8], frame: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, b'J', b'F'];
    bytes.extend_from_slice(before);
    bytes.extend_from_slice(frame);
    bytes.extend_from_slice(b"\xff\xda pixels endstream endobj");
    bytes
}

/// The frame of 3 by 2 pixels, and as many components.
fn frame(marker: u8, components: u8) -> Vec<u8> {
    let size = 8 + 3 * components;
    let mut frame = vec![0xff, marker, 0, size, 8, 0, 2, 0, 3, components];
    frame.extend(std::iter::repeat_n(0x11, 3 * usize::from(components)));
    frame
}

const ADOBE: &[u8] = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0";

#[test]
fn the_head_of_a_jpeg_says_its_size_and_colours() {
    let colours = |bytes: &[u8]| Jpeg::read(bytes, 99).map(|jpeg| jpeg.colours);
    let inverted = Some(Colours::Cmyk { is_inverted: true });
    for (name, bytes, want) in [
        ("baseline", jpeg(b"", &frame(0xc0, 3)), Some(Colours::Rgb)),
        ("progressive", jpeg(b"", &frame(0xc2, 3)), Some(Colours::Rgb)),
        ("grey", jpeg(b"", &frame(0xc0, 1)), Some(Colours::Grey)),
        ("four inks", jpeg(b"", &frame(0xc0, 4)), Some(Colours::Cmyk { is_inverted: false })),
        ("four inks of Adobe", jpeg(ADOBE, &frame(0xc0, 4)), inverted),
        ("colours of Adobe", jpeg(ADOBE, &frame(0xc0, 3)), Some(Colours::Rgb)),
        ("fill bytes", jpeg(b"\xff\xff", &frame(0xc0, 3)), Some(Colours::Rgb)),
        (
            "a table of Huffman first",
            jpeg(b"\xff\xc4\0\x03\0", &frame(0xc0, 1)),
            Some(Colours::Grey),
        ),
        ("two components", jpeg(b"", &frame(0xc0, 2)), None),
        ("no frame", jpeg(b"", b""), None),
        ("12 bits", jpeg(b"", &[0xff, 0xc1, 0, 11, 12, 0, 2, 0, 3, 1, 0, 0, 0]), None),
        ("no height", jpeg(b"", &[0xff, 0xc0, 0, 11, 8, 0, 0, 0, 3, 1, 0, 0, 0]), None),
        ("a segment of no length", jpeg(b"\xff\xe1\0\0", &frame(0xc0, 3)), None),
        ("a PNG", b"\x89PNG\r\n\x1a\n".to_vec(), None),
        ("nothing", Vec::new(), None),
    ] {
        assert_eq!(colours(&bytes), want, "{name}");
    }
    let whole = jpeg(ADOBE, &frame(0xc0, 3));
    let read = Jpeg::read(&whole, 99).unwrap();
    assert_eq!((read.width, read.height, read.length), (3, 2, 99));
    let begins_to_tell =
        whole.len() - frame(0xc0, 3).len() - b"\xff\xda pixels endstream endobj".len();
    for end in 0..begins_to_tell + 10 {
        assert_eq!(Jpeg::read(&whole[..end], 99), None, "{end}");
    }
}

#[test]
fn another_program_reads_every_page_and_every_byte() {
    let images =
        [jpeg(b"", &frame(0xc0, 3)), jpeg(b"", &frame(0xc2, 1)), jpeg(ADOBE, &frame(0xc0, 4))];
    let file = |number: u128| FileBody {
        folder: FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::from_u128(number))),
        recipe: None,
        media_type: "image/jpeg".to_owned(),
        range: None,
    };
    let pages = images.iter().zip(0..).map(|(bytes, number)| {
        let length = u64::try_from(bytes.len()).unwrap();
        Page { image: file(number), jpeg: Jpeg::read(bytes, length).unwrap() }
    });
    let Body::Joined { content_type: "application/pdf", pieces } = of(pages.collect()) else {
        panic!("it is a PDF")
    };
    let mut next = images.iter();
    let whole: Vec<u8> = pieces
        .into_iter()
        .flat_map(|piece| match piece {
            Piece::Bytes(bytes) => bytes,
            Piece::File(_) => next.next().unwrap().clone(),
        })
        .collect();

    let read = Document::load_mem(&whole).unwrap();
    let found: Vec<_> = read
        .get_pages()
        .values()
        .map(|page| {
            let images = read.get_page_images(*page).unwrap();
            let [image] = images.as_slice() else { panic!("a page has one image") };
            let colours = image.color_space.clone().unwrap();
            (image.width, image.height, colours, image.content.to_vec())
        })
        .collect();
    let want = images.into_iter().zip(["DeviceRGB", "DeviceGray", "DeviceCMYK"]);
    let want: Vec<_> = want.map(|(bytes, name)| (3, 2, name.to_owned(), bytes)).collect();
    assert_eq!(found, want);
    let decoded = read.objects.values().filter_map(|object| match object {
        Object::Stream(stream) => stream.dict.get(b"Decode").ok(),
        _ => None,
    });
    assert_eq!(decoded.count(), 1, "that of Adobe is inverted");
}
