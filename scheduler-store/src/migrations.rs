//! The migrations of each database, oldest first.
//!
//! A database keeps of each migration that it ran the number, the words and the SHA-384 of the
//! text; so what a release has shipped is never changed here.

use std::borrow::Cow;
use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// The migrations of a database: the texts of its folder, of which the ninth has a name of its own,
/// and of `both`, where a text is the same in the two.
macro_rules! migrations {
    ($folder:literal, ($ninth:literal, $ninth_file:literal)) => {
        migrator(&[
            (1, "initial", text!($folder, "0001_initial")),
            (2, "media", text!($folder, "0002_media")),
            (3, "remote record", text!($folder, "0003_remote_record")),
            (4, "pending connections", text!($folder, "0004_pending_connections")),
            (5, "readings", text!($folder, "0005_readings")),
            (6, "assistant", text!($folder, "0006_assistant")),
            (7, "approvals", text!($folder, "0007_approvals")),
            (8, "paused accounts", text!($folder, "0008_paused_accounts")),
            (9, $ninth, text!($folder, $ninth_file)),
            (10, "places", text!($folder, "0010_places")),
            (11, "idempotency", text!($folder, "0011_idempotency")),
            (12, "history", text!($folder, "0012_history")),
            (13, "reading mode", text!($folder, "0013_reading_mode")),
            (14, "disclosure", text!($folder, "0014_disclosure")),
            (15, "target files", text!($folder, "0015_target_files")),
            (16, "documents", text!($folder, "0016_documents")),
            (17, "finding posts", text!($folder, "0017_finding_posts")),
            (18, "sessions", text!($folder, "0018_sessions")),
            (19, "disabled webhooks", text!($folder, "0019_disabled_webhooks")),
            (20, "described media", text!($folder, "0020_described_media")),
            (21, "more events", text!($folder, "0021_more_events")),
            (22, "shared approvals", text!($folder, "0022_shared_approvals")),
            (23, "times and tokens", text!($folder, "0023_times_and_tokens")),
            (24, "notifiers", text!($folder, "0024_notifiers")),
            (25, "last changes", text!($folder, "0025_last_changes")),
            (26, "snippets", text!($folder, "0026_snippets")),
            (27, "inbox", text!($folder, "0027_inbox")),
            (28, "audit", text!($folder, "0028_audit")),
            (29, "moves", text!($folder, "0029_moves")),
            (30, "failed attempts", text!($folder, "0030_failed_attempts")),
            (31, "changes", text!($folder, "0031_changes")),
            (32, "people", text!($folder, "0032_people")),
            (33, "passkeys and reviews", text!($folder, "0033_passkeys_and_reviews")),
            (35, "post versions", text!($folder, "0035_post_versions")),
            (36, "seen approvals", text!("both", "0036_seen_approvals")),
            (38, "times of words", text!($folder, "0038_times_of_words")),
            (39, "links of log", text!($folder, "0039_links_of_log")),
            (40, "calendar feeds", text!($folder, "0040_calendar_feeds")),
            (41, "feeds", text!($folder, "0041_feeds")),
            (45, "grants", text!($folder, "0045_grants")),
            (46, "upload links", text!($folder, "0046_upload_links")),
            (49, "agents", text!($folder, "0049_agents")),
            (50, "recurrences", text!($folder, "0050_recurrences")),
            (52, "links", text!($folder, "0052_links")),
            (60, "failing feeds", text!($folder, "0060_failing_feeds")),
            (61, "account sets", text!($folder, "0061_account_sets")),
        ])
    };
}

/// The text of a migration.
macro_rules! text {
    ($folder:literal, $file:literal) => {
        include_str!(concat!("../migrations/", $folder, "/", $file, ".sql"))
    };
}

/// Those of SQLite.
#[cfg(feature = "sqlite")]
pub(crate) static SQLITE: LazyLock<Migrator> =
    LazyLock::new(|| migrations!("sqlite", ("clock", "0009_clock")));

/// Those of PostgreSQL.
#[cfg(feature = "postgres")]
pub(crate) static POSTGRES: LazyLock<Migrator> =
    LazyLock::new(|| migrations!("postgres", ("clock and writes", "0009_clock_and_writes")));

/// Number, words and text of each.
fn migrator(migrations: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migrations = migrations.iter().map(|&(version, description, sql)| {
        let description = Cow::Borrowed(description);
        Migration::new(version, description, MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.collect())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    /// What databases of the releases have recorded.
    const RECORDED_BY_SQLITE: &[&str] = &[
        "917df9c794058d2dffb2320ae97bc093e9d6336f15184a820ae2d6e958c2455181e45d00d326e8af598bea8da385a3b7",
        "12600e3329cbd6127497c4a1f00c9b7ce29b5d6fe16f82a2bc34839bddc2a77d1a95036df317d5e68d72bebfcb7a832d",
        "d75a630d46f8e3f36aa2b6f5233c51651df81b98f5c98743832f1625d157b60b1387675f5c4607d1586d7b53561870e7",
        "36af4068b3457ae820b9eee06535ce9839464928910b6350254476da12fd5319276a7b3d0d7a8abae938672889fdb9cf",
        "1816796fbaf6c5a2436060a9dbb12c8eb2b3b5a664480c56dd648040407e6d03985058b7e6eac86893a0984d208ace6a",
        "563e0d219305b1ca940e20f6f34bf3581cad25761717774aa8f191eed65de7634dc6e678ead0c143cc48de5034eabe25",
        "7c8161720c3a0edc8f2a31415b06526bc60913d4606a9719e216e60fdc3fb785a8788e861013627e3964b323de1a941d",
        "75486c42a4c86f66d792562038efb0af575a2bab1aaed221716f7c4d004224cdc7ca8b1027719f43f07c19e705b971a9",
        "7ed8a98d4140a4d5dfe98739bc9042e02b50b069c41dde50b31a5b65536de300bc56d049da7b4f7af62eb6cad175f415",
        "79083645d7b6b125a484ebe5625876488312bacc5f1d24d75e5f7f3bcbda6c2b9ab053182ac4757019d60e873c21a6c6",
        "74566396b22c394d72f948dcb80d1774d411bd4db57c159041b57b8e6ad59d1a195599e9acfa53738901398757fb204e",
        "998d958722a787a7f269aa08a4c5f47695f73140956476f3c93d280d96e8184ac3dc502217a9710da3b4af6c322f19fd",
        "a862a746b4a406de7115af81a8b0352b24c100a56d6018e5e073c239a9ff266e8a2a055ed9418a8663f03f9f64a0ad6b",
        "370580ce6d5d53af3247ff55a6abf73ebd017dd4b3ad6a36c3897e01512561256c1470c84c0ac4b9b2ccb6cd0cfde13f",
        "f8720d4d979ffbe153f5a04fbbef2d2434910cb0ddb16550a647a87c2f89d53050d4b6f23aefdf413cd4fbd5231ed4a4",
        "2f453ad7921137bcc613969166cf34fd4a4b1daf2994bc5db4356806552a91639cd3d6124906581a303097852146b3e7",
        "b0c529d3ab8ba91b0b9958ea671d045b9cadcc523d42fc6d1fa3663beab0438214068d1c81157b3b8b0d13e02d2d03be",
        "fa257bad0d16b0e4c5b4c6ec9285aa5e1bb39f20a74a3357b6b1d3a8a55cb006fbacafc59355955ec73a2e514d2d88e6",
        "05c4aae5c8162ee9f34734da258d71a6f137213750de10e7dfb58ca105c5e7fe588694529a5db95f56068445402dacd5",
        "38bd54c499aaf1f579627aeea96e9e16e504574432b4cdb998be2aa61712bfd05c135434c0db62d425ebcc3802d9e1da",
        "c31d1a8001d4c5d547ce9e6ca6dbae8b4434f21daad4707d3959c6592edbbc495497e4e0db0432416a03f5920937d944",
        "d9430cecf50b363a48aa0b60f089826c077a5ba63635b4d4c6f3e6af3c4360efd2a38d195839e507a6c55e92ffdfb290",
        "7c921d86c7eaf07390e5ac8cc8e403a35636c4352f81ca726cb338a7e0abb985069567c4ccb060a9a5e244699d60f726",
        "9317c48a256c63703e193fd579d9e7918ad4c614299e62e874853835e5d6580b52df90db978f9f536eeeedd220e86403",
        "dea78e1a9e072a9f51ef8afb610897b8d96502e33380fde725d22998dd94a06672576e146d17f448a88f8cf57c3c47d5",
        "6d882f591c81e261de6afed8c14d233c40023513ac2c2789c1cecdd4f26dd17c364ed1db048da9fdfb621c3a0475ddfb",
        "f62fa39e3b214f2c064ed5e7917a9c375c5af47c3ba5f1b504125d3821c7374831a3a16a94b69fbc71ba69080c55ea8b",
        "8744babbd587e7b51fe9a9a5cfcb49e165187c1b421addda4a8071e4c3427c3b16ec0229766bba0b2ef825df356e65a0",
        "adc4da2c70ebbcd3df21cec8d681f609c054ee926a354c659b69f27ab59d3c9d70db97360ad469bbf65f7eac86201c85",
        "80e2b37353db00575a2bceae67cf678a676e49f951645a9d3fd33d044064f3fd0999d76fb47776bebf4c768d8b4aba20",
        "42946388f710d1aff9331e948d42348cbbe2a849a3e305abae1dfa9c13369ac61e23004d45565336ecca3c2a07e8deeb",
        "9c5eee60967e2e503ca36ebf20ed5f2fb9182cc97fbee5739b1debfbd4f40e172e0af6ecbae2e0172af9d64f56b8cf51",
        "a182a99b1ae4c2280507268fcebd7d340a43bef9edb585fa609cb6222deb6ce13dec6e38c95ca6260eb1d81446ecfd19",
        "9abdd48009e02e7fbe0c5e34e89931c730e51f3276525cdbc32f88b7a82282816cfdb1651941fad3f315a68ce43cae28",
        "add388f5f9f6a1545a8bfa937ec14d02a81f6a6e706fac392de6d6568c4c47bd22e7bb25325a5c1723e60b6f9d8adc90",
        "153051925238ffbb5c4bbc7f2c6b49778b5b41bdbf1cc0ef33cb154c4b3191a45d19952283f7ab1789e8605370c138af",
        "d1845104757fec9c2aae90de48cd0dd9a57f68b423dee491f952859ade35383a67f474aa2049763364ab92a9df5b64bd",
        "48d029e87bc2e64b5837d17409424664b36741cc923c9cac34e09bc513b08bd5beefdf9fe9ba2345d6a704ecc6b71d2f",
        "8eae7597b2fba228952aa2cc8fc8c333235877432770703656763401bf63fa7f5b2d9dc7aa391d59f016d67c579f5f1d",
        "e2dafeed2dd2f45b5d16f42558facd2e2ad9cca8599a654e219d7fb00be7dd680d33883007521866c07c951406178138",
        "5c159f5f8b80534a9c23eb6c413944f819b1eaa550396c4beec9030b5c316be4fac2fbc7d11f09b1c7d3ebf1871ac01c",
        "6cc39bed2b5afcdeb88c509679914afaaeef9d32ebbf1a3c84f3a1dbfdf864d0c1b10b3ec3783bb80bdaeaee38941cb4",
        "4370155a09db27f80914dd7d5cdb09f59671896fff9856d3d76cfa5164d185b8927bea466ae3667d8f54a7b658465c2f",
        "55298e1d33389e6c96070aafe7d3d621121a00872d9ab6d168e879d153207c7738a48d94614d30ebe4fb9abded9f62f7",
        "25b76d5477d56f04c58007d1ce78d4bef7acc7593460f5e3952e921711d55ba04a1daf53614b8873d2ff13b52c1bbb82",
        "30a7c5aa1073044860e67a9d925de644ec278442255970421919b839c85e69d831ab6b9de3ac7a065fb4de803e67615e",
    ];
    const RECORDED_BY_POSTGRES: &[&str] = &[
        "0e34fc760e3704d3d893cadbf018a33f4e0348958a6a4b627cba866180a65ebf5a22da4535aac33c5ffc97e01139f5ab",
        "35f40da3abf4a01fb8765a7195d883e552057f4be09c590a53ed5667871f3ec554e1bdf6e40906c3a93c7112fa1d894c",
        "07a25e6adf3d1859c9384f3e435d68bbc7f1738590568f05f5684674f79ce1163cb9df85bd53aac184ed8b18e8ede32d",
        "60bfaef40ba8d6681b073a715675f2c0b9eec25afeba11b5bef55d8944f4f2b36cbb233432700f83cbf4926b895e71be",
        "9daa113a6abcf526f4132ce805e0ee37b7e56ff9002458a4587c75a9290f680d65f3c09141d0729a465e26dbe8aa61a9",
        "1f375d2a23268b808d40b215ef4cddc380b6187664cc6af151d55601a03fa1da91b963ce8d2802226e62eb53f19643c6",
        "229b5762109ae735110469e997582666b7cd740ee0375ea8233d193a8c4b1eab53a0d227b9076e2e1c6d7e68c6c22de7",
        "152694522547ab43b538ff6995040897c1034d9ebc5b1bcb65ed9ef98927cd809e4c6a82c7c398748d6ec1cb672b145b",
        "92fc9094bf1df8a29ef5e55ffc10612eeda3663827413607cc7592ad35990325fdccb3e65e58273c8b71fc77a13cb130",
        "2272ae3e95860a0cb81b275be2050af4aa10dbdcdf9f835bacfec7b137f7ab7fbc9e9f8e533d7c57b2157518689a9ea7",
        "a6c84ca441ba9679d306defdfe997a8ba5dc4c0e44bcec3a2dffc71d93c940e960723630c564a36193f4149b35dab145",
        "d0b0b7f87bd54d24dcb44592e7941717a4dd8f3907c4bb56ec1ddf18bff9bafe5ff9301433e5eb10968b97826c08ff9e",
        "076c1b885a9d0f487f967e67f32ffefc0570dd169c9f79c4c9b7588632771f93b5d526bc42d975cb2a5ae2642aa5ec27",
        "c0bba5ef87e0ce40fcf0d71070f02458166aceb5be20e06968c338e075cf690f2228ee0381604518dc687e7f31904d51",
        "2f331f6ce00a967c6a5e77cdf915b60c01187b8323539388617e1fe49e9565d56ac892efa2ed1edf80679d9914a18d89",
        "16b761cf28af7c2bccfea8d9d5414ceee84aefcef2df21e732db981236f3dd845e0efe5bd43d32305708c2c0a9d33107",
        "cb716f0ffd6eaa371bc9b8ce88759be9def27c4036dea6bb6ebb1fa87f99181462c39b9e6c88feb817140e168943c3f6",
        "81e49155488944171ffc40910114c9cb9a3ee73a17298b62c66248a8e140ca0ae77838b6d5d75587d86543637a9be892",
        "c3944856ff99db8f91af6e48a463ef07a40f9163e34044b58cf627005b158e6904cc1e022525f56ccbef32930d809548",
        "0773c1091996beca280f25ea74c22d425a152ccd628af7f5d1ae5724a4a77facd54bb597e7184567c08894890452718d",
        "46e21f78bd8e5a972168c52b930110378cf6d5e7979522856e6a2fba5143c5521b335d4c632cf748b70c62c04a4a7671",
        "45ebb60328d26e4325f8d1ee3970d665b07bad16dd245fb71b6484a046ad3e0be60eb7e99aa8704eedaf002240325a37",
        "7cb04124a7d7c87c25d71ed13a9340a90df5e8706d120b0833264cd264f1bdb2561ebe21dbd8e76c04c9f794a58bc2bd",
        "9b1c2a4520d2b4e7e3fd395400c410d9d0eee61264b262ec02a041b3283aaa09811c189b3f940f9c3d9be92aea04c997",
        "6c215b4b01e2dc69fc60cc49a3f1ed818a94267ae5962f34b1def888afb3d105b672d29c0eeb789cdae7bab9a839b9a3",
        "13655163b71dcb7158ddd1bfdb67b86317e88a1bf7cdbbd9bbae4aff1f822cb4eb1cc0766d2d48706fd18f277486c427",
        "85884b7e59c8bfe8d02e6637eaf1c21d56c5c663413d5de81f53de42c20c0e5424c75b6eda1fb6991e103c316d6a0930",
        "92d4989723a4e9dfdc704b91777f1076b89b1ed2788e17992cc8a8bd2b977dccf397b787effd9d2d1287777a8b8c3b8c",
        "ab9322f6c5cba1374c45f12dba6f96fea22be46d7258326528933ae0827b01f804a12486ba8e24c7ccc4def418121178",
        "80e2b37353db00575a2bceae67cf678a676e49f951645a9d3fd33d044064f3fd0999d76fb47776bebf4c768d8b4aba20",
        "42946388f710d1aff9331e948d42348cbbe2a849a3e305abae1dfa9c13369ac61e23004d45565336ecca3c2a07e8deeb",
        "f1efa264ebcd77f19def32cd930876cbfb6b4005256edaacdbb48fceae54968c66cdfcdfea457ec9858edf753856fbb6",
        "56ec1991dd96f33f401a437d2fa77d0615533e8769d2c59e04f82a5a2e4b7db9e265c613b5665f1f36f9cdb904f9ee7c",
        "3537444b077ffac5ef58b04411198e73c681d8d82b748b94d0c8589b1cc6aca15e084f1cf958dc7de209b9350a673fe8",
        "add388f5f9f6a1545a8bfa937ec14d02a81f6a6e706fac392de6d6568c4c47bd22e7bb25325a5c1723e60b6f9d8adc90",
        "666c1e572cb6433bae5a8908adc1f4c06295ac8f6bb1735cae6c4686108d1c0c94a94186ba0fc082769e8ded7f32f5d2",
        "d1845104757fec9c2aae90de48cd0dd9a57f68b423dee491f952859ade35383a67f474aa2049763364ab92a9df5b64bd",
        "111bb82c957a7bda3e8ed4da405c627ba236d8ba4b7f1272aea0546703f0cfa92437c49ef0a3ac3ed060839701d03b7e",
        "7ce4fce6f799a7b00e80d738c777989157a4c8181a7c2982e95f28a33fbe1daeb671710f244953df459721ec6328ef4a",
        "41a74f2d568ed68325299214a7ed74e8224bf60cf01119487be320eb92141e34c4eb35f8ec76b60ba349b1196d8b8148",
        "706c9c03079d6eaf1dbe7e99283eb3a16eeefc475a90b7b251472a2c0995905003d2a98f213ebcbe9a3461d42a8902d1",
        "bf225e2dd468336f5723aaa05936b556b981a3332813a6de5997f398b8c65a2c53279c94bd5fb728ffde56cb13e5cdbc",
        "65005715df5ca867cec875a109293391b859dcd18ed081164056ed632c96195777a254e283011aeeebd807d0cfe913b6",
        "bc3080de1b4628a20c63f8a0e3c46e9d58c6aa1d82e4744de60c142cbbdf9340dae739f4f0e8f0a31808fc9a2d8cb08a",
        "631ea8eacff23993194ce8bdb91e4a697d1c003a2e7c22a6aa67fe335616b3923d9b158df17620c099057cb21c028958",
        "08566bc93b09e75c9c42537fff8057eb8b2627040efd5ede4e6cead065d1a56c1fba9857682ac2eba5f211e4d9ea6b97",
    ];

    fn told(migrator: &Migrator) -> Vec<String> {
        let told = |told: &Migration| {
            let Migration { version, description, migration_type, sql, checksum, no_tx } = told;
            let sql = sql.as_str();
            format!("{version} {description} {migration_type:?} {checksum:?} {no_tx} {sql}")
        };
        migrator.iter().map(told).collect()
    }

    #[test]
    fn migrations_stay_what_databases_have_recorded() {
        for (name, migrations, recorded) in
            [("sqlite", &SQLITE, RECORDED_BY_SQLITE), ("postgres", &POSTGRES, RECORDED_BY_POSTGRES)]
        {
            let checksums: Vec<String> =
                migrations.iter().map(|migration| hex::encode(&migration.checksum)).collect();
            assert_eq!(checksums, recorded, "{name}");
        }
    }

    /// The texts and nothing but them, as `sqlx` reads a folder.
    #[tokio::test]
    async fn every_file_is_a_migration() {
        let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        // What reads the same in both stands there once.
        let shared =
            Migrator::new(folder.join("both")).await.map_or(Vec::new(), |both| told(&both));
        for (name, migrations) in [("sqlite", &SQLITE), ("postgres", &POSTGRES)] {
            let mut of_folders = told(&Migrator::new(folder.join(name)).await.unwrap());
            of_folders.extend_from_slice(&shared);
            of_folders.sort_unstable();
            let mut known = told(migrations);
            known.sort_unstable();
            assert_eq!(known, of_folders, "{name}");
        }
    }
}
