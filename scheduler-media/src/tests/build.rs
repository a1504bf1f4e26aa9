//! Builders of small files.

/// A PNG of these chunks, its size first.
pub(super) fn png(width: u32, height: u32, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |name: &[u8], data: &[u8]| {
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(name);
        file.extend(data);
        file.extend([0; 4]);
    };
    let sides = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(b"IHDR", &[&sides[..], &[8, 2, 0, 0, 0]].concat());
    for (name, data) in chunks {
        chunk(*name, data);
    }
    chunk(b"IEND", &[]);
    file
}

/// A JPEG with these segments before its size, and a scan.
pub(super) fn jpeg(width: u16, height: u16, segments: &[(u8, &[u8])]) -> Vec<u8> {
    let frame = [&[8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[1, 1, 0x11, 0]].concat();
    let mut file = b"\xff\xd8".to_vec();
    let scan = [1, 1, 0, 0, 63, 0];
    let all = segments.iter().copied().chain([(0xc0, &frame[..]), (0xda, &scan[..])]);
    for (marker, data) in all {
        file.extend([0xff, marker]);
        file.extend((data.len() as u16 + 2).to_be_bytes());
        file.extend(data);
    }
    file.extend(b"\x12\x34\xff\xd9");
    file
}

/// A directory with these entries: tag, kind, value.
pub(super) fn tiff(is_little: bool, entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let short = |number: u16| if is_little { number.to_le_bytes() } else { number.to_be_bytes() };
    let long = |number: u32| if is_little { number.to_le_bytes() } else { number.to_be_bytes() };
    let mut file = if is_little { b"II".to_vec() } else { b"MM".to_vec() };
    file.extend(short(42));
    file.extend(long(8));
    file.extend(short(entries.len() as u16));
    for (tag, kind, value) in entries {
        file.extend(short(*tag));
        file.extend(short(*kind));
        file.extend(long(1));
        match kind {
            3 => file.extend([short(*value as u16), [0; 2]].concat()),
            _ => file.extend(long(*value)),
        }
    }
    file.extend(long(0));
    file
}

/// The directory of an orientation.
pub(super) fn orientation(value: u32) -> Vec<u8> {
    tiff(false, &[(0x010f, 2, 0), (0x0112, 3, value)])
}

/// A GIF of so many pictures of one pixel.
pub(super) fn gif(width: u16, height: u16, frames: usize) -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    file.extend(width.to_le_bytes());
    file.extend(height.to_le_bytes());
    // A colour table of two entries.
    file.extend([0x80, 0, 0]);
    file.extend([0; 6]);
    // How often it is repeated.
    file.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0");
    for _ in 0..frames {
        file.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
    }
    file.push(0x3b);
    file
}

/// A WebP of these chunks.
pub(super) fn webp(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (name, data) in chunks {
        body.extend(*name);
        body.extend((data.len() as u32).to_le_bytes());
        body.extend(*data);
        if data.len() % 2 == 1 {
            body.push(0);
        }
    }
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

/// A bitmap.
pub(super) fn bmp(width: i32, height: i32) -> Vec<u8> {
    let mut file = b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    file.extend(width.to_le_bytes());
    file.extend(height.to_le_bytes());
    file.resize(58, 0);
    file
}

/// An atom of parts.
pub(super) fn atom(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [&(body.len() as u32 + 8).to_be_bytes()[..], name, &body].concat()
}

/// Numbers as they stand in an atom.
pub(super) fn longs(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// The file type of a brand.
pub(super) fn file_type(brand: &[u8; 4], compatible: &[u8; 4]) -> Vec<u8> {
    atom(b"ftyp", &[brand, &[0; 4], compatible])
}

/// What makes one film differ from another.
#[derive(Clone)]
pub(super) struct Film {
    pub(super) brand: &'static [u8; 4],
    pub(super) codec: &'static [u8; 4],
    pub(super) stored: (u16, u16),
    pub(super) shown: (u32, u32),
    /// a, b, c and d of the matrix, in whole numbers.
    pub(super) matrix: [i32; 4],
    pub(super) ticks_a_second: u32,
    /// Pictures, and ticks of each.
    pub(super) durations: Vec<(u32, u32)>,
    /// In thousandths of a second; 0 for a film that is stored in parts.
    pub(super) length: u32,
    pub(super) handler: &'static [u8; 4],
    pub(super) fragments: Vec<Vec<u8>>,
}

impl Film {
    /// Ten seconds of 30 pictures each, upright.
    pub(super) fn plain() -> Self {
        Self {
            brand: b"isom",
            codec: b"avc1",
            stored: (1920, 1080),
            shown: (1920, 1080),
            matrix: [1, 0, 0, 1],
            ticks_a_second: 90_000,
            durations: vec![(300, 3_000)],
            length: 10_000,
            handler: b"vide",
            fragments: Vec::new(),
        }
    }

    pub(super) fn header(&self) -> Vec<u8> {
        atom(b"mvhd", &[&longs(&[0, 0, 0, 1_000, self.length]), &[0; 80]])
    }

    pub(super) fn track(&self) -> Vec<u8> {
        let [a, b, c, d] = self.matrix.map(|number| (number << 16) as u32);
        let matrix = longs(&[a, b, 0, c, d, 0, 0, 0, 1 << 30]);
        let sides = longs(&[self.shown.0 << 16, self.shown.1 << 16]);
        let tkhd =
            atom(b"tkhd", &[&longs(&[1, 0, 0, 1, 0, self.length, 0, 0, 0, 0]), &matrix, &sides]);
        let total: u32 = self.durations.iter().map(|(count, each)| count * each).sum();
        let mdhd = atom(b"mdhd", &[&longs(&[0, 0, 0, self.ticks_a_second, total, 0])]);
        let hdlr = atom(b"hdlr", &[&longs(&[0, 0]), self.handler, &[0; 13]]);
        let sides = [self.stored.0.to_be_bytes(), self.stored.1.to_be_bytes()].concat();
        let entry = atom(self.codec, &[&[0; 24], &sides, &[0; 50]]);
        let stsd = atom(b"stsd", &[&longs(&[0, 1]), &entry]);
        let table: Vec<u32> =
            self.durations.iter().flat_map(|(count, each)| [*count, *each]).collect();
        let stts = atom(b"stts", &[&longs(&[0, self.durations.len() as u32]), &longs(&table)]);
        let stbl = atom(b"stbl", &[&stsd, &stts]);
        let minf = atom(b"minf", &[&stbl]);
        let mdia = atom(b"mdia", &[&mdhd, &hdlr, &minf]);
        atom(b"trak", &[&tkhd, &mdia])
    }

    /// The file.
    pub(super) fn file(&self) -> Vec<u8> {
        self.with_index(&[&self.header(), &self.track()])
    }

    /// The file, with an index of these parts.
    pub(super) fn with_index(&self, parts: &[&[u8]]) -> Vec<u8> {
        let mut file = file_type(self.brand, b"mp42");
        file.extend(atom(b"moov", parts));
        if self.fragments.is_empty() {
            file.extend(atom(b"mdat", &[b"pictures"]));
        }
        for fragment in &self.fragments {
            file.extend(fragment);
            file.extend(atom(b"mdat", &[b"pictures"]));
        }
        file
    }
}

/// A picture of two items: a small one, and the primary one with these properties.
pub(crate) fn heif(brand: &[u8; 4], width: u32, height: u32, quarter_turns: u8) -> Vec<u8> {
    let size = |width, height| atom(b"ispe", &[&longs(&[0, width, height])]);
    let small = size(160, 120);
    let ipco = atom(b"ipco", &[&small, &size(width, height), &atom(b"irot", &[&[quarter_turns]])]);
    let ipma = atom(b"ipma", &[&longs(&[0, 2]), &[0, 7, 1, 1], &[0, 9, 2, 0x82, 0x83]]);
    let iprp = atom(b"iprp", &[&ipco, &ipma]);
    let pitm = atom(b"pitm", &[&longs(&[0]), &[0, 9]]);
    let meta = atom(b"meta", &[&longs(&[0]), &pitm, &iprp]);
    [file_type(brand, b"mif1"), meta, atom(b"mdat", &[b"pixels"])].concat()
}

/// An element of Matroska.
pub(super) fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let size = content.len() as u32 | 0x1000_0000;
    [id, &size.to_be_bytes(), content].concat()
}

/// A WebM of 640 by 360 pixels in VP9.
pub(super) fn webm(track_type: u8) -> Vec<u8> {
    let doc_type = element(b"\x42\x82", b"webm");
    let duration = element(b"\x44\x89", &12_500.0_f32.to_be_bytes());
    let info = element(
        b"\x15\x49\xa9\x66",
        &[element(b"\x2a\xd7\xb1", &1_000_000_u32.to_be_bytes()), duration].concat(),
    );
    let video = [element(b"\xb0", &640_u16.to_be_bytes()), element(b"\xba", &[1, 104])].concat();
    let track = [
        element(b"\x83", &[track_type]),
        element(b"\x86", b"V_VP9"),
        element(b"\x23\xe3\x83", &33_366_667_u32.to_be_bytes()),
        element(b"\xe0", &video),
    ];
    let tracks = element(b"\x16\x54\xae\x6b", &element(b"\xae", &track.concat()));
    let cluster = element(b"\x1f\x43\xb6\x75", b"pictures");
    [
        element(b"\x1a\x45\xdf\xa3", &doc_type),
        element(b"\x18\x53\x80\x67", &[info, tracks, cluster].concat()),
    ]
    .concat()
}
