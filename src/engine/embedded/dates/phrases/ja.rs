//! Japanese.

use super::{Phrase, Rule, Unit};

pub(super) const PHRASES: &[Phrase] = &[
    (r"一昨日|おととい", Rule::Days(-2)),
    (r"昨日|きのう", Rule::Days(-1)),
    (r"今日|本日", Rule::Days(0)),
    (r"明日|あした", Rule::Days(1)),
    (r"明後日|あさって", Rule::Days(2)),
    (r"先週の?(?P<day>[月火水木金土日])曜日?", Rule::InWeek(-1)),
    (r"今週の?(?P<day>[月火水木金土日])曜日?", Rule::InWeek(0)),
    (r"来週の?(?P<day>[月火水木金土日])曜日?", Rule::InWeek(1)),
    (r"先週", Rule::Period(Unit::Week, -1)),
    (r"今週", Rule::Period(Unit::Week, 0)),
    (r"来週", Rule::Period(Unit::Week, 1)),
    (r"先月", Rule::Period(Unit::Month, -1)),
    (r"来月", Rule::Period(Unit::Month, 1)),
    (r"昨年|去年", Rule::Period(Unit::Year, -1)),
    (r"来年", Rule::Period(Unit::Year, 1)),
    (r"今月末|月末", Rule::EndOf(0)),
    (r"来月末", Rule::EndOf(1)),
    (r"(?P<w>(?P<day>[月火水木金土日])曜日?)(?:まで|から|以降)", Rule::Upcoming),
    (r"(?P<n>\d{1,3})(?P<unit>日)前", Rule::Ago),
    (r"(?P<n>\d{1,3})(?P<unit>日)後", Rule::From),
    (r"(?P<n>\d{1,3})(?P<unit>週)間前", Rule::Ago),
    (r"(?P<n>\d{1,3})(?P<unit>週)間後", Rule::From),
    (r"(?P<n>\d{1,3})[かヶヵカケ](?P<unit>月)前", Rule::Ago),
    (r"(?P<n>\d{1,3})[かヶヵカケ](?P<unit>月)後", Rule::From),
    (r"(?P<month>\d{1,2})月(?P<d>\d{1,2})日", Rule::MonthDay),
];
