//! `scheduler links`: what becomes of the links of posts, and how often short ones were followed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use scheduler_client::Error;
use scheduler_core::links::{LinkRules, ShortLinkPage, ShortLinkView, Utm};
use scheduler_core::platform::Platform;
use scheduler_core::post::folded_label;
use serde_json::json;

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::OneOf;
use crate::posting::{PostName, instant, read_network};
use crate::printer::{Column, Shows, cell, one_line};

/// What to do with links.
#[derive(Debug, Subcommand)]
pub(crate) enum LinksCommand {
    /// List short links, and how often each was followed
    #[command(
        after_help = "Examples:\n  scheduler links list\n  scheduler links list --post 01993b5c-2b7e-7000-8000-000000000001"
    )]
    List(ListArguments),
    /// Show or set what becomes of the links of posts
    #[command(
        subcommand,
        after_help = "Examples:\n  scheduler links rules show\n  scheduler links rules set --tag --utm \"source={network}\""
    )]
    Rules(RulesCommand),
}

/// What to do with what becomes of links.
#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Show what becomes of the links of posts
    #[command(after_help = "Example:\n  scheduler links rules show")]
    Show(OfWorkspace),
    /// Set what becomes of the links of posts; what is not said stays
    ///
    /// Posts that are there keep the links that were worked out for them until they are changed.
    #[command(
        after_help = "Examples:\n  scheduler links rules set --tag --utm \"source={network}\" --utm medium=social\n  scheduler links rules set --utm-for linkedin:medium=professional --utm-label spring:campaign=s26\n  scheduler links rules set --shorten\n  scheduler links rules set --no-tag --no-shorten"
    )]
    Set(Box<SetArguments>),
}

/// Which short links.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// Those of one post, by its id or the first 8 characters of it
    #[arg(long, value_name = "ID")]
    post: Option<PostName>,
    /// How many, those that were made last first: 1 to 200
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// What is to become of links, of which workspace.
#[derive(Args, Debug)]
pub(crate) struct SetArguments {
    #[command(flatten)]
    wishes: Wishes,
    #[command(flatten)]
    of: OfWorkspace,
}

/// What is to become of links.
#[derive(Args, Debug)]
struct Wishes {
    /// Add parameters to links
    #[arg(long, conflicts_with = "no_tag")]
    tag: bool,
    /// Add none
    #[arg(long)]
    no_tag: bool,
    /// Send short links of this server, and count how often they are followed
    #[arg(long, conflicts_with = "no_shorten")]
    shorten: bool,
    /// Send links as they are
    #[arg(long)]
    no_shorten: bool,
    /// A parameter: source, medium, campaign, content or term, with {network}, {label} and {date};
    /// an empty text leaves it out; once for each
    #[arg(long, value_name = "NAME=TEXT", value_parser = parameter)]
    utm: Vec<(String, String)>,
    /// A parameter for one network; once for each
    #[arg(long, value_name = "NETWORK:NAME=TEXT", value_parser = of_network)]
    utm_for: Vec<(Platform, (String, String))>,
    /// A parameter for posts with a label; once for each
    #[arg(long, value_name = "LABEL:NAME=TEXT", value_parser = of_label)]
    utm_label: Vec<(String, (String, String))>,
    /// A parameter that is given no longer; once for each
    #[arg(long, value_name = "NAME", value_parser = parameter_name)]
    no_utm: Vec<String>,
    /// A network that has parameters of its own no longer; once for each
    #[arg(long, value_name = "NETWORK", value_parser = OneOf::<Platform>::new())]
    no_utm_for: Vec<Platform>,
    /// A label that has parameters of its own no longer; once for each
    #[arg(long, value_name = "LABEL")]
    no_utm_label: Vec<String>,
    /// A host whose links are left alone, in place of those there are; once for each
    #[arg(long, value_name = "HOST")]
    except: Vec<String>,
    /// Leave the links of no host alone
    #[arg(long, conflicts_with = "except")]
    no_except: bool,
    /// A file with all of it, as `links rules show --json` prints it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["utm", "utm_for", "utm_label", "no_utm", "no_utm_for", "no_utm_label", "except", "no_except"])]
    file: Option<PathBuf>,
}

fn parameter_name(name: &str) -> Result<String, String> {
    let names = Utm::default().templates().map(|(_, name, _)| name);
    if !names.contains(&name) {
        return Err(format!("there is no parameter {name:?}; there are {}", names.join(", ")));
    }
    Ok(name.to_owned())
}

/// A parameter and its template.
fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, template) =
        text.split_once('=').ok_or("write the parameter, = and its text, such as medium=social")?;
    Ok((parameter_name(name)?, template.to_owned()))
}

fn of_network(text: &str) -> Result<(Platform, (String, String)), String> {
    let (name, rest) = text
        .split_once(':')
        .ok_or("write the network, a colon and the parameter, such as x:medium=short")?;
    Ok((read_network(name)?, parameter(rest)?))
}

fn of_label(text: &str) -> Result<(String, (String, String)), String> {
    let before = text.find('=').unwrap_or(text.len());
    let colon = text[..before].rfind(':');
    let colon =
        colon.ok_or("write the label, a colon and the parameter, such as spring:campaign=s26")?;
    Ok((text[..colon].to_owned(), parameter(&text[colon + 1..])?))
}

pub(crate) async fn run(context: Context, command: LinksCommand) -> Result<Exit, Failure> {
    match command {
        LinksCommand::List(arguments) => list(&context, arguments).await,
        LinksCommand::Rules(RulesCommand::Show(of)) => {
            let rules = rules(&of.open(&context).await?).await?;
            show(&context, &rules)
        }
        LinksCommand::Rules(RulesCommand::Set(arguments)) => set(&context, *arguments).await,
    }
}

async fn rules(client: &Client) -> Result<LinkRules, Failure> {
    Ok(client.ask(Call::get("/links/rules")).await?.read()?)
}

async fn list(context: &Context, arguments: ListArguments) -> Result<Exit, Failure> {
    let ListArguments { post, limit, of } = arguments;
    let client = of.open(context).await?;
    let post = match post {
        Some(post) => Some(post.id_of_application(&client).await?),
        None => None,
    };
    let call = Call::get("/links").query("post", post).query("limit", limit);
    let page: ShortLinkPage = client.ask(call).await?.read()?;
    let columns: [Shows<ShortLinkView>; 4] = [
        (Column::words("link"), |link| cell(&link.url)),
        (Column::text("leads to"), |link| cell(one_line(&link.destination))),
        (Column::words("made"), |link| cell(instant(link.created_at))),
        (Column::words("followed"), |link| cell(link.clicks)),
    ];
    context.list(&page, &page.data, &columns, "No short links.")
}

async fn set(context: &Context, arguments: SetArguments) -> Result<Exit, Failure> {
    let SetArguments { wishes, of } = arguments;
    let client = of.open(context).await?;
    let mut wanted = match &wishes.file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            serde_json::from_str(&text)
                .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?
        }
        None => rules(&client).await?,
    };
    wishes.apply_to(&mut wanted);
    let body = serde_json::to_value(&wanted).map_err(anyhow::Error::from)?;
    let answer = client.ask(Call::put("/links/rules", &body)).await.inspect_err(|error| {
        if matches!(error, Error::Refused(refused) if refused.error.field.as_deref() == Some("shorten")) {
            context.printer.message(
                "a command on the server's machine does not ask the server that runs: it reads \
                 public_url from scheduler.toml in the folder that it is started in, or from \
                 SCHEDULER_PUBLIC_URL, and has to be told it too",
            );
        }
    });
    let stored: LinkRules = answer?.read()?;
    show(context, &stored)
}

impl Wishes {
    fn apply_to(&self, rules: &mut LinkRules) {
        rules.tag = (rules.tag || self.tag) && !self.no_tag;
        rules.shorten = (rules.shorten || self.shorten) && !self.no_shorten;
        for name in &self.no_utm {
            put(&mut rules.utm, name, None);
        }
        rules.networks.retain(|platform, _| !self.no_utm_for.contains(platform));
        let gone: Vec<_> = self.no_utm_label.iter().map(|label| folded_label(label)).collect();
        rules.labels.retain(|label, _| !gone.contains(&folded_label(label)));
        for (name, template) in &self.utm {
            put(&mut rules.utm, name, Some(template));
        }
        for (platform, (name, template)) in &self.utm_for {
            put(rules.networks.entry(*platform).or_default(), name, Some(template));
        }
        for (label, (name, template)) in &self.utm_label {
            put(rules.labels.entry(label.clone()).or_default(), name, Some(template));
        }
        if self.no_except || !self.except.is_empty() {
            rules.except.clone_from(&self.except);
        }
    }
}

/// Sets a parameter, or leaves it to others.
fn put(utm: &mut Utm, name: &str, template: Option<&str>) {
    if let Some((_, place)) = utm.templates_mut().find(|(field, _)| *field == name) {
        *place = template.map(str::to_owned);
    }
}

fn show(context: &Context, rules: &LinkRules) -> Result<Exit, Failure> {
    context.show(&json!(rules), |printer| {
        let on = |is_on: bool| if is_on { "yes" } else { "no" };
        printer.line(&format!("parameters   {}", on(rules.tag)))?;
        printer.line(&format!("short links  {}", on(rules.shorten)))?;
        let of_networks: BTreeMap<_, _> =
            rules.networks.iter().map(|(platform, utm)| (platform.to_string(), utm)).collect();
        let layers = [("all".to_owned(), &rules.utm)].into_iter().chain(of_networks);
        let labels = rules.labels.iter().map(|(label, utm)| (format!("label {label}"), utm));
        for (name, utm) in layers.chain(labels) {
            for (parameter, _, template) in utm.templates() {
                if let Some(template) = template {
                    printer.line(&format!("{}: {parameter}={template}", one_line(&name)))?;
                }
            }
        }
        for host in &rules.except {
            printer.line(&format!("left alone: {}", one_line(host)))?;
        }
        Ok(())
    })
}
