//! Where a team keeps things, in few words: "our CI is Buildkite", "logs are in Datadog".
//!
//! Not its job: longer sentences, which the cues of each language know (`located`).

use std::sync::LazyLock;

use super::cues::PLACE;
use crate::memory::likeness::patterns::{Pattern, Set};

/// What a team has one of and uses a product for: any name after it will do. Group 1: what follows.
static TOOLS: Pattern = Pattern::new(concat!(
    r"^(?i:(?:all )?(?:our|the|the team's) )?",
    r"(?i:(?:bug|issue|ticket|task|error|incident|feature) trackers?|issue tracking|error tracking|ci(?:/cd| system| server)?|wiki|docs|documentation|(?:build |server |app |application |access )?logs|metrics|traces|(?:[a-z]+ )?alerts|(?:[a-z]+ )?dashboards?|monitoring|observability|runbooks?|playbooks?|design(?:s| files| docs)|mock-?ups|wireframes|specs|roadmap|backlog|kanban board|sprint board|status page|team chat|chat|on-?call (?:schedule|rota)|feature flags|analytics|knowledge base|post-?mortems|package registry|container registry|password manager|meeting notes|(?:brand |style |design )guidelines|test (?:cases|plans|reports|data sheets)|brand assets|design tokens)",
    r"(?i: for [\w -]{2,30})? (?i:is|are|lives?|run|runs|sits?)(?i: (?:all|kept|now|hosted|tracked|still|maintained|managed|documented|stored))*(?i: (?:in|on|at|over at))? (.+)$",
));
/// What can be anywhere: only a well-known product or an address says where it is kept.
static THINGS: Pattern = Pattern::new(concat!(
    r"^(?:(?i:(?:all )?(?:our|the) )?(?i:bugs|tickets|issues|tasks|incidents|stories|epics|feature requests|bug reports|secrets|credentials|translations|releases|designs|specs|docs|tracker|calendar) (?i:are|is|live|go|get)(?i: (?:all|kept|now|filed))* (?i:in|on|into|to|at) (.+)",
    r"|(?i:unser|unsere|der|die|das) (?i:(?:bug|issue|ticket|fehler)-?\s?(?:tracker|system)|ticketsystem|ci|wiki|logs|dokumentation|doku|dashboards?|runbooks?|board|roadmap|monitoring|designs|metriken|alarme) (?i:ist|sind|liegt|liegen|läuft|laufen|steht|stehen)(?i: (?:alle|jetzt|in|im|auf|bei|über|unter))* (.+)",
    r"|(?i:nuestro|nuestra|nuestros|nuestras|el|la|los|las) (?i:gestor de (?:incidencias|errores|bugs|tareas)|ci|wiki|logs?|registros|documentación|docs|tablero|panel|paneles|métricas|alertas|hoja de ruta|diseños) (?i:es|son|está|están)(?i: (?:todos|todas|en))* (.+)",
    r"|(?i:notre|nos|le|la|les) (?i:(?:outil de )?suivi des (?:bugs|incidents|tickets)|gestionnaire de tickets|ci|wiki|logs|journaux|documentation|docs?|tableaux? de bord|métriques|alertes|feuille de route|maquettes) (?i:est|sont)(?i: (?:tous|toutes|dans|sur))* (.+)",
    r"|(?:我们的?|团队的?)?\s?(?i:CI|缺陷(?:跟踪|管理)|bug\s?(?:跟踪|管理)(?:系统|工具)?|工单系统|文档|日志|监控|wiki|维基|任务看板|任务|设计稿|告警|指标)\s?(?:都|全部)?(?:是|在|用的?是?|放在|存在)\s?(.+)",
    r"|(?:うちの|チームの)?(?i:CI|バグ(?:管理|トラッカー)|チケット(?:管理)?|ドキュメント|ログ|監視|wiki|ウィキ|ダッシュボード|タスク(?:管理)?|設計書)は(?:全部|すべて)?\s?(.+))$",
));
/// A name or a masked address at the start of what follows.
static NAME: Pattern = Pattern::new(
    r"^(?:⟦u⟧|\p{Lu}[\p{L}\d]+(?:[ -]\p{Lu}[\p{L}\d]+)*)(?:[,.;:!)]|$| (?:under|in|on|at|project|team)\b| [—(])",
);
/// Capitalised, and no place: languages, formats, states, weekdays.
const NO_PLACES: &str = "english german french spanish chinese japanese italian portuguese json xml yaml csv html markdown utc utf ascii python rust java \
    typescript javascript go ruby kotlin swift green red broken down slow empty failing offline online docker kubernetes german's git stdout stderr settings sidebar \
    header footer menu react vue angular svelte ubuntu debian alpine windows macos linux admin node tailwind storybook";

/// Things that end up somewhere, and where to ask.
static KEPT: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"\b(?:reports?|errors?|crash(?:es| reports?)|results?|runs?|logs?|traces?|recordings?|data ?sets?|screenshots|builds?|artifacts?|backups?|dumps?|designs?|mock-?ups?|tickets?|bugs?|complaints?|feedback|requests?|notes|minutes|contracts|specs?|papers?|models?|checkpoints?|experiments?|metrics|questions?|announcements?|changes|decisions|docs|runbooks?|plans?|tasks?|issues?)\b.{0,30}\b(?:go|goes|land|lands|end up|ends up|live|lives|(?:are|is|get|gets) (?:all )?(?:collected|logged|stored|uploaded|kept|posted|published|saved|tracked|filed|written)|show up|sit|sits)\b.{0,20}\b(?:in|into|to|on|at|under|via)\b",
        r"\b(?:questions?|ask|problems?) .{0,40}\b(?:go to|goes to|ask in|ask on|in|on|via|to) #[a-z]",
        r"\b(?:check|look (?:at|in|into|up)|see|ask in|ask on|search|read) .{3,60}\b(?:that's where|it's where|before you|when(?:ever)? you|if you)\b",
        r"(?:\b(?:dashboard|board|tableau de bord|panel|tablero|wiki|runbook|doku|docs?|staging|status page)\b|看板|仪表盘|ダッシュボード).{0,50}(?:is|are|est|c'est|es|está|ist|liegt|在|是|は|:) ?(?:at |on |in |unter |sur |en )?⟦u⟧",
        r"\b(?:fragen|frage|rückfragen) .{0,60}(?:in|im|auf|über|an)\b|\b(?:ergebnisse|berichte|aufnahmen|daten|logs|entwürfe|designs|protokolle) (?:\p{L}+ )?(?:liegen|landen|stehen|kommen)\b",
        r"\bquestions? .{0,60}\b(?:demander?|posez?|poser?|va|vont|sur|dans)\b|\b(?:résultats|rapports|maquettes|données|enregistrements|journaux) .{0,30}(?:sont|vont|arrivent|se trouvent)\b",
        r"\b(?:preguntas|dudas|consultas) .{0,60}(?:van|en|por|pregunta|preguntar)\b|\b(?:resultados|informes|diseños|datos|grabaciones|registros) .{0,30}(?:están|van|quedan|se guardan)\b",
        r"(?:问题|疑问|结果|报告|设计稿|数据|日志|录音|文档|周报|需求).{0,20}(?:去|到|在|发|放|记|看|存|问)",
        r"(?:質問|結果|レポート|報告|デザイン|データ|ログ|資料|議事録|相談).{0,20}(?:は|を).{0,30}(?:で|に|へ)",
    ])
});
/// What people write for people, and in which named place it is kept: any name will do.
static ARTEFACTS: Pattern = Pattern::new(concat!(
    r"^(?i:(?:all |our |the |team's )*(?:test (?:cases|plans)|bugs|issues|tickets|specs?|requirements|designs|mock-?ups|minutes|meeting notes|release notes|user stories|decisions|post-?mortems|translations|tasks|contracts|brand guidelines|guidelines|interview notes|feature requests|roadmap|tech debt)(?: (?:for|of) [\w ]{2,24})? (?:is|are|live|lives|get|gets)(?: (?:all|now|maintained|kept|tracked|managed|documented|collected|filed|archived|written|recorded|stored|found))* (?:in|on)) (?P<en>\p{Lu}\p{L}+.*)",
    r"|^(?i:(?:die|unsere|alle) (?:testfälle|tickets|bugs|fehler|anforderungen|entwürfe|protokolle|übersetzungen|aufgaben|spezifikationen|verträge|entscheidungen)(?: [\p{L} ]{2,24})? (?:sind|stehen|liegen|werden)(?: alle)? (?:in|im|auf|bei)) (?P<de>\p{Lu}\p{L}+.*)",
    r"|^(?i:(?:les|nos|tous les|toutes les) (?:tickets|bugs|anomalies|specs|spécifications|maquettes|comptes rendus|cas de test|traductions|tâches|contrats|décisions)(?: (?:de|du|des|d')[^,;.:]{2,24})? (?:sont|se trouvent|vivent|arrivent)(?: toutes?| tous)? (?:dans|sur)) (?P<fr>\p{Lu}\p{L}+.*)",
    r"|^(?i:(?:los|las|nuestros|nuestras|todos los|todas las) (?:tickets|bugs|incidencias|requisitos|diseños|actas|casos de prueba|traducciones|tareas|contratos|decisiones)(?: (?:de|del)[^,;.:]{2,24})? (?:están|se guardan|se llevan|viven|van)(?: todos| todas)? en) (?P<es>\p{Lu}\p{L}+.*)",
));
/// A place that is spoken of in passing, or for the work at hand.
static PASSING: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:please )?(?:open|post|send|push|upload|add|put|create|fix|write|copy|move|log|save|update|close|link|click|go to)\b",
        r"\b(?:this|that|these|those|dieser?[mns]?|cette?|ce|est[aeo]|es[aeo]) (?:ticket|bug|issue|error|page|board|link|url|one|fehler|erreur|error)\b",
        r"\b(?:would|could|should|might|maybe|if we)\b|这个|那个|この|その",
        r"^⟦u⟧|\blocalhost\b|\b(?:like|as) (?:here|in) ⟦u⟧",
    ])
});

/// Whether a masked statement says where something ends up, or where to ask, and names the place.
pub(super) fn says_where(text: &str) -> bool {
    KEPT.hits(text) && PLACE.hits(text) && !PASSING.hits(text)
}

/// Whether a masked statement (capitals kept) says in which product or at which address something is kept.
pub(super) fn is_short_form(cased: &str) -> bool {
    let after = |pattern: &Pattern| -> Option<String> {
        let found = pattern.captures(cased)?;
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
        NAME.is_match(rest) && !NO_PLACES.split_whitespace().any(|word| word == first)
    };
    let is_written = || {
        let found = ARTEFACTS.captures(cased)?;
        ["en", "de", "fr", "es"]
            .into_iter()
            .find_map(|language| found.name(language))
            .map(|hit| hit.as_str().to_owned())
    };
    is_written().is_some_and(|rest| is_name(&rest))
        || after(&TOOLS)
            .is_some_and(|rest| is_name(&rest) || (is_product(&rest) && !rest.contains(" is ") && !rest.contains("' ")))
        || after(&THINGS).is_some_and(|rest| is_product(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(TOOLS.is_whole() && ARTEFACTS.is_whole() && THINGS.is_whole() && NAME.is_whole());
    }
}
