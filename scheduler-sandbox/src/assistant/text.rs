//! What the imitated model writes.

use serde_json::{Map, Value, json};

use super::says::Says;

/// Longest caption that it writes on its own, in characters.
const CAPTION_CHARACTERS: usize = 150;

/// A call, as far as it is read.
#[derive(Debug)]
pub(super) struct Chat {
    pub(super) model: String,
    instructions: String,
    input: String,
}

impl Chat {
    /// Reads the body of a call.
    ///
    /// # Errors
    /// A sentence that says what is missing.
    pub(super) fn read(body: Option<&Value>) -> Result<Self, &'static str> {
        let body = body.ok_or("We could not parse the JSON body of your request.")?;
        let model = body["model"].as_str().ok_or("you must provide a model parameter")?;
        let messages =
            body["messages"].as_array().ok_or("Missing required parameter: 'messages'.")?;
        let of = |role: &str| {
            let texts = messages.iter().filter(|message| message["role"] == role);
            let texts: Vec<&str> =
                texts.filter_map(|message| message["content"].as_str()).collect();
            texts.join("\n")
        };
        let (instructions, input) = (of("system"), of("user"));
        if input.is_empty() {
            return Err("Missing required parameter: 'messages'.");
        }
        let wants_json = body["response_format"]["type"] == "json_object";
        if wants_json && !format!("{instructions}{input}").contains("JSON") {
            return Err("'messages' must contain the word 'json' in some form.");
        }
        Ok(Self { model: model.to_owned(), instructions, input })
    }

    /// Writes a reply, sensible unless it is told otherwise.
    pub(super) fn reply(&self, says: Option<Says>) -> String {
        match says {
            Some(Says::Prose) => return "Of course! What a lovely post.".to_owned(),
            Some(Says::Other) => return json!(["not", "what", "was", "asked"]).to_string(),
            _ => {}
        }
        if self.instructions.contains("\"score\"") { review(says) } else { self.captions(says) }
    }

    fn captions(&self, says: Option<Says>) -> String {
        let mut networks = self.networks();
        if says == Some(Says::Missing) {
            networks.pop();
        }
        let content: Value = serde_json::from_str(&self.input).unwrap_or_default();
        let content = content["content"].as_str().unwrap_or("Hello");
        let captions: Map<String, Value> = networks
            .into_iter()
            .map(|network| {
                let caption = match says {
                    Some(Says::Empty) => String::new(),
                    Some(Says::Long) => "word ".repeat(20_000),
                    _ => short(content),
                };
                (network.to_owned(), Value::from(caption))
            })
            .collect();
        Value::Object(captions).to_string()
    }

    /// The names on lines of the form `- name (…`.
    fn networks(&self) -> Vec<&str> {
        let names = self.instructions.lines().filter_map(|line| {
            let (name, _) = line.strip_prefix("- ")?.split_once(" (")?;
            Some(name)
        });
        names.collect()
    }
}

/// The beginning of a text, up to the end of a word where it has one.
fn short(content: &str) -> String {
    let start: String = content.chars().take(CAPTION_CHARACTERS).collect();
    if start.len() == content.len() {
        return start;
    }
    start.rsplit_once(char::is_whitespace).map_or(start.as_str(), |(head, _)| head).to_owned()
}

fn review(says: Option<Says>) -> String {
    let mut review = json!({
        "summary": "It says what is new and asks for nothing.",
        "strengths": ["The first line says what it is about."],
        "suggestions": ["End with a question.", "Show a picture."],
        "score": 7,
    });
    match says {
        Some(Says::Missing) => review["score"] = Value::Null,
        Some(Says::Empty) => review["suggestions"] = json!([]),
        Some(Says::Long) => review["summary"] = "word ".repeat(20_000).into(),
        _ => {}
    }
    review.to_string()
}
