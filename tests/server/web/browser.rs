//! A browser that tests drive.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{Origin, Url};

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

/// What the browser has told of a kind since it was asked last.
#[derive(Debug)]
struct Told(&'static str);

impl WebDriverCompatibleCommand for Told {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({"type": self.0}).to_string()))
    }
}

/// A browser; it ends with its driver when it is dropped.
pub(super) struct Browser {
    driver: Child,
    pub(super) client: Client,
    /// Where the first page was opened.
    own: OnceLock<Origin>,
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
        let told = json!({"browser": "ALL", "performance": "ALL"});
        // A busy machine judges a long page for more than the 30 seconds of a driver by itself.
        let timeouts = json!({"script": 180_000});
        let capabilities = json!({
            "goog:chromeOptions": options, "goog:loggingPrefs": told, "timeouts": timeouts
        });
        let capabilities = capabilities.as_object().unwrap().clone();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let address = format!("http://127.0.0.1:{port}");
        let client = wait_for("the browser", async || builder.connect(&address).await.ok()).await;
        Some(Self { driver, client, own: OnceLock::new(), _profile: profile })
    }

    /// Shows pages as a screen of this width does: a window is no narrower than 500 pixels.
    pub(super) async fn emulate(&self, width: u32) {
        self.emulate_screen(width, 900).await;
    }

    pub(super) async fn emulate_screen(&self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500
        });
        self.tools("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Shows pages to somebody who has asked their device for these things.
    pub(super) async fn emulate_wishes(&self, wishes: &[(&str, &str)]) {
        let wish = |(name, value): &(&str, &str)| json!({"name": name, "value": value});
        let wishes: Vec<Value> = wishes.iter().map(wish).collect();
        self.tools("Emulation.setEmulatedMedia", json!({"features": wishes})).await;
    }

    /// Shows pages on a screen that is touched.
    pub(super) async fn emulate_touch(&self) {
        let touch = json!({"enabled": true, "maxTouchPoints": 5});
        self.tools("Emulation.setTouchEmulationEnabled", touch).await;
    }

    /// A command to Chromium itself.
    async fn tools(&self, command: &str, parameters: Value) {
        let command = json!({"cmd": command, "params": parameters});
        self.client.issue_cmd(DevTools(command)).await.unwrap();
    }

    /// Goes on to what gets the focus next.
    pub(super) async fn press_tab(&self) {
        let key =
            json!({"type": "keyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9});
        self.tools("Input.dispatchKeyEvent", key).await;
    }

    /// Has every page that is opened from now on begin with a script.
    pub(super) async fn begin_with(&self, script: &str) {
        let begin = json!({"source": script});
        self.tools("Page.addScriptToEvaluateOnNewDocument", begin).await;
    }

    /// Takes the network away, or gives it back, with so many bytes a second at most.
    pub(super) async fn network(&self, is_away: bool, bytes_a_second: Option<u64>) {
        self.client
            .issue_cmd(DevTools(json!({"cmd": "Network.enable", "params": {}})))
            .await
            .unwrap();
        let rate = bytes_a_second.map_or(json!(-1), |bytes| json!(bytes));
        let conditions = json!({
            "cmd": "Network.emulateNetworkConditions",
            "params": {"offline": is_away, "latency": 0, "downloadThroughput": rate, "uploadThroughput": rate}
        });
        self.client.issue_cmd(DevTools(conditions)).await.unwrap();
    }

    /// Shows pages as a printer gets them.
    pub(super) async fn emulate_print(&self) {
        self.tools("Emulation.setEmulatedMedia", json!({"media": "print"})).await;
    }

    pub(super) async fn open(&self, address: &str) {
        if let Ok(url) = Url::parse(address) {
            self.own.get_or_init(|| url.origin());
        }
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

    /// Clicks on what leads to another page, and waits until the browser shows that page: the driver
    /// by itself may answer before a redirect to another server has come to its end.
    pub(super) async fn follow(&self, css: &str) {
        self.run("window.left = false;", vec![]).await;
        self.click(css).await;
        let arrived = "return window.left === undefined && document.readyState === 'complete';";
        wait_for(css, async || {
            // While it goes there is no page that could answer.
            let answer = self.client.execute(arrived, vec![]).await.ok()?;
            (answer == json!(true)).then_some(())
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

    /// The same, once the page shows it.
    pub(super) async fn shown(&self, css: &str) -> String {
        wait_for(css, async || {
            let found = self.client.find(Locator::Css(css)).await.ok()?;
            found.text().await.ok().filter(|text| !text.is_empty())
        })
        .await
    }

    /// The address that the browser is at.
    pub(super) async fn at(&self) -> String {
        self.client.current_url().await.unwrap().into()
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

    /// What the browser has told of a kind, each as one value.
    async fn told(&self, kind: &'static str) -> Vec<Value> {
        let told = self.client.issue_cmd(Told(kind)).await.unwrap();
        told.as_array().unwrap().clone()
    }

    /// Whatever a page did that its policy forbids, and whatever it asked of another server.
    async fn trespasses(&self) -> Vec<String> {
        let of_policy = ["Content Security Policy", "Trusted"];
        let message = |entry: Value| entry["message"].as_str().unwrap().to_owned();
        let mut found: Vec<String> = self.told("browser").await.into_iter().map(message).collect();
        found.retain(|message| of_policy.iter().any(|word| message.contains(word)));
        for entry in self.told("performance").await {
            let event: Value = serde_json::from_str(&message(entry)).unwrap();
            let event = &event["message"];
            if event["method"] != "Network.requestWillBeSent" {
                continue;
            }
            let asked = &event["params"];
            let url = |value: &Value| Url::parse(value.as_str().unwrap_or_default()).ok();
            let (Some(to), Some(page)) =
                (url(&asked["request"]["url"]), url(&asked["documentURL"]))
            else {
                continue;
            };
            // What the page of a network or of a provider asks for is not ours to say.
            if self.own.get().is_some_and(|own| *own != page.origin()) {
                continue;
            }
            // A person goes elsewhere by pages: to a network that is connected.
            let is_elsewhere = to.origin() != page.origin() && to.scheme().starts_with("http");
            if is_elsewhere && asked["type"] != "Document" {
                found.push(format!("{page} asks {to}"));
            }
        }
        found
    }

    /// Ends the browser, in which no page may have done what its policy forbids, nor have asked
    /// another server for anything.
    pub(super) async fn end(mut self) {
        assert_eq!(self.trespasses().await, Vec::<String>::new());
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
