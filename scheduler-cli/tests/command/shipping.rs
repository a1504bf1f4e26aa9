//! What keeps a deployment within its bounds and its parts known: limits of memory and processes,
//! least rights at the bucket, images by digest, and what a release is checked for.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use crate::packaging::{Compose, project, text, value, words};

/// Bytes that a figure such as `2g`, `1536M` or `2G` stands for.
fn bytes(figure: &str) -> u64 {
    let (number, unit) = figure.split_at(figure.len() - 1);
    let unit = match unit {
        "m" | "M" => 20,
        "g" | "G" => 30,
        other => panic!("{figure}: {other}"),
    };
    number.parse::<u64>().unwrap() << unit
}

#[test]
fn every_container_has_a_limit_of_memory_and_processes() {
    let compose = Compose::read();
    for name in compose.names("services") {
        let service = compose.service(&name);
        let memory = value(service, "mem_limit").as_str().expect(&name);
        assert!((256 << 20..=4 << 30).contains(&bytes(memory)), "{name}: {memory}");
        let processes = value(service, "pids_limit").as_i64().expect(&name);
        assert!((16..=1_024).contains(&processes), "{name}: {processes}");
        let security = words(value(service, "security_opt"));
        assert_eq!(security, ["no-new-privileges:true"], "{name}");
    }
}

#[test]
fn the_unit_has_limits_that_fit_each_other_and_lets_video_tools_be_confined() {
    let unit = text("deploy/scheduler.service");
    let of = |name: &str| {
        let start = format!("{name}=");
        let mut found = unit.lines().filter_map(|line| line.strip_prefix(start.as_str()));
        let first = found.next().unwrap_or_else(|| panic!("{name}"));
        (first.to_owned(), found.map(str::to_owned).collect::<Vec<_>>())
    };
    let (high, most) = (bytes(&of("MemoryHigh").0), bytes(&of("MemoryMax").0));
    assert!(high < most, "it is slowed before it is ended");
    assert!((128..=4_096).contains(&of("TasksMax").0.parse::<u32>().unwrap()));
    let (allowed, taken) = of("SystemCallFilter");
    let allowed: Vec<&str> = allowed.split_whitespace().collect();
    for call in
        ["seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"]
    {
        assert!(allowed.contains(&call), "{call}");
    }
    assert_eq!(taken, ["~@privileged"]);
    assert_eq!(of("WantedBy").0, "multi-user.target");
}

#[test]
fn the_keys_of_the_nodes_reach_one_bucket_and_cannot_make_another() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("make-secrets");
    std::fs::copy(project("deploy/make-secrets"), &script).unwrap();
    assert!(Command::new("bash").arg(&script).output().unwrap().status.success());
    let secrets = folder.path().join("secrets");
    let identities = std::fs::read_to_string(secrets.join("s3_identities.json")).unwrap();
    let identities: serde_json::Value = serde_json::from_str(&identities).unwrap();
    let identities = identities["identities"].as_array().unwrap().clone();
    let compose = Compose::read();
    let mut keys = Vec::new();
    for (name, actions, services, file) in [
        (
            "scheduler",
            &["Read:scheduler", "Write:scheduler", "List:scheduler"][..],
            &["api", "worker"][..],
            "secrets/s3.env",
        ),
        ("bucket-maker", &["Admin:scheduler"], &["bucket"], "secrets/s3_bucket_maker.env"),
    ] {
        let identity = identities.iter().find(|found| found["name"] == name).expect(name);
        let allowed: Vec<&str> =
            identity["actions"].as_array().unwrap().iter().filter_map(|a| a.as_str()).collect();
        assert_eq!(allowed, actions, "{name}");
        let key = identity["credentials"][0]["accessKey"].as_str().unwrap().to_owned();
        let given = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(given.contains(&format!("AWS_ACCESS_KEY_ID={key}\n")), "{name}");
        keys.push(key);
        for service in services {
            assert_eq!(words(value(compose.service(service), "env_file")), [file], "{service}");
        }
    }
    assert_eq!(identities.len(), keys.len());
    assert_ne!(keys[0], keys[1]);
    let bucket = words(value(compose.service("bucket"), "command")).join(" ");
    assert!(bucket.contains("--bucket scheduler"), "{bucket}");
}

const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A registry that gives a token to anybody and the same digest for every tag; what it was asked
/// for is kept.
fn registry() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (here, kept) = (address.clone(), Arc::clone(&asked));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            answer(stream, &here, &kept);
        }
    });
    (address, asked)
}

fn answer(mut stream: TcpStream, here: &str, asked: &Mutex<Vec<String>>) {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let head: Vec<String> = lines.map_while(Result::ok).take_while(|l| !l.is_empty()).collect();
    let Some(first) = head.first() else { return };
    let is_allowed = head.iter().any(|line| line == "Authorization: Bearer reader");
    let (status, more, body) = if first.starts_with("GET /token?service=stand-in") {
        ("200 OK", String::new(), "{\"token\":\"reader\"}")
    } else if is_allowed {
        asked.lock().unwrap().push(first.clone());
        ("200 OK", format!("Docker-Content-Digest: {DIGEST}\r\n"), "")
    } else {
        let challenge = format!("Bearer realm=\"{here}/token\",service=\"stand-in\"");
        ("401 Unauthorized", format!("WWW-Authenticate: {challenge}\r\n"), "")
    };
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{more}\r\n{body}"
    );
}

fn pin(root: &Path, registry: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.arg(project("scripts/pin-images.py")).args(arguments);
    command.env("PIN_ROOT", root).env("PIN_REGISTRY", registry).output().unwrap()
}

#[test]
fn every_image_is_named_by_a_tag_to_which_the_script_adds_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deploy")).unwrap();
    for path in ["Dockerfile", "deploy/compose.yaml"] {
        // As if it had no digests yet.
        let lines = text(path);
        let lines = lines.lines().map(|line| line.split("@sha256:").next().unwrap());
        let loose: String = lines.flat_map(|line| [line, "\n"]).collect();
        std::fs::write(folder.path().join(path), loose).unwrap();
    }
    let read = || {
        ["Dockerfile", "deploy/compose.yaml"]
            .map(|path| std::fs::read_to_string(folder.path().join(path)).unwrap())
    };
    let before = read();
    let refused = pin(folder.path(), "http://127.0.0.1:1", &[]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert_eq!(read(), before, "a registry that is away changes nothing");
    let loose = pin(folder.path(), "", &["--check"]);
    assert_eq!(loose.status.code(), Some(1), "{loose:?}");
    assert!(String::from_utf8_lossy(&loose.stderr).contains("alpine:3.22"), "{loose:?}");

    let (registry, asked) = registry();
    let pinned = pin(folder.path(), &registry, &[]);
    assert!(pinned.status.success(), "{pinned:?}");
    assert!(pin(folder.path(), "", &["--check"]).status.success());
    let [dockerfile, compose] = read();
    for line in dockerfile.lines().filter(|line| line.starts_with("FROM ")) {
        let base = line["FROM ".len()..].split(' ').next().unwrap();
        let is_variable = base.starts_with("${") && base.ends_with("_IMAGE}");
        assert!(is_variable || base == "scratch", "{line}");
    }
    let mut bases = dockerfile.lines().filter(|line| line.starts_with("ARG "));
    assert!(bases.all(|line| line.ends_with(DIGEST)), "{dockerfile}");
    for line in compose.lines().filter(|line| line.trim().starts_with("image: ")) {
        let is_built_here = line.trim() == "image: scheduler";
        assert!(is_built_here || line.ends_with(DIGEST), "{line}");
    }
    let asked = asked.lock().unwrap().clone();
    for name in ["library/rust", "library/alpine", "library/postgres", "amazon/aws-cli"] {
        let start = format!("HEAD /v2/{name}/manifests/");
        assert!(asked.iter().any(|line| line.starts_with(&start)), "{name}: {asked:?}");
    }
    let again = pin(folder.path(), &registry, &[]);
    assert!(again.status.success(), "what has a digest is asked for anew: {again:?}");
    assert_eq!(read(), [dockerfile, compose]);
}

#[test]
fn what_is_checked_of_dependencies_is_checked_in_ci_and_before_a_release() {
    let rules = text("deny.toml");
    for section in ["[advisories]", "[licenses]", "[bans]", "[sources]"] {
        assert!(rules.lines().any(|line| line == section), "{section}");
    }
    assert!(text(".ci/run").lines().any(|line| line == "begin scripts/supply-chain.sh"));
    let release = text("scripts/release.sh");
    let at = |line: &str| release.lines().position(|found| found.starts_with(line)).expect(line);
    let built = at("cargo build --locked --profile dist");
    assert!(at("scripts/supply-chain.sh") < built && at("scripts/pin-images.py --check") < built);
    assert!(at("scripts/sbom.sh") < at("(cd dist && sha256sum"));
    for script in ["supply-chain.sh", "sbom.sh", "release.sh"] {
        let path = project("scripts").join(script);
        let parsed = Command::new("bash").arg("-n").arg(&path).status().unwrap();
        assert!(parsed.success(), "{script}");
    }
}
