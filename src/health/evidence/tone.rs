//! How a sentence speaks of what it names: as something that is there, or as something past, planned, forbidden, elsewhere
//! or only an example. What is gone contradicts only a sentence that says it is there.
//!
//! Word lists, not grammar; when in doubt a sentence is believed. Not its job: what is there (see [`super::tree`]).

use std::sync::LazyLock;

use regex::Regex;

type Pattern = LazyLock<Option<Regex>>;

/// Removed, renamed, former, or said not to be there.
static PAST: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: removed | deleted | dropped | renamed | replaced | formerly | previously | used\s+to | no\s+longer | any\s*more
          | (?: was | were ) \s+ (?: in | at | called | named | located | found | part\s+of ) | old | obsolete | retired | abandoned | superseded | gone | got\s+rid | merged\s+into | moved\s+(?: from | out | away )
          | (?: does | do | did )(?: \s+not | n.t ) \s+ exist | there(?: \s+is | .s | \s+are ) \s+ (?: no | not | none )\b | never\s+existed | became
          | instead\s+of | until\s+recently
          | before \s+ (?: the | our ) \s+ (?: \w+ \s+ )? (?: rewrite | refactor\w* | migration | move | switch | split | cleanup | change )
          | gelöscht | entfernt | umbenannt | ersetzt | früher\w* | ehemals | nicht\s+mehr | alte[nrms]? | gibt\s+es\s+nicht | statt | war\s+(?: in | früher )
          | supprimé\w* | renommé\w* | remplacé\w* | ancien\w* | n.existe\s+plus
          | eliminad\w+ | borrad\w+ | renombrad\w+ | reemplazad\w+ | ya\s+no
          | removid\w+ | renomead\w+ | substituíd\w+ | não\s+existe
          | удал\w+ | переимен\w+ | замен\w+ | раньше | больше\s+не | был[аои]?
        )\b
        | 删除 | 移除 | 不再 | 以前 | 旧 | 改名 | 废弃 | 已经没有 | 削除 | 廃止 | 旧 | だった | もうない | 삭제 | 제거 | 예전",
    )
    .ok()
});

/// Not there yet, or only thought of.
static PLANNED: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: will | would | plan(?:s|ned)? | planning | going\s+to | to\s+be\s+(?: added | created | written | built ) | not\s+yet | proposed? | proposal
          | idea | future | someday | eventually | once\s+(?: it | we | the ) | when\s+we\s+(?: add | create | build ) | create | creating | introduce
          | new\s+(?: files? | folder | directory | module ) | if\s+we | could | might | hypothetical\w* | generat(?: e | es | ed | ing )
          | wird | werden | geplant | anlegen | sera | prévu\w* | créer | futur\w* | será | planead\w+ | crear | будет | планир\w+ | создать
        )\b
        | 计划 | 将 | 打算 | 新建 | 尚未 | 予定 | 作成 | まだ | 예정 | 새로",
    )
    .ok()
});

/// Said not to be used: that it is absent is as it should be. Two backticks stand for a code span.
static FORBIDDEN: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: never | not | don.?t | no | without | over | kein\w* | nicht | nie(?:mals)? | ohne | jamais | pas\s+de | sans | nunca | sin | não | nem | не | без )
            (?: \s+ (?: use[ds]? | using | call(?:s|ed)? | calling | import(?:s|ed)? | add(?:s|ed)? | write | introduce | reach\s+for | touch | be\s+used | the | a | any
                     | new | more ) )* \s* ``
        | \b(?: avoid\w* | rather\s+than | instead | bans? | banned | forbid\w* | forbidden | stop\s+using | prefers? | likes? | unlike | versus | vs
            | not\s+allowed | verboten | vermeide\w* | éviter | interdit | evitar | prohibid\w+ | никогда | запрещ\w+ )\b
        | 不要 | 禁止 | 别 | 不用 | ない | ません | 금지 | 말",
    )
    .ok()
});

/// Said not to be there, or only if: that it is absent is as it should be, for a path as well. Two backticks stand for what is
/// named.
static UNWANTED: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: never | not | don.?t | cannot | no | nicht | nie(?:mals)? | jamais | nunca | não | nem )
            (?: \s+ \w+ ){0,2}? \s+ (?: re-?creat(?: e | ed | ing ) | re-?add(?: ed | ing )? | re-?introduc(?: e | ed | ing ) | restor(?: e | ed | ing )
                | reviv(?: e | ed | ing ) | resurrect\w* | (?: bring | add | put ) (?: \s+ back )? | us(?: e | ed | ing ) | import(?: s | ed | ing )? | creat(?: e | ed | ing )
                | depend \s+ on | rely \s+ on | reach \s+ for | wieder \s+ anlegen | benutz\w* | verwende\w* | importier\w* | utiliser | usar )
            (?: \s+ (?: the | a | an | any | from | anything | something | code | file | directly | back | to | in ) )* \s* ``
        | \b avoid (?: s | ed | ing )? (?: \s+ (?: the | using | importing | old | any ) )* \s* ``
        | `` \s+ (?: \w+ \s+ )? (?: (?: must | should | may | shall | can | will ) (?: \s* n.t | \s+ not | \s+ never ) | cannot | never | darf\s+nicht )
            \s+ (?: \w+ \s+ )? (?: come\s+back | return | reappear | be \s+ (?: used | imported | restored | re-?created | created | added | re-?introduced | brought ) | comes\s+back | wiederkommen )
        | \b (?: if | when(?:ever)? | falls | wenn ) (?: \s+ (?: a | an | the | there\s+is ) )* \s* `` \s+ (?: still \s+ | ever \s+ )? (?: exists? | is\s+there | is\s+back | appears? | reappears? | comes\s+back | turns\s+up | existiert )",
    )
    .ok()
});

/// On another machine.
static ELSEWHERE: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: servers? | hosts? | machines? | containers? | docker | images? | pods? | cluster | production | prod | staging | stage | remote\w* | ssh | vms? | laptop
          | runners? | ec2 | s3 | bucket | volume | mount\w* | cdn | kubernetes | k8s | lambda | phone | device | ci | rechner | maschine | serveur | servidor | сервер\w*
        )\b
        | 服务器 | 生产 | 容器 | サーバ | 本番 | 서버",
    )
    .ok()
});

/// In another repository.
static FOREIGN: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)
        \b(?: upstream | (?: other | another | separate | sibling | different | sister | external | [\w-]+'s ) \s+ (?: repo | repository | project | code\s*base | checkout )
          | (?: [\w./-]+ | `[^`]+` ) \s+ (?: repo | repository ) \b
        )",
    )
    .ok()
});

/// `in the main repo`, `of this repository`: here after all.
static HERE: Pattern = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:this|our|the|main|mono|same|whole)[\s-]*(?:repo|repository|checkout|project)\b|\bmonorepo\b")
        .ok()
});

/// Only an example.
static EXAMPLE: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix) \b(?: e\.g\.? | for\s+(?: example | instance ) | such\s+as | something\s+like | named\s+like | things\s+like | say,
          | placeholder | imagine | z\.\s?b\. | zum\s+beispiel | par\s+exemple | por\s+ejemplo | например )\b? | 例如 | 比如 | 例えば | 예를",
    )
    .ok()
});

/// Words that make a name in capitals a variable of the environment.
static VARIABLE: Pattern = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: env | environment | variables? | export(?:ed)? | secrets? | token | vault | shell | umgebungsvariable\w* | \.env )\b | 环境变量 | 環境変数",
    )
    .ok()
});

/// Words for things in code.
const CODE: &str = r"functions? | fn | methods? | helpers? | structs? | class(?:es)? | enums? | traits? | interfaces? | constants? | consts? | macros? | hooks?
    | components? | decorators? | fixtures? | middlewares? | mixins? | types? | modules? | handlers? | callbacks? | wrappers? | factor(?:y|ies) | singletons?
    | funktion(?:en)? | klassen? | methoden? | konstanten? | fonctions? | classes? | méthodes? | constantes? | función(?:es)? | clases? | métodos? | funções | função
    | функци\w+ | класс\w* | метод\w*";

/// A code span that a word for code stands right before.
static CODE_BEFORE: Pattern = LazyLock::new(|| {
    Regex::new(&format!(r"(?ix) (?: \b(?: {CODE} ) (?: \s+ (?: named | called | namens ) )? [\s:(]* | (?: 函数 | 方法 | 类 | 常量 | 模块 | 関数 | クラス | メソッド | 定数 ) \s* ) $"))
        .ok()
});

/// A code span that a word for code stands right behind.
static CODE_AFTER: Pattern = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?ix) ^ (?: [\s-]* (?: {CODE} )\b | \s* の? (?: 函数 | 方法 | 类 | 常量 | 関数 | クラス | メソッド | 定数 ) )"
    ))
    .ok()
});

/// Whether the words around a code span call it code.
pub(super) fn is_called_code(before: &str, after: &str) -> bool {
    says(&CODE_BEFORE, before) || says(&CODE_AFTER, after)
}

/// A branch is spoken of.
static BRANCH: Pattern =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:branch(?:es)?|zweig\w*|branche|rama|ветк\w+)\b|分支|ブランチ|브랜치").ok());

fn says(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// A path that ends in a file, perhaps with a line.
static FILE: Pattern = LazyLock::new(|| {
    Regex::new(r"[\p{L}\p{N}_.@~-]*/[\p{L}\p{N}_./@-]*\.[A-Za-z][A-Za-z0-9]{0,9}\b(?::\d+(?:-\d+)?)?").ok()
});

/// A sentence with two backticks for each path in it.
fn without_paths(words: &str) -> String {
    match FILE.as_ref().filter(|_| words.contains('/')) {
        Some(pattern) => pattern.replace_all(words, "``").into_owned(),
        None => words.to_owned(),
    }
}

/// How a sentence speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tone {
    /// Of what was, or is not.
    pub(super) is_past: bool,
    /// Of what may come.
    pub(super) is_planned: bool,
    /// Of what must not be used.
    pub(super) is_forbidden: bool,
    /// Of what must not be there, or may be.
    pub(super) is_unwanted: bool,
    /// Of another machine.
    pub(super) is_elsewhere: bool,
    /// Of another repository.
    pub(super) is_foreign: bool,
    /// Of an example.
    pub(super) is_example: bool,
    /// Of the environment.
    pub(super) is_variable: bool,
    /// Of a branch.
    pub(super) is_branch: bool,
}

impl Tone {
    /// The tone of a sentence. What stands in code spans does not count, nor does a path: names are not words.
    pub(super) fn of(sentence: &str) -> Self {
        let words: String = sentence.split('`').step_by(2).collect::<Vec<_>>().join(" `` ");
        let words = without_paths(&words);
        let is_of_this_repository = says(&HERE, &words);
        Self {
            is_past: says(&PAST, &words),
            is_planned: says(&PLANNED, &words),
            is_forbidden: says(&FORBIDDEN, &words),
            is_unwanted: says(&UNWANTED, &words),
            is_elsewhere: says(&ELSEWHERE, &words),
            is_foreign: says(&FOREIGN, sentence) && !is_of_this_repository,
            is_example: says(&EXAMPLE, &words),
            is_variable: says(&VARIABLE, &words),
            is_branch: says(&BRANCH, &words),
        }
    }

    /// Whether the sentence claims that what it names is there.
    pub(super) fn claims(self) -> bool {
        !self.is_past && !self.is_planned && !self.is_example && !self.is_foreign && !self.is_unwanted
    }
}
