//! Texts with one credential each, and texts that only look so. Credentials are drawn from descriptions of their formats.

/// A small generator of its own (xorshift): the same seed gives the same corpus everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % u64::try_from(below.max(1)).unwrap()).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.roll(from.len())]
    }

    fn string(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| alphabet[self.roll(alphabet.len())]).collect()
    }

    /// A string of a described form: `{class:length}` is drawn, everything else stands as it is. `~` is dropped, so that
    /// no description looks like a token itself.
    pub(crate) fn form(&mut self, description: &str) -> String {
        let mut out = String::new();
        let mut rest = description;
        while let Some((before, after)) = rest.split_once('{') {
            let (class, after) = after.split_once('}').unwrap();
            let (class, length) = class.split_once(':').unwrap();
            out.push_str(before);
            out.push_str(&self.string(alphabet(class), length.parse().unwrap()));
            rest = after;
        }
        out.push_str(rest);
        out.replace('~', "")
    }
}

fn alphabet(class: &str) -> &'static str {
    match class {
        "n" => "0123456789",
        "x" => "0123456789abcdef",
        "X" => "0123456789ABCDEF",
        "a" => "abcdefghijklmnopqrstuvwxyz",
        "A" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "an" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "AN" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "b32" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "b62" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "b64" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "url" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "sp" => "!@#%^*+",
        other => panic!("no alphabet {other}"),
    }
}

/// What tells the credential, and so how hard it is to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// A vendor's format.
    Token,
    /// Only the words or signs beside it.
    Worded,
    /// A private key.
    Block,
    /// Encoded, cut, or in plain prose.
    Hidden,
    /// None at all.
    Nothing,
}

/// One text.
pub(crate) struct Sample {
    pub(crate) group: Group,
    pub(crate) kind: &'static str,
    pub(crate) place: &'static str,
    pub(crate) text: String,
    pub(crate) secret: String,
}

const TOKENS: [(&str, &str); 62] = [
    ("cloud access key", "AK~IA{b32:16}"),
    ("code host, classic", "gh~p_{b62:36}"),
    ("code host, app", "gh~s_{b62:36}"),
    ("code host, fine", "github~_pat_{b62:22}_{b62:59}"),
    ("gitlab", "glp~at-{url:20}"),
    ("chat bot", "xo~xb-{n:12}-{n:12}-{b62:24}"),
    ("chat app", "xa~pp-1-{AN:11}-{n:13}-{x:64}"),
    ("chat hook", "https://hooks.slack~.com/services/T{AN:9}/B{AN:9}/{b62:24}"),
    ("payments", "sk~_live_{b62:24}"),
    ("payments, restricted", "rk~_live_{b62:40}"),
    ("maps", "AI~za{url:35}"),
    ("oauth client", "GOC~SPX-{url:28}"),
    ("model, project", "sk~-proj-{url:60}T3BlbkFJ{url:60}"),
    ("model, ant", "sk~-ant-api03-{url:93}AA"),
    ("model, router", "sk~-or-v1-{x:64}"),
    ("model, groq", "gs~k_{b62:52}"),
    ("model, xai", "xa~i-{b62:80}"),
    ("model, pplx", "pp~lx-{b62:48}"),
    ("model, nv", "nva~pi-{url:64}"),
    ("model, r8", "r8~_{b62:37}"),
    ("packages, js", "np~m_{b62:36}"),
    ("packages, py", "py~pi-AgEIcHlwaS5vcmc{url:120}"),
    ("packages, rs", "ci~o{b62:32}"),
    ("packages, rb", "rubyg~ems_{x:48}"),
    ("models hub", "h~f_{b62:34}"),
    ("lake", "da~pi{x:32}"),
    ("shop", "shp~at_{x:32}"),
    ("infrastructure", "{b62:14}.atlas~v1.{b62:67}"),
    ("infrastructure, pulumi", "pu~l-{x:40}"),
    ("monitoring", "NR~AK-{AN:27}"),
    ("monitoring, dt", "dt~0c01.{AN:24}.{AN:64}"),
    ("dashboards", "gls~a_{b62:32}_{x:8}"),
    ("errors", "sntry~u_{x:64}"),
    ("settings", "dp~.pt.{b62:43}"),
    ("phone", "S~K{x:32}"),
    ("messenger bot", "{n:10}:A~A{url:33}"),
    ("requests", "PM~AK-{x:24}-{x:34}"),
    ("mail", "S~G.{url:22}.{url:43}"),
    ("mail, xkeysib", "xkey~sib-{x:64}-{b62:16}"),
    ("mail, re", "r~e_{b62:8}_{b62:24}"),
    ("hosting", "do~p_v1_{x:64}"),
    ("hosting, nfp", "nf~p_{b62:36}"),
    ("hosting, rnd", "rn~d_{b62:32}"),
    ("tickets", "lin~_api_{b62:40}"),
    ("pages", "nt~n_{b62:46}"),
    ("drawings", "fig~d_{url:43}"),
    ("vault", "hv~s.{b62:90}"),
    ("images", "dckr~_pat_{url:27}"),
    ("tables", "pa~t{b62:14}.{x:64}"),
    ("wiki", "ATA~TT3xFfGF0{url:160}"),
    ("base", "sb~p_{x:40}"),
    ("planet", "pscale~_tkn_{b62:43}"),
    ("network", "tsk~ey-auth-{b62:12}-{b62:32}"),
    ("age", "AGE-SEC~RET-KEY-1{AN:58}"),
    ("builds", "CC~IPAT_{b62:22}_{x:40}"),
    ("quality", "sq~p_{x:40}"),
    ("vectors", "pcs~k_{b62:6}_{b62:62}"),
    ("traces", "lsv~2_pt_{x:32}_{x:10}"),
    ("flags", "sd~k-{x:8}-{x:4}-4{x:3}-a{x:3}-{x:12}"),
    ("web token", "ey~J{b62:34}.ey~J{b62:60}.{url:43}"),
    ("cluster", "sha256~~{url:43}"),
    ("client, azure", "{b62:3}8Q~~{b62:34}"),
];

/// Where a token stands: `$` is the token.
const PLACES: [&str; 24] = [
    "Put $ into the runner.",
    "It was $, and it still works.",
    "($) is what the old job used",
    "**$** until spring",
    "Key: `$`",
    "- $",
    "| staging | $ | Ann |",
    "|staging|$|",
    "> quoted: $ …",
    "\"$\"",
    "'$'",
    "export TOKEN=$",
    "TOKEN: $",
    "{\"token\":\"$\"}",
    "https://api.example.com/v2/items?token=$&limit=5",
    "<https://api.example.com/?k=$>",
    "[dashboard](https://api.example.com/#$)",
    "curl -H \"Authorization: Bearer $\" https://api.example.com",
    "curl -H 'X-Api-Key: $' https://api.example.com",
    "The key $; do not lose it!",
    "使用 $。",
    "„$“ steht im Wiki.",
    "<code>$</code>",
    "a=1;b=$;c=2",
];

const NAMES: [&str; 12] = [
    "DB_PASSWORD",
    "CLIENT_SECRET",
    "BILLING_API_KEY",
    "AUTH_TOKEN",
    "api-key",
    "SMTP_PASS",
    "SIGNING_KEY",
    "secretKey",
    "accessToken",
    "jwt_secret",
    "ENCRYPTION_KEY",
    "apiKey",
];

const VALUES: [(&str, &str); 7] = [
    ("hex", "{x:40}"),
    ("short hex", "{x:32}"),
    ("letters and digits", "{b62:18}7{b62:17}"),
    ("base64", "{b64:20}4{b64:22}="),
    ("password", "{b62:4}{n:1}{sp:1}{b62:8}"),
    ("password without digits", "{a:3}{A:3}{sp:1}{a:6}{A:3}"),
    ("uuid", "{x:8}-{x:4}-4{x:3}-a{x:3}-{x:12}"),
];

/// How a name and a value stand together: `@` the name, `$` the value.
const ASSIGNMENTS: [&str; 12] = [
    "@=$",
    "@=\"$\"",
    "@ = '$'",
    "@: $",
    "- `@`: `$`",
    "{\"@\": \"$\"}",
    "@ := $",
    "'@' => '$',",
    "**@:** $",
    "| @ | $ |",
    "The staging @ is `$`.",
    "export @=$ # until June",
];

/// Values that other signs tell: `$` the value.
const SIGNS: [(&str, &str); 12] = [
    ("database url", "postgres://app:$@db.internal:5432/main"),
    ("queue url", "amqps://worker:$@mq.internal/vhost"),
    ("url without a user", "redis://:$@cache.internal:6379"),
    ("clone url", "`git clone https://ci:$@git.internal/app.git`"),
    ("flag", "deploy --token $ --yes"),
    ("flag with sign", "mysql --password=$ -h db"),
    ("basic login", "curl -u ann:$ https://api.internal"),
    ("netrc", "machine git.internal login ann password $"),
    ("xml", "<password>$</password>"),
    ("German", "Das Passwort: $"),
    ("Chinese", "数据库密码：$"),
    ("connection string", "Server=db;User Id=app;Password=$;Encrypt=true"),
];

const KEYS: [&str; 5] = ["RSA PRIVATE", "OPENSSH PRIVATE", "PRIVATE", "EC PRIVATE", "ENCRYPTED PRIVATE"];

const SENTENCES: [&str; 10] = [
    "Ann owns the release and signs it on Mondays.",
    "The cache is warm after four minutes.",
    "We moved the importer behind a queue last spring.",
    "Schema changes need two reviews.",
    "The password rules are in the handbook.",
    "Tokens expire after an hour, keys after a year.",
    "Retry three times, then page whoever is on call.",
    "The secret to a fast build is a small cache.",
    "Use the staging key store, not the one in production.",
    "Der Test läuft gegen eine echte Datenbank.",
];

fn nothing(dice: &mut Dice) -> (&'static str, String) {
    let uuid = dice.form("{x:8}-{x:4}-4{x:3}-a{x:3}-{x:12}");
    let (sha1, sha256) = (dice.form("{x:40}"), dice.form("{x:64}"));
    let kinds = [
        ("FC-091 sha256", format!("sha256: {sha256}")),
        ("FC-091 commit id", format!("Fixed by commit {sha1}.")),
        ("FC-091 UUID", format!("originSessionId: {uuid}")),
        ("FC-091 base64 icon", format!("![i](data:image/png;base64,iVBORw0KGgo{})", dice.form("{b64:320}"))),
        ("image digest", format!("FROM registry.internal/app@sha256:{sha256}")),
        ("lock file", format!("integrity sha512-{}==", dice.form("{b64:86}"))),
        ("key with hash in its name", format!("api_key_sha256 = \"{sha256}\"")),
        ("token hash", format!("token_hash: {sha1}")),
        ("fingerprint", format!("The signing key fingerprint: {}", dice.form("{X:40}"))),
        ("request id", format!("request {uuid} failed at 12:04")),
        ("environment reference", "API_TOKEN=${DEPLOY_TOKEN_2} and password: $DB_PASS_1".to_owned()),
        ("workflow reference", "token: ${{ secrets.RELEASE_TOKEN_2 }}".to_owned()),
        ("code reference", "const token = process.env.API_TOKEN_V2; password = os.environ['PASS_1']".to_owned()),
        ("vault reference", "password: op://Team/db-prod-2/password, secret: vault:kv/data/app2#key".to_owned()),
        ("placeholder", "api_key: <your-api-key-1>, secret=changeme123, password: xxxxxxxx1".to_owned()),
        ("sample", "token: sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1".to_owned()),
        ("pattern", "Tokens match `gh[pos]_[A-Za-z0-9]{36}`; keys `sk-ant-[a-z0-9-]+`.".to_owned()),
        ("public key", format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} ann@laptop", dice.form("{b64:43}"))),
        ("public block", format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", dice.form("{b64:64}"))),
        ("certificate", format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----", dice.form("{b64:64}"))),
        ("talk of keys", "A file that begins with -----BEGIN RSA PRIVATE KEY----- never goes into git.".to_owned()),
        ("elided block", "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----".to_owned()),
        (
            "url without password",
            "postgres://readonly@db.internal:5432/app2 and https://git.internal:8443/a@b".to_owned(),
        ),
        ("url with reference", "postgres://app:${PASSWORD_1}@db/x and redis://:<password1>@cache/0".to_owned()),
        ("path", "private_key: /etc/ssl/private/Server-2026/app1.key, key_file=~/keys/Ann2.pem".to_owned()),
        ("limits", "max_tokens: 128000, token_limit=8192k, tokens: 25000".to_owned()),
        ("versions", "auth: oauth2-proxy-v7.6.0, secret-store: external-secrets-0.10.4".to_owned()),
        ("call", "token = getAccessToken2(session), key = CacheKeyV2.of(tenant1)".to_owned()),
        ("prose", "The token is validated against RFC7519 and the password is argon2id".to_owned()),
        ("prose with numbers", "The secret is in 1Password since 2024Q3; the password was rotated twice".to_owned()),
        ("checklist", "password: ask Dana2, token: see runbook-12, secret: none".to_owned()),
        ("trace id", format!("trace {} span {}", dice.form("{x:32}"), dice.form("{x:16}"))),
        ("etag", format!("ETag: \"{}\"", dice.form("{x:32}"))),
        ("ulid", format!("order {} was late", dice.form("{AN:26}"))),
        (
            "encoded words",
            "Subject: =?utf-8?B?SGVsbG8gd29ybGQsIHRoaXMgaXMgYSB0ZXN0?= and dGhpcyBpcyBub3QgYSBzZWNyZXQ=".to_owned(),
        ),
        (
            "wrapped words",
            "The migration of order_items_2024\ncontinues with order_items_2025\nand ends there.".to_owned(),
        ),
        ("type of a thing", "interface Props2 { apiKey: ApiKeyInputV2; token?: TokenOrNull2 }".to_owned()),
        ("German", "Das Passwort steht im Tresor, der Schlüssel: siehe Wiki2024".to_owned()),
        ("Chinese", "密码：请查看文档第12页，令牌每90天轮换".to_owned()),
        ("address", format!("Node fe80::{} at {}", dice.form("{x:4}:{x:4}"), dice.form("{x:2}:{x:2}:{x:2}"))),
    ];
    kinds[dice.roll(kinds.len())].clone()
}

/// Encoded, cut or spoken; the text and the credential as it stands there.
fn hidden(dice: &mut Dice) -> (&'static str, String, String) {
    let token = dice.form("gh~p_{b62:36}");
    let cut = 12 + dice.roll(16);
    let (one, other) = token.split_at(cut);
    match dice.roll(9) {
        0 => ("zero width", format!("It is {one}\u{200B}{other}."), token.clone()),
        1 => ("line end", format!("It is {one}\n{other} (both lines)"), token.clone()),
        2 => ("quoted line end", format!("> It is {one}\n> {other}"), token.clone()),
        3 => ("comment", format!("It is {one}<!-- x -->{other}."), token.clone()),
        4 => ("two strings", format!("key = \"{one}\" + \"{other}\""), token.clone()),
        5 => {
            let wide: String = token.chars().map(|c| char::from_u32(c as u32 + 0xFEE0).unwrap()).collect();
            ("wide letters", format!("It is {wide}."), wide)
        }
        6 => {
            let encoded = base64(format!("token: {token}").as_bytes());
            ("base64", format!("data: {encoded}"), encoded)
        }
        7 => {
            let encoded = token.replace('_', "%5F");
            ("percent", format!("https://x.example/?next=/a%3Fkey%3D{encoded}"), encoded)
        }
        _ => {
            let words = ["copper", "lantern", "meadow", "violet", "harbor", "walnut"];
            let spoken: Vec<&str> = (0..4).map(|_| dice.pick(&words)).collect();
            let spoken = format!("{}{}", spoken.join("-"), dice.form("{n:2}"));
            ("passphrase", format!("The backup passphrase is {spoken}"), spoken)
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    let alphabet: Vec<char> = alphabet("b64").chars().collect();
    let six = |word: u32, at: u32| alphabet[usize::try_from(word >> (18 - 6 * at) & 63).unwrap()];
    bytes
        .chunks(3)
        .map(|chunk| {
            let word = (0..3).fold(0_u32, |word, at| word << 8 | u32::from(*chunk.get(at).unwrap_or(&0)));
            let letters: String = (0..4).map(|at| six(word, at)).collect();
            format!("{}{}", &letters[..=chunk.len()], "=".repeat(3 - chunk.len()))
        })
        .collect()
}

fn one(dice: &mut Dice) -> Sample {
    let sample = |group, kind, place, text: String, secret| Sample { group, kind, place, text, secret };
    match dice.roll(20) {
        0..=5 => {
            let (kind, form) = TOKENS[dice.roll(TOKENS.len())];
            let place = dice.pick(&PLACES);
            // The one token whose sign is the generator's own mark.
            let secret = match kind {
                "cluster" => format!("sha256\u{7E}{}", dice.form("{url:43}")),
                "client, azure" => format!("{}8Q\u{7E}{}", dice.form("{b62:3}"), dice.form("{b62:34}")),
                _ => dice.form(form),
            };
            sample(Group::Token, kind, place, place.replace('$', &secret), secret)
        }
        6..=8 => {
            let (kind, form) = VALUES[dice.roll(VALUES.len())];
            let (name, place) = (dice.pick(&NAMES), dice.pick(&ASSIGNMENTS));
            let secret = dice.form(form);
            sample(Group::Worded, kind, place, place.replace('@', name).replace('$', &secret), secret)
        }
        9..=10 => {
            let (kind, place) = SIGNS[dice.roll(SIGNS.len())];
            let secret = dice.form("{b62:7}3{b62:5}{n:2}{b62:5}");
            sample(Group::Worded, kind, place, place.replace('$', &secret), secret)
        }
        11 => {
            let kind = dice.pick(&KEYS);
            let lines: Vec<String> = (0..3 + dice.roll(20)).map(|_| dice.form("{b64:64}")).collect();
            let block = format!("-----BEGIN {kind} KEY-----\n{}\n-----END {kind} KEY-----", lines.join("\n"));
            let secret = lines[1].clone();
            let place = ["```\n$\n```", "$", "key: |\n$", "\"$\""][dice.roll(4)];
            // A finding is where the block begins; the secret is told by its first line then.
            let secret = if place.is_empty() { secret } else { block.clone() };
            sample(Group::Block, kind, place, place.replace('$', &block), secret)
        }
        12 => {
            let (kind, text, secret) = hidden(dice);
            sample(Group::Hidden, kind, "-", text, secret)
        }
        _ => {
            let (kind, text) = nothing(dice);
            sample(Group::Nothing, kind, "-", text, String::new())
        }
    }
}

/// So many memories with one text each between ordinary sentences.
pub(crate) fn draw(dice: &mut Dice, count: usize) -> Vec<Sample> {
    (0..count)
        .map(|_| {
            let mut sample = one(dice);
            let (before, after) = (dice.pick(&SENTENCES), dice.pick(&SENTENCES));
            let (why, how) = (dice.pick(&SENTENCES), dice.pick(&SENTENCES));
            let kind = dice.pick(&["user", "feedback", "project", "reference"]);
            sample.text = format!(
                "---\nname: note-{}\ndescription: \"{before}\"\nmetadata:\n  type: {kind}\n---\n\n{before}\n\n{}\n\n{after}\n\n**Why:** {why}\n\n**How to apply:** {how}\n",
                dice.form("{n:3}"),
                sample.text
            );
            sample
        })
        .collect()
}
