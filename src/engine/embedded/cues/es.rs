//! Spanish.

use super::Table;

pub(super) const TABLE: Table = Table {
    lead_in: r"(?i)^(?:(?:no|sí|si|vale|ok|bien|perfecto|gracias|exacto|hola|oye|por cierto|nota|mira|claro)(?:\s*[,.!:—–-]+\s+)|(?:y|pero|además|también|por cierto|recuerda que|ten en cuenta que|para que sepas)\s*[,:]?\s+)",
    correction: r"(?i)^(?:no|mal|para|así no)\b\s*[,.:!—–-]+\s*",
    question: &[r"[?¿]", r"^(?:puedes|podrías|por qué|qué|cómo|quién|dónde|cuándo|cuál|deberíamos|debería)\b"],
    hypothetical: &[
        r"\b(?:si|quizás?|tal vez|a lo mejor|supongamos|imagina|podría|podríamos|sería|debería|deberíamos|habría|probablemente|hipotéticamente|y si)\b",
    ],
    reported: &[r"\b(?:dice|dijo|dicen|escribió|comentó|según|opina|sugiere|recomienda|afirma|me dijeron)\b"],
    invented_turn: &[
        r"\b(?:escribe|genera|crea|inventa|redacta)\b.{0,60}\b(?:historia|cuento|poema|datos de prueba|correo|email|carta|artículo|diálogo|ejemplo|ejemplos|texto de ejemplo|novela)\b",
        r"\b(?:escribe|redacta|prepara|haz|crea)\b.{0,30}\b(?:anuncio|aviso|comunicado|circular|nota de prensa|mensaje (?:para|a)|post para|correo)\b",
        r"\b(?:traduce|corrige la (?:gramática|ortografía)|reformula|actúa como|finge|haz de cuenta)\b",
    ],
    invented: &[r"\b(?:por ejemplo|p\. ?ej\.|ejemplo:|datos de prueba|ficticio)\b", r"^⟦q⟧[.!]?$"],
    task: &[
        r"^(?:por favor,?\s+|ahora\s+|luego\s+)*(?:añade|agrega|arregla|corrige|implementa|escribe|crea|ejecuta|refactoriza|actualiza|cambia|haz|mira|revisa|renombra|elimina|borra|mueve|construye|genera|instala|abre|lee|prueba|despliega|pon|reemplaza|muestra|explica|ayuda|intenta|encuentra|vamos|puedes)\b",
    ],
    fleeting: &[
        r"\b(?:por ahora|de momento|por el momento|ahora mismo|todavía|aún|esta vez|temporalmente|mientras tanto|actualmente)\b",
        r"⟦d⟧",
    ],
    pointing: &[
        r"\b(?:este|esta|esto|estos|estas|ese|esa|eso|esos|esas|aquel|aquella|aquí|ahí|allí)\b",
        r"\b(?:hazlo|lo hagas|lo uses|lo toques|la toques|lo cambies)\b",
    ],
    particular: &[
        r"⟦c⟧",
        r"\b(?:línea|pr|ticket|paso|opción) #?\d+",
        r"\b(?:el|la|los|las) (?:archivo|fichero|función|clase|método|rama|commit|test|prueba|componente|variable|cambio|cambios|build|servidor|página|error|bug|salida|script|migración|código|tarea)\b",
    ],
    not_rule: &[
        r"\b(?:no (?:te preocupes|importa|sé|pasa nada|hay|es|está|olvides|funciona|entiendo|creo|tengo|tenemos|puedo|quiero|me|se|hace falta|compila))\b",
        r"^(?:ella|él|eso|esto|el|la|los|las|yo) .*\b(?:siempre|nunca)\b",
        r"\b(?:siempre|nunca) (?:ha|había|he|falla|funciona|devuelve|está|es)\b",
    ],
    rule_strong: &[
        r"^(?:por favor,? )?(?:siempre|nunca|jamás) \p{L}+ \S+",
        r"^(?:por favor,? )?(?:usa|utiliza|escribe|ejecuta|haz|añade|pon|responde|contesta|explica|pregunta|crea|mantén|prueba|revisa|incluye|evita|deja|documenta|formatea)\b.*\b(?:siempre|nunca|de ahora en adelante|a partir de ahora|en el futuro|cada vez|por defecto)\b",
        r"^(?:de ahora en adelante|a partir de ahora|en el futuro|en adelante)[,:]? (?:por favor,? )?\p{L}+ \S+",
        r"^(?:por favor,? )?deja de \p{L}+r\b \S+",
        r"^(?:nosotros )?(?:siempre|nunca) \p{L}+(?:mos)\b",
    ],
    rule_plain: &[
        r"^(?:por favor,? )?no (?:uses|utilices|hagas|escribas|añadas|agregues|pongas|resumas|expliques|ejecutes|toques|crees|commits|simules|mockees|subas|borres|cambies|metas|incluyas|generes|modifiques|traduzcas|des|mezcles|hardcodees|publiques|empujes|despliegues|fusiones|instales)\b \S+",
        r"^(?:usa|utiliza|prefiere)\s+[\w.+#-]+(?:\s[\w.+#-]+)?,?\s+(?:en vez de|en lugar de|y no|no)\s+\S+",
        r"^evita \p{L}+ \S*",
        r"^(?:por favor,? )?(?:responde|contesta|escribe|háblame)(?:me)? (?:siempre )?en (?:español|inglés|alemán|francés)\b",
    ],
    rule_with_reason: &[
        r"^(?:los|las|todos los|todas las) \p{L}+ (?:\p{L}+ ){0,3}(?:deben|tienen que)\b",
        r"^(?:usa|utiliza) ",
    ],
    rule_corrected: &[r"^(?:usa|utiliza) [\w.+#-]+(?: en su lugar)?[.!]?$", r"^(?:usamos|utilizamos) [\w.+#-]+"],
    approval: &[
        r"\bsigue (?:usando|haciendo|escribiendo|poniendo) \S",
        r"\b(?:fue|es|era) la (?:decisión|elección) correcta\b",
        r"\bme gusta (?:cómo|que) \p{L}+",
    ],
    about_self: &[
        r"\b(?:yo )?soy (?:un |una |el |la )?(?:[\p{L}-]+\s){0,3}?(?:ingenier[oa]|desarrollador|desarrolladora|programador|programadora|diseñador|diseñadora|científic[oa]|analista|estudiante|arquitect[oa]|administrador|administradora|profesor|profesora|investigador|investigadora|gerente|consultor|consultora|principiante|líder|fundador|fundadora|médic[oa]|físic[oa]|tester)\b",
        r"\bsoy (?:nuev[oa] (?:en|con)|daltónic[oa]|responsable de|zurd[oa])\b",
        r"\b(?:yo )?trabajo (?:como|en|de|con|principalmente)\b",
        r"\b(?:llevo|tengo) .*\baños\b.*",
        r"\bprefiero \S+|\bme llamo \p{L}+|\bmi nombre es \p{L}+|\bllámame \p{L}+|\bmi (?:rol|trabajo|puesto|lengua materna|formación) es\b",
        r"\bnunca he (?:usado|escrito|trabajado|programado)\b",
        r"\bno (?:conozco|estoy familiarizad[oa] con) \S+",
    ],
    not_about_self: &[
        r"\b(?:este|esta|esto|ese|esa|eso|aquí|ahora mismo|por ahora|(?:el |la )?(?:primer[oa]?|segund[oa]|tercer[oa]?|últim[oa]|otr[oa])(?: \p{L}+)?)\b",
        r"⟦d⟧",
    ],
    decision: &[
        r"^(?:hemos|el equipo ha|la dirección ha) (?:decidido|acordado|elegido)\b",
        r"^(?:decidimos|acordamos|elegimos)\b",
        r"^(?:vamos a|estamos) (?:migrar|migrando|cambiar|cambiando|reemplazar|reemplazando|congelar|congelando|abandonar|abandonando)\b",
        r"^la decisión (?:es|fue)\b",
    ],
    owner: &[
        r"(?:^|\s)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? (?:es (?:responsable|la responsable|el responsable|la encargada|el encargado|dueña|dueño) del?|está a cargo del?|se encarga del?|se encargará del?|lidera|mantiene|gestiona|se ocupa del?)\b",
        r"(?:^|[;:—,]\s+)[Ee]l equipo (?:de )?\p{L}+ (?:es responsable de|está a cargo de|se encarga de|mantiene|gestiona)\b",
    ],
    scheduled: &[
        r"\b(?:congelación|congelamiento|congelado|congelamos|congelados|plazo|entrega|vence|lanzamiento|lanzamos|publicamos|release|demo|migración|auditoría|despliegue|empieza|comienza|termina|acaba|sale|salimos|vacaciones|de baja|aplazad[oa]|freeze|fecha límite)\b.*⟦d⟧",
        r"⟦d⟧.*\b(?:congelación|congelamos|plazo|entrega|lanzamiento|lanzamos|release|demo|migración|auditoría|vacaciones|freeze|fecha límite)\b",
    ],
    code_talk: &[r"\b(?:puntero|variable|búfer|hilo|objeto|instancia|bucle|constructor)\b"],
    in_the_code: &[],
    on_screen: &[],
    located: &[
        r"\b(?:se (?:registran|registra|documentan|documenta|guardan|guarda|siguen|gestionan|gestiona|publican|discuten|reportan|anotan)|está|están|vive|viven|encontrarás|registramos|documentamos|guardamos|llevamos|seguimos|reportamos|gestionamos)\b.*\b(?:en|por)\b",
    ],
    not_located: &[r"\b(?:el error|el bug|este|esta|esto|el archivo|la función|el test)\b"],
    take_back: &[
        r"\b(?:olvida (?:eso|lo que)|olvídalo|retiro lo dicho|ignora eso|era broma|me equivoqué|mejor no)\b",
        r"^(?:espera|perdón|en realidad),? no\b",
        r"^da igual\b",
    ],
    lifted: &[r"\b(?:está|están) (?:bien|permitid[oa]s?)(?: al final)?[.!]?$", r"\bya no (?:aplica|importa)\b"],
    why_join: r"(,? ?\b(?:porque|ya que|puesto que|para que|si no)\b)|( — |; )",
    why_begin: &[r"^(?:porque|ya que|la última|el (?:mes|trimestre|año) pasado|nos|se|es|lo|el|la|los|las)\b"],
    why_next: &[r"^(?:porque|la (?:última vez|razón)|el (?:mes|trimestre|año) pasado|la semana pasada|nos |ya nos)\b"],
    how_next: &[r"^(?:es decir|en su lugar|esto aplica|aplica a)\b"],
    incident: &[r"\b(?:pasad[oa]|última vez|falló|fallaron|rompió|se cayó|perdimos|quemamos|incidente)\b", r"⟦d⟧"],
};
