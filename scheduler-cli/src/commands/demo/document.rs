//! A small document, which the demo sends.

/// The bytes of a PDF of one page that says a sentence.
///
/// Source: ISO 32000-1, 7.5: objects, a table of where each begins, and a trailer.
pub(crate) fn bytes() -> Vec<u8> {
    const PAGE: &str = "BT /F1 36 Tf 72 400 Td (Written once, published everywhere.) Tj ET";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 792 792]/Contents 4 0 R\
         /Resources<</Font<</F1 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>stream\n{PAGE}\nendstream", PAGE.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let (table_at, count) = (file.len(), objects.len() + 1);
    file.push_str(&format!(
        "xref\n0 {count}\n{table}trailer\n<</Size {count}/Root 1 0 R>>\nstartxref\n{table_at}\n%%EOF\n"
    ));
    file.into_bytes()
}
