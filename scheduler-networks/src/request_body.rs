//! The body of a request as it goes over the wire.

use std::future::ready;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt as _};
use reqwest::RequestBuilder;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use reqwest::multipart::{Form, Part};

use crate::conversation::{Body, PartContent, Piece, Request};
use crate::embedded_files::Template;
use crate::handed_over::HandedOver;
use crate::stored_files::OpenedFile;

/// A call with its body, whose files stand in their order.
///
/// # Errors
/// Why it cannot be made, for a sentence.
pub(crate) fn with_body(
    call: RequestBuilder,
    request: &Request,
    body: &Body,
    files: Vec<OpenedFile>,
    handed_over: &HandedOver,
) -> Result<RequestBuilder, &'static str> {
    let mut files = files.into_iter();
    Ok(match body {
        Body::Empty => call,
        Body::Json(value) => call.json(value),
        Body::Form(pairs) => call.form(pairs),
        Body::Bytes { content_type, bytes } => {
            call.header(CONTENT_TYPE, content_type).body(bytes.clone())
        }
        Body::File(_) => {
            let file = files.next().ok_or("its file was not opened")?;
            // A request that names its own type, such as that of a piece, keeps it.
            let is_named = request.headers.iter().any(|header| header.name == "content-type");
            let call = match is_named {
                true => call,
                false => call.header(CONTENT_TYPE, &file.media_type),
            };
            let call = call.header(CONTENT_LENGTH, file.length);
            call.body(handed_over.counted(file))
        }
        Body::Joined { content_type, pieces } => {
            let mut length = 0;
            let mut streams = Vec::new();
            for piece in pieces {
                match piece {
                    Piece::Bytes(bytes) => {
                        length += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                        let bytes = Bytes::from(bytes.clone());
                        streams.push(stream::once(ready(Ok(bytes))).boxed());
                    }
                    Piece::File(_) => {
                        let file = files.next().ok_or("its file was not opened")?;
                        length += file.length;
                        streams.push(handed_over.counting(file).boxed());
                    }
                }
            }
            let body = reqwest::Body::wrap_stream(stream::iter(streams).flatten());
            let call = call.header(CONTENT_TYPE, HeaderValue::from_static(content_type));
            call.header(CONTENT_LENGTH, length).body(body)
        }
        Body::Multipart(parts) => {
            let mut form = Form::new();
            for part in parts {
                form = match &part.content {
                    PartContent::Text(text) => form.text(part.name.clone(), text.clone()),
                    PartContent::Json(value) => {
                        let json = Part::text(value.to_string()).mime_str("application/json");
                        let json = json.map_err(|_| "its JSON has no type")?;
                        form.part(part.name.clone(), json)
                    }
                    PartContent::Bytes { file_name, media_type, bytes } => {
                        let bytes = Part::bytes(bytes.clone()).file_name(file_name.clone());
                        let bytes = bytes.mime_str(media_type);
                        let bytes = bytes.map_err(|_| "the media type of its bytes is none")?;
                        form.part(part.name.clone(), bytes)
                    }
                    PartContent::File { file_name, .. } => {
                        let file = files.next().ok_or("its file was not opened")?;
                        let (media_type, length) = (file.media_type.clone(), file.length);
                        let file = Part::stream_with_length(handed_over.counted(file), length)
                            .file_name(format!("{file_name}.{}", extension(&media_type)))
                            .mime_str(&media_type)
                            .map_err(|_| "the media type of its file is none")?;
                        form.part(part.name.clone(), file)
                    }
                };
            }
            call.multipart(form)
        }
        Body::JsonWithFiles(json) => {
            let lengths: Vec<u64> = files.as_slice().iter().map(|file| file.length).collect();
            let template = Template::of(json).ok_or("a file has no place in it")?;
            let length = template.length(&lengths).ok_or("its file was not opened")?;
            let files = files.map(|file| handed_over.counting(file)).collect();
            let body = reqwest::Body::wrap_stream(template.fill(files));
            let call = call.header(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            call.header(CONTENT_LENGTH, length).body(body)
        }
        Body::JsonWithLinks(_) | Body::FormWithLinks(_) => {
            return Err("its links were not made");
        }
        Body::ImagesAsPdf(_) => return Err("its document was not made"),
    })
}

/// The usual extension of a media type, by which some servers tell what a file is.
pub(crate) fn extension(media_type: &str) -> &'static str {
    match media_type {
        "image/jpeg" => "jpg",
        "image/png" => "png",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/heic" => "heic",
        "image/heif" => "heif",
        "image/avif" => "avif",
        "image/bmp" => "bmp",
        "image/tiff" => "tif",
        "video/mp4" => "mp4",
        "video/x-m4v" => "m4v",
        "video/quicktime" => "mov",
        "video/webm" => "webm",
        "video/mpeg" => "mpeg",
        "video/ogg" => "ogv",
        "application/pdf" => "pdf",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation" => "pptx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => "docx",
        _ => "bin",
    }
}
