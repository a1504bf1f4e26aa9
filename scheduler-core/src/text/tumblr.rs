//! The text blocks of a Tumblr post, with its links marked, and the addresses of posts.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;
use url::Url;

use super::count::code_points;
use super::entities;
use crate::platform::tumblr::{BLOCK_LENGTH_LIMIT, LINK_LIMIT};

/// A post on Tumblr, by its blog and its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostAddress {
    /// The name of the blog, or the host that it is reached at.
    pub blog: String,
    /// The number of the post, in digits.
    pub id: String,
}

/// The post that an address names: its page on the dashboard, at `www.tumblr.com`, or on its blog,
/// at `NAME.tumblr.com` or a domain of the blog's own.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Blog Identifiers" and "Post Identifiers".
///
/// ```
/// use scheduler_core::text::tumblr::post_address;
/// let post = post_address("https://www.tumblr.com/staff/7612345/a-day").unwrap();
/// assert_eq!((&*post.blog, &*post.id), ("staff", "7612345"));
/// assert_eq!(post_address("https://staff.tumblr.com/tagged/art"), None);
/// ```
#[must_use]
pub fn post_address(text: &str) -> Option<PostAddress> {
    let url = Url::parse(text.trim()).ok()?;
    let host = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https"))?;
    let parts: Vec<&str> = url.path_segments()?.filter(|part| !part.is_empty()).collect();
    let (blog, id) = match (host, parts.as_slice()) {
        ("www.tumblr.com" | "tumblr.com", ["blog", "view", blog, id, ..] | [blog, id, ..]) => {
            (*blog, *id)
        }
        ("www.tumblr.com" | "tumblr.com", _) => return None,
        (host, ["post", id, ..]) => (host, *id),
        _ => return None,
    };
    // Numbers of posts have 64 bits.
    let is_id = id.bytes().all(|byte| byte.is_ascii_digit()) && id.parse::<u64>().is_ok();
    let is_blog =
        blog.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    (is_id && is_blog).then(|| PostAddress { blog: blog.to_owned(), id: id.to_owned() })
}

/// One text block of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextBlock {
    /// The text: at most [`BLOCK_LENGTH_LIMIT`] code points, never blank.
    pub text: String,
    /// The links in it, in order.
    pub links: Vec<LinkRange>,
}

/// A stretch of a block that leads somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRange {
    /// Code points of the block's text, the end not included.
    pub code_points: Range<usize>,
    /// Where it leads: the stretch itself.
    pub url: String,
}

/// Splits a text into blocks.
///
/// Blank lines part the text into paragraphs, and each paragraph is a block. A paragraph that is
/// too long is cut at the last white space that leaves a block within the limit, which is then
/// dropped; without any, between two grapheme clusters. The first [`LINK_LIMIT`] links of the post
/// are marked; a link that is cut is not.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Text Block Inline Formatting" and
/// "Post Content Limits".
///
/// ```
/// use scheduler_core::text::tumblr::blocks;
/// let blocks = blocks("One\n\nTwo https://example.com/");
/// assert_eq!(blocks.len(), 2);
/// assert_eq!(blocks[1].links[0].code_points, 4..24);
/// ```
#[must_use]
pub fn blocks(text: &str) -> Vec<TextBlock> {
    let mut blocks = Vec::new();
    let mut links_left = limit(LINK_LIMIT);
    for paragraph in paragraphs(text) {
        let mut links =
            if links_left > 0 { web_links(paragraph) } else { Vec::new() }.into_iter().peekable();
        for piece in pieces(paragraph) {
            let block = &paragraph[piece.clone()];
            let mut marked = Vec::new();
            while let Some(link) = links.next_if(|link| link.start < piece.end) {
                if links_left == 0 || link.start < piece.start || link.end > piece.end {
                    continue;
                }
                links_left -= 1;
                let url = &paragraph[link.clone()];
                let start = code_points(&block[..link.start - piece.start]);
                marked.push(LinkRange {
                    code_points: start..start + code_points(url),
                    url: url.to_owned(),
                });
            }
            blocks.push(TextBlock { text: block.to_owned(), links: marked });
        }
    }
    blocks
}

/// Counts the blocks of a text, as [`blocks`] splits it.
#[must_use]
pub fn block_count(text: &str) -> usize {
    blocks_of_paragraphs(text).into_iter().sum()
}

/// Counts the blocks of each paragraph of a text, as [`blocks`] splits it.
#[must_use]
pub fn blocks_of_paragraphs(text: &str) -> Vec<usize> {
    paragraphs(text).map(|paragraph| pieces(paragraph).len()).collect()
}

/// Counts the http and https links of a text, each as often as it stands there.
#[must_use]
pub fn link_count(text: &str) -> usize {
    web_links(text).len()
}

/// The paragraphs of a text, none of them blank.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n")
        .map(|paragraph| paragraph.trim_matches('\n'))
        .filter(|paragraph| !paragraph.trim().is_empty())
}

fn web_links(text: &str) -> Vec<Range<usize>> {
    let mut links = entities::links(text);
    links.retain(|link| text.as_bytes()[link.start].eq_ignore_ascii_case(&b'h'));
    links
}

/// The blocks of a paragraph, as ranges of its bytes.
fn pieces(paragraph: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    loop {
        let rest = &paragraph[start..];
        let Some((head_length, next)) = rest.char_indices().nth(limit(BLOCK_LENGTH_LIMIT)) else {
            if !rest.trim().is_empty() {
                pieces.push(start..paragraph.len());
            }
            return pieces;
        };
        let head = &rest[..head_length];
        let blank = head.len() - head.trim_start().len();
        let cut = if next.is_whitespace() {
            head_length
        } else {
            head.rfind(char::is_whitespace)
                .filter(|at| *at >= blank)
                .unwrap_or_else(|| cluster_start(rest, head_length))
        };
        let piece = rest[..cut].trim_end();
        if !piece.is_empty() {
            pieces.push(start..start + piece.len());
        }
        start += cut;
        let rest = &paragraph[start..];
        start += rest.len() - rest.trim_start().len();
    }
}

/// The start of the grapheme cluster that holds byte `at`; `at` itself in a cluster that fills a
/// block.
fn cluster_start(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0) != Ok(false) {
        return at;
    }
    cursor.prev_boundary(text, 0).ok().flatten().filter(|start| *start > 0).unwrap_or(at)
}

fn limit(figure: u32) -> usize {
    usize::try_from(figure).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lengths(text: &str) -> Vec<usize> {
        blocks(text).iter().map(|block| code_points(&block.text)).collect()
    }

    #[test]
    fn addresses_of_posts() {
        for (text, want) in [
            ("https://www.tumblr.com/staff/123", Some(("staff", "123"))),
            ("https://www.tumblr.com/staff/123/a-day?source=share", Some(("staff", "123"))),
            ("https://tumblr.com/blog/view/staff/123", Some(("staff", "123"))),
            ("https://staff.tumblr.com/post/123/a-day", Some(("staff.tumblr.com", "123"))),
            (" http://blog.example/post/123 ", Some(("blog.example", "123"))),
            ("https://www.tumblr.com/staff", None),
            ("https://www.tumblr.com/tagged/art", None),
            ("https://staff.tumblr.com/123", None),
            ("https://www.tumblr.com/staff/-1", None),
            ("https://www.tumblr.com/staff/18446744073709551616", None),
            ("https://www.tumblr.com/st_aff/1", None),
            ("ftp://blog.example/post/123", None),
            ("staff/123", None),
            ("", None),
        ] {
            let found = post_address(text);
            let found = found.as_ref().map(|post| (post.blog.as_str(), post.id.as_str()));
            assert_eq!(found, want, "{text}");
        }
    }

    #[test]
    fn paragraphs_and_long_ones() {
        let long = |count: usize| "a".repeat(count);
        let family = "👨‍👨‍👦";
        for (name, text, want) in [
            ("one", "one".to_owned(), vec![3]),
            ("a line feed stays", "one\ntwo".to_owned(), vec![7]),
            ("a blank line", "one\n\ntwo".to_owned(), vec![3, 3]),
            ("three line feeds", "one\n\n\ntwo".to_owned(), vec![3, 3]),
            ("line feeds around", "\n\n\none\n\n\n".to_owned(), vec![3]),
            ("a blank paragraph", "one\n\n \n\ntwo".to_owned(), vec![3, 3]),
            ("nothing", " \n\n ".to_owned(), vec![]),
            ("at the limit", long(4096), vec![4096]),
            ("one over", long(4097), vec![4096, 1]),
            ("wide at the limit", "😻".repeat(4096), vec![4096]),
            ("cut at a space", format!("{} {}", long(4000), long(200)), vec![4000, 200]),
            ("cut at the last space", format!("{} b {}", long(4000), long(200)), vec![4002, 200]),
            ("a space right after", format!("{} b", long(4096)), vec![4096, 1]),
            ("a space at the limit", format!("{} {}", long(4095), long(9)), vec![4095, 9]),
            ("spaces at the cut", format!("{}   {}", long(4094), long(9)), vec![4094, 9]),
            ("spaces at the start", format!("  {}", long(4097)), vec![4096, 3]),
            ("only spaces at the start", format!("{}b", " ".repeat(5000)), vec![1]),
            ("spaces at the end", format!("b{}", " ".repeat(5000)), vec![1]),
            ("no cut inside a family", family.repeat(820), vec![4095, 5]),
            ("a cluster over the limit", format!("a{}", "\u{301}".repeat(4999)), vec![4096, 904]),
        ] {
            assert_eq!(lengths(&text), want, "{name}");
            assert_eq!(block_count(&text), want.len(), "{name}");
        }
    }

    fn marked(text: &str) -> Vec<Vec<(usize, usize, String)>> {
        blocks(text)
            .into_iter()
            .map(|block| {
                let shown =
                    |link: LinkRange| (link.code_points.start, link.code_points.end, link.url);
                block.links.into_iter().map(shown).collect()
            })
            .collect()
    }

    #[test]
    fn links_are_marked_in_code_points_of_their_block() {
        let link = "https://a.example/x";
        let at = |start: usize| (start, start + 19, link.to_owned());
        for (name, text, want) in [
            ("alone", link.to_owned(), vec![vec![at(0)]]),
            ("after an emoji", format!("👋 see {link}."), vec![vec![at(6)]]),
            ("two", format!("{link} {link}"), vec![vec![at(0), at(20)]]),
            ("in two blocks", format!("é {link}\n\nb {link}"), vec![vec![at(2)], vec![at(2)]]),
            ("without scheme", "www.a.example".to_owned(), vec![vec![]]),
            ("after a cut", format!("{} {link} b", "a".repeat(4090)), vec![vec![], vec![at(0)]]),
            ("cut in two", format!("{}({link}", "a".repeat(4090)), vec![vec![], vec![]]),
        ] {
            assert_eq!(marked(&text), want, "{name}");
        }
    }

    #[test]
    fn the_first_hundred_links_of_a_post_are_marked() {
        let text = "https://a.example\n\n".repeat(101);
        let marked: Vec<usize> = blocks(&text).iter().map(|block| block.links.len()).collect();
        assert_eq!((marked.len(), marked.iter().sum::<usize>()), (101, 100));
        assert_eq!(marked.last(), Some(&0));
        assert_eq!(link_count(&text), 101);
    }

    fn visible(text: &str) -> String {
        text.chars().filter(|character| !character.is_whitespace()).collect()
    }

    proptest! {
        #[test]
        fn blocks_hold_every_visible_character_in_order(
            parts in prop::collection::vec(
                ("(a|é|👨\u{200d}👨\u{200d}👦|\u{301}| |\n|\n\n|\u{a0}|https://a\\.b/c ){1,12}", 1_usize..900),
                0..5,
            )
        ) {
            let text: String = parts.iter().map(|(seed, times)| seed.repeat(*times)).collect();
            let blocks = blocks(&text);
            let joined: String = blocks.iter().map(|block| block.text.as_str()).collect();
            prop_assert_eq!(visible(&joined), visible(&text));
            prop_assert_eq!(blocks.len(), block_count(&text));
            let mut marked = 0;
            for TextBlock { text, links } in &blocks {
                let characters: Vec<char> = text.chars().collect();
                prop_assert!(characters.len() <= 4096 && !text.trim().is_empty());
                let mut end = 0;
                for LinkRange { code_points, url } in links {
                    prop_assert!(code_points.start >= end);
                    let stretch: String = characters[code_points.clone()].iter().collect();
                    prop_assert_eq!(&stretch, url);
                    end = code_points.end;
                }
                marked += links.len();
            }
            prop_assert!(marked <= 100);
        }
    }
}
