//! Subtitles in the form that a network takes: SubRip or WebVTT.
//!
//! Source: <https://www.w3.org/TR/webvtt1/>; of SubRip, <https://www.loc.gov/preservation/digital/formats/fdd/fdd000569.shtml>.

/// The form of subtitles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// SubRip: numbered cues, with a comma before the milliseconds.
    Srt,
    /// WebVTT: a heading, and cues with a full stop before the milliseconds.
    Vtt,
}

/// Writes subtitles in a form; those that are in it already come back with their lines alone changed
/// to line feeds.
///
/// Of WebVTT, comments, styles, regions and the settings of cues are left out, which SubRip does
/// not know.
///
/// ```
/// use scheduler_core::text::subtitles::{Form, written};
/// let srt = "1\n00:00:00,500 --> 00:00:02,000\nHello\n";
/// let vtt = written(srt, Form::Vtt);
/// assert_eq!(vtt, "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nHello\n");
/// assert_eq!(written(&vtt, Form::Srt), srt);
/// ```
#[must_use]
pub fn written(content: &str, form: Form) -> String {
    let content = content.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let is_vtt = content.starts_with("WEBVTT");
    if is_vtt == (form == Form::Vtt) {
        return content;
    }
    let cues = content.split("\n\n").filter_map(Cue::read);
    match form {
        Form::Vtt => cues.fold("WEBVTT\n".to_owned(), |vtt, Cue { begin, end, text }| {
            format!("{vtt}\n{} --> {}\n{text}\n", begin.replace(',', "."), end.replace(',', "."))
        }),
        Form::Srt => {
            let cues = cues.zip(1_u32..).map(|(Cue { begin, end, text }, number)| {
                format!("{number}\n{} --> {}\n{text}\n", of_srt(begin), of_srt(end))
            });
            cues.collect::<Vec<_>>().join("\n")
        }
    }
}

/// The locale of a language tag with a country, such as `en_US` of `en-US`; `None` without one.
///
/// Source: <https://developers.facebook.com/docs/graph-api/reference/video/captions/>.
///
/// ```
/// use scheduler_core::text::subtitles::locale;
/// assert_eq!(locale("pt-br").as_deref(), Some("pt_BR"));
/// assert_eq!(locale("de"), None);
/// ```
#[must_use]
pub fn locale(language: &str) -> Option<String> {
    let (language, country) = language.split_once('-')?;
    let is_letters = |text: &str, length: &[usize]| {
        length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_locale = is_letters(language, &[2, 3]) && is_letters(country, &[2]);
    is_locale.then(|| format!("{}_{}", language.to_lowercase(), country.to_uppercase()))
}

/// A stretch of time and what is shown in it.
struct Cue<'a> {
    begin: &'a str,
    end: &'a str,
    text: &'a str,
}

impl<'a> Cue<'a> {
    /// Reads a paragraph; `None` for one that is no cue.
    fn read(paragraph: &'a str) -> Option<Self> {
        let paragraph = paragraph.trim_matches('\n');
        let (before, rest) = paragraph.split_once("-->")?;
        let begin = before.lines().next_back()?.trim();
        let (end, text) = rest.split_once('\n').unwrap_or((rest, ""));
        // What follows the time is where a cue stands.
        let end = end.split_whitespace().next()?;
        Some(Self { begin, end, text })
    }
}

/// A time of WebVTT as SubRip writes it, which leaves no hours out.
fn of_srt(time: &str) -> String {
    let time = time.replace('.', ",");
    match time.matches(':').count() {
        1 => format!("00:{time}"),
        _ => time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_keep_their_times_and_texts() {
        let srt = "1\r\n00:00:01,000 --> 00:00:02,500\r\nOne\r\ntwo, three\r\n\r\n2\r\n01:00:00,000 --> 01:00:01,000\r\nEnd\r\n";
        let vtt = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nOne\ntwo, three\n\n01:00:00.000 --> 01:00:01.000\nEnd\n";
        assert_eq!(written(srt, Form::Vtt), vtt);
        assert_eq!(written(vtt, Form::Srt), srt.replace("\r\n", "\n"));
        assert_eq!(written(srt, Form::Srt), srt.replace("\r\n", "\n"));
        assert_eq!(written(vtt, Form::Vtt), vtt);
    }

    #[test]
    fn what_subrip_does_not_know_is_left_out() {
        let vtt = "WEBVTT - a title\n\nNOTE a comment\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000 align:start line:0\nHi\n";
        assert_eq!(written(vtt, Form::Srt), "1\n00:00:01,000 --> 00:00:02,000\nHi\n");
    }

    #[test]
    fn a_mark_of_the_order_of_bytes_is_no_text() {
        let srt = "\u{feff}1\n00:00:01,000 --> 00:00:02,000\nHi\n";
        assert!(written(srt, Form::Vtt).starts_with("WEBVTT\n\n00:00:01.000"));
    }
}
