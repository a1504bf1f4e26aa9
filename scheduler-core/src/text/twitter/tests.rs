//! Links and finds of single texts, and what must hold of every text.

use proptest::prelude::*;

use super::*;

#[test]
fn spellings_of_one_sign() {
    assert_eq!((length("™"), length("™\u{fe0f}")), (2, 2));
    assert_eq!((length("a\r\nb"), length("a\nb")), (4, 3));
}

/// Source: run through twitter-text 3.1.0.
#[test]
fn links_and_their_ends() {
    for (name, text, want) in [
        ("a bare domain", "see example.com now", vec!["example.com"]),
        ("the shortest", "t.co", vec!["t.co"]),
        ("only a country", "it.co it.jp", vec!["it.co", "it.jp"]),
        ("an unknown end", "a.notatld http://a.invalid", vec![]),
        ("upper case", "HTTPS://EXAMPLE.COM/A", vec!["HTTPS://EXAMPLE.COM/A"]),
        ("another scheme", "ftp://example.com/a", vec![]),
        ("a full stop after", "See https://example.com.", vec!["https://example.com"]),
        ("a sentence after", "Go to example.com. Now.", vec!["example.com"]),
        ("no space after", "example.com.Then", vec!["example.com"]),
        ("after an at sign", "@example.com me@example.com", vec![]),
        ("after a dollar and a number sign", "$example.com #example.com", vec![]),
        ("a wide at sign is part of the word", "＠example.com", vec!["example.com"]),
        ("after a hyphen", "-example.com", vec![]),
        ("after an underscore", "_example.com", vec![]),
        ("after a full stop", ".example.com", vec![]),
        ("after a slash", "/example.com", vec![]),
        ("a scheme after a slash", "/https://example.com", vec!["https://example.com"]),
        ("a scheme after a letter", "xhttps://example.com", vec![]),
        ("after a quotation mark", "\"example.com\"", vec!["example.com"]),
        ("in brackets", "(https://example.com/a)", vec!["https://example.com/a"]),
        ("brackets in it", "https://a.com/a_(b(c))d)", vec!["https://a.com/a_(b(c))d"]),
        ("an open bracket", "https://a.com/a(b", vec!["https://a.com/a"]),
        ("too many brackets", "https://a.com/a(b(c(d)))", vec!["https://a.com/a"]),
        ("brackets behind punctuation", "https://e.com/a!(a)", vec!["https://e.com/a"]),
        ("brackets behind a dot alone", "https://e.com/.(a)", vec!["https://e.com/"]),
        ("behind punctuation, and more", "https://e.com/!(a)b", vec!["https://e.com/!(a)b"]),
        ("brackets behind brackets", "https://e.com/a(b)(c)!(d)", vec!["https://e.com/a(b)(c)"]),
        ("an article", "https://e.com/X,_(Y)", vec!["https://e.com/X,_(Y)"]),
        ("a bare domain and brackets", "o.uk/[(C)", vec!["o.uk/"]),
        ("no query behind them", "https://e.com/a!(a)?q=1", vec!["https://e.com/a"]),
        ("punctuation after a path", "https://a.com/a!?,", vec!["https://a.com/a"]),
        ("a hyphen after a path", "https://a.com/a-", vec!["https://a.com/a-"]),
        ("accents in a path", "https://a.com/é/д.", vec!["https://a.com/é/д"]),
        ("kana in a path", "https://a.com/の", vec!["https://a.com/"]),
        ("a query", "https://a.com?q=1&r.", vec!["https://a.com?q=1&r"]),
        ("a bare domain loses its query", "a.com?q=b.com", vec!["a.com"]),
        ("a bare domain keeps it after a path", "a.com/?q=b.com", vec!["a.com/?q=b.com"]),
        ("a port", "https://a.com:80/a b.com:80", vec!["https://a.com:80/a", "b.com"]),
        ("a domain of kana", "の.com", vec![]),
        ("with a scheme", "https://例え.みんな/a", vec!["https://例え.みんな/a"]),
        ("Cyrillic in capitals", "http://ПРИМЕР.РФ", vec!["http://ПРИМЕР.РФ"]),
        ("kana around", "これexample.comです", vec!["example.com"]),
        ("an emoji before", "😀example.com", vec!["example.com"]),
        ("an emoji before a full stop", "@x😀.a.com", vec!["a.com"]),
        ("accents in the domain", "x éa.com", vec!["éa.com"]),
        ("an accent at the start", "éa.com", vec!["a.com"]),
        ("two in one", "a.comの.b.com/c", vec!["a.com", "b.com/c"]),
        ("letters after the end", "a.comma", vec![]),
        ("an underscore after", "a.com_b.org", vec!["a.com"]),
        ("an underscore in the name", "https://a_b.com", vec![]),
        ("in a part before it", "https://a_b.c.com", vec!["https://a_b.c.com"]),
        ("an address", "https://a.com@b", vec![]),
        ("an encoded end", "a.xn--p1ai/x", vec!["a.xn--p1ai/x"]),
        ("onion", "a.onion", vec!["a.onion"]),
        ("two full stops", "a..b.com", vec![]),
        ("two in a row", "a.com,b.com", vec!["a.com", "b.com"]),
        (
            "own short links",
            "https://t.co/ab/c http://t.co/d?e",
            vec!["https://t.co/ab", "http://t.co/d?e"],
        ),
        ("a short link by itself", "t.co/ab/c", vec!["t.co/ab/c"]),
        ("a scheme after a word", "foo.https://a.com", vec!["https://a.com"]),
    ] {
        let found: Vec<&str> = links(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn lengths_of_links() {
    let label = |length: usize| "a".repeat(length);
    for (name, text, want) in [
        ("a label of 63", format!("https://{}.com", label(63)), 1),
        ("a label of 64", format!("https://{}.com", label(64)), 0),
        ("an encoded label of 63", format!("https://{}.com", "の".repeat(57)), 1),
        ("an encoded label of 64", format!("https://{}.com", "の".repeat(58)), 0),
        ("4096 units", format!("https://a.com/{}", "p".repeat(4096 - 8 - 14)), 1),
        ("4097 units", format!("https://a.com/{}", "p".repeat(4097 - 8 - 14)), 0),
        ("a name of 40", format!("https://t.co/{}", "a".repeat(40)), 1),
        ("a name of 41", format!("https://t.co/{}", "a".repeat(41)), 0),
    ] {
        assert_eq!(links(&text).len(), want, "{name}");
    }
}

/// Source: run through twitter-text 3.1.0, but for names of 16 to 20 characters.
#[test]
fn mentions_of_texts() {
    for (name, text, want) in [
        ("a mention", "hi @bob_1!", vec!["@bob_1"]),
        ("a wide sign", "＠bob", vec!["＠bob"]),
        ("15 characters", "@abcdefghijklmno", vec!["@abcdefghijklmno"]),
        ("16 characters", "@abcdefghijklmnop", vec![]),
        ("an address", "me@example.com", vec![]),
        ("a repeated post", "RT@bob aRT@bob", vec!["@bob"]),
        ("two signs", "@a@b @@c", vec![]),
        ("an accent after", "@bobé", vec![]),
        ("a scheme", "@http://x", vec![]),
        ("a list", "@bob/list @bob/1", vec!["@bob"]),
        ("a mention in a link", "a.com/@bob/ @b", vec!["@b"]),
        ("kana around", "の@bobの", vec!["@bob"]),
    ] {
        let found: Vec<&str> = mentions(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn hashtags_of_texts() {
    for (name, text, want) in [
        ("a hashtag", "#a (#b_1)", vec!["#a", "#b_1"]),
        ("any script", "＃全角 #タグ", vec!["＃全角", "#タグ"]),
        ("digits only", "#1 #1a", vec!["#1a"]),
        ("after a word", "a#b &#c", vec![]),
        ("a keycap", "#\u{fe0f}\u{20e3}a", vec![]),
        ("two in one", "#a#b", vec![]),
        ("a hashtag in a link", "https://a.com/#b", vec![]),
    ] {
        let found: Vec<&str> = hashtags(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn cashtags_of_texts() {
    for (name, text, want) in [
        ("cashtags", "$A $b, $C.", vec!["$A", "$b", "$C"]),
        ("two parts", "$A.BC $A.BCD $A_B", vec!["$A.BC", "$A", "$A_B"]),
        ("no cashtags", "$ABCDEFG $1 US$A ($A) $A$B $A\"", vec!["$A"]),
        ("letters right after", "$Aの $Aé", vec![]),
    ] {
        let found: Vec<&str> = cashtags(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, want, "{name}");
    }
}

/// The weights once more, as ranges to look up.
fn plain_weight(character: char) -> usize {
    let light = [(0, 4351), (8192, 8205), (8208, 8223), (8242, 8247)];
    let code = u32::from(character);
    if light.iter().any(|(start, end)| (*start..=*end).contains(&code)) { 1 } else { 2 }
}

#[test]
fn every_character_alone_has_its_weight() {
    for character in '\0'..=char::MAX {
        let text = character.to_string();
        let normalizer = icu_normalizer::ComposingNormalizerBorrowed::new_nfc();
        let want: usize = normalizer.normalize(&text).chars().map(plain_weight).sum();
        assert_eq!(length(&text), want, "U+{:04X}", u32::from(character));
    }
}

/// One character of four bytes that becomes three of weight 2.
#[test]
fn a_text_that_grows_when_normalised_is_not_taken_for_short() {
    assert_eq!(over(&"\u{1d160}".repeat(10), 60), None);
    assert_eq!(over(&"\u{1d160}".repeat(10), 59), Some(60));
}

proptest! {
    /// Without full stops there are no links, and without joiners, selectors, tones, tags, flags
    /// and keycaps no emoji of several characters.
    #[test]
    fn other_texts_count_their_characters(
        text in "([a-z ]|[ -\\-/-~]|[à-ɏ]|[\u{300}-\u{36f}]|[ก-๛]|[ぁ-んァ-ヶ]|[一-龥]|[가-힣]|[“”‘’…→€😀-🙏]){0,120}"
    ) {
        let normalizer = icu_normalizer::ComposingNormalizerBorrowed::new_nfc();
        let want: usize = normalizer.normalize(&text).chars().map(plain_weight).sum();
        prop_assert_eq!(length(&text), want);
    }

    /// It holds at the end of any text without links: a letter there can only add to the last
    /// word. Before a joiner, selector, accent or link it need not hold.
    #[test]
    fn a_letter_at_the_end_of_a_text_without_links_adds_one(
        text in "(\\PC|[a-z ]|👨‍👩‍👧‍👦|🇺🇸|1️⃣|e\u{301}|@|#|の){0,60}",
        letter in "[a-zA-Z]",
    ) {
        let longer = format!("{text}{letter}");
        prop_assume!(!text.contains('.'));
        prop_assert_eq!(length(&longer), length(&text) + 1);
    }

    #[test]
    fn a_link_counts_its_weight_wherever_it_stands(
        left in "([a-z ]|の|😀){0,20} ", path in "[a-z0-9/]{0,60}", right in " ([a-z ]|の|😀){0,20}"
    ) {
        let text = format!("{left}https://example.com/{path}{right}");
        prop_assert_eq!(length(&text), length(&left) + 23 + length(&right));
    }

    #[test]
    fn over_is_length_above_the_limit(
        text in "(\\PC|[a-z ]|t\\.co|a\\.jp|\\.|\u{1d160}|\u{958}|の|é|\u{fe0f}){0,60}",
        limit in 0_usize..160,
    ) {
        let length = length(&text);
        prop_assert_eq!(over(&text, limit), (length > limit).then_some(length));
    }

    #[test]
    fn finders_give_ordered_ranges(
        text in "(\\PC|\\.|/|\\(|\\)|\\?|:|https://|a\\.com|の\\.com|t\\.co/|@|#|\\$|😀|_|-){0,60}"
    ) {
        for ranges in [links(&text), mentions(&text), hashtags(&text), cashtags(&text)] {
            let mut end = 0;
            for range in ranges {
                prop_assert!(range.start >= end && range.start < range.end);
                prop_assert!(text.get(range.clone()).is_some());
                end = range.end;
            }
        }
    }
}
