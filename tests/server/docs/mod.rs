//! What README and `docs/` print is true: commands run as printed, links lead somewhere, pictures
//! and code are those of today.

mod guide;
mod included;
mod links;
mod newcomer;
pub(crate) mod pages;
mod picture;
mod recipes;
mod tags;
