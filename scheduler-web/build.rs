//! Compresses what pages load, and names it by its content.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

use sha2::Digest as _;

/// What a compressed form is compressed with: assets are built once and read often.
const GZIP_LEVEL: u32 = 9;
const ZSTD_LEVEL: i32 = 19;

/// The files, with their media types; a script stands after those that it imports.
const FILES: &[(&str, &str)] = &[
    ("ui.css", "text/css; charset=utf-8"),
    ("icons.svg", "image/svg+xml"),
    ("logo.svg", "image/svg+xml"),
    ("frame.js", "text/javascript; charset=utf-8"),
    ("passkey.js", "text/javascript; charset=utf-8"),
    ("live.js", "text/javascript; charset=utf-8"),
    ("calendar.js", "text/javascript; charset=utf-8"),
    ("crop.js", "text/javascript; charset=utf-8"),
    ("files.js", "text/javascript; charset=utf-8"),
    ("composer.js", "text/javascript; charset=utf-8"),
    ("slots.js", "text/javascript; charset=utf-8"),
    ("inbox.js", "text/javascript; charset=utf-8"),
    ("mentions.js", "text/javascript; charset=utf-8"),
];

fn main() -> io::Result<()> {
    let folder = Path::new("assets");
    println!("cargo:rerun-if-changed=assets");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let mut table = String::from("&[\n");
    let mut named = Vec::new();
    for &(name, kind) in FILES {
        let mut bytes = fs::read(folder.join(name))?;
        if name.ends_with(".js") {
            // A script names what it imports as the repository does; browsers know it by its hash.
            let mut text = String::from_utf8(bytes).map_err(io::Error::other)?;
            for (plain, hashed) in &named {
                text = text.replace(&format!("'./{plain}'"), &format!("'./{hashed}'"));
            }
            bytes = text.into_bytes();
        }
        let mut gzip =
            flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(GZIP_LEVEL));
        gzip.write_all(&bytes)?;
        let forms = [
            ("identity", bytes.clone()),
            ("gzip", gzip.finish()?),
            ("zstd", zstd::encode_all(bytes.as_slice(), ZSTD_LEVEL)?),
        ];
        let hash = hex::encode(&sha2::Sha256::digest(&bytes)[..8]);
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let address = format!("{stem}-{hash}.{ending}");
        let mut fields = String::new();
        for (form, bytes) in forms {
            let file = format!("{name}.{form}");
            fs::write(Path::new(&out).join(&file), bytes)?;
            // Not by its path here: what is built may be moved.
            let _ =
                write!(fields, r#"{form}: include_bytes!(concat!(env!("OUT_DIR"), "/{file}")), "#);
        }
        let _ = writeln!(
            table,
            "Asset {{ file: {name:?}, name: {address:?}, kind: {kind:?}, {fields} }},"
        );
        named.push((name, address));
    }
    table.push(']');
    fs::write(Path::new(&out).join("assets.rs"), table)
}
