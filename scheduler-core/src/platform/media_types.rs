//! Media types: one spelling of each, and names for people.

/// The media types of documents that are told by their bytes.
pub(super) const DOCUMENTS: [&str; 3] = [
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
];

/// The spelling of a media type that the sheets use: without parameters, in lower case, and one
/// for the several that stand for the same format.
///
/// Source: <https://www.iana.org/assignments/media-types/>; the other spellings are those that
/// browsers and systems are known to send.
#[must_use]
pub fn canonical_media_type(media_type: &str) -> String {
    let plain = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let canonical = match plain.as_str() {
        "image/jpg" | "image/pjpeg" => "image/jpeg",
        "image/x-png" | "image/apng" => "image/png",
        "image/tif" | "image/x-tiff" => "image/tiff",
        "image/x-ms-bmp" | "image/x-bmp" => "image/bmp",
        "video/x-mp4" => "video/mp4",
        "video/m4v" => "video/x-m4v",
        "video/mov" | "video/x-quicktime" => "video/quicktime",
        "video/avi" | "video/msvideo" | "video/vnd.avi" => "video/x-msvideo",
        "video/mkv" | "video/matroska" => "video/x-matroska",
        "video/mpg" | "video/x-mpeg" => "video/mpeg",
        "video/x-ogg" => "video/ogg",
        "video/3gp" => "video/3gpp",
        "video/3gp2" | "video/3g2" => "video/3gpp2",
        "video/wmv" => "video/x-ms-wmv",
        "video/flv" => "video/x-flv",
        _ => return plain,
    };
    canonical.to_owned()
}

/// The name of a canonical media type for people, such as `JPEG`; the type itself where people
/// have no other name for it.
#[must_use]
pub fn media_type_name(media_type: &str) -> &str {
    match media_type {
        "image/jpeg" => "JPEG",
        "image/png" => "PNG",
        "image/gif" => "GIF",
        "image/webp" => "WebP",
        "image/heic" => "HEIC",
        "image/heif" => "HEIF",
        "image/avif" => "AVIF",
        "image/bmp" => "BMP",
        "image/tiff" => "TIFF",
        "video/mp4" => "MP4",
        "video/quicktime" => "MOV",
        "video/webm" => "WebM",
        "video/x-m4v" => "M4V",
        "video/mpeg" => "MPEG",
        "video/x-msvideo" => "AVI",
        "video/x-matroska" => "MKV",
        "video/3gpp" => "3GP",
        "video/3gpp2" => "3G2",
        "video/mp2t" => "MPEG-TS",
        "video/x-dv" => "DV",
        "video/x-f4v" => "F4V",
        "video/x-flv" => "FLV",
        "video/x-ms-asf" => "ASF",
        "video/x-ms-wmv" => "WMV",
        "video/ogg" => "Ogg",
        "application/pdf" => "PDF",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "PPTX",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "DOCX",
        other => other,
    }
}

/// Names of media types for a sentence, such as `JPEG, PNG or WebP`.
#[must_use]
pub fn media_type_names<'a>(media_types: impl IntoIterator<Item = &'a str>) -> String {
    any_of(media_types.into_iter().map(media_type_name))
}

/// Words of which one is enough, such as `an image, a video or a document`.
pub(crate) fn any_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.as_slice() {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_of_each() {
        for (name, sent, want) in [
            ("as it is", "image/png", "image/png"),
            ("capitals", "IMAGE/JPEG", "image/jpeg"),
            ("parameters", "video/mp4; codecs=\"avc1\"", "video/mp4"),
            ("a common slip", "image/jpg", "image/jpeg"),
            ("an old name", "video/avi", "video/x-msvideo"),
            ("an ending as a type", "video/3gp", "video/3gpp"),
            ("unknown", " application/x-y ", "application/x-y"),
            ("empty", "", ""),
        ] {
            assert_eq!(canonical_media_type(sent), want, "{name}");
        }
    }

    #[test]
    fn names_in_a_sentence() {
        assert_eq!(media_type_names([]), "none");
        assert_eq!(media_type_names(["image/jpeg"]), "JPEG");
        assert_eq!(
            media_type_names(["image/jpeg", "image/x-y", "image/webp"]),
            "JPEG, image/x-y or WebP"
        );
    }
}
