//! The film of the demo: built here, so that nothing has to be installed. H.264 in an MP4, every
//! picture of one grey, moov before mdat.
//!
//! Source: ITU-T H.264, sections 7.3 and 9; ISO/IEC 14496-12 and 14496-15.

/// Sides in pixels, each a multiple of 16.
pub(super) const SIDES: (u16, u16) = (1280, 720);
/// Pictures, and pictures a second.
const PICTURES: u32 = 150;
const PICTURES_A_SECOND: u32 = 30;

/// Ticks of the film's clock in a second, and of each picture.
const TICKS: u32 = 90_000;
const PICTURE_TICKS: u32 = TICKS / PICTURES_A_SECOND;
/// Macroblocks in a row and in a column.
const BLOCKS: (u16, u16) = (SIDES.0 / 16, SIDES.1 / 16);
/// Bits of `frame_num`. Source: our sequence parameter set, `log2_max_frame_num_minus4`.
const NUMBER_BITS: u32 = 4;

/// The bytes of the film: five seconds.
pub(crate) fn bytes() -> Vec<u8> {
    let pictures: Vec<Vec<u8>> = (0..PICTURES).map(picture).collect();
    let file_type = atom(b"ftyp", &[b"isom", &longs(&[512]), b"isomiso2avc1mp41"]);
    // Where the pictures begin depends on how long the index is, and not on what it says.
    let before = file_type.len() + index(&pictures, 0).len() + 8;
    let index = index(&pictures, u32::try_from(before).unwrap_or(u32::MAX));
    [file_type, index, atom(b"mdat", &[&pictures.concat()])].concat()
}

/// The bits of a unit of H.264.
#[derive(Default)]
pub(super) struct Bits {
    pub(super) bytes: Vec<u8>,
    pub(super) free: u32,
}

impl Bits {
    /// Appends the low bits of a value, the highest of them first.
    pub(super) fn put(&mut self, count: u32, value: u32) -> &mut Self {
        for place in (0..count).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            let bit = u8::from((value >> place) & 1 == 1);
            if let Some(last) = self.bytes.last_mut() {
                *last |= bit << self.free;
            }
        }
        self
    }

    /// Appends a value as an unsigned Exp-Golomb code, ue(v).
    pub(super) fn golomb(&mut self, value: u32) -> &mut Self {
        let length = 32 - (value + 1).leading_zeros();
        self.put(length - 1, 0).put(length, value + 1)
    }

    /// Ends the unit: its header in front, and nothing in it that reads as the start of another.
    pub(super) fn unit(&mut self, header: u8) -> Vec<u8> {
        self.put(1, 1);
        let mut unit = vec![header];
        let mut zeros = 0;
        for byte in self.bytes.drain(..) {
            if zeros == 2 && byte <= 3 {
                unit.push(3);
                zeros = 0;
            }
            zeros = if byte == 0 { zeros + 1 } else { 0 };
            unit.push(byte);
        }
        unit
    }
}

/// The sequence parameter set: constrained baseline, level 3.1.
fn sequence() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(8, 66).put(8, 0xc0).put(8, 31);
    // Its id, bits of frame_num, pictures come in their order, one picture is referred to.
    bits.golomb(0).golomb(NUMBER_BITS - 4).golomb(2).golomb(1).put(1, 0);
    bits.golomb(u32::from(BLOCKS.0) - 1).golomb(u32::from(BLOCKS.1) - 1);
    // Whole pictures, direct_8x8_inference, no cropping, no further facts.
    bits.put(1, 1).put(1, 1).put(1, 0).put(1, 0);
    bits.unit(0x67)
}

/// The picture parameter set: CAVLC, one slice group.
fn parameters() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.golomb(0).golomb(0).put(2, 0).golomb(0).golomb(0).golomb(0).put(3, 0);
    bits.golomb(0).golomb(0).golomb(0).put(3, 0);
    bits.unit(0x68)
}

/// A picture: the first is grey, each later one like the one before it.
pub(super) fn picture(number: u32) -> Vec<u8> {
    let blocks = u32::from(BLOCKS.0) * u32::from(BLOCKS.1);
    let mut bits = Bits::default();
    let unit = if number == 0 {
        // An I slice, frame_num, idr_pic_id, two flags, slice_qp_delta.
        bits.golomb(0).golomb(7).golomb(0).put(NUMBER_BITS, 0).golomb(0).put(2, 0).golomb(0);
        for _ in 0..blocks {
            // I_16x16 as the mean of what is around it, colour alike, no difference to that.
            bits.golomb(3).golomb(0).golomb(0).put(1, 1);
        }
        bits.unit(0x65)
    } else {
        // A P slice, frame_num, three flags, slice_qp_delta, all blocks skipped.
        bits.golomb(0).golomb(5).golomb(0).put(NUMBER_BITS, number).put(3, 0).golomb(0);
        bits.golomb(blocks);
        bits.unit(0x41)
    };
    let length = u32::try_from(unit.len()).unwrap_or(u32::MAX);
    [longs(&[length]), unit].concat()
}

/// The index of the film, whose pictures begin at this byte of the file.
fn index(pictures: &[Vec<u8>], begin: u32) -> Vec<u8> {
    let duration = PICTURES * PICTURE_TICKS;
    let matrix = longs(&[1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]);
    let (width, height) = SIDES;
    let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();

    let sets = [sequence(), parameters()].map(|set| {
        let length = u16::try_from(set.len()).unwrap_or(u16::MAX);
        [&[1][..], &length.to_be_bytes(), &set].concat()
    });
    // Lengths of four bytes, one sequence parameter set, one picture parameter set.
    let [mut sequence, parameters] = sets;
    if let Some(count) = sequence.first_mut() {
        *count = 0xe1;
    }
    let codec = atom(b"avcC", &[&[1, 66, 0xc0, 31, 0xff], &sequence, &parameters]);
    // 72 dots an inch, one picture a sample, no name, 24 bits of colour.
    let entry = [&longs(&[72 << 16, 72 << 16, 0])[..], &[0, 1], &[0; 32], &[0, 24, 0xff, 0xff]];
    let entry = [&[0; 6][..], &[0, 1], &[0; 16], &sides, &entry.concat(), &codec];
    let lengths: Vec<u32> =
        pictures.iter().map(|one| u32::try_from(one.len()).unwrap_or(u32::MAX)).collect();
    let table = atom(
        b"stbl",
        &[
            &atom(b"stsd", &[&longs(&[0, 1]), &atom(b"avc1", &entry)]),
            &atom(b"stts", &[&longs(&[0, 1, PICTURES, PICTURE_TICKS])]),
            &atom(b"stss", &[&longs(&[0, 1, 1])]),
            &atom(b"stsc", &[&longs(&[0, 1, 1, PICTURES, 1])]),
            &atom(b"stsz", &[&longs(&[0, 0, PICTURES]), &longs(&lengths)]),
            &atom(b"stco", &[&longs(&[0, 1, begin])]),
        ],
    );
    let here = atom(b"dref", &[&longs(&[0, 1]), &atom(b"url ", &[&longs(&[1])])]);
    let information =
        atom(b"minf", &[&atom(b"vmhd", &[&longs(&[1, 0, 0])]), &atom(b"dinf", &[&here]), &table]);
    let handler = atom(b"hdlr", &[&longs(&[0, 0]), b"vide", &[0; 12], b"video\0"]);
    // The language is not told.
    let clock = atom(b"mdhd", &[&longs(&[0, 0, 0, TICKS, duration, 0x55c4 << 16])]);
    let track = atom(
        b"tkhd",
        &[
            &longs(&[3, 0, 0, 1, 0, duration, 0, 0, 0, 0]),
            &matrix,
            &longs(&[u32::from(width) << 16, u32::from(height) << 16]),
        ],
    );
    let media = atom(b"mdia", &[&clock, &handler, &information]);
    let header = atom(
        b"mvhd",
        &[
            // Its speed and loudness are as they were taken.
            &longs(&[0, 0, 0, TICKS, duration, 1 << 16, 1 << 24, 0, 0]),
            &matrix,
            &[0; 24],
            &longs(&[2]),
        ],
    );
    atom(b"moov", &[&header, &atom(b"trak", &[&track, &media])])
}

/// A box of parts.
fn atom(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let length = u32::try_from(body.len() + 8).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], name, &body].concat()
}

/// Numbers as they stand in a box.
fn longs(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}
