//! Chinese.

use super::{Phrase, Rule, Unit};

pub(super) const PHRASES: &[Phrase] = &[
    (r"(?:^|[^大])(?P<w>前天)", Rule::Days(-2)),
    (r"昨天", Rule::Days(-1)),
    (r"今天", Rule::Days(0)),
    (r"明天", Rule::Days(1)),
    (r"(?:^|[^以之今大])(?P<w>后天)(?:[^天]|$)", Rule::Days(2)),
    (r"大后天", Rule::Days(3)),
    (r"(?:^|[^上])(?P<w>上(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))", Rule::InWeek(-1)),
    (r"(?:本|这)(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", Rule::InWeek(0)),
    (r"(?:^|[^下])(?P<w>下(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))", Rule::InWeek(1)),
    (r"(?:^|[^上])(?P<w>上(?:个)?(?:周|星期|礼拜))", Rule::Period(Unit::Week, -1)),
    (r"(?:^|[^上])(?P<w>上上(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))", Rule::InWeek(-2)),
    (r"(?:^|[^上])(?P<w>上上(?:个)?(?:周|星期|礼拜))", Rule::Period(Unit::Week, -2)),
    (r"(?:本|这)(?:个)?(?:周|星期|礼拜)", Rule::Period(Unit::Week, 0)),
    (r"(?:^|[^下])(?P<w>下(?:个)?(?:周|星期|礼拜))", Rule::Period(Unit::Week, 1)),
    (r"(?:^|[^下])(?P<w>下下(?:个)?(?:周|星期|礼拜)(?P<day>[一二三四五六日天]))", Rule::InWeek(2)),
    (r"(?:^|[^下])(?P<w>下下(?:个)?(?:周|星期|礼拜))", Rule::Period(Unit::Week, 2)),
    (r"(?:^|[^上])(?P<w>上(?:个)?(?P<unit>季度|月))", Rule::PeriodOf(-1)),
    (r"(?:^|[^上])(?P<w>上上(?:个)?(?P<unit>季度|月))", Rule::PeriodOf(-2)),
    (r"(?:^|[^下])(?P<w>下(?:个)?(?P<unit>季度|月))", Rule::PeriodOf(1)),
    (r"(?:^|[^下])(?P<w>下下(?:个)?(?P<unit>季度|月))", Rule::PeriodOf(2)),
    (r"前年", Rule::Period(Unit::Year, -2)),
    (r"去年", Rule::Period(Unit::Year, -1)),
    (r"明年", Rule::Period(Unit::Year, 1)),
    (r"(?:本月底|这个月底|月底)", Rule::EndOf(0)),
    (r"(?P<w>(?:周|星期)(?P<day>[一二三四五六日天]))(?:之前|以前|前|起|截止|开始|上线|发布|后|之后)", Rule::Upcoming),
    (r"(?P<n>[一二两三四五六七八九十]|\d{1,3})\s?(?:个)?(?P<unit>天|周|星期|礼拜|月|年)(?:之|以)?前", Rule::Ago),
    (r"(?P<n>[一二两三四五六七八九十]|\d{1,3})\s?(?:个)?(?P<unit>天|周|星期|礼拜|月|年)(?:之|以)?后", Rule::From),
    (r"(?P<month>\d{1,2})\s?月\s?(?P<d>\d{1,2})\s?[日号]", Rule::MonthDay),
];
