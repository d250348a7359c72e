//! French.

use super::{Phrase, Rule, Unit};

pub(super) const PHRASES: &[Phrase] = &[
    (r"(?i)\bavant-hier\b", Rule::Days(-2)),
    (r"(?i)\baprès-demain\b", Rule::Days(2)),
    (r"(?i)\bhier(?: soir| matin)?\b", Rule::Days(-1)),
    (r"(?i)\baujourd(?:'|’)hui\b", Rule::Days(0)),
    (r"(?i)\bdemain(?: matin| soir)?\b", Rule::Days(1)),
    (r"(?i)\b(?:d(?:'|’))?aujourd(?:'|’)hui en huit\b", Rule::Days(7)),
    (r"(?i)\b(?:d(?:'|’))?aujourd(?:'|’)hui en quinze\b", Rule::Days(14)),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) en huit\b", Rule::PastDay(7)),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) en quinze\b", Rule::PastDay(14)),
    (
        r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) dans (?P<n>une|deux|trois|quatre) (?P<unit>semaine)s?\b",
        Rule::FromDay,
    ),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) de la semaine prochaine\b", Rule::InWeek(1)),
    (
        r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) de la semaine (?:dernière|passée)\b",
        Rule::InWeek(-1),
    ),
    (r"(?i)\bla semaine (?:dernière|passée)\b", Rule::Period(Unit::Week, -1)),
    (r"(?i)\bla semaine prochaine\b", Rule::Period(Unit::Week, 1)),
    (r"(?i)\bcette semaine\b", Rule::Period(Unit::Week, 0)),
    (r"(?i)\ble (?P<unit>mois|trimestre) (?:dernier|passé)\b", Rule::PeriodOf(-1)),
    (r"(?i)\ble (?P<unit>mois|trimestre) prochain\b", Rule::PeriodOf(1)),
    (r"(?i)\bl(?:'|’)année dernière\b", Rule::Period(Unit::Year, -1)),
    (r"(?i)\bl(?:'|’)année prochaine\b", Rule::Period(Unit::Year, 1)),
    (r"(?i)\b(?:la )?fin (?:du|de la|de ce|de cette) (?P<unit>mois|semaine|trimestre)\b", Rule::EndOf(0)),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) prochain\b", Rule::Next),
    (r"(?i)\b(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) dernier\b", Rule::Last),
    (r"(?i)\bce (?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b", Rule::This),
    (
        r"(?i)(?:\bd(?:'|’)ici |\bavant |\bjusqu(?:'|’)à |\bà partir de |\bdès )(?P<w>(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche))\b",
        Rule::Upcoming,
    ),
    (r"(?i)\bdepuis (?P<w>(?P<day>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche))\b", Rule::Previous),
    (
        r"(?i)\bdans (?P<n>une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d{1,3}) (?P<unit>jour|semaine|mois|an)s?\b",
        Rule::From,
    ),
    (
        r"(?i)\bil y a (?P<n>une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\d{1,3}) (?P<unit>jour|semaine|mois|an)s?\b",
        Rule::Ago,
    ),
    (
        r"(?i)\b(?P<w>(?P<d>\d{1,2})(?:er)? (?P<month>janv|févr?|avr|juil|sept|oct|nov|déc)\.)(?: [\p{Ll}\d(]|[,;)])",
        Rule::MonthDay,
    ),
    (
        r"(?i)\b(?P<d>\d{1,2})(?:er)? (?P<month>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|janv|févr?|avr|juil|sept|oct|nov|déc)\b",
        Rule::MonthDay,
    ),
    (r"(?i)\b(?P<d>\d{1,2})(?:er)? du mois prochain\b", Rule::DayOf(1)),
    (r"(?i)\b(?P<d>\d{1,2})(?:er)? du mois (?:dernier|passé)\b", Rule::DayOf(-1)),
    (r"(?i)\b(?P<d>\d{1,2})(?:er)? de ce mois(?:-ci)?\b", Rule::DayOf(0)),
    (
        r"(?i)\b(?:le|au|du) (?P<w>(?P<d>\d{1,2})(?:er)?)(?:$|[.,;:!?)]|\s+(?:et|mais|on|pour|car|parce|donc|à|au|pas|ou|si|rien|après|avant)\b)",
        Rule::BareDay,
    ),
    (
        r"(?i)\b(?:début|mi|fin|en|d(?:'|’)ici|avant|jusqu(?:'|’)en|courant)[ -](?P<w>(?P<month>janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre))(?:$|[.,;:!?)]|\s+(?:et|mais|on|pour|car|parce|donc|à|la|le|les|nous|il|elle)\b)",
        Rule::MonthAlone,
    ),
    (r"(?i)\b(?:jusqu(?:'|’)à|avant|après) (?P<w>noël)\b", Rule::Feast(12, 25)),
    (r"(?i)\b(?:jusqu(?:'|’)au|avant le|après le) (?P<w>nouvel an)\b", Rule::Feast(1, 1)),
];
