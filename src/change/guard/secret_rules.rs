//! The rules by which credentials are known: vendors' public formats, and what stands beside telling words.
//!
//! Not its job: searching a text (see [`super::secrets`]).

/// How to know one kind of credential.
pub(super) struct Rule {
    pub(super) name: &'static str,
    /// One of these, in lower case, must be in the text.
    pub(super) keywords: &'static [&'static str],
    /// The credential is group `secret`, or everything.
    pub(super) pattern: &'static str,
    /// Bits per byte that the credential must have at least.
    pub(super) entropy: f64,
    /// Further conditions on the credential.
    pub(super) check: fn(&[u8]) -> bool,
}

const fn rule(name: &'static str, keywords: &'static [&'static str], pattern: &'static str) -> Rule {
    Rule { name, keywords, pattern, entropy: 2.5, check: anything }
}

/// Between letters and digits nothing begins or ends; everything else may stand around a token.
pub(super) const BEFORE: &str = r"(?:^|[^A-Za-z0-9_])";
pub(super) const AFTER: &str = r"(?:[^A-Za-z0-9_]|$)";

pub(super) static RULES: &[Rule] = &[
    Rule {
        check: not_documentation,
        ..rule("aws-access-key", &["akia", "asia", "abia", "acca"], r"(?P<secret>(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})")
    },
    rule("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"(?P<secret>gh[pousr]_[A-Za-z0-9]{36,255})"),
    rule("github-token", &["github_pat_"], r"(?P<secret>github_pat_[A-Za-z0-9_]{50,255})"),
    rule(
        "gitlab-token",
        &["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glimt-", "glagent-"],
        r"(?P<secret>gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent)-[A-Za-z0-9_.\-]{20,})",
    ),
    rule(
        "slack-token",
        &["xoxa-", "xoxb-", "xoxe", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
        r"(?P<secret>xox[abeoprs][\-.][A-Za-z0-9.\-]{20,})",
    ),
    rule("slack-token", &["xapp-"], r"(?P<secret>xapp-[0-9]-[A-Za-z0-9\-]{20,})"),
    rule(
        "slack-webhook",
        &["hooks.slack.com"],
        r"(?P<secret>hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/+_\-]{20,})",
    ),
    rule(
        "discord-webhook",
        &["/api/webhooks/"],
        r"(?P<secret>discord(?:app)?\.com/api/webhooks/[0-9]{15,}/[A-Za-z0-9_\-]{40,})",
    ),
    rule("google-api-key", &["aiza"], r"(?P<secret>AIza[A-Za-z0-9_\-]{35})"),
    rule("google-oauth", &["gocspx-", "ya29."], r"(?P<secret>GOCSPX-[A-Za-z0-9_\-]{20,}|ya29\.[A-Za-z0-9_\-]{20,})"),
    rule("stripe-key", &["_live_", "_test_"], r"(?P<secret>[srp]k_(?:live|test)_[A-Za-z0-9]{16,})"),
    rule("webhook-secret", &["whsec_"], r"(?P<secret>whsec_[A-Za-z0-9+/]{24,})"),
    rule("anthropic-key", &["sk-ant-"], r"(?P<secret>sk-ant-[A-Za-z0-9_\-]{24,})"),
    Rule {
        check: mixed,
        entropy: 3.5,
        ..rule("openai-key", &["sk-"], r"(?P<secret>sk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_\-]{32,})")
    },
    rule("npm-token", &["npm_"], r"(?P<secret>npm_[A-Za-z0-9]{36})"),
    rule("pypi-token", &["pypi-"], r"(?P<secret>pypi-[A-Za-z0-9_\-]{50,})"),
    Rule { entropy: 3.5, ..rule("huggingface-token", &["hf_"], r"(?P<secret>hf_[A-Za-z0-9]{30,})") },
    rule("databricks-token", &["dapi"], r"(?P<secret>dapi[0-9a-f]{32}(?:-[0-9])?)"),
    rule("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"(?P<secret>shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32})"),
    rule("terraform-token", &[".atlasv1."], r"(?P<secret>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-=]{60,})"),
    rule("newrelic-key", &["nrak-", "nrii-", "nrjs-"], r"(?P<secret>NR(?:AK|II|JS)-[A-Za-z0-9_\-]{19,})"),
    rule(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
        r"(?P<secret>dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9._]{40,})",
    ),
    rule("twilio-key", &["sk"], r"(?P<secret>SK[0-9a-f]{32})"),
    rule("telegram-token", &[":a"], r"(?P<secret>[0-9]{8,10}:A[A-Za-z0-9_\-]{34})"),
    rule("postman-key", &["pmak-"], r"(?P<secret>PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34})"),
    rule("perplexity-key", &["pplx-"], r"(?P<secret>pplx-[A-Za-z0-9]{40,})"),
    rule("groq-key", &["gsk_"], r"(?P<secret>gsk_[A-Za-z0-9]{40,})"),
    rule("xai-key", &["xai-"], r"(?P<secret>xai-[A-Za-z0-9]{60,})"),
    rule("replicate-token", &["r8_"], r"(?P<secret>r8_[A-Za-z0-9]{36,})"),
    rule("sendgrid-key", &["sg."], r"(?P<secret>SG\.[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{39,50})"),
    rule("mailgun-key", &["key-"], r"(?P<secret>key-[0-9a-f]{32})"),
    rule("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"(?P<secret>do[opr]_v1_[0-9a-f]{64})"),
    rule("linear-key", &["lin_api_"], r"(?P<secret>lin_api_[A-Za-z0-9]{32,})"),
    rule("notion-token", &["ntn_", "secret_"], r"(?P<secret>ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})"),
    rule("figma-token", &["figd_"], r"(?P<secret>figd_[A-Za-z0-9_\-]{40,})"),
    rule(
        "grafana-token",
        &["glsa_", "glc_"],
        r"(?P<secret>glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,})",
    ),
    rule("sentry-token", &["sntrys_", "sntryu_"], r"(?P<secret>sntry[su]_[A-Za-z0-9+/=_]{40,})"),
    rule("vault-token", &["hvs.", "hvb."], r"(?P<secret>hv[sb]\.[A-Za-z0-9_\-]{24,})"),
    rule("cargo-token", &["cio"], r"(?P<secret>cio[A-Za-z0-9]{32})"),
    rule("docker-token", &["dckr_"], r"(?P<secret>dckr_(?:pat|oat)_[A-Za-z0-9_\-]{27,})"),
    rule("rubygems-key", &["rubygems_"], r"(?P<secret>rubygems_[0-9a-f]{48})"),
    rule("supabase-key", &["sbp_", "sb_secret_"], r"(?P<secret>sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_\-]{20,})"),
    rule("planetscale-token", &["pscale_"], r"(?P<secret>pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.\-=]{32,})"),
    rule("tailscale-key", &["tskey-"], r"(?P<secret>tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{20,})"),
    rule("square-token", &["eaaa", "sq0"], r"(?P<secret>EAAA[A-Za-z0-9_\-]{60}|sq0(?:atp|csp)-[A-Za-z0-9_\-]{22,43})"),
    rule("azure-client-secret", &["q~"], r"(?P<secret>[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.\-]{31,34})"),
    rule("azure-storage-key", &["accountkey="], r"(?i:accountkey=)(?P<secret>[A-Za-z0-9+/]{86}==)"),
    rule("age-key", &["age-secret-key-1"], r"(?P<secret>AGE-SECRET-KEY-1[A-Z0-9]{50,})"),
    rule("jwt", &["eyj"], r"(?P<secret>eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{16,})"),
];

/// Rules whose surroundings are in the pattern.
pub(super) static OPEN_RULES: &[Rule] = &[
    Rule {
        entropy: 0.0,
        ..rule(
            "private-key",
            &["private key"],
            r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?s:.{0,8192}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?",
        )
    },
    Rule {
        entropy: 2.3,
        check: not_placeholder,
        ..rule(
            "url-password",
            &["://"],
            r#"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s/:@"'<>`]{0,64}:(?P<secret>[^\s/@"'<>`]{6,128})@[A-Za-z0-9\[]"#,
        )
    },
    Rule {
        entropy: 3.0,
        check: not_placeholder_and_mixed,
        ..rule(
            "assigned-secret",
            &["pass", "pwd", "secret", "token", "api", "key", "auth", "credential"],
            r#"(?i:(?:password|passwd|passphrase|pwd|secret|token|api[_\- ]?key|apikey|access[_\-]?key|auth[_\-]?key|private[_\-]?key|account[_\-]?key|encryption[_\-]?key|signing[_\-]?key|credentials?)[A-Z0-9_\-]{0,24}["'`*]{0,3}(?:\s{0,3}(?::=|=>|=|:)\s{0,3}["'`*]{0,3}(?:bearer\s{1,3})?|\s{1,3}(?:is|was)\s{1,3}["'`]{1,3}))(?P<secret>[^\s"'`<>,;|(){}\[\]\\]{8,200})"#,
        )
    },
];

fn anything(_: &[u8]) -> bool {
    true
}

/// The sample ids of the vendor's documentation say so themselves.
fn not_documentation(secret: &[u8]) -> bool {
    !secret.ends_with(b"EXAMPLE")
}

/// Letters and digits both, and not a slug of words.
fn mixed(secret: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| secret.iter().any(test);
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && (has(u8::is_ascii_uppercase) || !is_slug(secret))
}

/// Words joined by dashes, dots or underscores: `feedback-testing-2`, `v1.2.3-rc1`.
fn is_slug(secret: &[u8]) -> bool {
    let parts: Vec<&[u8]> = secret.split(|byte| b"-_.".contains(byte)).collect();
    parts.len() > 1
        && parts.iter().all(|part| {
            part.len() <= 12
                && (part.iter().all(u8::is_ascii_lowercase)
                    || part.iter().filter(|byte| byte.is_ascii_digit()).count() <= 4)
        })
}

/// Whether a value stands for a credential rather than being one.
fn not_placeholder(secret: &[u8]) -> bool {
    let lower = secret.to_ascii_lowercase();
    let begins = [b'$', b'%', b'<', b'{', b'[', b'*', b'#', b'&'];
    let words: [&[u8]; 14] = [
        b"example",
        b"placeholder",
        b"changeme",
        b"change-me",
        b"your",
        b"password",
        b"passwd",
        b"redacted",
        b"xxxx",
        b"****",
        b"....",
        b"dummy",
        b"secret",
        b"${",
    ];
    !lower.first().is_some_and(|first| begins.contains(first))
        && !words.iter().any(|word| memchr::memmem::find(&lower, word).is_some())
}

/// A value beside a telling word counts when it looks made by a machine or chosen as a password: not a word, a path,
/// a name, a number or a call.
fn not_placeholder_and_mixed(secret: &[u8]) -> bool {
    let secret = secret.trim_ascii_end();
    let secret = secret.strip_suffix(b".").unwrap_or(secret);
    let has = |needle: &[u8]| memchr::memmem::find(secret, needle).is_some();
    let looks_like_path =
        secret.starts_with(b"/") || secret.starts_with(b"./") || secret.starts_with(b"~/") || has(b"://");
    let is_hash_name = secret.starts_with(b"sha256:") || secret.starts_with(b"sha1:") || secret.starts_with(b"sha512-");
    let has_extension = [&b".md"[..], b".rs", b".ts", b".js", b".py", b".json", b".yaml", b".yml", b".toml", b".env"]
        .iter()
        .any(|end| secret.ends_with(end));
    secret.len() >= 8
        && not_placeholder(secret)
        && mixed(secret)
        && !is_slug(secret)
        && !looks_like_path
        && !is_hash_name
        && !has_extension
        && !has(b"process.env")
        && !has(b"os.environ")
}
