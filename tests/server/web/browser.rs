//! A browser that tests drive.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::Url;

use crate::support::wait_for;

const CHROMIUM: &str = "/usr/bin/chromium";
const DRIVER: &str = "/usr/bin/chromedriver";

/// What a browser is like.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Like {
    pub(super) is_dark: bool,
    pub(super) without_scripts: bool,
}

/// A command to Chromium itself.
#[derive(Debug)]
struct DevTools(Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.0.to_string()))
    }
}

/// A browser; it ends with its driver when it is dropped.
pub(super) struct Browser {
    driver: Child,
    pub(super) client: Client,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser; `None` where there is none, which is said.
    pub(super) async fn start(like: Like) -> Option<Self> {
        if !Path::new(CHROMIUM).exists() || !Path::new(DRIVER).exists() {
            let must = std::env::var_os("SCHEDULER_REQUIRE_BROWSER").is_some();
            assert!(!must, "Chromium and its driver are not installed");
            eprintln!("NOT TESTED: Chromium and its driver are not installed");
            return None;
        }
        // The port is free a moment later as well, but for bad luck.
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let driver = Command::new(DRIVER)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let profile = tempfile::tempdir().unwrap();
        let mut arguments: Vec<String> = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ]
        .map(str::to_owned)
        .into();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        // Without scripts nothing can be moved away from under what sticks to the foot.
        let height = if like.without_scripts { 3_000 } else { 900 };
        arguments.push(format!("--window-size=1440,{height}"));
        if like.is_dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let mut options = json!({"args": arguments, "binary": CHROMIUM});
        if like.without_scripts {
            options["prefs"] = json!({"profile.managed_default_content_settings.javascript": 2});
        }
        let capabilities = json!({"goog:chromeOptions": options});
        let capabilities = capabilities.as_object().unwrap().clone();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let address = format!("http://127.0.0.1:{port}");
        let client = wait_for("the browser", async || builder.connect(&address).await.ok()).await;
        Some(Self { driver, client, _profile: profile })
    }

    /// Shows pages as a screen of this width does: a window is no narrower than 500 pixels.
    pub(super) async fn emulate(&self, width: u32) {
        let size = json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        });
        self.client.issue_cmd(DevTools(size)).await.unwrap();
    }

    /// Has every page that is opened from now on begin with a script.
    pub(super) async fn begin_with(&self, script: &str) {
        let begin = json!({
            "cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": script}
        });
        self.client.issue_cmd(DevTools(begin)).await.unwrap();
    }

    /// Shows pages as a printer gets them.
    pub(super) async fn emulate_print(&self) {
        let print = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}});
        self.client.issue_cmd(DevTools(print)).await.unwrap();
    }

    pub(super) async fn open(&self, address: &str) {
        self.client.goto(address).await.unwrap();
    }

    /// Clicks on what a selector finds, once the page shows it: a page that is still coming may have
    /// it already, and not show it yet.
    pub(super) async fn click(&self, css: &str) {
        wait_for(css, async || {
            let found = self.client.find(Locator::Css(css)).await.ok()?;
            found.click().await.ok()
        })
        .await;
    }

    pub(super) async fn write(&self, css: &str, text: &str) {
        self.client.find(Locator::Css(css)).await.unwrap().send_keys(text).await.unwrap();
    }

    /// What the first element shows.
    pub(super) async fn text(&self, css: &str) -> String {
        self.client.find(Locator::Css(css)).await.unwrap().text().await.unwrap()
    }

    /// The path that the browser is at.
    pub(super) async fn path(&self) -> String {
        self.client.current_url().await.unwrap().path().to_owned()
    }

    /// Runs a script in the page, and returns what it returns.
    pub(super) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// Waits until a script returns something true.
    pub(super) async fn wait(&self, what: &str, script: &str) {
        let is_so = async || (self.run(script, vec![]).await == json!(true)).then_some(());
        wait_for(what, is_so).await;
    }

    /// Drags from one place of the window to another.
    pub(super) async fn drag(&self, from: (f64, f64), to: (f64, f64)) {
        let mouse = MouseActions::new("mouse".to_owned());
        let at = |(x, y), duration| PointerAction::MoveTo { duration, x, y };
        let mouse = mouse
            .then(at(from, None))
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(at(to, Some(Duration::from_millis(200))))
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.unwrap();
    }

    pub(super) async fn end(mut self) {
        // The session may be gone with its browser.
        let _ = self.client.clone().close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Fails only when it has ended already.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
