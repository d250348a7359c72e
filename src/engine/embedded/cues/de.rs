//! German.

use super::Table;

pub(super) const TABLE: Table = Table {
    lead_in: r"(?i)^(?:(?:nein|nee|ja genau|ja stimmt|ja|genau|stimmt|ok|okay|gut|super|danke|ach|hey|hallo|moment|übrigens|hinweis|kurz|stopp|wichtig|perfekt|richtig)(?:\s*[,.!:—–-]+\s+)|(?:und|aber|also|übrigens|nur zur info|zur info|wie gesagt|denk daran,? dass|merk dir,?(?: dass)?)\s*[,:]?\s+)",
    correction: r"(?i)^(?:nein|nee|falsch|stopp|nicht so)\b[\s,.:!—–-]+",
    question: &[
        r"\?\s*$",
        r"^(?:kannst du|könntest du|würdest du|warum|wieso|was|wie|wer|wo|wann|welche[rs]?|soll(?:en|te|ten)? (?:ich|wir)|ist|sind|hast du|gibt es|könnten wir)\b",
    ],
    hypothetical: &[
        r"\b(?:wenn|falls|vielleicht|eventuell|möglicherweise|angenommen|würde|würden|könnte|könnten|wäre|wären|hätte|hätten|sollten wir|was wäre|mal angenommen|nehmen wir an|ich überlege|vermutlich|wahrscheinlich)\b",
    ],
    reported: &[
        r"\b(?:sagt|sagte|meint|meinte|schrieb|schreibt|behauptet|hat gesagt|hat geschrieben|laut|angeblich|die doku sagt|steht in)\b",
    ],
    invented_turn: &[
        r"\b(?:schreib|schreibe|erfinde|generiere|erstelle|verfasse)\b.{0,60}\b(?:(?:kurz|liebes|gruppen|tier)?geschichten?|erzählung|märchen|fabel|krimi|gedicht|testdaten|beispieldaten|beispieltext|e-?mail|brief|artikel|blogpost|dialog|roman|platzhalter)\b",
        r"\b(?:schreib|schreibe|verfasse|formuliere|entwirf|mach|bereite)\b.{0,40}\b(?:mail|rundmail|ankündigung|mitteilung|aushang|rundschreiben|infomail|nachricht (?:an|für|fürs)|post (?:an|für|fürs)|update (?:an|für|fürs))\b",
        r"\b(?:übersetze?|korrigiere|umformulieren|formuliere .* um|tu so, als|spiel die rolle|du bist ein)\b",
    ],
    invented: &[r"\b(?:zum beispiel|z\.b\.|beispielsweise|beispiel:|testdaten|platzhalter|fiktiv)\b", r"^⟦q⟧[.!]?$"],
    task: &[
        r"^(?:bitte\s+|jetzt\s+|dann\s+)*(?:füge?|ergänze|behebe|repariere|implementiere|schreib|schreibe|erstelle|führe?|ändere|mach|mache|prüfe|schau|benenne|entferne|lösche|verschiebe|baue|generiere|installiere|öffne|lies|teste|deploye|pushe|committe|merge|setze|ersetze|zeig|zeige|erkläre|hilf|versuche|finde|lass uns|starte|aktualisiere|kannst du|könntest du)\b",
    ],
    fleeting: &[
        r"\b(?:vorerst|erst ?mal|gerade|momentan|im moment|jetzt|noch nicht|diesmal|dieses mal|vorübergehend|zunächst|für den moment|derzeit)\b",
        r"\b(?:in|für|auf) (?:diese[mnrs]?) (?:pr|branch|commit|datei|funktion|ticket|sitzung)\b",
        r"⟦d⟧",
    ],
    pointing: &[
        r"\b(?:diese[mnrs]?|dieser|jene[mnrs]?|hier|da|dort|dafür|dazu|davon|dabei|das da|es so|so nicht)\b",
        r"\b(?:das|es)(?:$|[.,;!]| nicht(?: mehr)?[.!]?$| so\b)",
        r"\b(?:mach|tu|nutze|ändere|lösche) (?:das|es|die|den)\b(?:$|[.,!]| nicht)",
    ],
    particular: &[
        r"⟦c⟧",
        r"\b(?:zeile|pr|ticket|issue|schritt|option) #?\d+",
        r"\b(?:die|den|der|das|dem) (?:datei|funktion|klasse|methode|branch|commit|test|tests|komponente|variable|änderung|änderungen|build|server|seite|fehler|bug|ausgabe|skript|migration|endpunkt|konfiguration|code|ticket|aufgabe)\b",
    ],
    not_rule: &[
        r"\b(?:keine sorge|kein problem|keine ahnung|keine eile|macht nichts|immer noch|immer wieder|nie wieder gesehen|immer weniger|immer mehr)\b",
        r"^(?:es|er|sie|das|die|der) .*\b(?:immer|nie)\b",
        r"^ich\b",
    ],
    rule_strong: &[
        r"^(?:bitte )?(?:immer|nie|niemals|nie wieder)\s+\p{L}+\s*\p{L}+",
        r"^(?:bitte )?(?:nutze?|verwende|benutze?|schreibe?|committe|pushe|mocke?|führe?|füge?|teste?|lass|lasse|antworte|erkläre|frage?|mache?|setze?|gib|starte?|erstelle|halte?|nimm|zeige?|prüfe?|lösche|ändere|deploye|merge|baue?|lege?|speichere|formatiere|benenne|rebase|squashe?|signiere|dokumentiere)\b.*\b(?:immer|nie|niemals|grundsätzlich|in zukunft|künftig|ab jetzt|von jetzt an|ab sofort|jedes mal|standardmäßig)\b",
        r"^(?:in zukunft|künftig|ab jetzt|von jetzt an|ab sofort|grundsätzlich|ab sofort bitte)[,:]? (?:bitte |immer )*\p{L}+\s+\S+",
        r"^(?:\p{L}+ )(?:\p{L}+ ){0,4}(?:bleiben|sollen|müssen|dürfen) (?:\p{L}+ ){0,3}(?:immer|nie|niemals|stets)\b",
        r"^wenn (?:du|ich|wir) [^,]+, (?:dann )?(?:antworte|nutze?|verwende|schreibe?|frage?|zeige?|erkläre|gib|nimm|mache?) (?:mir |bitte |dich |immer |auch )+\S+",
        r"^(?:bitte )?(?:hör|höre|hört) (?:bitte |endlich |mal )*auf(?: damit)?,? .*(?: zu \p{L}+|\p{L}zu\p{L}+(?:en|rn|ln))\b",
        r"^(?:bitte )?(?:hör|höre|hört) (?:bitte |endlich |mal )*(?:auf )?mit (?:den |dem |der |diesen |deinen |ständigen )*\p{L}{4,}(?: \p{L}+)*? auf\b",
        r"^(?:bitte )?(?:hör|höre|hört) (?:bitte |endlich |mal )*auf mit (?:den |dem |der |deinen |ständigen |langen )*\p{L}{4,}",
        r"^(?:wir|du sollst|du solltest|du musst) (?:.* )?(?:immer|nie|niemals|grundsätzlich)\b",
        r"\bich (?:mag|will) es nicht,? (?:wenn|dass) du\b",
    ],
    rule_plain: &[
        r"^(?:bitte )?(?:nutze?|verwende|benutze?|mocke?|schreibe?|committe|pushe|füge?|erstelle|mache?|gib|setze?|nimm|lass)\b.*\b(?:kein|keine|keinen|keinerlei|nicht|nie)\b",
        r"^(?:bitte )?(?:keine?n?|nicht) \p{L}+ .*\p{L}(?:en|n)[.!]?$",
        r"^(?:bitte )?(?:nutze?|verwende|benutze?|nimm)\s+[\w.+#-]+(?:\s[\w.+#-]+)?,?\s+(?:statt|anstatt|anstelle von|nicht)\s+\S+",
        r"^(?:bitte )?antworte(?: mir)?(?: bitte)?(?: immer)? (?:auf|in) (?:deutsch|englisch|französisch|spanisch)\b",
        r"^(?:bitte )?halte? (?:dich|deine|die) \p{L}*\s*(?:kurz|knapp)",
    ],
    rule_with_reason: &[r"^\p{L}+ (?:müssen|sollen|dürfen)\b", r"^(?:bitte )?(?:nutze|verwende|benutze|keine)\b"],
    rule_corrected: &[
        r"^(?:nutze?|verwende|benutze?|nimm) [\w.+#-]+(?: stattdessen)?[.!]?$",
        r"^wir (?:nutzen|verwenden|benutzen) [\w.+#-]+",
    ],
    approval: &[
        r"\b(?:mach|mache) (?:so |bitte )?weiter mit \S",
        r"\b(?:war|ist) (?:genau )?die richtige (?:entscheidung|wahl)\b",
        r"^(?:nur |erst )?(?:ein|eine|einen|zwei|mehrere|viele|wenige|kleine|große|keine?|gleich|direkt|zuerst) .{3,60} (?:war|waren) (?:genau |völlig |schon |absolut )*(?:richtig|goldrichtig|das richtige|der richtige weg|besser so)[.!]*$",
        r"^dass du .{6,80} (?:hast|bist|wolltest), war (?:genau |völlig |schon )*(?:richtig|goldrichtig|das richtige)[.!]*$",
        r"\bmir gefällt,? (?:wie|dass) du\b",
        r"\b(?:behalte?|behalt) .* bei\b",
    ],
    about_self: &[
        r"\bich bin (?:eine?|der|die|ein)?\s*(?:[\p{L}-]+\s){0,3}?[\p{L}-]*(?:entwickler|entwicklerin|ingenieur|ingenieurin|informatiker|informatikerin|designer|designerin|wissenschaftler|wissenschaftlerin|scientist|engineer|developer|analyst|analystin|student|studentin|architekt|architektin|administrator|administratorin|lehrer|lehrerin|leiter|leiterin|anfänger|anfängerin|forscher|forscherin|manager|managerin|berater|beraterin|freelancer|programmierer|programmiererin|physiker|physikerin|tester|testerin|gründer|gründerin|devops|teamleiter|teamleiterin)\b",
        r"\bich bin (?:neu (?:in|bei|im)|nicht (?:sehr |so )?vertraut mit|vertraut mit|farbenblind|zuständig für|verantwortlich für|linkshänder)\b",
        r"\bich arbeite (?:als|bei|an|im|in|mit|seit|meistens|hauptsächlich)\b",
        r"\bich (?:programmiere|entwickle|schreibe|nutze) .*\bseit\b.*\b(?:jahren|jahr|monaten)\b",
        r"\bich habe .*\b(?:jahre|jahren)\b.*\b(?:erfahrung|mit)\b",
        r"\bich habe noch nie (?:mit )?\S+ .*(?:gearbeitet|benutzt|verwendet|programmiert)",
        r"\bich (?:bevorzuge|ziehe .* vor|verwende am liebsten|nutze am liebsten|mag lieber)\b",
        r"\bmein name ist \p{L}+|\bich heiße \p{L}+|\bnenn(?:e)? mich \p{L}+|\bmeine (?:rolle|muttersprache|aufgabe) ist\b|\bmein (?:beruf|hintergrund|job) ist\b",
    ],
    not_about_self: &[
        r"\b(?:dieser?[mns]?|hier|gerade|momentan|im moment)\b",
        r"⟦d⟧",
        r"\b(?:mit|an|bei) (?:dem|der|das|diese[mnrs]?) (?:bug|fehler|datei|ticket|pr|branch)\b",
        r"\b(?:die|den|das) (?:erste|zweite|letzte|andere|obere|neue|alte)n? (?:variante|option|version|lösung)\b",
    ],
    decision: &[
        r"^(?:wir haben|das team hat|die leitung hat) (?:uns )?(?:.* )?(?:entschieden|beschlossen|geeinigt)\b",
        r"^wir (?:steigen .* (?:auf|um)|wechseln (?:zu|von|auf)|migrieren|stellen .* (?:um|ein)|ersetzen|frieren)\b",
        r"^(?:die )?entscheidung (?:ist|war)\b",
    ],
    owner: &[
        r"(?:^|[;:—,]\s+)(?:(?:Frau|Herr|Dr\.|Prof\.) )+\p{Lu}\p{Ll}+ (?:ist (?:zuständig|verantwortlich|für [^.]{3,60} (?:zuständig|verantwortlich))|verantwortet|betreut|leitet|übernimmt|kümmert sich um|pflegt|macht|genehmigt)\b",
        r"(?:^|[;:—,]\s+)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? (?:ist (?:zuständig für|verantwortlich für|die? ansprechpartner(?:in)?)|verantwortet|betreut|leitet|übernimmt|kümmert sich um|pflegt)\b",
        r"(?i:wird|werden) (?i:von|vom) (?:\p{Lu}\p{Ll}+|[\w-]+-?[Tt]eam) (?i:betreut|verantwortet|gepflegt|geleitet)",
        r"(?:^|[;:—,]\s+)(?:Das|Unser) [\w-]*[Tt]eam(?: \w+)? (?:ist (?:zuständig für|verantwortlich für)|verantwortet|betreut|übernimmt)\b",
    ],
    scheduled: &[
        r"(?:freeze|frist|deadline|abgabe|fällig|release|releases|launch|demo|migration|umstellung|wartungsfenster|abschaltung|audit|rollout|beta|eingefroren|geht live|gehen live|startet|beginnt|endet|läuft .* ab|erscheint|veröffentlichen|ausgeliefert|fertig|urlaub|elternzeit|verschoben auf)\b.*⟦d⟧",
        r"⟦d⟧.*(?:freeze|frist|deadline|release|launch|demo|migration|umstellung|wartungsfenster|abschaltung|audit|rollout|eingefroren|live|fertig|urlaub|verschoben)\b",
    ],
    code_talk: &[r"\b(?:struct|zeiger|variable|puffer|thread|objekt|instanz|schleife|konstruktor)\b"],
    in_the_code: &[],
    on_screen: &[],
    located: &[
        r"\b(?:wird|werden|ist|sind|liegt|liegen|findest du|finden sich|findet man|steht|stehen|verfolgen wir|dokumentieren wir|pflegen wir|tracken wir|wir (?:verfolgen|dokumentieren|tracken|pflegen|erfassen|sammeln|besprechen|melden))\b.*\b(?:in|im|auf|unter|bei|über)\b",
    ],
    not_located: &[
        r"\b(?:umgezogen|umgestiegen|gewechselt|migriert|der fehler|der bug|diese[rs]?|die datei|die funktion|der test)\b",
    ],
    take_back: &[
        r"\b(?:vergiss (?:das|es|was ich)|streich das|nehme ich zurück|doch nicht|ignoriere? das|war ein irrtum|nur ein scherz)\b",
        r"^(?:ach )?egal\b",
        r"^(?:moment|warte|äh),? nein\b",
    ],
    lifted: &[r"\b(?:ist|sind) (?:doch )?(?:ok|okay|in ordnung|erlaubt)[.!]?$", r"\bgilt nicht mehr\b"],
    why_join: r"(,? ?\b(?:weil|denn|damit|sonst|da (?:wir|es|das|die|sonst))\b)|( — |; )",
    why_begin: &[r"^(?:weil|denn|sonst|wir|es|das|die|letzte[nsr]?|ich|sie)\b"],
    why_next: &[
        r"^(?:weil|denn|sonst|der grund|grund:|letzte[nsr]? (?:mal|monat|woche|jahr|quartal)|wir (?:hatten|haben|sind)|das hat|es hat|das führt)\b",
    ],
    how_next: &[r"^(?:das heißt|stattdessen|das gilt für|gilt für)\b"],
    incident: &[
        r"\b(?:letzte[nsr]?|ausfall|kaputt\p{L}*|schiefgegangen|gescheitert|abgebrochen|abgestürzt|fehlgeschlagen|verbrannt|verloren|reingefallen)\b",
        r"⟦d⟧",
    ],
};
