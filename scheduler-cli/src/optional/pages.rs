//! The pages for people.

pub(crate) use scheduler_web::pages;
