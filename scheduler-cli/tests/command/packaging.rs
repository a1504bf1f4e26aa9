//! What stands in `deploy/` and the Dockerfile, as far as it can be checked without an engine:
//! it can be read, names only settings that there are, starts commands that the built command
//! understands, and agrees with itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use yaml_rust2::{Yaml, YamlLoader};

use crate::running::{Ran, run, scheduler};

pub(crate) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

pub(crate) fn text(path: &str) -> String {
    std::fs::read_to_string(project(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every variable that the built command reads.
fn known_variables() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let keys = run(folder.path(), &["config", "keys", "--json"]).json();
    let keys = keys["data"].as_array().unwrap().clone();
    let names = keys.iter().flat_map(|key| [&key["variable"], &key["fileVariable"]]);
    let names = names.filter_map(|name| name.as_str().map(str::to_owned));
    names.chain(["SCHEDULER_CONFIG".to_owned()]).collect()
}

/// The arguments are understood. What they would do is not done.
fn assert_understood(place: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &[arguments, &["--help"]].concat());
    assert_eq!(ran.code, Some(0), "{place}: scheduler {arguments:?}: {}", ran.stderr);
}

pub(crate) struct Compose(Yaml);

impl Compose {
    pub(crate) fn read() -> Self {
        let documents = YamlLoader::load_from_str(&text("deploy/compose.yaml")).unwrap();
        assert_eq!(documents.len(), 1);
        Self(documents.into_iter().next().unwrap())
    }

    pub(crate) fn names(&self, list: &str) -> Vec<String> {
        let entries = self.0[list].as_hash().unwrap().keys();
        entries.map(|key| key.as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn service(&self, name: &str) -> &Yaml {
        &self.0["services"][name]
    }
}

/// What a mapping holds under a key, itself or by a merge.
pub(crate) fn value<'a>(mapping: &'a Yaml, key: &str) -> &'a Yaml {
    let own = &mapping[key];
    if own.is_badvalue() { &mapping["<<"][key] } else { own }
}

pub(crate) fn words(list: &Yaml) -> Vec<&str> {
    list.as_vec().into_iter().flatten().map(|word| word.as_str().unwrap()).collect()
}

/// The variables of a service, merged ones too.
fn environment(service: &Yaml) -> Vec<(String, String)> {
    let own = value(service, "environment");
    let mut found = Vec::new();
    for mapping in [own, &own["<<"]] {
        for (name, value) in mapping.as_hash().into_iter().flatten() {
            if let (Some(name), Some(value)) = (name.as_str(), value.as_str()) {
                found.push((name.to_owned(), value.to_owned()));
            }
        }
    }
    found
}

/// With `${NAME:?…}` replaced.
fn interpolated(text: &str) -> String {
    let Some((before, rest)) = text.split_once("${") else { return text.to_owned() };
    let (name, rest) = rest.split_once('}').unwrap();
    let value = match name.split_once(":?").unwrap().0 {
        "PUBLIC_URL" => "https://scheduler.example.com",
        "FILES_URL" => "https://files.example.com",
        other => panic!("{other} stands nowhere in .env.example"),
    };
    assert!(!rest.contains("${"));
    format!("{before}{value}{rest}")
}

#[test]
fn every_variable_is_one_that_is_read() {
    let known = known_variables();
    let mut seen = 0;
    for path in [
        "Dockerfile",
        "deploy/compose.yaml",
        "deploy/scheduler.service",
        "deploy/as-service",
        "deploy/Caddyfile",
        "deploy/.env.example",
        "docs/configuration.md",
    ] {
        let text = text(path);
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        for word in text.split(|sign| !is_name(sign)) {
            if word.starts_with("SCHEDULER_") && word != "SCHEDULER_" {
                assert!(known.contains(word), "{path}: {word}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn the_services_agree_with_each_other() {
    let compose = Compose::read();
    let services = compose.names("services");
    let (secrets, volumes) = (compose.names("secrets"), compose.names("volumes"));
    let mut published = Vec::new();
    for name in &services {
        let service = compose.service(name);
        for secret in words(value(service, "secrets")) {
            assert!(secrets.contains(&secret.to_owned()), "{name}: secret {secret}");
        }
        for volume in words(value(service, "volumes")) {
            let volume = volume.split(':').next().unwrap().to_owned();
            assert!(volumes.contains(&volume), "{name}: volume {volume}");
        }
        for (other, condition) in value(service, "depends_on").as_hash().into_iter().flatten() {
            let other = other.as_str().unwrap();
            assert!(services.contains(&other.to_owned()), "{name} depends on {other}");
            let is_watched = !value(compose.service(other), "healthcheck").is_badvalue();
            match condition["condition"].as_str().unwrap() {
                "service_healthy" => assert!(is_watched, "{name}: {other} has no health check"),
                condition => assert_eq!(condition, "service_completed_successfully"),
            }
        }
        for port in words(value(service, "ports")) {
            let inside = port.strip_prefix("127.0.0.1:").expect("only the loopback address");
            let (outer, inner) = inside.split_once(':').unwrap();
            assert_eq!(outer, inner, "{name}");
            published.push((name.as_str(), inner.to_owned()));
        }
    }
    published.sort();
    assert_eq!(published, [("api", "8080".to_owned()), ("s3", "8333".to_owned())]);
    let command = words(value(compose.service("s3"), "command")).join(" ");
    assert!(command.contains("-s3.port=8333"), "{command}");
    let proxy = text("deploy/Caddyfile");
    let targets: Vec<&str> =
        proxy.lines().filter_map(|line| line.trim().strip_prefix("reverse_proxy ")).collect();
    assert_eq!(targets, ["127.0.0.1:8080", "127.0.0.1:8333"]);
    for (name, in_container) in [("api", "api"), ("worker", "api,worker")] {
        let environment = environment(compose.service(name));
        let role = environment.iter().find(|(name, _)| name == "SCHEDULER_ROLE");
        assert_eq!(role.unwrap().1, in_container, "{name}");
    }
}

/// The secrets that the script makes and the variables of each node are settings that a server
/// could start with.
#[test]
fn each_node_has_settings_that_can_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("make-secrets");
    std::fs::copy(project("deploy/make-secrets"), &script).unwrap();
    let made = Command::new("bash").arg(&script).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    let again = Command::new("bash").arg(&script).output().unwrap();
    assert!(!again.status.success(), "what is there is not written over");
    let secrets = folder.path().join("secrets");

    let compose = Compose::read();
    for name in compose.names("secrets") {
        let path = compose.0["secrets"][name.as_str()]["file"].as_str().unwrap();
        assert!(folder.path().join(path).is_file(), "{path} is not made");
    }
    let identities = std::fs::read_to_string(secrets.join("s3_identities.json")).unwrap();
    let identities: serde_json::Value = serde_json::from_str(&identities).unwrap();
    let given = &identities["identities"][0]["credentials"][0];
    let variables = std::fs::read_to_string(secrets.join("s3.env")).unwrap();
    assert_eq!(
        variables,
        format!(
            "AWS_ACCESS_KEY_ID={}\nAWS_SECRET_ACCESS_KEY={}\n",
            given["accessKey"].as_str().unwrap(),
            given["secretKey"].as_str().unwrap()
        )
    );
    for name in ["api", "worker"] {
        let data = tempfile::tempdir().unwrap();
        let service = compose.service(name);
        assert_eq!(words(value(service, "env_file")), ["secrets/s3.env"]);
        let mut command = scheduler(data.path(), &["config", "show", "--all", "--json"]);
        for (name, value) in environment(service) {
            let value = interpolated(&value);
            let path = value.strip_prefix("/run/secrets/").map(|file| secrets.join(file));
            command.env(name, path.map_or(value, |path| path.display().to_string()));
        }
        let ran = Ran::of(&mut command);
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        let report = ran.json();
        let find = |key: &str| {
            let mut settings = report["settings"].as_array().unwrap().iter();
            settings.find(|setting| setting["key"] == key).unwrap()["value"].clone()
        };
        assert_eq!(find("database"), "postgres://scheduler:***@postgres/scheduler");
        assert_eq!(
            find("files"),
            "s3://scheduler?endpoint=https://files.example.com&region=us-east-1"
        );
        assert_eq!(find("public_url"), "https://scheduler.example.com");
    }
    let example = text("deploy/.env.example");
    for line in ["PUBLIC_URL=https://scheduler.example.com", "FILES_URL=https://files.example.com"]
    {
        assert!(example.lines().any(|found| found == line), "{line}");
    }
}

#[test]
fn every_command_line_is_understood() {
    let compose = Compose::read();
    for name in ["api", "worker"] {
        let test = words(&value(compose.service(name), "healthcheck")["test"]);
        assert_eq!(test[..2], ["CMD", "/scheduler"]);
        assert_understood(name, &test[2..]);
    }
    let mut lines = Vec::new();
    for path in
        ["Dockerfile", "deploy/compose.yaml", "deploy/scheduler.service", "deploy/as-service"]
    {
        for line in text(path).lines() {
            let line = line.split("          #").next().unwrap_or_default().trim_end();
            let starts =
                ["#   scheduler ", "#   deploy/as-service ", "ExecStart=/usr/local/bin/scheduler "];
            let within = [" exec api /scheduler ", "run on the same data: deploy/as-service "];
            let found = starts
                .iter()
                .find_map(|start| line.strip_prefix(start))
                .or_else(|| within.iter().find_map(|start| Some(line.split_once(start)?.1)));
            let Some(arguments) = found else { continue };
            let arguments = arguments.split(" > ").next().unwrap();
            assert_understood(path, &arguments.split_whitespace().collect::<Vec<_>>());
            lines.push(arguments.to_owned());
        }
    }
    for line in ["serve", "doctor", "config example", "keys create --name laptop --preset publish"]
    {
        assert!(lines.iter().any(|found| found == line), "{line}: {lines:?}");
    }
}

#[test]
fn the_image_is_static_small_and_not_of_root() {
    let file = text("Dockerfile");
    let manifest = text("Cargo.toml");
    let lowest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let image = file.lines().find_map(|line| line.strip_prefix("ARG RUST_IMAGE=rust:"));
    let minor = |version: &str| -> u32 {
        version.trim_matches('"').split(['.', '-']).nth(1).unwrap().parse().unwrap()
    };
    assert!(minor(image.unwrap()) >= minor(lowest.unwrap()), "{image:?} builds {lowest:?}");
    assert!(image.unwrap().ends_with("-alpine"), "{image:?}");
    assert!(file.contains("--profile dist") && manifest.contains("[profile.dist]"));
    let stages: Vec<&str> = file.split("\nFROM ").skip(1).collect();
    assert_eq!(stages.len(), 3);
    assert!(stages[2].starts_with("scratch\n"), "the last stage is the one that is built");
    let settings = |stage: &str| -> Vec<String> {
        let start = stage.find("ENV ").unwrap();
        stage[start..].lines().map(str::trim).map(str::to_owned).collect()
    };
    // Both images differ only in ffmpeg.
    let with_ffmpeg: Vec<String> =
        settings(stages[1]).into_iter().filter(|line| !line.is_empty()).collect();
    let plain = settings(stages[2]);
    assert_eq!(with_ffmpeg, plain);
    for line in [
        "USER 65532:65532",
        "VOLUME /data",
        "EXPOSE 8080",
        "ENTRYPOINT [\"/scheduler\"]",
        "CMD [\"serve\"]",
    ] {
        assert!(plain.iter().any(|found| found == line), "{line}");
    }
    assert!(plain.iter().any(|line| line.starts_with("SCHEDULER_LISTEN=0.0.0.0:8080")));
    let health = plain.iter().find_map(|line| line.strip_prefix("HEALTHCHECK ")).unwrap();
    let health: Vec<String> = serde_json::from_str(health.split_once("CMD ").unwrap().1).unwrap();
    assert_eq!(health, ["/scheduler", "health"]);
    let bundle = "/etc/ssl/certs/ca-certificates.crt";
    assert!(plain.iter().any(|line| line.contains(&format!("SSL_CERT_FILE={bundle}"))));
    assert!(stages[2].contains(&format!("COPY --from=build /out/ca-certificates.crt {bundle}")));
    let ignored = text(".dockerignore");
    for secret in ["deploy", "data", "scheduler.toml", "**/*.key"] {
        assert!(ignored.lines().any(|line| line == secret), "{secret}");
    }
}

/// An image without a system holds the file that `SSL_CERT_FILE` names. Where it is missing, what
/// to do is said; where it holds an authority, a server starts.
#[test]
fn certificates_are_read_from_the_file_that_is_named() {
    let authority = rcgen::generate_simple_self_signed(["authority".to_owned()]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle.crt");
    let encoded = BASE64_STANDARD.encode(authority.cert.der());
    let lines: Vec<&str> =
        encoded.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let lines = lines.join("\n");
    let pem = format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n");
    std::fs::write(&bundle, pem).unwrap();
    let nowhere = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let advice = "next: install the certificates of authorities (ca-certificates), or name a file \
                  of them with SSL_CERT_FILE";
    for (name, file, said) in [
        ("missing", folder.path().join("missing.crt"), advice),
        // A server gets as far as the address that is taken.
        ("there", bundle, "cannot listen on"),
    ] {
        let mut command = scheduler(folder.path(), &["serve", "--listen", &address]);
        let ran = Ran::of(command.env("SSL_CERT_FILE", file).env("SSL_CERT_DIR", nowhere.path()));
        assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
        assert!(ran.stderr.contains(said), "{name}: {ran:?}");
    }
}

#[test]
fn the_unit_is_one_that_systemd_takes() {
    let unit = text("deploy/scheduler.service");
    let admin = text("deploy/as-service");
    // What decides whose data it is must be the same for other commands.
    for property in ["DynamicUser", "User", "StateDirectory", "StateDirectoryMode", "UMask"] {
        let line = unit.lines().find(|line| line.starts_with(&format!("{property}="))).unwrap();
        assert!(admin.contains(&format!("--property={line} ")), "{line}");
    }
    let mut credentials = 0;
    for line in unit.lines().filter(|line| line.starts_with("LoadCredential=")) {
        assert!(admin.contains(&format!("--property={line} ")), "{line}");
        let name = line["LoadCredential=".len()..].split(':').next().unwrap();
        assert!(unit.contains(&format!("=%d/{name}\n")), "{name} is not read");
        assert!(admin.contains(&format!("=$CREDENTIALS_DIRECTORY/{name}\n")), "{name}");
        credentials += 1;
    }
    assert_eq!(credentials, 2);

    let folder = tempfile::tempdir().unwrap();
    let built = assert_cmd::cargo::cargo_bin!("scheduler").display().to_string();
    let here = unit.replace("/usr/local/bin/scheduler", &built);
    let path = folder.path().join("scheduler.service");
    std::fs::write(&path, here).unwrap();
    let verified = Command::new("systemd-analyze").arg("verify").arg(&path).output();
    match verified {
        Ok(verified) => {
            let said = String::from_utf8_lossy(&verified.stderr).into_owned();
            let about_it = said.lines().filter(|line| line.contains("scheduler.service"));
            assert_eq!(about_it.collect::<Vec<_>>(), [""; 0]);
            assert!(verified.status.success(), "{verified:?}");
        }
        Err(error) => eprintln!("LEFT OUT: systemd-analyze cannot be started: {error}"),
    }
}

#[test]
fn the_compose_file_is_one_that_docker_takes() {
    let has_compose = Command::new("docker").args(["compose", "version"]).output();
    if !has_compose.is_ok_and(|ran| ran.status.success()) {
        eprintln!("LEFT OUT: there is no `docker compose`");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["compose.yaml", "make-secrets"] {
        std::fs::copy(project("deploy").join(name), folder.path().join(name)).unwrap();
    }
    std::fs::copy(project("deploy/.env.example"), folder.path().join(".env")).unwrap();
    assert!(
        Command::new("bash").arg(folder.path().join("make-secrets")).status().unwrap().success()
    );
    let mut command = Command::new("docker");
    let ran = Ran::of(command.current_dir(folder.path()).args(["compose", "config", "--quiet"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
