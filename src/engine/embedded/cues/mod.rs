//! What gives a memory away, per language: tables of patterns.
//!
//! Patterns match on [masked](crate::memory::likeness::spans::masked) text: lower case, one apostrophe, quotations as `⟦q⟧`, code and paths as
//! `⟦c⟧`, addresses as `⟦u⟧`, dates as `⟦d⟧`; openings like "no," or "by the way" are taken off first. `owner` alone sees
//! capitals. Not its job: weighing cues against each other (see [`super::classify`]).

pub(super) mod around;
mod de;
mod en;
mod es;
mod fr;
mod ja;
pub(super) mod lasting;
pub(super) mod occasions;
pub(super) mod remember;
pub(super) mod revoking;
mod zh;

use std::sync::LazyLock;

use super::language::Language;
use crate::memory::likeness::patterns::{Pattern, Set};

/// The patterns of one language, as text.
pub(super) struct Table {
    /// Openings that carry no meaning of their own; matched again and again at the start, on the text as typed.
    pub(super) lead_in: &'static str,
    /// A correction at the start: "no,".
    pub(super) correction: &'static str,
    /// Questions, also without a question mark.
    pub(super) question: &'static [&'static str],
    /// What might be, would be, or is only being thought about.
    pub(super) hypothetical: &'static [&'static str],
    /// What somebody or something else says.
    pub(super) reported: &'static [&'static str],
    /// A whole turn about made-up people, texts to write or to translate, examples.
    pub(super) invented_turn: &'static [&'static str],
    /// A sentence that is an example.
    pub(super) invented: &'static [&'static str],
    /// An order for the work at hand, at the start.
    pub(super) task: &'static [&'static str],
    /// Only for now.
    pub(super) fleeting: &'static [&'static str],
    /// Points at something outside of the sentence.
    pub(super) pointing: &'static [&'static str],
    /// Names one particular thing in the work at hand.
    pub(super) particular: &'static [&'static str],
    /// Looks like a rule and is none: "never mind", "always fails".
    pub(super) not_rule: &'static [&'static str],
    /// A lasting rule on its face.
    pub(super) rule_strong: &'static [&'static str],
    /// A rule unless something speaks against it.
    pub(super) rule_plain: &'static [&'static str],
    /// A rule only together with a reason.
    pub(super) rule_with_reason: &'static [&'static str],
    /// A rule only as a correction ("no, …").
    pub(super) rule_corrected: &'static [&'static str],
    /// Approval that names what is approved.
    pub(super) approval: &'static [&'static str],
    /// What the person says about themselves.
    pub(super) about_self: &'static [&'static str],
    /// Looks like that and is none.
    pub(super) not_about_self: &'static [&'static str],
    /// Decisions.
    pub(super) decision: &'static [&'static str],
    /// Who owns or does what (sees capitals).
    pub(super) owner: &'static [&'static str],
    /// What has a date; needs one in the sentence.
    pub(super) scheduled: &'static [&'static str],
    /// Talk about code, where "owns" and "moved" mean something else.
    pub(super) code_talk: &'static [&'static str],
    /// Places inside the code at hand: a rule about them is an order.
    pub(super) in_the_code: &'static [&'static str],
    /// Talk about what a program shows, where "deadline" and "launch" are words on a screen.
    pub(super) on_screen: &'static [&'static str],
    /// How a sentence says where something is kept.
    pub(super) located: &'static [&'static str],
    /// Looks like that and is none.
    pub(super) not_located: &'static [&'static str],
    /// Takes back what was said before.
    pub(super) take_back: &'static [&'static str],
    /// Lifts a rule given before.
    pub(super) lifted: &'static [&'static str],
    /// Where the reason begins inside a sentence; group 1 is the connector.
    pub(super) why_join: &'static str,
    /// How what follows a dash or semicolon begins when it is a reason.
    pub(super) why_begin: &'static [&'static str],
    /// How a following sentence begins when it gives the reason.
    pub(super) why_next: &'static [&'static str],
    /// How a following sentence begins when it says how to apply the rule.
    pub(super) how_next: &'static [&'static str],
    /// The reason tells of something that happened, which makes a rule out of an order.
    pub(super) incident: &'static [&'static str],
}

/// The patterns of one language, compiled.
pub(super) struct Cues {
    pub(super) lead_in: Pattern,
    pub(super) correction: Pattern,
    pub(super) why_join: Pattern,
    pub(super) question: Set,
    pub(super) hypothetical: Set,
    pub(super) reported: Set,
    pub(super) invented_turn: Set,
    pub(super) invented: Set,
    pub(super) task: Set,
    pub(super) fleeting: Set,
    pub(super) pointing: Set,
    pub(super) particular: Set,
    pub(super) not_rule: Set,
    pub(super) rule_strong: Set,
    pub(super) rule_plain: Set,
    pub(super) rule_with_reason: Set,
    pub(super) rule_corrected: Set,
    pub(super) approval: Set,
    pub(super) about_self: Set,
    pub(super) not_about_self: Set,
    pub(super) decision: Set,
    pub(super) owner: Set,
    pub(super) scheduled: Set,
    pub(super) code_talk: Set,
    pub(super) in_the_code: Set,
    pub(super) on_screen: Set,
    pub(super) located: Set,
    pub(super) not_located: Set,
    pub(super) take_back: Set,
    pub(super) lifted: Set,
    pub(super) why_begin: Set,
    pub(super) why_next: Set,
    pub(super) how_next: Set,
    pub(super) incident: Set,
}

impl Cues {
    fn of(table: &Table) -> Self {
        Self {
            lead_in: Pattern::new(table.lead_in),
            correction: Pattern::new(table.correction),
            why_join: Pattern::new(table.why_join),
            question: Set::of(table.question),
            hypothetical: Set::of(table.hypothetical),
            reported: Set::of(table.reported),
            invented_turn: Set::of(table.invented_turn),
            invented: Set::of(table.invented),
            task: Set::of(table.task),
            fleeting: Set::of(table.fleeting),
            pointing: Set::of(table.pointing),
            particular: Set::of(table.particular),
            not_rule: Set::of(table.not_rule),
            rule_strong: Set::of(table.rule_strong),
            rule_plain: Set::of(table.rule_plain),
            rule_with_reason: Set::of(table.rule_with_reason),
            rule_corrected: Set::of(table.rule_corrected),
            approval: Set::of(table.approval),
            about_self: Set::of(table.about_self),
            not_about_self: Set::of(table.not_about_self),
            decision: Set::of(table.decision),
            owner: Set::of(table.owner),
            scheduled: Set::of(table.scheduled),
            code_talk: Set::of(table.code_talk),
            in_the_code: Set::of(table.in_the_code),
            on_screen: Set::of(table.on_screen),
            located: Set::of(table.located),
            not_located: Set::of(table.not_located),
            take_back: Set::of(table.take_back),
            lifted: Set::of(table.lifted),
            why_begin: Set::of(table.why_begin),
            why_next: Set::of(table.why_next),
            how_next: Set::of(table.how_next),
            incident: Set::of(table.incident),
        }
    }
}

static ENGLISH: LazyLock<Cues> = LazyLock::new(|| Cues::of(&en::TABLE));
static GERMAN: LazyLock<Cues> = LazyLock::new(|| Cues::of(&de::TABLE));
static SPANISH: LazyLock<Cues> = LazyLock::new(|| Cues::of(&es::TABLE));
static FRENCH: LazyLock<Cues> = LazyLock::new(|| Cues::of(&fr::TABLE));
static CHINESE: LazyLock<Cues> = LazyLock::new(|| Cues::of(&zh::TABLE));
static JAPANESE: LazyLock<Cues> = LazyLock::new(|| Cues::of(&ja::TABLE));

/// The cues of a language.
pub(super) fn of(language: Language) -> &'static Cues {
    match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::Spanish => &SPANISH,
        Language::French => &FRENCH,
        Language::Chinese => &CHINESE,
        Language::Japanese => &JAPANESE,
    }
}

/// Systems outside of a repository where things are kept, in every language.
pub(super) static PLACE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"(?:^|[^a-z])(?:linear|jira|slack|notion|grafana|confluence|datadog|sentry|pagerduty|asana|trello|figma|sharepoint|discord|zendesk|looker|metabase|kibana|splunk|new ?relic|airtable|miro|buildkite|jenkins|circleci|1password|bugzilla|youtrack|clickup|shortcut|basecamp|opsgenie|statuspage|honeycomb|amplitude|mixpanel|superset|tableau|hubspot|intercom|mattermost|zulip|monday\.com|launchdarkly|redmine|feishu|lark|backlog|pivotal|phabricator|gerrit|argocd|retool|coda|loom|weblate|crowdin|lokalise|transifex|poeditor|mural|posthog|rollbar|bugsnag|elastic|wandb|weights ?(?:&|and) ?biases|mlflow|nextcloud|dropbox|onedrive|bitbucket|overleaf|zotero|kaggle|testflight|firebase|crashlytics|bigquery|snowflake|databricks|salesforce|freshdesk|excalidraw|lucidchart|postman|obsidian|quip|codecov|sonarqube|artifactory|harbor|nexus|tensorboard|labelbox|hotjar|contentful|sanity|teamcity|bamboo|travis|productboard|canny|mattermost)(?:[^a-z]|$)",
        r"\b(?:git(?:hub|lab) (?:issues?|projects?|wiki|discussions|boards?)|google (?:docs?|drive|sheets?|calendar)|(?:ms|microsoft) teams|shared drive|network (?:drive|share)|file ?server|(?:lab |team |office )?nas|s3 bucket|bucket|netzlaufwerk|hugging ?face|app store connect|play console|azure devops|status page)\b",
        r"\b(?:runbooks?|wiki|dashboards?|playbooks?)\b",
        r"⟦u⟧",
        r"(?:^|\s|\()#[a-z][\w-]+",
        r"飞书|钉钉|企业微信|看板|仪表盘|ダッシュボード|ランブック|スラック|运行手册",
    ])
});

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn every_pattern_of_every_language_compiles() {
        for language in Language::ALL {
            let cues = of(language);
            assert!(cues.lead_in.is_whole() && cues.correction.is_whole() && cues.why_join.is_whole(), "{language:?}");
            let sets = [
                ("question", &cues.question),
                ("hypothetical", &cues.hypothetical),
                ("reported", &cues.reported),
                ("invented_turn", &cues.invented_turn),
                ("invented", &cues.invented),
                ("task", &cues.task),
                ("fleeting", &cues.fleeting),
                ("pointing", &cues.pointing),
                ("particular", &cues.particular),
                ("not_rule", &cues.not_rule),
                ("rule_strong", &cues.rule_strong),
                ("rule_plain", &cues.rule_plain),
                ("rule_with_reason", &cues.rule_with_reason),
                ("rule_corrected", &cues.rule_corrected),
                ("approval", &cues.approval),
                ("about_self", &cues.about_self),
                ("not_about_self", &cues.not_about_self),
                ("decision", &cues.decision),
                ("owner", &cues.owner),
                ("scheduled", &cues.scheduled),
                ("code_talk", &cues.code_talk),
                ("in_the_code", &cues.in_the_code),
                ("on_screen", &cues.on_screen),
                ("located", &cues.located),
                ("not_located", &cues.not_located),
                ("take_back", &cues.take_back),
                ("lifted", &cues.lifted),
                ("why_begin", &cues.why_begin),
                ("why_next", &cues.why_next),
                ("how_next", &cues.how_next),
                ("incident", &cues.incident),
            ];
            for (name, set) in sets {
                assert!(set.is_whole(), "{language:?} {name}");
            }
        }
        assert!(PLACE.is_whole());
    }
}
