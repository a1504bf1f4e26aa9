//! The posts, by theme.

mod accounts;
mod alt_texts;
mod characters;
mod disclosures;
mod file_bytes;
mod file_counts;
mod file_shapes;
mod file_times;
mod file_types;
mod files_of_x;
mod lengths;
mod link_cards;
mod link_field;
mod links;
mod options;
mod options_further;
mod options_of_messages;
mod options_of_videos;
mod parts;
mod tags;
mod target_files;

use crate::case::Case;

/// Posts of one theme, whose answers stand in one file.
pub(crate) struct Theme {
    /// The name of the file.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) cases: Vec<Case>,
}

/// Every theme.
pub(crate) fn themes() -> Vec<Theme> {
    [
        ("lengths", "Texts at the limit and one over", lengths::cases()),
        ("characters", "Characters that are counted differently", characters::cases()),
        ("links", "Links in the text", links::cases()),
        ("link_field", "Links in their own field", link_field::cases()),
        ("link_cards", "Cards of links", link_cards::cases()),
        ("tags", "Hashtags, mentions, cashtags", tags::cases()),
        ("parts", "Threads, polls, content warnings", parts::cases()),
        ("file_counts", "How many files, and which together", file_counts::cases()),
        ("file_types", "Types, codecs and animations", file_types::cases()),
        ("file_bytes", "Sizes of files", file_bytes::cases()),
        ("file_times", "Durations, frame rates and bit rates", file_times::cases()),
        ("file_shapes", "Pixels and ratios", file_shapes::cases()),
        ("alt_texts", "Alternative texts", alt_texts::cases()),
        ("options", "Options", options::cases()),
        (
            "options_of_messages",
            "Options of Telegram, Discord and Pinterest",
            options_of_messages::cases(),
        ),
        (
            "options_of_videos",
            "Options of YouTube, TikTok and Instagram",
            options_of_videos::cases(),
        ),
        (
            "options_further",
            "Options of layout, targeting, covers, subtitles, quotes and attached texts",
            options_further::cases(),
        ),
        ("disclosures", "What posts disclose", disclosures::cases()),
        ("files_of_x", "Files on X", files_of_x::cases()),
        ("target_files", "Files of one target, and words about them", target_files::cases()),
        ("accounts", "Limits of accounts and plans", accounts::cases()),
    ]
    .into_iter()
    .map(|(name, title, cases)| Theme { name, title, cases })
    .collect()
}
