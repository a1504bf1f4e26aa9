//! A sandbox with TikTok on it, files that it can fetch, and a publish as the engine runs it.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use reqwest::header::LOCATION;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, AfterPublishing, AuthorizeInput, ConnectInput, Connected, JobFile, LivePost, Located,
    Metered, Network, NetworkError, NetworkErrorKind as Kind, NoMedia, PublishJob, Step,
};
use scheduler_core::target::Remote;
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Client, NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use secrecy::SecretString;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::served::Served;
use crate::support::{World, input, present};

/// A sandbox with one account, both sides of an adapter with an application, and a client of its
/// own.
pub(crate) struct Here {
    pub(crate) world: World,
    pub(crate) after: Arc<dyn AfterPublishing>,
    pub(crate) http: reqwest::Client,
    files: Arc<Served>,
}

/// What came of a publish.
pub(crate) struct Published {
    pub(crate) result: Result<Remote, NetworkError>,
    /// What went wrong on the way.
    pub(crate) failures: Vec<Kind>,
    /// Every name of the post, in the order in which they were told.
    pub(crate) ids: Vec<String>,
}

impl Here {
    pub(crate) async fn new() -> Self {
        let media_processing = Duration::from_secs(2);
        Self::with(Options { media_processing, ..Options::default() }).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let mut world = World::with(Platform::Tiktok, options).await;
        let base = Url::parse(&format!("{}/tiktok", world.sandbox.url())).unwrap();
        let client = Client { id: "app".to_owned(), secret: SecretString::from("app-secret") };
        let settings = NetworkSettings {
            api_base: Some(base),
            client: Some(client),
            ..NetworkSettings::default()
        };
        let networks = [(Platform::Tiktok, settings)].into();
        let settings = Settings { allow_private: true, networks };
        let files = Served::start().await;
        let stored = StoredFiles { files: files.clone(), examiner: Arc::new(NoMedia) };
        let adapters = adapters(&settings, stored).unwrap();
        world.network = adapters.networks.network(Platform::Tiktok).unwrap().clone();
        let after = adapters.after.network(Platform::Tiktok).unwrap().clone();
        let http =
            reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        Self { world, after, http, files }
    }

    /// Keeps a file, as one that the post has.
    pub(crate) fn file(&self, number: u128, media_type: &str, bytes: Vec<u8>) -> JobFile {
        let id = MediaId(Uuid::from_u128(number));
        let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(3)), id);
        let size_bytes = u64::try_from(bytes.len()).ok();
        self.files.kept.put(folder.original(), bytes.into());
        let is_video = media_type.starts_with("video");
        let kind = if is_video { MediaKind::Video } else { MediaKind::Image };
        let mime_type = Some(media_type.to_owned());
        let facts = MediaFacts { mime_type, size_bytes, ..MediaFacts::of_kind(kind) };
        JobFile::new(id, folder, facts)
    }

    /// A video with a text and options.
    pub(crate) fn video(
        &self,
        number: u128,
        text: &str,
        bytes: usize,
        options: &Value,
    ) -> PublishJob {
        let mut job = self.world.job(number, text, options);
        job.files = vec![self.file(number, "video/mp4", mp4(text, bytes))];
        job
    }

    /// Photos with a text and options.
    pub(crate) fn photos(
        &self,
        number: u128,
        text: &str,
        count: u8,
        options: &Value,
    ) -> PublishJob {
        let mut job = self.world.job(number, text, options);
        let photos =
            (0..count).map(|at| self.file(number * 100 + u128::from(at), "image/jpeg", jpeg(at)));
        job.files = photos.collect();
        job
    }

    /// Publishes as the engine does, attempt after attempt. The network's own work is waited for.
    pub(crate) async fn publish(&self, job: PublishJob) -> Published {
        self.publish_by(job, false).await
    }

    /// The same with the time that each wait takes, which only the clock of the job is told.
    pub(crate) async fn publish_with_waits(&self, job: PublishJob) -> Published {
        self.publish_by(job, true).await
    }

    async fn publish_by(&self, mut job: PublishJob, goes_by_the_clock: bool) -> Published {
        let network: &dyn Network = &*self.world.network;
        let mut progress = network.begin(&job);
        let mut is_open = false;
        let mut done = Published { result: Err(never()), failures: Vec::new(), ids: Vec::new() };
        loop {
            assert!(done.failures.len() < 10, "no end: {:?}", done.failures);
            let step = if is_open {
                match network.locate(&job, &progress).await {
                    Ok(Located::Live(found)) => Ok(Step::Live(found)),
                    Ok(Located::Continue(next) | Located::Absent(next) | Located::Repeat(next)) => {
                        Ok(Step::Next(next))
                    }
                    Ok(Located::Wait { progress: next, until }) => {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        (progress, job.now) = (next, job.now.max(until));
                        continue;
                    }
                    Ok(Located::Unknown) => {
                        done.result = Err(NetworkError::new(Kind::InDoubt, "It is not known."));
                        return done;
                    }
                    Err(error) => Err(error),
                }
            } else {
                network.advance(&job, &progress).await
            };
            let error = match step {
                Ok(Step::Live(found)) => {
                    if let Some(remote) = found.remote {
                        done.ids.push(remote.id.clone());
                        done.result = Ok(remote);
                    }
                    match found.then {
                        Some(then) => (progress, is_open) = (then, false),
                        None => return done,
                    }
                    continue;
                }
                Ok(Step::Next(next)) => {
                    (progress, is_open) = (next, false);
                    continue;
                }
                Ok(Step::Wait { progress: next, until }) => {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    if goes_by_the_clock {
                        job.now = job.now.max(until);
                    }
                    (progress, is_open) = (next, false);
                    continue;
                }
                Ok(Step::Failed { progress: next, error }) => {
                    (progress, is_open) = (next, false);
                    error
                }
                Err(error) => error,
            };
            done.failures.push(error.kind);
            match error.kind {
                Kind::InDoubt | Kind::Unsettled => is_open = true,
                Kind::Temporary | Kind::RateLimited { .. } => {
                    job.now += TimeDelta::minutes(1);
                }
                Kind::TokenExpired => match network.refresh(&job.account, &job.credentials).await {
                    Ok(credentials) => job.credentials = credentials,
                    Err(error) => return Published { result: Err(error), ..done },
                },
                Kind::Permanent | Kind::Reconnect => {
                    return Published { result: Err(error), ..done };
                }
            }
        }
    }

    /// Takes the server of the files away.
    pub(crate) fn unserve(&self) {
        self.files.leave();
    }

    /// Brings it back.
    pub(crate) fn serve(&self) {
        self.files.come_back();
    }

    pub(crate) fn access(&self) -> Access {
        let PublishJob { account, credentials, now, .. } = self.world.job(1, "", &json!({}));
        Access { account, credentials, now, meter: Metered::free() }
    }

    /// A post that was published, as it is known afterwards.
    pub(crate) fn live_post(&self, remote: Remote) -> LivePost {
        let job = self.world.job(1, "", &json!({}));
        LivePost {
            target_id: job.target_id,
            remote,
            content: String::new(),
            link_url: None,
            file_count: 1,
            options: job.options,
            published_at: present(),
        }
    }

    /// The requests to a path that ends like this: what they carried, and how much.
    pub(crate) async fn requests(&self, path: &str) -> Vec<Value> {
        let url = format!("{}/_sandbox/requests", self.world.sandbox.url());
        let body: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        let entries = body["data"].as_array().unwrap().iter();
        let entries = entries.filter(|entry| entry["path"].as_str().unwrap().ends_with(path));
        entries.cloned().collect()
    }

    /// Lets the application in as an account, with some of the scopes, and connects it with what
    /// comes back.
    pub(crate) async fn let_in(
        &self,
        account: &str,
        redirect_uri: &str,
        allowed: Option<&str>,
    ) -> Result<Vec<Connected>, NetworkError> {
        let asked = AuthorizeInput {
            values: ConnectInput::default(),
            redirect_uri: redirect_uri.to_owned(),
            state: "state-1".to_owned(),
            code_verifier: SecretString::from("v".repeat(43)),
        };
        let page = self.world.network.authorize(&asked).await.unwrap();
        assert_eq!(self.http.get(&page.url).send().await.unwrap().status(), 200);
        let url = Url::parse(&page.url).unwrap();
        let mut form: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        form.push(("account".to_owned(), account.to_owned()));
        form.push(("decision".to_owned(), "allow".to_owned()));
        form.extend(allowed.map(|allowed| ("allowed".to_owned(), allowed.to_owned())));
        let back = self.http.post(&page.url).form(&form).send().await.unwrap();
        let back = Url::parse(back.headers()[LOCATION].to_str().unwrap()).unwrap();
        let value = |name: &str| {
            let mut pairs = back.query_pairs();
            pairs.find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap()
        };
        assert_eq!(value("state"), "state-1");
        let values = json!({
            "code": value("code"),
            "redirectUri": redirect_uri,
            "codeVerifier": "v".repeat(43),
        });
        self.world.network.connect(&input(&values)).await
    }
}

fn never() -> NetworkError {
    NetworkError::new(Kind::Permanent, "It was never told to be live.")
}

/// A video whose bytes differ by its text.
pub(crate) fn mp4(text: &str, length: usize) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypisom".to_vec();
    bytes.extend(text.bytes());
    bytes.resize(length, 7);
    bytes
}

/// A picture of 64 by 48 pixels whose bytes differ by `seed`.
pub(crate) fn jpeg(seed: u8) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x30\0\x40".to_vec();
    bytes.extend([seed; 200]);
    bytes
}
