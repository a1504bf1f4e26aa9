//! A person who connects an account on the network's page.

use std::collections::BTreeMap;

use scheduler_core::app::{Browser, Returned, Scheduler, StageView};
use scheduler_core::platform::{Platform, Way};
use scheduler_core::ports::ConnectInput;
use scheduler_core::workspace::Workspace;
use url::Url;

/// Connects an account of a network on its page; false where it has none.
pub(crate) async fn connect(
    scheduler: &Scheduler,
    workspace: &Workspace,
    control: &reqwest::Client,
    platform: Platform,
) -> bool {
    for way in platform.sheet().connecting.ways.iter().filter(|way| way.opens_page) {
        if connect_by(scheduler, workspace, control, platform, way).await {
            return true;
        }
    }
    false
}

/// Connects it in one way; false where that page has nothing to say yes to.
async fn connect_by(
    scheduler: &Scheduler,
    workspace: &Workspace,
    control: &reqwest::Client,
    platform: Platform,
    way: &Way,
) -> bool {
    let typed = way.fields.iter().map(|field| (field.name, "m.example"));
    let values = typed.chain(way.fixed.iter().copied());
    let values: BTreeMap<String, String> =
        values.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let invitation = scheduler.invite(workspace, platform, ConnectInput::default()).await.unwrap();
    let browser = Browser { ticket: Some(invitation.ticket), cookie: None };
    let redirect = format!("https://scheduler.example/connect/{platform}/callback");
    let opened = scheduler
        .authorize_connection(platform, &browser, ConnectInput(values), &redirect)
        .await
        .unwrap();

    let url = Url::parse(&opened.url).unwrap();
    let shown = control.get(url.clone()).send().await.unwrap().text().await.unwrap();
    let Some((_, yes)) = shown.split_once("name=\"decision\" value=\"") else { return false };
    let (yes, _) = yes.split_once('"').unwrap();
    let mut form: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    form.push(("account".to_owned(), "new".to_owned()));
    form.push(("decision".to_owned(), yes.to_owned()));
    let page = opened.url.split('?').next().unwrap();
    let back = control.post(page).form(&form).send().await.unwrap();
    let back = back.headers().get("location").expect("the browser is sent back");
    let back = Url::parse(back.to_str().unwrap()).unwrap();
    let value = |name: &str| {
        let found = back.query_pairs().find(|(key, _)| key == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };

    let (cookie, code) = (
        opened.cookie,
        Returned::Code {
            code: value("code"),
            issuer: Some(value("iss")).filter(|issuer| !issuer.is_empty()),
        },
    );
    scheduler.come_back(platform, Some(&cookie), &value("state"), code).await.unwrap();
    let visit = Browser::in_visit(Some(cookie.clone()));
    let view = scheduler.connecting_view(platform, &visit).await.unwrap();
    if let StageView::Pick { choices } = view.stage {
        let picked = [choices.first().unwrap().network_id.clone()];
        scheduler.pick_accounts(platform, Some(&cookie), &picked).await.unwrap();
    }
    true
}
