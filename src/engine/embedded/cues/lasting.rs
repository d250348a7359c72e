//! Phrases that mean something lasting by words that alone would not, and what they mean plainly. Not its job: whether a
//! lasting thing is worth a memory (see `types`).

/// Puts the plain words in place of the phrases, in small letters.
pub(in crate::engine::embedded) fn make_plain(lower: &mut String) {
    for (told, plain) in [FROM_NOW_ON, HERE, MONTHS].into_iter().flatten() {
        if lower.contains(told) {
            *lower = lower.replace(told, plain);
        }
    }
}

/// "From now on", with a word in it that by itself means "only now".
const FROM_NOW_ON: &[(&str, &str)] = &[
    ("à partir de maintenant", "désormais"),
    ("dès maintenant", "désormais"),
    ("ab jetzt", "künftig"),
    ("von jetzt an", "künftig"),
    ("a partir de ahora", "en adelante"),
    ("de ahora en adelante", "en adelante"),
    ("从现在起", "以后"),
    ("从现在开始", "以后"),
];

/// "Here" beside a lasting word, and "this project", are the project, not a place in the code.
const HERE: &[(&str, &str)] = &[
    ("aquí no se", "no se"),
    ("aquí usamos", "usamos"),
    ("aquí utilizamos", "utilizamos"),
    ("ici on utilise", "on utilise"),
    ("hier nutzen wir", "wir nutzen"),
    ("hier verwenden wir", "wir verwenden"),
    ("here we use", "we use"),
    ("hier immer", "immer"),
    ("hier bitte immer", "immer"),
    ("hier nie", "nie"),
    ("hier grundsätzlich", "grundsätzlich"),
    ("hier generell", "grundsätzlich"),
    ("这个仓库", "我们仓库"),
    ("这个项目", "我们项目"),
    ("这个代码库", "我们代码库"),
    ("本仓库", "我们仓库"),
    ("本项目", "我们项目"),
];

/// A month that is a verb too.
const MONTHS: &[(&str, &str)] =
    &[(" until may", " until ⟦d⟧"), (" in may", " in ⟦d⟧"), (" by may", " by ⟦d⟧"), (" of may", " of ⟦d⟧")];
