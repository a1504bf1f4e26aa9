//! How an account of each network is connected: what is asked for, and what an operator has to
//! set up before.

use super::RedirectRule;
use crate::platform::Platform;

/// How accounts of a network are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectingFacts {
    /// The ways, the usual one first; at least one.
    pub ways: &'static [Way],
    /// The application that an operator needs at the network for its page.
    pub registration: Option<Registration>,
    /// Where the network's page sends browsers back to.
    pub redirect: RedirectRule,
}

/// One way of connecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name in forms; unique within the network.
    pub name: &'static str,
    /// What the person does, to follow "Connect …".
    pub title: &'static str,
    /// What it needs, in a sentence or two.
    pub explanation: &'static str,
    /// What the person gives.
    pub fields: &'static [Field],
    /// Values that go with this way without being asked for.
    pub fixed: &'static [(&'static str, &'static str)],
    /// True when the person then goes to the network's own page.
    pub opens_page: bool,
}

/// A value that a person gives, under the name that the network's adapter reads it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, such as `appPassword`.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// An example, or where to find it.
    pub hint: &'static str,
    /// True for what must not be seen.
    pub is_secret: bool,
    /// True for what cannot be left out.
    pub is_required: bool,
}

/// The application that an operator registers at a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// What the place is called.
    pub place: &'static str,
    /// Its address.
    pub url: &'static str,
    /// What the network calls the id and the secret.
    pub terms: &'static str,
}

impl ConnectingFacts {
    /// The way of this name.
    #[must_use]
    pub fn way(&self, name: &str) -> Option<&'static Way> {
        self.ways.iter().find(|way| way.name == name)
    }

    /// True when an account can be connected without an application of the operator's.
    #[must_use]
    pub fn needs_no_registration(&self) -> bool {
        self.registration.is_none() || self.ways.iter().any(|way| !way.opens_page)
    }
}

const fn text(name: &'static str, label: &'static str, hint: &'static str) -> Field {
    Field { name, label, hint, is_secret: false, is_required: true }
}

const fn secret(name: &'static str, label: &'static str, hint: &'static str) -> Field {
    Field { is_secret: true, ..text(name, label, hint) }
}

const fn optional(field: Field) -> Field {
    Field { is_required: false, ..field }
}

/// On the network's own page, with nothing to give before.
const PAGE: &[Way] = &[Way {
    name: "page",
    title: "on its own page",
    explanation: "You go to the network's own page, sign in there and allow it. Your password \
                  stays with the network.",
    fields: &[],
    fixed: &[],
    opens_page: true,
}];

const fn on_page(registration: Registration, redirect: RedirectRule) -> ConnectingFacts {
    ConnectingFacts { ways: PAGE, registration: Some(registration), redirect }
}

/// Source: <https://developers.google.com/identity/protocols/oauth2/web-server>
const YOUTUBE: ConnectingFacts = on_page(
    Registration {
        place: "the Google Cloud console, under APIs & Services, Credentials",
        url: "https://console.cloud.google.com/apis/credentials",
        terms: "client ID and client secret",
    },
    RedirectRule::HttpsOrLocalhost,
);

/// Source: <https://developers.tiktok.com/doc/login-kit-web/>
const TIKTOK: ConnectingFacts = on_page(
    Registration {
        place: "TikTok for Developers, under Manage apps",
        url: "https://developers.tiktok.com/apps/",
        terms: "client key and client secret",
    },
    RedirectRule::Https,
);

/// Source: <https://developers.facebook.com/documentation/instagram-platform/>
const INSTAGRAM: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "direct",
            title: "by Instagram's own login",
            explanation: "You sign in at Instagram with a business or creator account and allow \
                          it there.",
            fields: &[],
            fixed: &[("connection", "direct")],
            opens_page: true,
        },
        Way {
            name: "via_page",
            title: "through a Facebook page",
            explanation: "You sign in at Facebook and allow it for the page that the Instagram \
                          account belongs to.",
            fields: &[],
            fixed: &[("connection", "via_page")],
            opens_page: true,
        },
    ],
    registration: Some(Registration {
        place: "the Meta app dashboard, under Instagram, API setup with Instagram login",
        url: "https://developers.facebook.com/apps/",
        terms: "Instagram app ID and Instagram app secret",
    }),
    redirect: RedirectRule::Https,
};

/// Source: <https://developers.facebook.com/documentation/facebook-login/>
const FACEBOOK: ConnectingFacts = on_page(
    Registration {
        place: "the Meta app dashboard, under App settings, Basic",
        url: "https://developers.facebook.com/apps/",
        terms: "app ID and app secret",
    },
    RedirectRule::HttpsOrLocalhost,
);

/// Source: <https://developers.facebook.com/docs/threads/get-started>
const THREADS: ConnectingFacts = on_page(
    Registration {
        place: "the Meta app dashboard, under Use cases, Access the Threads API",
        url: "https://developers.facebook.com/apps/",
        terms: "Threads app ID and Threads app secret",
    },
    RedirectRule::Https,
);

/// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>
const TWITTER: ConnectingFacts = on_page(
    Registration {
        place: "the X developer console, under the app's user authentication settings",
        url: "https://developer.x.com/en/portal/dashboard",
        terms: "OAuth 2.0 client ID and client secret",
    },
    RedirectRule::HttpsOrLoopback,
);

/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>
const LINKEDIN: ConnectingFacts = on_page(
    Registration {
        place: "LinkedIn Developers, under My apps, Auth",
        url: "https://www.linkedin.com/developers/apps",
        terms: "client ID and primary client secret",
    },
    RedirectRule::HttpsOrLocalhost,
);

/// Source: <https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/>
const PINTEREST: ConnectingFacts = on_page(
    Registration {
        place: "Pinterest Developers, under My apps",
        url: "https://developers.pinterest.com/apps/",
        terms: "app ID and app secret key",
    },
    RedirectRule::HttpsOrLocalhost,
);

/// Source: <https://docs.bsky.app/docs/advanced-guides/posts>
const BLUESKY: ConnectingFacts = ConnectingFacts {
    ways: &[Way {
        name: "appPassword",
        title: "with an app password",
        explanation: "Make an app password in Bluesky under Settings, Privacy and security, App \
                      passwords. It cannot change the account, and you can take it back there.",
        fields: &[
            text("identifier", "Handle", "you.bsky.social"),
            secret("appPassword", "App password", "xxxx-xxxx-xxxx-xxxx"),
            optional(text("pds", "Server", "only when it cannot be found by the handle")),
        ],
        fixed: &[],
        opens_page: false,
    }],
    registration: None,
    redirect: RedirectRule::Any,
};

/// Source: <https://docs.joinmastodon.org/client/authorized/>
const MASTODON: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "page",
            title: "on the server's own page",
            explanation: "You go to your server's own page, sign in there and allow it. Your \
                          password stays with the server.",
            fields: &[text("instance", "Server", "mastodon.example")],
            fixed: &[],
            opens_page: true,
        },
        Way {
            name: "token",
            title: "with an access token",
            explanation: "Make an application on your server under Preferences, Development, with \
                          the scopes read and write, and copy its access token.",
            fields: &[
                text("instance", "Server", "mastodon.example"),
                secret("accessToken", "Access token", "of the application"),
            ],
            fixed: &[],
            opens_page: false,
        },
    ],
    registration: None,
    redirect: RedirectRule::Any,
};

/// Source: <https://core.telegram.org/bots/features#botfather>
const TELEGRAM: ConnectingFacts = ConnectingFacts {
    ways: &[Way {
        name: "bot",
        title: "with a bot",
        explanation: "Make a bot with @BotFather and add it to the channel as an administrator who \
                      may post messages, or to the group as a member.",
        fields: &[
            secret("botToken", "Token of the bot", "123456:ABC…, from @BotFather"),
            optional(text("chatId", "Channel or group", "@name, or its numeric id")),
            optional(text("connectCode", "Or a code", "that you have posted there: /connect CODE")),
        ],
        fixed: &[],
        opens_page: false,
    }],
    registration: None,
    redirect: RedirectRule::Any,
};

/// Sources: <https://docs.discord.com/developers/resources/webhook>,
/// <https://docs.discord.com/developers/topics/oauth2>
const DISCORD: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "webhook",
            title: "with a webhook",
            explanation: "Make a webhook in the channel's settings under Integrations, Webhooks, \
                          and copy its URL. Whoever has it can post there.",
            fields: &[
                secret("webhookUrl", "Webhook URL", "https://discord.com/api/webhooks/…"),
                optional(text("isForum", "Is the channel a forum?", "true or false")),
            ],
            fixed: &[],
            opens_page: false,
        },
        Way {
            name: "page",
            title: "on its own page",
            explanation: "You go to Discord's own page and choose the server and the channel; \
                          Discord makes the webhook.",
            fields: &[],
            fixed: &[],
            opens_page: true,
        },
        Way {
            name: "bot",
            title: "with a bot",
            explanation: "Add your bot to the server with the rights to see the channel and to \
                          send messages and files in it.",
            fields: &[
                secret("botToken", "Token of the bot", "from the Discord developer portal"),
                optional(text("channelId", "Channel", "its id; all are offered when left out")),
            ],
            fixed: &[],
            opens_page: false,
        },
    ],
    registration: Some(Registration {
        place: "the Discord developer portal, under OAuth2",
        url: "https://discord.com/developers/applications",
        terms: "client ID and client secret",
    }),
    redirect: RedirectRule::Any,
};

/// Source: <https://www.tumblr.com/docs/en/api/v2#oauth2-authorization>
const TUMBLR: ConnectingFacts = on_page(
    Registration {
        place: "Tumblr's list of applications",
        url: "https://www.tumblr.com/oauth/apps",
        terms: "OAuth consumer key and secret key",
    },
    RedirectRule::Any,
);

/// How accounts of a network are connected.
///
/// Sources: the documentation that each network's row names.
///
/// ```
/// use scheduler_core::connecting::connecting_facts;
/// use scheduler_core::platform::Platform;
/// let way = connecting_facts(Platform::Bluesky).ways[0];
/// let asked: Vec<&str> = way.fields.iter().map(|field| field.label).collect();
/// assert_eq!(asked, ["Handle", "App password", "Server"]);
/// ```
#[must_use]
pub const fn connecting_facts(platform: Platform) -> &'static ConnectingFacts {
    match platform {
        Platform::Youtube => &YOUTUBE,
        Platform::Tiktok => &TIKTOK,
        Platform::Instagram => &INSTAGRAM,
        Platform::Facebook => &FACEBOOK,
        Platform::Threads => &THREADS,
        Platform::Twitter => &TWITTER,
        Platform::Linkedin => &LINKEDIN,
        Platform::Pinterest => &PINTEREST,
        Platform::Bluesky => &BLUESKY,
        Platform::Mastodon => &MASTODON,
        Platform::Telegram => &TELEGRAM,
        Platform::Discord => &DISCORD,
        Platform::Tumblr => &TUMBLR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_network_has_a_way_and_names_are_unique() {
        for platform in Platform::ALL {
            let facts = connecting_facts(platform);
            assert!(!facts.ways.is_empty(), "{platform}");
            let names: BTreeSet<&str> = facts.ways.iter().map(|way| way.name).collect();
            assert_eq!(names.len(), facts.ways.len(), "{platform}");
            for way in facts.ways {
                let fields: BTreeSet<&str> = way.fields.iter().map(|field| field.name).collect();
                assert_eq!(fields.len(), way.fields.len(), "{platform} {}", way.name);
                // Without a page there would be nothing to go by.
                assert!(way.opens_page || !fields.is_empty(), "{platform} {}", way.name);
                // These are the steps' own.
                for own in ["ticket", "way", "code", "redirectUri", "codeVerifier"] {
                    assert!(!fields.contains(own), "{platform} {own}");
                }
            }
            let opens_page = facts.ways.iter().any(|way| way.opens_page);
            assert!(opens_page || facts.registration.is_none(), "{platform}");
        }
    }
}
