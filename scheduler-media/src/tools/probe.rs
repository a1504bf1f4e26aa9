//! What `ffprobe` says of a video.

use scheduler_core::media::VideoCodec;
use serde::Deserialize;

use super::RunError;

/// What it is asked for.
pub(super) const ENTRIES: &str = "format=duration:stream=codec_name,width,height,duration,\
avg_frame_rate:stream_tags=rotate:stream_side_data=rotation";

/// What it knows of the first video stream; `None` is what it does not know.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Probed {
    pub(crate) duration_seconds: Option<f64>,
    pub(crate) fps: Option<f64>,
    /// As it is shown: after the rotation that the file asks for.
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) codec: Option<VideoCodec>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    streams: Vec<Stream>,
    #[serde(default)]
    format: Format,
}

#[derive(Default, Deserialize)]
struct Format {
    duration: Option<String>,
}

#[derive(Deserialize)]
struct Stream {
    codec_name: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    duration: Option<String>,
    avg_frame_rate: Option<String>,
    #[serde(default)]
    tags: Tags,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Default, Deserialize)]
struct Tags {
    rotate: Option<String>,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

/// Reads its answer.
///
/// # Errors
/// [`RunError::Failed`] for what is no answer, or tells of no video.
pub(super) fn read(answer: &[u8]) -> Result<Probed, RunError> {
    let answer: Answer = serde_json::from_slice(answer).map_err(|_| RunError::Failed)?;
    let stream = answer.streams.into_iter().next().ok_or(RunError::Failed)?;
    let positive = |text: Option<String>| {
        text.and_then(|text| text.parse::<f64>().ok())
            .filter(|seconds| seconds.is_finite() && *seconds > 0.0)
    };
    let rotations = stream.side_data_list.iter().filter_map(|data| data.rotation);
    let rotation = rotations.chain(stream.tags.rotate.and_then(|text| text.parse().ok())).next();
    let is_turned = rotation.is_some_and(|degrees| (degrees.abs() % 180.0 - 90.0).abs() < 45.0);
    let sides = (stream.width.filter(|side| *side > 0), stream.height.filter(|side| *side > 0));
    let (width, height) = if is_turned { (sides.1, sides.0) } else { sides };
    Ok(Probed {
        duration_seconds: positive(answer.format.duration).or_else(|| positive(stream.duration)),
        fps: stream.avg_frame_rate.as_deref().and_then(rate),
        width,
        height,
        codec: stream.codec_name.as_deref().map(codec),
    })
}

/// A rate such as `30000/1001`.
fn rate(text: &str) -> Option<f64> {
    let (frames, seconds) = text.split_once('/')?;
    let rate = frames.parse::<f64>().ok()? / seconds.parse::<f64>().ok()?;
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

/// Source: <https://ffmpeg.org/general.html>, by the names that `ffmpeg -codecs` lists.
fn codec(name: &str) -> VideoCodec {
    match name {
        "h264" => VideoCodec::H264,
        "hevc" => VideoCodec::Hevc,
        "vp8" => VideoCodec::Vp8,
        "vp9" => VideoCodec::Vp9,
        "av1" => VideoCodec::Av1,
        "prores" => VideoCodec::ProRes,
        "mpeg4" => VideoCodec::Mpeg4,
        _ => VideoCodec::Other,
    }
}
