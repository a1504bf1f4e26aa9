//! The names that containers give to codecs.

use scheduler_core::rules::VideoCodec;

/// The codec of a sample description in MP4 or QuickTime.
///
/// Source: the codecs registered at <https://mp4ra.org/registered-types/sampleentries>; for ProRes
/// the QuickTime file format, "Video sample description".
pub(crate) const fn of_sample_entry(name: &[u8; 4]) -> VideoCodec {
    match name {
        b"avc1" | b"avc2" | b"avc3" | b"avc4" | b"dva1" | b"dvav" => VideoCodec::H264,
        b"hvc1" | b"hvc2" | b"hev1" | b"hev2" | b"dvh1" | b"dvhe" => VideoCodec::Hevc,
        b"vp08" => VideoCodec::Vp8,
        b"vp09" => VideoCodec::Vp9,
        b"av01" | b"dav1" => VideoCodec::Av1,
        b"apch" | b"apcn" | b"apcs" | b"apco" | b"ap4h" | b"ap4x" => VideoCodec::ProRes,
        b"mp4v" => VideoCodec::Mpeg4,
        _ => VideoCodec::Other,
    }
}

/// The codec of a track in Matroska or WebM.
///
/// Source: <https://www.matroska.org/technical/codec_specs.html>.
pub(crate) fn of_matroska(id: &[u8]) -> VideoCodec {
    let starts = |beginning: &[u8]| id.starts_with(beginning);
    if starts(b"V_MPEG4/ISO/AVC") {
        VideoCodec::H264
    } else if starts(b"V_MPEGH/ISO/HEVC") {
        VideoCodec::Hevc
    } else if starts(b"V_VP8") {
        VideoCodec::Vp8
    } else if starts(b"V_VP9") {
        VideoCodec::Vp9
    } else if starts(b"V_AV1") {
        VideoCodec::Av1
    } else if starts(b"V_PRORES") {
        VideoCodec::ProRes
    } else if starts(b"V_MPEG4/") {
        VideoCodec::Mpeg4
    } else {
        VideoCodec::Other
    }
}
