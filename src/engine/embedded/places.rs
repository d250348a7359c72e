//! Where a team keeps things, in few words: "our CI is Buildkite", "logs are in Datadog".
//!
//! Not its job: longer sentences, which the cues of each language know (`located`).

use std::sync::LazyLock;

use regex::Regex;

use super::cues::PLACE;

/// What a team has one of and uses a product for: any name after it will do. Group 1: what follows.
static TOOLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?i:(?:all )?(?:our|the|the team's) )?",
        r"(?i:(?:bug|issue|ticket|task|error|incident|feature) trackers?|issue tracking|error tracking|ci(?:/cd| system| server)?|wiki|docs|documentation|(?:build |server |app |application |access )?logs|metrics|traces|(?:[a-z]+ )?alerts|(?:[a-z]+ )?dashboards?|monitoring|observability|runbooks?|playbooks?|design(?:s| files| docs)|mock-?ups|wireframes|specs|roadmap|backlog|kanban board|sprint board|status page|team chat|chat|on-?call (?:schedule|rota)|feature flags|analytics|knowledge base|post-?mortems|package registry|container registry|password manager|meeting notes)",
        r"(?i: for [\w -]{2,30})? (?i:is|are|lives?|run|runs|sits?)(?i: (?:all|kept|now|hosted|tracked|still))*(?i: (?:in|on|at|over at))? (.+)$",
    ))
    .ok()
});
/// What can be anywhere: only a well-known product or an address says where it is kept.
static THINGS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:(?i:(?:all )?(?:our|the) )?(?i:bugs|tickets|issues|tasks|incidents|stories|epics|feature requests|bug reports|secrets|credentials|translations|releases|designs|specs|docs|tracker|calendar) (?i:are|is|live|go|get)(?i: (?:all|kept|now|filed))* (?i:in|on|into|to|at) (.+)",
        r"|(?i:unser|unsere|der|die|das) (?i:(?:bug|issue|ticket|fehler)-?\s?(?:tracker|system)|ticketsystem|ci|wiki|logs|dokumentation|doku|dashboards?|runbooks?|board|roadmap|monitoring|designs|metriken|alarme) (?i:ist|sind|liegt|liegen|läuft|laufen|steht|stehen)(?i: (?:alle|jetzt|in|im|auf|bei|über|unter))* (.+)",
        r"|(?i:nuestro|nuestra|nuestros|nuestras|el|la|los|las) (?i:gestor de (?:incidencias|errores|bugs|tareas)|ci|wiki|logs?|registros|documentación|docs|tablero|panel|paneles|métricas|alertas|hoja de ruta|diseños) (?i:es|son|está|están)(?i: (?:todos|todas|en))* (.+)",
        r"|(?i:notre|nos|le|la|les) (?i:(?:outil de )?suivi des (?:bugs|incidents|tickets)|gestionnaire de tickets|ci|wiki|logs|journaux|documentation|docs?|tableaux? de bord|métriques|alertes|feuille de route|maquettes) (?i:est|sont)(?i: (?:tous|toutes|dans|sur))* (.+)",
        r"|(?:我们的?|团队的?)?\s?(?i:CI|缺陷(?:跟踪|管理)|bug\s?(?:跟踪|管理)(?:系统|工具)?|工单系统|文档|日志|监控|wiki|维基|任务看板|任务|设计稿|告警|指标)\s?(?:都|全部)?(?:是|在|用的?是?|放在|存在)\s?(.+)",
        r"|(?:うちの|チームの)?(?i:CI|バグ(?:管理|トラッカー)|チケット(?:管理)?|ドキュメント|ログ|監視|wiki|ウィキ|ダッシュボード|タスク(?:管理)?|設計書)は(?:全部|すべて)?\s?(.+))$",
    ))
    .ok()
});
/// A name or a masked address at the start of what follows.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^(?:⟦u⟧|\p{Lu}[\p{L}\d]+(?:[ -]\p{Lu}[\p{L}\d]+)*)(?:[,.;:!)]|$| (?:under|in|on|at|project|team)\b| [—(])",
    )
    .ok()
});
/// Capitalised, and no place: languages, formats, states, weekdays.
const NO_PLACES: &str = "english german french spanish chinese japanese italian portuguese json xml yaml csv html markdown utc utf ascii python rust java \
    typescript javascript go ruby kotlin swift green red broken down slow empty failing offline online docker kubernetes german's git stdout stderr settings sidebar \
    header footer menu react vue angular svelte ubuntu debian alpine windows macos linux admin node tailwind storybook";

/// Whether a masked statement (capitals kept) says in which product or at which address something is kept.
pub(super) fn is_short_form(cased: &str) -> bool {
    let after = |pattern: &LazyLock<Option<Regex>>| -> Option<String> {
        let found = pattern.as_ref()?.captures(cased)?;
        found.iter().skip(1).flatten().next().map(|hit| hit.as_str().to_owned())
    };
    let is_product = |rest: &str| {
        // The product comes first: "in Datadog under prod", not "in the repo, see Datadog".
        let head: String = rest.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
        let head = head.split(['。', '里', '上', '中', 'で', 'に', 'を', ',', ';']).next().unwrap_or_default();
        PLACE.hits(&head.to_lowercase())
    };
    let is_name = |rest: &str| {
        let first = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        NAME.as_ref().is_some_and(|name| name.is_match(rest)) && !NO_PLACES.split_whitespace().any(|word| word == first)
    };
    after(&TOOLS)
        .is_some_and(|rest| is_name(&rest) || (is_product(&rest) && !rest.contains(" is ") && !rest.contains("' ")))
        || after(&THINGS).is_some_and(|rest| is_product(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(TOOLS.is_some() && THINGS.is_some() && NAME.is_some());
    }
}
