//! Steps on the calendar that cannot fail: what would leave it stays where it is.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use super::Meaning;

/// A day some days later or earlier.
pub(super) fn plus_days(day: NaiveDate, days: i64) -> NaiveDate {
    let distance = Days::new(days.unsigned_abs());
    if days < 0 { day.checked_sub_days(distance) } else { day.checked_add_days(distance) }.unwrap_or(day)
}

/// The same day some months later or earlier, or the last one of that month.
pub(super) fn plus_months(day: NaiveDate, months: i64) -> NaiveDate {
    let distance = Months::new(u32::try_from(months.unsigned_abs()).unwrap_or(u32::MAX));
    if months < 0 { day.checked_sub_months(distance) } else { day.checked_add_months(distance) }.unwrap_or(day)
}

/// The Monday of a day's week.
pub(super) fn monday(day: NaiveDate) -> NaiveDate {
    plus_days(day, -i64::from(day.weekday().num_days_from_monday()))
}

/// The first day of a day's month.
pub(super) fn month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

/// The first day of a day's quarter.
pub(super) fn quarter(day: NaiveDate) -> NaiveDate {
    plus_months(month(day), -i64::from(day.month0() % 3))
}

/// The first day of a day's year.
pub(super) fn year(day: NaiveDate) -> NaiveDate {
    plus_months(month(day), -i64::from(day.month0()))
}

/// A weekday in the week that lies `weeks` away.
pub(super) fn in_week(said: NaiveDate, weekday: Weekday, weeks: i64) -> NaiveDate {
    plus_days(monday(said), weeks * 7 + i64::from(weekday.num_days_from_monday()))
}

/// "next Thursday": sure when this week's Thursday is over; otherwise it could be either of two.
pub(super) fn next(said: NaiveDate, weekday: Weekday) -> Meaning {
    let following = in_week(said, weekday, 1);
    if in_week(said, weekday, 0) > said { Meaning::Unsure(following) } else { Meaning::Day(following) }
}

/// "last Thursday": sure when this week has not had one yet.
pub(super) fn last(said: NaiveDate, weekday: Weekday) -> Meaning {
    let this = in_week(said, weekday, 0);
    if this < said { Meaning::Unsure(this) } else { Meaning::Day(in_week(said, weekday, -1)) }
}

/// "this Friday": sure when it is still to come in this week.
pub(super) fn this(said: NaiveDate, weekday: Weekday) -> Meaning {
    let day = in_week(said, weekday, 0);
    if day >= said { Meaning::Day(day) } else { Meaning::Unsure(plus_days(day, 7)) }
}

/// The first such weekday after a day; not sure when the day itself is one, since that can be meant too.
pub(super) fn upcoming(said: NaiveDate, weekday: Weekday) -> Meaning {
    let this = in_week(said, weekday, 0);
    match this.cmp(&said) {
        std::cmp::Ordering::Equal => Meaning::Unsure(plus_days(this, 7)),
        std::cmp::Ordering::Greater => Meaning::Day(this),
        std::cmp::Ordering::Less => Meaning::Day(plus_days(this, 7)),
    }
}

/// The last such weekday before a day; not sure when the day itself is one.
pub(super) fn previous(said: NaiveDate, weekday: Weekday) -> Meaning {
    let this = in_week(said, weekday, 0);
    match this.cmp(&said) {
        std::cmp::Ordering::Equal => Meaning::Unsure(plus_days(this, -7)),
        std::cmp::Ordering::Greater => Meaning::Day(plus_days(this, -7)),
        std::cmp::Ordering::Less => Meaning::Day(this),
    }
}

/// A planned day whose month and day were nearest this long ago is the one of the next year.
const LONG_OVER: i64 = 45;

/// A month and day without a year that something is planned for: the nearest, but none that has long been over.
pub(super) fn planned(said: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    let nearest = nearest(said, month, day)?;
    let is_long_over = (said - nearest).num_days() > LONG_OVER;
    let next = NaiveDate::from_ymd_opt(nearest.year() + 1, month, day).filter(|_| is_long_over);
    Some(next.unwrap_or(nearest))
}

/// A month and day without a year: the one nearest to the day it was said.
pub(super) fn nearest(said: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    (-1..=1)
        .filter_map(|offset| NaiveDate::from_ymd_opt(said.year() + offset, month, day))
        .min_by_key(|candidate| (*candidate - said).num_days().abs())
}
