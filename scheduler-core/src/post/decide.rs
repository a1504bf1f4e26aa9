//! Pure decisions on a post.
