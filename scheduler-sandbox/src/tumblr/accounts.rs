//! Users, their blogs, and what is told of them.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Blog Identifiers", "Retrieve Blog Info",
//! "Get a User's Information".

use serde_json::{Value, json};

use super::Tumblr;
use super::error::{ApiError, ok};
use super::oauth::SCOPES;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_bytes;
use crate::request::Request;

/// Longest name of a blog.
///
/// Source: <https://help.tumblr.com/>, "Blog name".
const MAX_NAME: usize = 32;
/// What a second blog's name ends with.
const SECOND: &str = "-notes";
/// Followers of a user's own blog and of another one; invented.
const FOLLOWERS: [u64; 2] = [128, 16];

/// Somebody who posts.
#[derive(Clone, Debug)]
pub(super) struct User {
    /// Names of the blogs, the user's own first.
    pub(super) blogs: Vec<String>,
}

/// A blog.
#[derive(Clone, Debug)]
pub(super) struct Blog {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) uuid: String,
    pub(super) owner: u64,
    is_primary: bool,
}

impl Blog {
    fn url(&self) -> String {
        format!("https://{}.tumblr.com/", self.name)
    }
}

impl Tumblr {
    /// Makes a user with two blogs.
    ///
    /// # Errors
    /// The name cannot be one of a blog, or is taken.
    pub(super) fn add_user(&mut self, name: Option<&str>) -> Result<u64, String> {
        let title = name.map_or_else(|| self.next_name(), |name| name.trim().to_owned());
        let name = title.to_lowercase().replace([' ', '_'], "-");
        let is_name = (1..=MAX_NAME - SECOND.len()).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !name.starts_with('-')
            && !name.ends_with('-');
        if !is_name {
            return Err(format!(
                "name must be 1 to {} letters, digits, spaces or hyphens.",
                MAX_NAME - SECOND.len()
            ));
        }
        let second = format!("{name}{SECOND}");
        if self.blogs.contains_key(&name) || self.blogs.contains_key(&second) {
            return Err(format!("There is a blog {name} already."));
        }
        self.last_user += 1;
        let user = self.last_user;
        let named =
            [(name.clone(), title.clone(), true), (second, format!("{title}: notes"), false)];
        let blogs = named.iter().map(|(name, _, _)| name.clone()).collect();
        for (name, title, is_primary) in named {
            let uuid = format!("t:{}", hex::encode(&random_bytes()[..11]));
            let blog = Blog { name: name.clone(), title, uuid, owner: user, is_primary };
            self.blogs.insert(name, blog);
        }
        self.users.insert(user, User { blogs });
        Ok(user)
    }

    fn next_name(&self) -> String {
        let number = (self.last_user + 1..)
            .find(|number| !self.blogs.contains_key(&format!("sandbox-{number}")));
        format!("Sandbox {}", number.unwrap_or_default())
    }

    /// Returns what connects an account: tokens with every scope.
    pub(super) fn connect(&mut self, user: u64, context: &Context<'_>) -> Value {
        let scopes = SCOPES.map(str::to_owned).to_vec();
        let given = self.give_tokens(user, "sandbox", &scopes, context.now);
        let blogs = self.users.get(&user).map(|user| user.blogs.clone()).unwrap_or_default();
        let uuid = |name: &String| self.blogs.get(name).map(|blog| blog.uuid.clone());
        json!({
            "platform": super::NAME,
            "account": blogs.first().and_then(uuid),
            "blog": blogs.first(),
            "secondBlog": blogs.get(1),
            "accessToken": given["access_token"],
            "refreshToken": given["refresh_token"],
            "scope": given["scope"],
        })
    }

    /// Finds the blog that a call names by its name, its host or its identifier.
    pub(super) fn blog(&self, named: &str) -> Option<&Blog> {
        let name = named.strip_suffix(".tumblr.com").unwrap_or(named).to_lowercase();
        self.blogs.get(&name).or_else(|| self.blogs.values().find(|blog| blog.uuid == named))
    }

    /// Returns the blog of a call, which has to be one of the user's.
    ///
    /// # Errors
    /// 401, 403, 404.
    pub(super) fn own_blog(
        &self,
        request: &Request,
        named: &str,
        scope: &str,
        context: &Context<'_>,
    ) -> Result<Blog, ApiError> {
        let user = self.user(request, scope, context)?;
        let blog = self.blog(named).ok_or_else(ApiError::not_found)?;
        if blog.owner != user {
            return Err(ApiError::forbidden(0, "You do not have permission to post to this blog."));
        }
        Ok(blog.clone())
    }

    /// Answers who let the application in.
    ///
    /// # Errors
    /// Those of tokens.
    pub(super) fn user_info(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let user = self.user(request, "basic", context)?;
        let names = self.users.get(&user).map(|user| user.blogs.as_slice()).unwrap_or_default();
        let blogs: Vec<Value> = names
            .iter()
            .filter_map(|name| self.blogs.get(name))
            .map(|blog| {
                json!({
                    "name": blog.name,
                    "title": blog.title,
                    "url": blog.url(),
                    "uuid": blog.uuid,
                    "primary": blog.is_primary,
                    "followers": followers_of(blog),
                    "type": "public",
                    "tweet": "N",
                })
            })
            .collect();
        Ok(ok(&json!({
            "user": {
                "name": names.first(),
                "following": 0,
                "likes": 0,
                "default_post_format": "html",
                "blogs": blogs,
            },
        })))
    }

    /// Answers what everybody is told of a blog.
    ///
    /// # Errors
    /// There is none, or no key.
    pub(super) fn blog_info(
        &self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        self.check_key(request, context)?;
        let blog = self.blog(named).ok_or_else(ApiError::not_found)?;
        Ok(ok(&json!({ "blog": self.blog_view(blog) })))
    }

    /// Returns a blog as answers show it.
    pub(super) fn blog_view(&self, blog: &Blog) -> Value {
        let posts: Vec<_> =
            self.posts.iter().filter(|post| post.blog == blog.name && post.is_live()).collect();
        let updated = posts.iter().map(|post| post.at.timestamp()).max();
        json!({
            "name": blog.name,
            "title": blog.title,
            "uuid": blog.uuid,
            "url": blog.url(),
            "description": "",
            "posts": posts.len(),
            "updated": updated.unwrap_or_default(),
            "ask": false,
        })
    }

    /// Sends whoever asks on to a blog's picture.
    ///
    /// # Errors
    /// There is no such blog.
    pub(super) fn avatar(&self, named: &str, context: &Context<'_>) -> Result<Answer, ApiError> {
        let blog = self.blog(named).ok_or_else(ApiError::not_found)?;
        Ok(Answer::redirect(&format!("{}/picture/{}", context.base, blog.name)))
    }

    /// Answers how many follow a blog of the user's.
    ///
    /// # Errors
    /// Those of tokens and blogs.
    pub(super) fn followers(
        &self,
        request: &Request,
        named: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let blog = self.own_blog(request, named, "basic", context)?;
        Ok(ok(&json!({ "total_users": followers_of(&blog), "users": [] })))
    }
}

fn followers_of(blog: &Blog) -> u64 {
    FOLLOWERS[usize::from(!blog.is_primary)]
}
