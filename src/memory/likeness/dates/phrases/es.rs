//! Spanish.

use super::{Phrase, Rule, Unit};

pub(super) const PHRASES: &[Phrase] = &[
    (r"(?i)\b(?:anteayer|antier|antes de ayer)\b", Rule::Days(-2)),
    (r"(?i)\bpasado mañana\b", Rule::Days(2)),
    (r"(?i)\bayer\b", Rule::Days(-1)),
    (r"(?i)\bhoy\b", Rule::Days(0)),
    (
        r"(?i)(?:^|\b(?:para|desde|hasta|que|y|será|es|empieza|termina|lanzamos|sale|vence) )(?P<w>mañana)\b",
        Rule::Days(1),
    ),
    (r"(?i)\bde hoy en ocho(?: días)?\b", Rule::Days(7)),
    (r"(?i)\bde hoy en quince(?: días)?\b", Rule::Days(14)),
    (
        r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) de la (?:próxima semana|semana (?:próxima|que viene))\b",
        Rule::InWeek(1),
    ),
    (
        r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) de la semana pasada\b",
        Rule::InWeek(-1),
    ),
    (r"(?i)\bla semana pasada\b", Rule::Period(Unit::Week, -1)),
    (r"(?i)\bla (?:próxima semana|semana (?:próxima|que viene))\b", Rule::Period(Unit::Week, 1)),
    (r"(?i)\besta semana\b", Rule::Period(Unit::Week, 0)),
    (r"(?i)\bel (?P<unit>mes|trimestre|año) pasado\b", Rule::PeriodOf(-1)),
    (r"(?i)\bel próximo (?P<unit>mes|trimestre|año)\b", Rule::PeriodOf(1)),
    (r"(?i)\bel (?P<unit>mes|trimestre|año) (?:próximo|que viene)\b", Rule::PeriodOf(1)),
    (r"(?i)\b(?:fin|final|finales) (?:de|del|de este) (?P<unit>mes|semana|trimestre|año)\b", Rule::EndOf(0)),
    (r"(?i)\b(?:el )?próximo (?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", Rule::Next),
    (r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) próximo\b", Rule::Next),
    (r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) que viene\b", Rule::Upcoming),
    (r"(?i)\b(?:el )?(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo) pasado\b", Rule::Last),
    (r"(?i)\beste (?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b", Rule::This),
    (
        r"(?i)\b(?:hasta|antes de|antes del|a partir de|a partir del|para)(?: el)? (?P<w>(?P<day>lunes|martes|miércoles|jueves|viernes|sábado|domingo))\b",
        Rule::Upcoming,
    ),
    (
        r"(?i)\b(?:en|dentro de) (?P<n>una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\d{1,3}) (?P<unit>día|semana|mes|año)(?:e?s)?\b",
        Rule::From,
    ),
    (
        r"(?i)\bhace (?P<n>una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\d{1,3}) (?P<unit>día|semana|mes|año)(?:e?s)?\b",
        Rule::Ago,
    ),
    (
        r"(?i)\b(?P<d>\d{1,2}) de (?P<month>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|ene|feb|abr|ago|sept?|oct|nov|dic)\b",
        Rule::MonthDay,
    ),
    (r"(?i)\b(?P<d>\d{1,2}) (?:del próximo mes|del mes (?:próximo|que viene)|del mes que entra)\b", Rule::DayOf(1)),
    (r"(?i)\b(?P<d>\d{1,2}) del mes pasado\b", Rule::DayOf(-1)),
    (r"(?i)\b(?P<d>\d{1,2}) de este mes\b", Rule::DayOf(0)),
    (
        r"(?i)(?:\b(?:el|al|del|día) )(?P<w>(?P<d>\d{1,2}))(?:$|[.,;:!?)]|\s+(?:y|pero|porque|así|a|al|no|o|en vez|por|para)\b)",
        Rule::BareDay,
    ),
    (
        r"(?i)\b(?:principios de|mediados de|finales de|fines de|hasta|antes de|para|en) (?P<w>(?P<month>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre))(?:$|[.,;:!?)]|\s+(?:y|pero|porque|no|o|por|para|la|el|nos|se)\b)",
        Rule::MonthAlone,
    ),
    (r"(?i)\b(?:hasta|antes de|después de) (?P<w>año nuevo)\b", Rule::Feast(1, 1)),
    (r"(?i)\b(?:hasta|antes de) (?P<w>navidad)\b", Rule::Feast(12, 25)),
];
