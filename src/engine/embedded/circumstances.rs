//! What holds around a project and no file in it says: what runs in production, what was moved and why, whom a rule comes
//! from, who is away, who has to approve.
//!
//! Matched on masked text, names on text with capitals, all languages in one set. Not its job: plain decisions, owners and dates,
//! which each language's cues know.

use crate::memory::likeness::patterns::{Pattern, Set};
use std::sync::LazyLock;

/// Circumstances, in small letters.
static HOLDS: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        // English: moves that are over, production, limits.
        r"^(?:we|our team|the team)(?:'ve| have| has)? (?:just |already |recently |finally |now |all )*(?:moved|switched|migrated|upgraded|changed|went|converted)(?: everything| all of it| our \w+| over| away| fully| completely)* (?:from|off|to|back to|over to|away from) \S",
        r"^we(?:'re| are)? (?:still |only |also )*(?:support|have to support|need to support|must support|on|stuck on|stuck with|pinned to|limited to)\b.*(?:\d|because|until|customers?|clients?|users)",
        r"^we (?:have to|must|need to|can't|cannot|can not|are not allowed to|aren't allowed to|are only allowed to|may not) (?:stay|remain|never|always|support|comply|pass|fit|live|work|spend|exceed|send|leave|host|publish|share|be|go|ship|talk)\b.{6,}",
        r"\b(?:is|are|was|were) (?:being )?(?:driven|required|demanded|requested|mandated|imposed|blocked|funded|paid for|dictated) by \S",
        r"\b(?:because of|due to|for) (?:sox|gdpr|hipaa|pci|soc ?2|iso|dora|legal|compliance|regulatory|licensing|the (?:auditors?|audit|regulator|lawyers?|contract|licen[cs]e|sla))\b",
        r"\b(?:on purpose|for historical reasons|for legal reasons|for compliance reasons)\b",
        r"^(?:our|the) (?:biggest |main |largest |most important |first |oldest |only |paying )?(?:customers?|clients?|vendor|supplier|publisher|investors?|auditors?|regulator|reviewers|dba|cto|ceo|pm|po|product owner|release manager|security team|legal team|finance team|ops team|infra team|data team|platform team|mobile team|design team|qa team|works council|stakeholders?) (?:still |only |all |always )*(?:is|are|has|have|can|can't|cannot|runs?|uses?|needs?|wants?|requires?|insists?|expects?|asked for|promised|must|has to|have to|reviews?|approves?|decides?|relies|depends?)\b.{6,}",
        r"^(?:finance|legal|compliance|security|marketing|sales|support|product|ops|infra|procurement|hr|management)(?: team)? (?:wants?|needs?|requires?|insists?|asked|promised|has to|have to|must|said no|won't|will not|is moving|are moving|is migrating)\b.{6,}",
        r"^we(?:'re| are) (?:still )?(?:blocked|waiting|stuck) (?:on|for) (?:the |an? |our )?.*(?:vendor|supplier|legal|customer|client|approval|review|contract|team|licen[cs]e|sdk|hardware|⟦d⟧)",
        r"\b(?:is|are) (?:going away|being (?:replaced|retired|phased out|sunset|deprecated|shut down|turned off|decommissioned))\b",
        r"\b(?:agreed|decided) (?:with|in|at|on) (?:the )?[a-z -]{3,40}(?: that|:| to) ?.{4,}",
        r"\b(?:needs|require|requires|need) (?:two|three|\d|an?) (?:approvals?|sign-?offs?|reviewers?|reviews?)\b",
        r"\b(?:they're|they are|we're|we are) (?:moving|migrating|switching|shutting down|freezing|replacing|rolling out)\b.*⟦d⟧",
        r"^(?:nobody|no one|no-one|everyone|everybody) (?:is allowed to|may|can|must|has to|deploys?|merges?|pushes|ships?|touches) .{4,}(?:⟦d⟧|because|until|before|after)",
        r"^[\p{L}]+(?:'s| is) the only (?:one|person) (?:here |on the team |left )?(?:who|that|with|allowed|able)\b.{4,}",
        r"^(?:anything|everything|whatever) (?:touching|about|that touches|to do with|around|involving) .{3,50} (?:has to be|must be|needs to be|goes) (?:signed off|approved|cleared|reviewed|ok'd|through) .{3,}",
        r"\b(?:led|owned|run|handled|looked after|maintained|approved|reviewed|signed off) by \p{L}+ (?:from now on|going forward|since|as of)\b",
        r"\b(?:our|the) (?:contract|licen[cs]e|subscription|support|agreement) (?:with .{2,30} )?(?:runs out|expires|ends|is up)\b.{4,}",
        r"^\p{L}+ (?:left|quit|is gone|retired|resigned|moved on)\b[^.]{0,40}, (?:his|her|their|the) (?:stuff|work|things|services?|parts?|tickets|projects?|systems?|area).{0,50} (?:is|are|went|goes|now) (?:now )?(?:with|to|by|belongs?)\b",
        r"^(?:the |our )[\w-]+(?: [\w-]+){0,2} belongs to (?:the |our )?[\w-]+(?: [\w-]+)? (?:team|guild|group|squad|crew|department|people|folks)\b",
        r"^(?:we are only using|we use only|we only use|we're only using|only) .{2,40}\bit(?:'s| is) (?:forbidden|not allowed) to .{4,}",
        r"^no new .{3,30}(?:this|next) (?:year|quarter|month)\b.{0,6}\b(?:finance|legal|management|security|procurement|the cto|the boss|it) (?:said|says|decided|wants|blocked)\b",
        r"\bbei uns (?:darf|dürfen|kann|können|macht|machen|deployt|deployen|released|mergt|mergen) nur .{4,}|\bnur \p{L}+ (?:darf|kann) .{4,}\b(?:deployen|mergen|freigeben|freischalten|releasen|unterschreiben)\b",
        r"\b(?:ist|sind) bei uns (?:tabu|verboten|nicht erlaubt|pflicht)\b.{4,}",
        r"^en (?:este|nuestro) equipo .{3,60}\b(?:siempre|solo|sólo|nadie)\b.{2,}|\b(?:los|las) (?:prs?|revisiones|despliegues|releases|cambios) (?:los|las) (?:aprueba|revisa|hace|firma|valida) (?:siempre |solo )?\p{L}+",
        r"^(?:on|nous) n'(?:est|sommes) que (?:deux|trois|quatre|\d+) (?:développeu\p{L}+|devs?|personnes|dans l'équipe)",
        r"^(?:chez nous|ici|dans l'équipe),? on (?:ne )?\p{L}+ (?:jamais|pas|plus|toujours) .{4,}",
        r"(?:改动|变更|上线|发布|合并|修改).{0,6}(?:必须|需要|要|得)(?:先)?(?:给|找|让|经|由).{2,12}(?:审核|审批|确认|看过|同意|过目)",
        r"(?:毎週|毎日|毎月|金曜|週末|平日|年末).{0,14}(?:デプロイ|リリース|マージ|本番反映)(?:は)?(?:禁止|不可|しない|できません|なし)",
        r"(?:まわり|周り|関連|の件|部分)は.{0,8}(?:から|より)?.{1,10}(?:さん|チーム)が(?:見て|担当して|対応して|管理して|持って)(?:い)?(?:ます|る)",
        r"^(?:nobody|no one|no-one|everyone|everybody) (?:is allowed to|may|can|must) (?:deploy|merge|push|ship|release|touch)\b.{4,}",
        r"\b(?:auditors?|lawyers?|regulators?|legal|compliance|finance|management|the board|the customers?|the clients?|our customers?) (?:asked|asks|wants?|wanted|requires?|required|demands?|demanded|insists?|insisted)\b",
        r"^(?:qa|sales|support|legal|finance|marketing|ops|the [a-z]+ team|our [a-z]+ team) (?:needs?|wants?|expects?|tests?|gets?|starts?) .*⟦d⟧",
        r"^(?:nobody|no one|everyone|everybody) (?:here |on the team |in the team )?(?:tests|uses|is|has|works|deploys|merges) .*(?:until|after|before|on)\b",
        r"^we(?:'ve| have)? (?:just |already )*(?:promised|owe|lost|won|signed|closed|renewed) .{0,30}\b(?:customers?|clients?|contract|deal|partners?|tender|licen[cs]e|certification|funding|publisher|investors?)\b",
        r"^we have (?:an? )?(?:hard|strict|contractual|fixed) (?:cap|limit|budget|deadline|sla|ceiling)\b",
        r"^(?:the team|everyone|everybody|we)(?: have| has)? (?:all )?voted (?:for|against)\b",
        r"^(?:the|our) (?:artists?|designers?|agency|vendor|supplier|translators?|contractors?|freelancer|lab|factory|fab|customer|client|publisher|writers?|composer) .{0,20}(?:delivers?|sends?|ships?|returns?|hands over|finish(?:es)?|comes? back|starts?)\b.*⟦d⟧",
        r"\b(?:must|has to|have to|needs? to) be (?:submitted|delivered|finished|done|live|ready|shipped|signed|filed|published|approved|handed in)\b.{0,30}⟦d⟧",
        r"^no (?:more )?(?:deploys?|deployments?|releases?|merges?|prod(?:uction)? changes) (?:to prod(?:uction)? )?(?:on|after|before|during|until|between) \S",
        r"\b(?:takes? over|hands? over) .{3,40} (?:from|on|in|at) ⟦d⟧",
        r"\bhas no priority (?:any ?more|now)\b|\bis (?:our |the )?(?:top|highest|lowest) priority\b|\bis no longer a priority\b",
        r"^(?:finance|legal|compliance|security|management|procurement|hr|ops|it) (?:has |have )?(?:capped|limited us|granted us|banned|forbade|forbids|approved|froze|vetoed|killed|turned down|signed off) .{4,}",
        r"^we(?:'ve got|'ve| have| got)(?: got)? (?:exactly |only |about |around |roughly |over )?(?:one|two|three|four|five|\d+|a (?:dozen|handful)) [\w -]{3,30}\b(?:in prod(?:uction)?|paying|on (?:the|our) team|live|worldwide)\b",
        r"^(?:the |our )?(?:clients?|customers?)(?:'s?|s')? (?:boxes|machines|servers|laptops|phones|devices|browsers|networks?) (?:still |only |all |mostly )*(?:have|run|are|use|is|has|runs|uses)\b.{3,}|^(?:the |our )?(?:client|customer) (?:is|are) (?:an? |the |all |mostly |based |located )\S.{6,}",
        // German
        r"\bvertrag\b.{3,40}\bläuft\b.{0,30}\baus\b|\b(?:releases?|deployments?|auslieferungen?)\b.{0,30}\b(?:jeden|jede|alle zwei|alle drei)\b",
        r"^wir (?:sind|haben)\b.*\b(?:umgezogen|umgestiegen|gewechselt|migriert|umgestellt|abgelöst|ersetzt|abgeschaltet)\b",
        r"^wir (?:müssen|dürfen|können) .*\b(?:wegen|aus \p{L}+ gründen|unter|höchstens|mindestens|maximal|nicht mehr als|vertraglich)\b",
        r"\b(?:der|unser|die|unsere) (?:größte[rn]? |wichtigste[rn]? )?(?:kunde|kunden|auftraggeber|betriebsrat|datenschutz|rechtsabteilung|revision|einkauf|vertrieb|prüfer) (?:will|wollen|braucht|verlangt|besteht|nutzt|hat|haben|muss|müssen)\b.{6,}",
        r"\bwegen (?:der |des )?(?:dsgvo|datenschutz\w*|revision|compliance|betriebsrats?|lizenz\w*)\b",
        r"^(?:bis|ab|seit|nach|vor) .{3,20} (?:deployen|releasen|mergen|liefern|frieren|veröffentlichen|migrieren) wir\b.{3,}",
        r"^ab ⟦d⟧ (?:ist|gilt|sind|gibt es|läuft) .{4,}",
        // French
        r"^plus (?:aucune?|de) (?:merges?|mises? en prod|déploiements?|livraisons?|releases?)\b",
        r"\b(?:le|la|notre|nos) (?:plus gros |principal |gros )?(?:clients?|juridique|service juridique|éditeur|fournisseur|auditeurs?|rssi|dpo|direction) (?:exige|veut|veulent|demande|refuse|impose|interdit|attend|utilise)\b",
        r"^(?:on|nous) (?:livre|livrons|déploie|déployons|sort|sortons|publie|publions)\b.*\b(?:chaque|tous les|toutes les)\b",
        r"^(?:on|nous) (?:est|a|sommes|avons) (?:tous |déjà |enfin )*(?:passée?s?|migré|basculé|changé|remplacé|quitté|abandonné|déménagé)\b.*\b(?:de|à|vers|par|pour|du|sur)\b",
        r"\b(?:à cause d(?:e|u|es)|pour des raisons) (?:la |le )?(?:rgpd|juridiques?|client|audit|conformité|légales)\b",
        r"\b(?:doit|doivent) (?:valider|relire|approuver|signer) (?:chaque|toutes?|tous)\b",
        // Spanish
        r"\b(?:entregas?|despliegues?|releases?|versiones)\b.{0,20}\b(?:son|es|salen|sale|van)\b.{0,12}\b(?:cada|todos los|todas las)\b",
        r"\b(?:el|la|nuestro|nuestra) (?:mayor |principal )?(?:cliente|legal|proveedor|auditor|dirección) (?:exige|quiere|pide|necesita|prohíbe|usa|espera)\b",
        r"^(?:nosotros )?(?:ya )?(?:hemos )?(?:migramos|migrado|pasamos|pasado|cambiamos|cambiado|nos mudamos|nos pasamos|reemplazamos|dejamos) (?:de|del|a|al|por|todo)\b",
        r"\bpor (?:el |la |temas |motivos )?(?:rgpd|cumplimiento|auditoría|legales|contrato)\b",
        // Chinese
        r"每(?:隔)?(?:两|三)?(?:周|个?月|个?星期).{0,6}(?:发布|上线|发版|部署)|(?:客户|法务|老板|审计|甲方)(?:要求|坚持|希望|只能|不允许).{3,}",
        r"^(?:我们|团队|线上|生产(?:环境)?|公司)(?:已经|早就|刚刚?|都|上周|上个月|现在)?.{0,8}(?:从.{1,20}(?:迁移|切换|迁|换|转|升级)(?:到|成|为)|(?:迁移到|换成了?|改用了?|切换到).{2,})",
        r"(?:必须|需要|得|要)(?:先)?(?:由|让|经过|经).{1,10}(?:审核|审批|批准|同意|签字)",
        r"因为(?:合规|法务|审计|监管|等保|合同)",
        // Japanese
        r"(?:リリース|デプロイ|納品)は毎(?:週|月|日).{1,}|(?:お客様|法務|監査|社長|取引先)(?:が|の要望で|の要求で).{3,}",
        r"から.{1,20}(?:に|へ)(?:移行し|切り替え|乗り換え|移転し|移り|変え)(?:ました|た|ています)",
        r"(?:さん|チーム)(?:の)?(?:承認|レビュー|確認)が(?:必要|必須)",
        r"(?:監査|法務|コンプライアンス|契約)(?:の(?:ため|都合|関係)|上)",
        r"(?:担当は|担当が).{1,14}(?:さん|チーム)(?:に(?:なり|変わり)|です|へ)",
    ])
});

/// What runs in production, also where it says that it is only "still" so.
static PRODUCTION: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"^(?:we|our (?:team|backend|api|site|app|services?)|production|prod)(?:'re| are|'s)? (?:still |only |currently |also )*(?:use|uses|run|runs|have|has|are on|on|is on|is|deploy|deploys|target|host|hosts)\b.*\bin prod(?:uction)?\b",
        r"^(?:production|prod) (?:is (?:still |only )?(?:on|at)|(?:still |only )?(?:runs|uses))\b.{4,}",
        r"\ben prod(?:uction)?\b.*\b(?:on|nous|tourne|tournent|utilise|utilisons|avons|est)\b|\b(?:on|nous|ça) (?:utilise|utilisons|tourne|tournons|a|avons|est|sommes)\b.*\ben prod(?:uction)?\b",
        r"\bin (?:der )?produktion (?:läuft|laufen|nutzen|haben|verwenden|steht|ist|sind)\b|\b(?:läuft|laufen|nutzen|haben|verwenden|setzen) .{2,60}\bin (?:der )?produktion\b",
        r"\ben producción\b.*\b(?:usamos|tenemos|corre|corremos|va|estamos|hay)\b|\b(?:usamos|tenemos|corre|corremos|va|estamos)\b.*\ben producción\b",
        r"^(?:我们)?(?:线上|生产环境|生产)(?:的)?.{0,6}(?:用的?是?|跑的?是?|还是|还在用|是|上|只支持).{2,}",
        r"^本番(?:環境)?(?:は|では|で).{2,}(?:です|なので|ので|だから|を使って|で動いて|動いて)",
        r"^(?:la |notre )?prod(?:uction)? (?:tourne|utilise|reste|est (?:encore |toujours )?(?:sur|sous|en))\b.{4,}|^(?:nuestra )?producción (?:corre|usa|sigue)\b.{4,}|^en producción (?:seguimos|todavía|aún)\b.{4,}|^(?:unsere )?produktion (?:läuft|nutzt)\b.{4,}",
    ])
});

/// People, with capitals.
static PEOPLE: LazyLock<Set> = LazyLock::new(|| {
    const NAME: &str = r"\p{Lu}\p{Ll}[\p{Ll}'-]*(?: \p{Lu}\p{Ll}[\p{Ll}'-]*)?";
    let of = |rest: &str| rest.replace("NAME", NAME);
    let patterns: Vec<String> = [
        r"(?:^|[;:—,]\s+|\b(?:and|so|but) )NAME(?:,? (?:who|which|from [\w ]{2,20},?))? (?:is doing the|is on the|does (?:all )?the (?:frontend|backend|ios|android|design|infra|ops|ui|devops|data|ml|docs|qa|testing|mobile|web|reviews?|releases?)|has to (?:review|approve|sign|check|see)|must (?:review|approve|sign|see)|needs to (?:review|approve|sign off|see)|approves every|reviews every|takes over|is taking over|has taken over|covers|fills in|steps in|is responsible for|is in charge of|owns|maintains)\b",
        r"(?:^|[;:—,]\s+)NAME (?:is|are) (?:back|on (?:vacation|leave|holiday|parental leave|maternity leave|sick leave|sabbatical)|out|away|leaving|gone)\b.*(?:until|till|from|since|so|in|⟦d⟧)",
        r"(?:^|[;:—,]\s+)NAME (?:is |are |went |has gone |gone )?(?:out|off|away|gone|on (?:[\w ]{2,12} )?(?:vacation|leave|holiday|holidays|sabbatical|pto))\b.*(?:until|till|from|since|⟦d⟧)",
        r"(?:^|[;:—,]\s+)NAME (?:has )?(?:left|joined|is joining|is leaving|quit|resigned|moved to|switched to)\b.{0,30}\b(?:team|company|project|us|⟦d⟧)",
        r"^(?i:our|the) (?i:[a-z ]{2,20}), NAME, (?i:has to|must|needs to|wants|reviews|approves|decides|signs)\b",
        r"\b(?i:ask|talk to|ping) NAME (?i:about|if it'?s about|when it comes to|regarding) (?i:the |our |all |any |anything )?[\p{L}-]{4,}",
        r"^(?i:questions?|anything|everything) (?i:about|on|regarding) .{2,40} (?i:goes? to|to) NAME\b",
        r"^NAME is the (?i:only (?:one|person)|one|person) (?i:who|to|for)\b",
        r"^NAME (?i:does|macht|fait|hace) [\w ]{2,20}(?:,| and| und| et| y) (?:I|ich|moi|yo)\b",
        r"^(?i:only) NAME (?:can |may |is allowed to |should )?(?:merges?|deploys?|approves?|reviews?|signs?|decides?|pushes|push|releases?|tags?|touches|touch|edits?|has|owns?)\b",
        r"^NAME (?:only works|works only|only comes in|is only (?:in|here|around))\b|^NAME (?:signs off|has the (?:last|final) word|has to ok|needs to ok|must ok|gets to decide|decides)\b",
        r"^NAME (?:handed in|gave|has given) .{0,12}notice\b|^NAME(?:'s)? last day is\b|^NAME (?:built|wrote|designed|set up|knows) .{3,50}(?:person|one) to ask\b",
        r"^(?i:anything|everything|all|questions?) .{3,40}, (?i:talk to|ask|ping|go to|goes to|see) NAME\b",
        r"^(?i:platform|infra|ops|security|sre|design|support|mobile|frontend|backend|devops) (?:took over|has taken over|owns|maintains|handles) .{4,}",
        r"^(?:Seit|Ab|seit|ab) .{2,24} (?i:betreut|verantwortet|leitet|übernimmt|macht|pflegt|verwaltet) (?:Herr |Frau )?NAME\b .{3,}",
        r"^(?:Herr|Frau|Dr\.) NAME (?i:betreut|verantwortet|leitet|übernimmt|macht|pflegt|verwaltet|entscheidet|genehmigt) .{3,}",
        // German: the name may stand anywhere before "zuständig".
        r"^(?:Für|für|Um|um) .{3,50} (?:ist|sind|kümmert sich|kümmern sich)\b.{0,30} NAME\b.{0,20}(?:zuständig|verantwortlich|$)|^(?:Um|um) .{3,50} kümmer(?:t|n) sich\b.{0,30} NAME\b",
        r"^NAME (?:ist|geht|kommt) .{0,40}(?:Elternzeit|Urlaub|zuständig|verantwortlich|zurück|vertritt)\b",
        // French
        r"^(?i:demande|demander|vois|voir) (?i:à|avec) NAME (?i:pour|si|quand)\b|^NAME est passée? [\w' ]{3,40}(?:,|et) c'est (?:elle|lui) qui\b",
        r"^(?:[Cc]'est )NAME qui (?:est|s'occupe|gère|maintient|pilote|valide|relit|fait|reprend|a repris)\b",
        r"(?:^|[;:—,]\s+)NAME (?:doit|reprend|remplace|est en congé|est en vacances|part|revient|valide|relit)\b",
        // Spanish
        r"(?:^|[;:—,]\s+)NAME (?:es (?:la|el) responsable|lleva|revisa|aprueba|tiene que (?:revisar|aprobar|firmar)|está de (?:baja|vacaciones)|vuelve|sustituye|se encarga)\b",
        r"^(?:[Ll]o de|[Ll]os|[Ll]as|[Ee]l tema de) .{3,40} (?:lo|la|los|las) (?:lleva|llevan|gestiona|hace|mantiene) NAME\b|^(?i:pour) .{3,40}, c'est NAME (?:qu'il faut|qui|à)\b",
        // Chinese and Japanese
        r"(?:的事|方面|相关|问题)(?:都|就)?(?:找|问)\p{Han}{2,3}|(?:まわり|周り|関連|関係|の件|のこと)は.{1,10}(?:さん|チーム)(?:に|へ)(?:聞いて|確認して|相談して|お願い)",
        r"从\p{Han}{2,3}(?:那里?|手里)?(?:交接|转|移交|换)(?:给|到|成)了?\p{Han}{2,3}|(?:休|请)(?:了)?(?:产假|病假|年假|陪产假|婚假|假)到|(?:现在|以后|暂时)(?:找|问|归)\p{Han}{2,3}",
        r"(?:さん|チーム)から.{1,14}(?:さん|チーム)(?:に|へ)(?:引き継|交代|変わ|移)",
    ]
    .into_iter()
    .map(of)
    .collect();
    Set::of(&patterns.iter().map(String::as_str).collect::<Vec<_>>())
});

/// Somebody who is named, or a team, told the person.
static TOLD: Pattern = Pattern::new(
    r"^(?:[^:]{3,40}: )?(?:\p{Lu}\p{Ll}+|[Tt]he [\w ]{2,20} team|[\w-]+ team|[Oo]ps|[Ii]nfra|[Ll]egal|[Ff]inance|[Pp]roduct)(?: from [\w ]{2,20})? (?:told (?:me|us)|confirmed|announced|promised)(?: (?:today|yesterday|⟦d⟧))?(?: that)?,? ",
);

/// What looks like a circumstance and is about the code at hand.
static OTHERWISE: LazyLock<Set> = LazyLock::new(|| {
    Set::of(&[
        r"⟦c⟧",
        r"\b(?:function|method|class|variable|loop|test case|unit test|handler|parser|struct|callback|button|component|regex|query|branch|commit|line|stack ?trace|screen|button)s?\b",
        r"\b(?:wrong|broken|failing|crash(?:es|ing)?|bug|error)\b",
        r"\b(?:fonction|función|funktion|método|méthode|methode|variable|bucle|boucle|schleife|clase|classe|klasse|bouton|botón|knopf)\b|(?:这个|那个|该|把|将)(?:函数|变量)|(?:関数|変数)を",
        r"\b(?:moved|switched|changed|went|migrated)(?: over)? to (?:a|an|the|this|line|step)\b",
        r"\b(?:is|are|was|est|está|ist) (?:down|up again|tombée?|caíd[oa]|kaputt)\b",
        r"\b(?:to the next|to step|to line|to use|to make)\b",
    ])
});

/// Whether a masked statement (with capitals kept) tells of a circumstance of the project.
pub(super) fn hold(cased: &str) -> bool {
    let lower = cased.to_lowercase();
    HOLDS.hits(&lower) && !OTHERWISE.hits(&lower)
}

/// Whether it tells what runs in production.
pub(super) fn is_in_production(cased: &str) -> bool {
    let lower = cased.to_lowercase();
    PRODUCTION.hits(&lower) && !OTHERWISE.hits(&lower)
}

/// Whether it tells who does, reviews or takes over what, or who is away.
pub(super) fn names_people(cased: &str) -> bool {
    PEOPLE.hits(cased) && !OTHERWISE.hits(&cased.to_lowercase())
}

/// What a named person or team told, without who told it; capitals kept.
pub(super) fn told(cased: &str) -> Option<&str> {
    let hit = TOLD.find(cased)?;
    cased.get(hit.end()..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patterns_compile() {
        assert!(
            HOLDS.is_whole() && PRODUCTION.is_whole() && PEOPLE.is_whole() && OTHERWISE.is_whole() && TOLD.is_whole()
        );
    }
}
