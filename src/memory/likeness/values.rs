//! Where a claim has a value, and what counts as one: the words around it, per language.
//!
//! Not its job: comparing claims (see [`super::supersede`]).

use super::patterns::Pattern;

/// A day, time, version, number, address, channel, name or identifier.
pub(super) static VALUE: Pattern = Pattern::new(concat!(
    r"^(?:\d.*|v\d.*|https?://\S+|[\w-]+\.[\w./-]+|[\w-]+(?:/[\w.-]+)+|#[\w-]+|@[\w-]+|`[^`]+`",
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
    r"|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?",
    r"|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?",
    r"|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)$"
));

/// Words for "beside what holds already".
pub(super) static ADDS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:also|as well|additionally|in addition|besides|auch|zusätzlich|außerdem|ebenfalls|ebenso|aussi|également|en plus|también|además)\b",
    r"|\btoo(?:[.,;!)]|$)|也|另外|此外|还(?:会|要|有)|[曜日]も|さらに",
));

/// Words right before a slot that takes a value.
pub(super) const BEFORE_A_VALUE: &[&str] = &[
    "is",
    "are",
    "to",
    "until",
    "till",
    "by",
    "on",
    "from",
    "after",
    "before",
    "at",
    "starts",
    "ends",
    "due",
    "=",
    "uses",
    "use",
    "run",
    "nutzen",
    "nutzt",
    "verwenden",
    "utilisons",
    "usamos",
    "version",
    "port",
    "in",
    "of",
    "moved",
    "lives",
    "for",
    "runs",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "named",
    "called",
    "under",
    "over",
    "within",
    "max",
    "than",
    "shows",
    "has",
    "have",
    "takes",
    "needs",
    "holds",
    "keeps",
    "lasts",
    "retries",
    "allows",
    "accepts",
    "supports",
    "requires",
    "waits",
    "ist",
    "sind",
    "läuft",
    "laufen",
    "dauert",
    "hat",
    "beträgt",
    "am",
    "um",
    "bis",
    "auf",
    "unter",
    "est",
    "sont",
    "le",
    "dure",
    "lieu",
    "tourne",
    "utilise",
    "jusqu'au",
    "es",
    "son",
    "el",
    "está",
    "dura",
    "usa",
    "escucha",
    "tiene",
    "hasta",
];
/// Verbs right after which a number is the value of the claim: "list endpoints return 50 rows".
pub(super) const BEFORE_A_NUMBER: &[&str] = &[
    "return",
    "returns",
    "show",
    "list",
    "lists",
    "serve",
    "serves",
    "send",
    "sends",
    "fetch",
    "fetches",
    "load",
    "loads",
    "store",
    "stores",
    "create",
    "creates",
    "process",
    "processes",
    "contain",
    "contains",
    "receive",
    "receives",
    "handle",
    "handles",
    "limit",
    "limits",
    "cap",
    "caps",
    "expire",
    "expires",
    "poll",
    "polls",
    "take",
    "need",
    "hold",
    "keep",
    "last",
    "allow",
    "accept",
    "support",
    "require",
    "wait",
    "retry",
    "every",
    "least",
    "most",
];
/// Settings by their Chinese and Japanese names: the number after one is its value.
pub(super) const SETTINGS: &[&str] = &[
    "端口",
    "超时",
    "超时时间",
    "上限",
    "下限",
    "版本",
    "次数",
    "大小",
    "间隔",
    "并发",
    "并发数",
    "线程数",
    "内存",
    "限额",
    "周期",
    "阈值",
    "有效期",
    "ポート",
    "ポート番号",
    "タイムアウト",
    "バージョン",
    "間隔",
    "回数",
    "件数",
];
/// How a claim says what something is.
pub(super) const IS: &[&str] = &["is", "are", "=", "ist", "sind", "est", "sont", "es", "son"];
/// How a claim says what something was.
pub(super) const WAS: &[&str] = &["was", "were", "war", "waren", "wurde", "était", "été", "fue", "fueron"];
/// Words right after a name that owns something.
pub(super) const AFTER_AN_OWNER: &[&str] = &[
    "owns",
    "leads",
    "maintains",
    "runs",
    "handles",
    "is",
    "manages",
    "reviews",
    "takes",
    "will",
    "looks",
    "approves",
    "drives",
    "now",
];
/// Participles of what one does alone: "owned by".
pub(super) const OWNED_BY: &[&str] = &["owned", "led", "maintained", "managed", "run", "driven", "operated"];
/// Participles of what several do: "reviewed by".
pub(super) const DONE_BY: &[&str] = &[
    "reviewed",
    "written",
    "caused",
    "reported",
    "fixed",
    "used",
    "tested",
    "proposed",
    "made",
    "built",
    "introduced",
    "approved",
    "found",
    "requested",
    "signed",
];
/// What a person may be beside others: "is our reviewer".
pub(super) const ONE_OF_MANY: &[&str] =
    &["reviewer", "reviewers", "backup", "backups", "member", "members", "contributor"];
/// Words before one thing of several: another beside it takes nothing back.
pub(super) const BEFORE_ONE_OF_SEVERAL: &[&str] = &["supports", "accepts", "has", "have", "hat", "tiene", "allows"];
/// Words before what may be the only one or one of several.
pub(super) const AFTER_ONE_OF_SEVERAL: &[&str] = &[
    "nutzen",
    "nutzt",
    "verwenden",
    "utilisons",
    "usamos",
    "uses",
    "use",
    "needs",
    "requires",
    "utilise",
    "usa",
    "takes",
];
/// Words before a place or a time that may say which thing is meant as well as where it is.
pub(super) const PLACES: &[&str] = &["in", "of", "for", "from", "under", "over", "within", "at", "auf", "unter"];
/// How a sentence begins that names one of several.
pub(super) const THERE_IS: &[&[&str]] = &[
    &["there", "is"],
    &["there", "are"],
    &["es", "gibt"],
    &["il", "y", "a"],
    &["hay"],
    &["see"],
    &["siehe"],
    &["voir"],
];
/// Verbs that have a subject before them, beside [`IS`].
pub(super) const VERBS: &[&str] = &[
    "will", "has", "have", "uses", "use", "starts", "start", "begins", "ends", "end", "closes", "opens", "lives",
    "runs", "run", "moved", "takes", "needs", "holds", "keeps", "lasts", "allows", "accepts", "supports", "requires",
    "waits", "listens", "points", "goes", "go", "due", "expires", "returns", "shows", "store", "stores", "ships",
    "freezes", "freeze", "launches", "läuft", "laufen", "liegt", "liegen", "findet", "hat", "haben", "beginnt",
    "endet", "startet", "dauert", "gilt", "wird", "ont", "tourne", "commence", "finit", "se", "sera", "ouvre", "está",
    "están", "empieza", "termina", "será", "tiene",
];
/// A month by its name or its beginning.
pub(super) static MONTH: Pattern = Pattern::new(concat!(
    r"^(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|fév(?:rier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|avr(?:il)?|may|mai|mayo|june?|juin|juni",
    r"|july?|juil(?:let)?|juli|aug(?:ust)?|août|agosto|sept?(?:ember|embre)?|septiembre|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?",
    r"|de[cz](?:ember)?|déc(?:embre)?|enero|febrero|abril|junio|julio|dic(?:iembre)?)\.?$",
));
/// What tells of something that happened.
pub(super) static HAPPENED: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:was|were|had|came|caused|broke|took|cost|failed|happened|hit|lost|crashed|decided|agreed|met|went|got|leaked|dropped|rolled)\b",
    r"|\b(?:war|waren|hatte|kam|lag|entstand|passierte|betraf|kostete|fiel|brach)\b|\b(?:était|étaient|fut|avait|venait|provenait|a (?:été|duré|coûté|échoué))\b",
    r"|\b(?:fue|fueron|era|había|debió|vino|costó|falló|cayó|duró)\b|造成|导致|引起|引发|发生|因为|由于|原因|でした|だった|ました|起き|発生",
));
