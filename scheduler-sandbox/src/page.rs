//! The page at `/`: what is live now, for people.

use std::fmt::Write;

use http::StatusCode;

use crate::answer::Answer;
use crate::network::LivePost;
use crate::outside::timestamp;
use crate::state::State;

/// Posts that are shown of each network.
const SHOWN_POSTS: usize = 200;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2330;--soft:#667085;--line:#dfe3ea;--page:#f4f6f9;--card:#fff;--accent:#2459d6}\
@media(prefers-color-scheme:dark){:root{--ink:#e7eaf0;--soft:#98a2b3;--line:#2d3442;--page:#12161d;--card:#1a202a;--accent:#8db1ff}}\
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\
main{max-width:44rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:1.5rem;margin:0}\
h2{font-size:1.05rem;margin:2.5rem 0 .75rem;text-transform:capitalize}h2 span,.lead,.none,time,.by span{color:var(--soft);font-weight:400}\
.lead{margin:.25rem 0 0}article{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.9rem 1.1rem;margin:0 0 .75rem}\
article:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}\
.by{display:flex;justify-content:space-between;gap:1rem;margin:0 0 .35rem;font-weight:600}time{font-weight:400;font-size:.875rem;white-space:nowrap}\
.text{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}a{color:var(--accent)}\
.more,code{font-size:.8rem;color:var(--soft);overflow-wrap:anywhere}.more{margin:.5rem 0 0}ul{margin:.6rem 0 0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.4rem}\
li{border:1px solid var(--line);border-radius:.4rem;padding:.1rem .5rem;font-size:.8rem;color:var(--soft)}";

/// Builds the page.
pub(crate) fn show(state: &State) -> Answer {
    let mut sections = String::new();
    let mut total = 0;
    for hosted in &state.networks {
        let mut posts = hosted.network.posts();
        posts.retain(|post| !post.is_deleted);
        total += posts.len();
        section(&mut sections, hosted.network.name(), &posts);
    }
    let count = if total == 1 { "1 post is".to_owned() } else { format!("{total} posts are") };
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>Sandbox networks</title><style>{STYLE}</style></head><body><main>\
         <h1>Sandbox networks</h1><p class=\"lead\">{count} live now. Nothing here has left this \
         machine.</p>{sections}</main></body></html>\n"
    );
    Answer::html(StatusCode::OK, html)
}

fn section(out: &mut String, name: &str, posts: &[LivePost]) {
    let count = match posts.len() {
        0 => "nothing yet".to_owned(),
        count if count > SHOWN_POSTS => format!("newest {SHOWN_POSTS} of {count}"),
        count => count.to_string(),
    };
    push(out, format_args!("<section><h2>{} <span>{count}</span></h2>", escape(name)));
    for post in posts.iter().rev().take(SHOWN_POSTS) {
        article(out, post);
    }
    out.push_str("</section>");
}

fn article(out: &mut String, post: &LivePost) {
    let time = timestamp(post.created_at);
    push(
        out,
        format_args!(
            "<article id=\"{}\"><p class=\"by\">{}<time datetime=\"{time}\">{}</time></p>\
             <p class=\"text\">{}</p>",
            anchor(post.platform, &post.remote_id),
            escape(&post.author),
            post.created_at.format("%-d %B %Y, %H:%M:%S UTC"),
            escape(&post.text),
        ),
    );
    if !post.media.is_empty() {
        out.push_str("<ul>");
        for file in &post.media {
            push(out, format_args!("<li>{} · {} bytes</li>", escape(&file.media_type), file.bytes));
        }
        out.push_str("</ul>");
    }
    if let Some(parent) = &post.reply_to {
        push(
            out,
            format_args!(
                "<p class=\"more\">Reply to <a href=\"#{}\">{}</a></p>",
                anchor(post.platform, parent),
                escape(parent),
            ),
        );
    }
    push(out, format_args!("<p class=\"more\">{}</p></article>", escape(&post.remote_id)));
}

/// Returns the place of a post on the page; safe in an attribute.
pub(crate) fn anchor(platform: &str, remote_id: &str) -> String {
    let id: String = remote_id
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    format!("{platform}-{id}")
}

/// Writes text so that a browser shows it as it is, in content and in quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Appends formatted text; writing to a string cannot fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(text);
    debug_assert!(written.is_ok());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_shown_and_never_run() {
        assert_eq!(escape("<b a='1'>&\"x\""), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;x&quot;");
        assert_eq!(anchor("bluesky", "at://did:plc:a/\"><b"), "bluesky-at---did-plc-a----b");
    }
}
