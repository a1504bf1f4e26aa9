//! Schemas that are derived from the types that the API reads and writes.
//!
//! Names, required fields, bounds and words stand with the types in the core; what a type cannot
//! say, an endpoint adds with [`Components::change`].

use scheduler_core::schemars::generate::SchemaSettings;
use scheduler_core::schemars::transform::transform_subschemas;
use scheduler_core::schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::schema::{data_of, named, with};

/// The formats that the document names; the others are widths of Rust's numbers.
const FORMATS: [&str; 4] = ["date", "date-time", "uri", "uuid"];

/// Schemas by their names in the document.
#[derive(Debug, Default)]
pub(crate) struct Components(Map<String, Value>);

impl Components {
    /// Adds a schema, in place of one of the same name, and refers to it.
    pub(crate) fn add(&mut self, name: &str, schema: Value) -> Value {
        self.0.insert(name.to_owned(), schema);
        named(name)
    }

    /// Adds keywords to a part of a schema that is there, which `pointer` names (RFC 6901).
    pub(crate) fn change(&mut self, name: &str, pointer: &str, keywords: Value) {
        let part = self.0.get_mut(name).and_then(|schema| schema.pointer_mut(pointer));
        debug_assert!(part.is_some(), "{name} has no {pointer}");
        if let Some(part) = part {
            *part = with(part.take(), keywords);
        }
    }

    /// Takes a schema out, to be added under another name.
    pub(crate) fn take(&mut self, name: &str) -> Value {
        self.0.remove(name).unwrap_or_default()
    }

    /// Adds those of another part of the document.
    pub(crate) fn extend(&mut self, more: Self) {
        self.merge(more.0);
    }

    /// Adds schemas. Where one is read and written, it requires what both require: an answer has
    /// fields that a request may leave out.
    fn merge(&mut self, more: Map<String, Value>) {
        for (name, mut schema) in more {
            self.name_variants(&name, &mut schema);
            if let Some(known) = self.0.get(&name) {
                keep_common_required(&mut schema, known);
            }
            self.0.insert(name, schema);
        }
    }

    /// Gives each variant of a tagged enum a schema of its own, and says by which field they are told
    /// apart: programs that generate clients name their types after schemas.
    fn name_variants(&mut self, name: &str, schema: &mut Value) {
        let Some(variants) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
        let Some(tag) = tag_of(variants).map(str::to_owned) else { return };
        let mut mapping = Map::new();
        for variant in variants {
            let value = value_of_tag(variant, &tag).unwrap_or_default().to_owned();
            let own = format!("{name}{}", value[..1].to_ascii_uppercase() + &value[1..]);
            *variant = self.add(&own, variant.take());
            mapping.insert(value, variant["$ref"].clone());
        }
        schema["discriminator"] = json!({"propertyName": tag, "mapping": mapping});
    }

    /// All of them.
    pub(crate) fn into_map(self) -> Map<String, Value> {
        self.0
    }

    fn derive<T: JsonSchema>(
        &mut self,
        mut generator: SchemaGenerator,
        tidy: fn(&mut Schema),
    ) -> Value {
        let mut schema = generator.subschema_for::<T>();
        tidy(&mut schema);
        self.merge(generator.take_definitions(true));
        schema.to_value()
    }
}

/// The schema of a body that is read, with all that it refers to.
pub(crate) fn read<T: JsonSchema>(components: &mut Components) -> Value {
    let settings = settings().for_deserialize().with_transform(tidy);
    components.derive::<T>(settings.into_generator(), tidy)
}

/// The schema of what is written, with all that it refers to.
pub(crate) fn written<T: JsonSchema>(components: &mut Components) -> Value {
    let settings = settings().for_serialize().with_transform(tidy_written);
    components.derive::<T>(settings.into_generator(), tidy_written)
}

/// The schema of a list of what is written, under a name: `{"data": […]}`.
pub(crate) fn list_of<T: JsonSchema>(name: &str) -> impl FnOnce(&mut Components) -> Value {
    move |components| {
        let items = written::<T>(components);
        components.add(name, data_of(items))
    }
}

/// The field by which variants of an object are told apart: each has one value for it.
fn tag_of(variants: &[Value]) -> Option<&str> {
    let fields = variants.first()?["properties"].as_object()?;
    let tells = |tag: &&String| variants.iter().all(|one| value_of_tag(one, tag).is_some());
    fields.keys().find(tells).map(String::as_str)
}

fn value_of_tag<'a>(variant: &'a Value, tag: &str) -> Option<&'a str> {
    match variant["properties"][tag]["enum"].as_array()?.as_slice() {
        [value] => value.as_str(),
        _ => None,
    }
}

fn keep_common_required(schema: &mut Value, other: &Value) {
    let required = other["required"].as_array();
    let Some(Value::Array(fields)) = schema.get_mut("required") else { return };
    fields.retain(|field| required.is_some_and(|required| required.contains(field)));
    if fields.is_empty()
        && let Some(keywords) = schema.as_object_mut()
    {
        keywords.remove("required");
    }
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    })
}

/// Rewrites a schema as the document has them, from the inside out.
fn tidy(schema: &mut Schema) {
    transform_subschemas(&mut tidy, schema);
    tidy_itself(schema);
}

/// The same; a field that may be left out of an answer is never null in it.
fn tidy_written(schema: &mut Schema) {
    transform_subschemas(&mut tidy_written, schema);
    tidy_itself(schema);
    let Some(fields) = schema.as_object_mut() else { return };
    let required = fields.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|all| all.contains(&json!(name)));
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
            *property = not_null(property.take());
        }
    }
}

fn tidy_itself(schema: &mut Schema) {
    let Some(fields) = schema.as_object_mut() else { return };
    if let Some(Value::String(words)) = fields.get_mut("description") {
        *words = first_paragraph(words);
    }
    if fields.get("format").is_some_and(|format| !FORMATS.iter().any(|known| format == known)) {
        fields.remove("format");
    }
    // Generators of clients take a field with a default for one that is always there.
    fields.remove("default");
    if let Some(value) = fields.remove("const") {
        fields.insert("enum".to_owned(), json!([value]));
    }
    name_choices(fields);
    merge_null(fields);
    match fields.get("additionalProperties") {
        Some(Value::Bool(true)) => {
            fields.remove("additionalProperties");
        }
        None if fields.contains_key("properties") => {
            fields.insert("additionalProperties".to_owned(), json!(false));
        }
        _ => {}
    }
}

/// What a doc comment says to callers of the API.
fn first_paragraph(words: &str) -> String {
    let paragraph = words.split("\n\n").next().unwrap_or_default();
    paragraph.replace('\n', " ").replace("`None`", "`null`")
}

/// Names the variants of an enum as its values, and says what each means in a list.
fn name_choices(fields: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = fields.get("oneOf") else { return };
    let mut names = Vec::new();
    let mut lines = Vec::new();
    for choice in choices {
        let (Some([name]), Some(words)) =
            (choice["enum"].as_array().map(Vec::as_slice), choice["description"].as_str())
        else {
            return;
        };
        lines.push(format!("- `{}`: {words}", name.as_str().unwrap_or_default()));
        names.push(name.clone());
    }
    let words = fields.get("description").and_then(Value::as_str).unwrap_or_default();
    let words = format!("{words}\n\n{}", lines.join("\n"));
    fields.remove("oneOf");
    let choices = json!({"type": "string", "enum": names, "description": words.trim_start()});
    fields.extend(choices.as_object().cloned().unwrap_or_default());
}

/// Writes "this type or null" as one schema; a reference stays beside null.
fn merge_null(fields: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = fields.get("anyOf") else { return };
    let [Value::Object(choice), null] = choices.as_slice() else { return };
    let Some(kind) = choice.get("type").filter(|_| *null == json!({"type": "null"})) else {
        return;
    };
    let mut merged = choice.clone();
    merged.insert("type".to_owned(), json!([kind, "null"]));
    if let Some(Value::Array(values)) = merged.get_mut("enum") {
        values.push(Value::Null);
    }
    // What the values mean stays, below the words of the field.
    let meanings = merged.get("description").and_then(Value::as_str);
    let meanings = meanings.and_then(|words| Some(words.split_once("\n\n")?.1.to_owned()));
    fields.remove("anyOf");
    merged.append(fields);
    if let (Some(meanings), Some(Value::String(words))) = (meanings, merged.get_mut("description"))
        && !words.contains(&meanings)
    {
        words.push_str(&format!("\n\n{meanings}"));
    }
    *fields = merged;
}

/// The same without null.
fn not_null(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    if let Some(Value::Array(kinds)) = fields.get("type")
        && let [kind, Value::String(null)] = kinds.as_slice()
        && null == "null"
    {
        let kind = kind.clone();
        fields.insert("type".to_owned(), kind);
    }
    if let Some(Value::Array(values)) = fields.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = fields.get("anyOf")
        && let [Value::Object(choice), null] = choices.as_slice()
        && *null == json!({"type": "null"})
    {
        let mut choice = choice.clone();
        fields.remove("anyOf");
        choice.append(&mut fields);
        fields = choice;
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use scheduler_core::app::{AccountChoice, CheckReport, CompleteInput};
    use scheduler_core::error::ErrorBody;
    use scheduler_core::platform::Disclosure;
    use scheduler_core::post::PostView;

    use super::*;

    type Derive = fn(&mut Components) -> Value;

    fn part(components: Components, name: &str, pointer: &str) -> Value {
        components.0[name].pointer(pointer).cloned().unwrap_or_default()
    }

    #[test]
    fn fields_are_as_their_types_say() {
        let cases: [(&str, Derive, &str, &str, Value); 8] = [
            (
                "required, though the type has a default",
                read::<AccountChoice>,
                "AccountChoice",
                "/required",
                json!(["accountId"]),
            ),
            (
                "bounds",
                read::<CompleteInput>,
                "UploadedParts",
                "/properties/parts/maxItems",
                json!(1_000),
            ),
            (
                "null in an answer",
                written::<PostView>,
                "Post",
                "/properties/linkUrl/type",
                json!(["string", "null"]),
            ),
            (
                "left out of an answer, never null",
                written::<ErrorBody>,
                "Error",
                "/properties/error/properties/limit/type",
                json!("integer"),
            ),
            (
                "a reference that is left out",
                written::<CheckReport>,
                "ValidationIssue",
                "/properties/platform/$ref",
                json!("#/components/schemas/Platform"),
            ),
            (
                "values, and null",
                written::<PostView>,
                "Post",
                "/properties/approvalState/enum",
                json!(["pending", "approved", "changes", null]),
            ),
            (
                "words of a field, then of its values",
                written::<PostView>,
                "Post",
                "/properties/approvalState/description",
                json!(
                    "What was said of it by those whose approval it needs, a client or the team; `null` when it needs none.\n\n- `pending`: Not answered yet.\n- `approved`: May go out.\n- `changes`: Wants changes."
                ),
            ),
            (
                "no further fields",
                written::<PostView>,
                "Post",
                "/additionalProperties",
                json!(false),
            ),
        ];
        for (name, derive, schema, pointer, want) in cases {
            let mut components = Components::default();
            derive(&mut components);
            assert_eq!(part(components, schema, pointer), want, "{name}");
        }
    }

    #[test]
    fn what_a_request_may_leave_out_is_not_required_by_the_schema_that_it_shares_with_answers() {
        let orders: [(&str, [Derive; 2]); 2] = [
            ("read first", [read::<Disclosure>, written::<Disclosure>]),
            ("written first", [written::<Disclosure>, read::<Disclosure>]),
        ];
        for (name, derive) in orders {
            let mut alone = Components::default();
            derive[0](&mut alone);
            let mut other = Components::default();
            derive[1](&mut other);
            let mut both = Components::default();
            for derive in derive {
                derive(&mut both);
            }
            assert_eq!(part(both, "Disclosure", "/required"), Value::Null, "{name}");
            alone.extend(other);
            assert_eq!(part(alone, "Disclosure", "/required"), Value::Null, "{name}, extended");
        }
    }
}
