//! JSON with files in it on its way to a network: the files pass piece by piece, and are never
//! held.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use scheduler_core::ports::FilesError;
use serde_json::Value;

use crate::conversation::JsonWithFiles;

/// The texts between the files of a body, and which file follows each but the last.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    before: Vec<(String, usize)>,
    after: String,
}

impl Template {
    /// The texts of a body; `None` when a file has no place in it.
    pub(crate) fn of(json: &JsonWithFiles) -> Option<Self> {
        // A text that stands nowhere in it, so that nobody's words are taken for a place.
        let whole = json.value.to_string();
        let mark = (0..).map(|number| format!("file-{number}-")).find(|it| !whole.contains(it))?;
        let mut value = json.value.clone();
        for (number, (pointer, _)) in json.files.iter().enumerate() {
            *value.pointer_mut(pointer)? = Value::String(format!("{mark}{number}"));
        }
        let text = value.to_string();
        let (mut before, mut rest) = (Vec::new(), text.as_str());
        while let Some((text, after)) = rest.split_once(&mark) {
            let end = after.find('"')?;
            let (number, after) = after.split_at(end);
            before.push((text.to_owned(), number.parse().ok()?));
            rest = after;
        }
        // Of two places, one inside the other, only one is left.
        (before.len() == json.files.len()).then(|| Self { before, after: rest.to_owned() })
    }

    /// How long the body is with files of these lengths; `None` where a length is missing.
    pub(crate) fn length(&self, files: &[u64]) -> Option<u64> {
        let texts = self.before.iter().map(|(text, _)| text.len()).sum::<usize>();
        let mut length = u64::try_from(texts + self.after.len()).ok()?;
        for (_, number) in &self.before {
            length += files.get(*number)?.div_ceil(3) * 4;
        }
        Some(length)
    }

    /// The body, with the bytes of these files.
    pub(crate) fn fill<S>(
        self,
        files: Vec<S>,
    ) -> impl Stream<Item = Result<Bytes, FilesError>> + Send + 'static
    where
        S: Stream<Item = Result<Bytes, FilesError>> + Send + 'static,
    {
        let mut files: Vec<Option<S>> = files.into_iter().map(Some).collect();
        let mut pieces: Vec<BoxStream<'static, Result<Bytes, FilesError>>> = Vec::new();
        for (text, number) in self.before {
            pieces.push(said(text));
            if let Some(file) = files.get_mut(number).and_then(Option::take) {
                pieces.push(encoded(file).boxed());
            }
        }
        pieces.push(said(self.after));
        stream::iter(pieces).flatten()
    }
}

fn said(text: String) -> BoxStream<'static, Result<Bytes, FilesError>> {
    stream::once(std::future::ready(Ok(Bytes::from(text)))).boxed()
}

/// The bytes of a stream in base64; up to two of them wait for those that complete a group.
fn encoded<S>(file: S) -> impl Stream<Item = Result<Bytes, FilesError>> + Send + 'static
where
    S: Stream<Item = Result<Bytes, FilesError>> + Send + 'static,
{
    stream::unfold(Some((file.boxed(), Vec::new())), |state| async {
        let (mut file, mut waiting) = state?;
        match file.next().await {
            None => {
                let last = Bytes::from(STANDARD.encode(&waiting));
                Some((Ok(last), None))
            }
            Some(Err(error)) => Some((Err(error), None)),
            Some(Ok(piece)) => {
                waiting.extend_from_slice(&piece);
                let rest = waiting.split_off(waiting.len() - waiting.len() % 3);
                let text = Bytes::from(STANDARD.encode(&waiting));
                Some((Ok(text), Some((file, rest))))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt as _;
    use proptest::prelude::*;
    use scheduler_core::ids::{MediaId, WorkspaceId};
    use scheduler_core::media::FileKey;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::conversation::FileBody;

    fn file() -> FileBody {
        let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)));
        let media_type = "image/png".to_owned();
        FileBody { folder, recipe: None, media_type, range: None }
    }

    fn json_of(value: Value, places: &[&str]) -> JsonWithFiles {
        let files = places.iter().map(|place| ((*place).to_owned(), file())).collect();
        JsonWithFiles { value, files }
    }

    type Piece = Result<Bytes, FilesError>;

    async fn filled(json: &JsonWithFiles, files: Vec<Vec<Piece>>) -> Result<Vec<u8>, FilesError> {
        let template = Template::of(json).unwrap();
        let files = files.into_iter().map(stream::iter).collect();
        template
            .fill(files)
            .try_fold(Vec::new(), |mut all, piece| async move {
                all.extend_from_slice(&piece);
                Ok(all)
            })
            .await
    }

    proptest! {
        #[test]
        fn files_stand_in_their_places_however_their_bytes_arrive(
            files in proptest::collection::vec(
                proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..7), 0..6),
                2..3,
            ),
        ) {
            let value = json!({ "z": null, "items": [{ "data": "x" }, { "data": 1 }], "b": "é" });
            // The first file stands behind the second in the text.
            let json = json_of(value.clone(), &["/z", "/items/1/data"]);
            let whole: Vec<Vec<u8>> = files.iter().map(|pieces| pieces.concat()).collect();
            let pieces = files
                .into_iter()
                .map(|pieces| pieces.into_iter().map(|piece| Ok(Bytes::from(piece))).collect());
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let body = runtime.block_on(filled(&json, pieces.collect())).unwrap();
            let mut want = value;
            want["z"] = STANDARD.encode(&whole[0]).into();
            want["items"][1]["data"] = STANDARD.encode(&whole[1]).into();
            prop_assert_eq!(std::str::from_utf8(&body).unwrap(), want.to_string());
            let lengths: Vec<u64> = whole.iter().map(|file| file.len() as u64).collect();
            let length = Template::of(&json).unwrap().length(&lengths);
            prop_assert_eq!(length, Some(body.len() as u64));
        }
    }

    #[tokio::test]
    async fn what_somebody_wrote_is_no_place() {
        let json = json_of(json!({ "a": "file-0-0 \"file-1-0\"", "data": "" }), &["/data"]);
        let body = filled(&json, vec![vec![Ok(Bytes::from_static(b"abcd"))]]).await.unwrap();
        assert_eq!(
            std::str::from_utf8(&body).unwrap(),
            r#"{"a":"file-0-0 \"file-1-0\"","data":"YWJjZA=="}"#
        );
    }

    #[tokio::test]
    async fn a_file_that_breaks_off_breaks_the_body_off() {
        let json = json_of(json!({ "data": "" }), &["/data"]);
        let pieces = vec![Ok(Bytes::from_static(b"ab")), Err(FilesError::Missing)];
        assert_eq!(filled(&json, vec![pieces]).await, Err(FilesError::Missing));
    }

    #[test]
    fn a_file_without_a_place_is_told() {
        assert_eq!(Template::of(&json_of(json!({}), &["/data"])), None);
        assert_eq!(Template::of(&json_of(json!({ "a": { "b": 1 } }), &["/a/b", "/a"])), None);
    }
}
