//! French.

use super::Table;

pub(super) const TABLE: Table = Table {
    lead_in: r"(?i)^(?:(?:non|oui|ok|d'accord|bien|parfait|merci|exactement|salut|bonjour|au fait|note|attention|stop)(?:\s*[,.!:—–-]+\s+)|(?:et|mais|aussi|au fait|pour info|rappelle-toi que|souviens-toi que|sache que)\s*[,:]?\s+)",
    correction: r"(?i)^(?:non|faux|stop|pas comme ça)\b[\s,.:!—–-]+",
    question: &[
        r"\?\s*$",
        r"^(?:peux-tu|pourrais-tu|pouvez-vous|pourquoi|que |qu'est-ce|comment|qui |où |quand est|quel|est-ce que|devrait-on|faut-il)",
    ],
    hypothetical: &[
        r"\b(?:si|s'il|peut-être|supposons|imagine|imaginons|pourrait|pourrions|serait|devrait|devrions|aurait|probablement|éventuellement|et si|je me demande)\b",
    ],
    reported: &[r"\b(?:dit|a dit|disent|a écrit|écrit|selon|d'après|pense que|suggère|recommande|affirme)\b"],
    invented_turn: &[
        r"\b(?:écris|rédige|génère|crée|invente)\b.{0,60}\b(?:histoire|poème|données de test|jeu de test|e-?mail|courriel|lettre|article|dialogue|exemples?|conte|roman)\b",
        r"\b(?:écris|rédige|prépare|fais)\b.{0,30}\b(?:mail|annonce|communiqué|note de service|message (?:à|au|aux|pour)|post pour)\b",
        r"\b(?:traduis|traduire|corrige la (?:grammaire|l'orthographe)|reformule|fais comme si|joue le rôle|tu es un)\b",
    ],
    invented: &[
        r"^dans (?:le test|l'exemple|la fixture|le jeu de données|la seed)\b",
        r"\b(?:par exemple|p\. ?ex\.|exemple :|exemple:|données de test|fictif)\b",
        r"^⟦q⟧[.!]?$",
    ],
    task: &[
        r"^(?:s'il te plaît,?\s+|maintenant\s+|ensuite\s+)*(?:ajoute|corrige|répare|implémente|écris|crée|lance|exécute|refactorise|mets|modifie|change|fais|vérifie|regarde|renomme|supprime|déplace|construis|génère|installe|ouvre|lis|teste|déploie|remplace|montre|explique|aide|essaie|trouve|allons|peux-tu)\b",
    ],
    fleeting: &[
        r"\b(?:maintenant|pour l'instant|pour le moment|en ce moment|actuellement|encore|cette fois|temporairement|en attendant)\b",
        r"⟦d⟧",
    ],
    pointing: &[r"\b(?:ce|cet|cette|ces|ceci|cela|ça|celui|celle|ici|là)\b"],
    particular: &[
        r"⟦c⟧",
        r"\b(?:ligne|pr|ticket|étape|option) #?\d+",
        r"\b(?:le|la|les|l') ?(?:fichier|fonction|classe|méthode|branche|commit|test|composant|variable|modification|modifications|build|serveur|page|erreur|bug|sortie|script|migration|code|tâche)\b",
    ],
    not_rule: &[
        r"\b(?:ne t'inquiète pas|n'oublie pas|pas grave|pas de souci|pas de problème|ne marche|ne fonctionne|ne sais|ne comprends)\b",
        r"^(?:il|elle|ça|cela|le|la|les|je|on|c'est) .*\b(?:toujours|jamais)\b",
    ],
    rule_strong: &[
        r"^(?:s'il te plaît,? )?(?:n'|ne )\p{L}+ jamais \S+",
        r"^(?:toujours|jamais) \p{L}+ \S+",
        r"^(?:s'il te plaît,? )?(?:utilise|emploie|écris|lance|exécute|fais|ajoute|mets|réponds|explique|demande|crée|garde|teste|vérifie|inclus|évite|documente|formate)z? toujours\b",
        r"^(?:s'il te plaît,? )?(?:utilise|emploie|écris|lance|fais|ajoute|mets|réponds|explique|demande|crée|garde|teste|vérifie|inclus|évite)z?\b.*\b(?:toujours|désormais|dorénavant|à l'avenir|à chaque fois|par défaut)\b",
        r"^(?:désormais|dorénavant|à l'avenir|à partir de maintenant)[,:]? (?:s'il te plaît,? )?\S+ \S+",
        r"^(?:s'il te plaît,? )?arrête(?:z)? (?:de |d')[\p{L}']+.*",
        r"^(?:nous|on) (?:ne )?\p{L}+ (?:toujours|jamais)\b",
    ],
    rule_plain: &[
        r"^(?:s'il te plaît,? )?(?:n'|ne )\p{L}+ (?:pas|plus) \S+",
        r"^(?:utilise|préfère|emploie)z?\s+[\w.+#-]+(?:\s[\w.+#-]+)?,?\s+(?:au lieu de|plutôt que|à la place de|et pas|pas)\s+\S+",
        r"^évite(?:z)? (?:de |les |d')\S+",
        r"^pas de \p{L}+ (?:dans|en|pour)\b",
        r"^(?:s'il te plaît,? )?(?:réponds|écris|parle)(?:-moi)?(?: toujours)? en (?:français|anglais|allemand|espagnol)\b",
    ],
    rule_with_reason: &[r"^(?:les|tous les|toutes les) \p{L}+ (?:\p{L}+ ){0,3}doivent\b", r"^utilise "],
    rule_corrected: &[r"^utilise [\w.+#-]+(?: à la place)?[.!]?$", r"^(?:on|nous) utilis(?:e|ons) [\w.+#-]+"],
    approval: &[
        r"\bcontinue (?:à|de|d') ?\p{L}+ \S",
        r"\b(?:était|c'est) le bon choix\b",
        r"\bj'aime (?:bien )?(?:comment|que|la façon dont) tu\b",
    ],
    about_self: &[
        r"\bje suis (?:un |une |le |la )?(?:[\p{L}-]+\s){0,3}?(?:ingénieure?|développeur|développeuse|programmeur|programmeuse|designer|scientifique|data scientist|analyste|étudiante?|architecte|administrateur|administratrice|professeure?|chercheur|chercheuse|responsable|consultante?|débutante?|chef|fondateur|fondatrice|physicienne?|testeur|testeuse)\b",
        r"\bje suis (?:nouveau|nouvelle) (?:en|dans|sur|avec)\b|\bje suis (?:daltonien(?:ne)?|gauch(?:er|ère)|chargée? de)\b",
        r"\bje travaille (?:comme|chez|dans|en|sur|avec|principalement)\b",
        r"\bj'ai .*\bans\b.*\b(?:expérience|de)\b",
        r"\bje préfère \S+|\bje m'appelle \p{L}+|\bmon nom est \p{L}+|\bappelle[- ]moi \p{L}+|\bmon (?:rôle|métier|poste|travail) est\b|\bma langue maternelle est\b",
        r"\bje n'ai jamais (?:utilisé|écrit|travaillé|programmé)\b",
        r"\bje (?:ne )?connais (?:pas|peu|mal) \S+",
    ],
    not_about_self: &[
        r"\b(?:ce|cet|cette|ces|ceci|cela|ça|ici|en ce moment|pour l'instant|(?:le |la |l')?(?:premi(?:er|ère)|deuxième|second|seconde|troisième|derni(?:er|ère)|autre)(?: \p{L}+)?)\b",
        r"⟦d⟧",
    ],
    decision: &[
        r"^(?:nous avons|on a|l'équipe a|la direction a) (?:décidé|convenu|choisi)\b",
        r"^(?:nous|on) (?:passons|passe|migrons|migre|abandonnons|abandonne|remplaçons|remplace|gelons|gèle)\b",
        r"^la décision (?:est|était)\b",
    ],
    owner: &[
        r"(?:^|\s)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? (?:est (?:responsable|la responsable|le responsable|chargée?|en charge) d|s'occupe d|dirige|maintient|gère|pilote|reprend)\S*",
        r"(?:^|[;:—,]\s+)[Ll]'équipe \p{L}+ (?:est (?:responsable|chargée|en charge) d|s'occupe d|maintient|gère)\S*",
    ],
    scheduled: &[
        r"\b(?:gel|gelée?s?|gelons|échéance|date limite|livraison|lancement|lançons|sortie|release|démo|migration|audit|déploiement|commence|démarre|termine|finit|sort|congés?|vacances|reportée?|freeze)\b.*⟦d⟧",
        r"⟦d⟧.*\b(?:gel|gelons|échéance|date limite|livraison|lancement|release|démo|migration|audit|congés?|vacances|freeze)\b",
    ],
    code_talk: &[r"\b(?:pointeur|variable|tampon|thread|objet|instance|boucle|constructeur)\b"],
    in_the_code: &[],
    on_screen: &[],
    located: &[
        r"\b(?:est|sont|se trouve|se trouvent|vit|vivent|trouveras|suivis?|suivies?|suivons|documentons|gardons|on suit|on documente|on note|on garde|on signale)\b.*\b(?:dans|sur|sous|via)\b",
    ],
    not_located: &[r"\b(?:l'erreur|le bug|ce|cet|cette|le fichier|la fonction|le test)\b"],
    take_back: &[
        r"\b(?:oublie (?:ça|ce que)|je retire ce|ignore ça|je plaisante|je me suis trompée?|finalement non)\b",
        r"^(?:attends|pardon|en fait),? non\b",
        r"^(?:laisse tomber|peu importe)\b",
    ],
    lifted: &[
        r"\b(?:c'est|est|sont) (?:ok|bon|autorisée?s?)(?: finalement)?[.!]?$",
        r"\bn'est plus (?:vrai|valable)\b",
    ],
    why_join: r"(,? ?\b(?:parce qu(?:e |')|car |puisqu(?:e |')|sinon|afin qu|pour qu(?:e |')))|( — |; )",
    why_begin: &[r"^(?:parce|car|la dernière|le (?:mois|trimestre) dernier|on|nous|ça|c'est|il|elle|les|le|la)\b"],
    why_next: &[
        r"^(?:parce|car|la (?:dernière fois|raison)|le (?:mois|trimestre) dernier|la semaine dernière|on s'est|nous avons (?:eu|perdu))\b",
    ],
    how_next: &[r"^(?:c'est-à-dire|à la place|cela s'applique)\b"],
    incident: &[r"\b(?:derni(?:er|ère)|cassé|échoué|panne|perdu|incident|brûlés?)\b", r"⟦d⟧"],
};
