//! English.

use super::{Phrase, Rule, Unit};

pub(super) const PHRASES: &[Phrase] = &[
    (r"(?i)\b(?:the )?day before yesterday\b", Rule::Days(-2)),
    (r"(?i)\b(?:the )?day after tomorrow\b", Rule::Days(2)),
    (r"\b(?:[Yy]esterday)(?:'s|’s)?(?: (?:morning|afternoon|evening|night)\b)?", Rule::Days(-1)),
    (r"(?i)\blast night(?:'s|’s)?", Rule::Days(-1)),
    (r"\b(?:[Tt]oday)(?:'s|’s)?", Rule::Days(0)),
    (r"(?i)\b(?:the )?(?P<unit>week|month|quarter|year) after next\b", Rule::PeriodOf(2)),
    (r"(?i)\b(?:the )?week before last\b", Rule::Period(Unit::Week, -2)),
    (r"(?i)\b(?:the )?(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day after next\b", Rule::PerhapsInWeek(2)),
    (
        r"(?i)\b(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day (?:of )?next week\b|\bnext week,? (?:on )?(?P<day2>mon|tues|wednes|thurs|fri|satur|sun)day\b",
        Rule::InWeek(1),
    ),
    (
        r"(?i)\b(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day (?:of )?last week\b|\blast week,? (?:on )?(?P<day2>mon|tues|wednes|thurs|fri|satur|sun)day\b",
        Rule::InWeek(-1),
    ),
    (r"(?i)\b(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day (?:of )?this week\b", Rule::InWeek(0)),
    (
        r"(?i)\b(?:in )?(?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month)s? (?:from|after) (?:next )?(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b",
        Rule::FromDay,
    ),
    (r"(?i)\b(?P<n>a|one) (?P<unit>week) on (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::FromDay),
    (
        r"(?i)\b(?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day week)\b(?:[^ \w-]|$| (?:we|they|the|is|will)\b)",
        Rule::PastDay(7),
    ),
    (r"(?i)\b(?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day(?:'s|’s))", Rule::Tense(true)),
    (r"(?i)\btonight\b", Rule::Days(0)),
    (r"(?i)\bthis (?:morning|afternoon|evening)\b", Rule::Days(0)),
    (r"\b(?:[Tt]omorrow)(?:'s|’s)?(?: (?:morning|afternoon|evening|night)\b)?", Rule::Days(1)),
    (r"(?i)(?:^|[^\w])(?P<w>last (?P<unit>week|month|quarter|year)(?:'s|’s)?)\b", Rule::PeriodOf(-1)),
    (r"(?i)\bthis (?P<unit>week|month|quarter|year)(?:'s|’s)?\b", Rule::PeriodOf(0)),
    (r"(?i)\bnext (?P<unit>week|month|quarter|year)(?:'s|’s)?\b", Rule::PeriodOf(1)),
    (r"(?i)\b(?:the )?end of (?:the |this )?(?P<unit>week|month|quarter|year)\b", Rule::EndOf(0)),
    (r"(?i)\b(?:the )?end of next (?P<unit>week|month|quarter|year)\b", Rule::EndOf(1)),
    (r"(?i)\bnext (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::Next),
    (r"(?i)\blast (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::Last),
    (r"(?i)\bthis (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::This),
    (r"(?i)\b(?:this |the )?coming (?P<day>mon|tues|wednes|thurs|fri|satur|sun)day\b", Rule::Upcoming),
    (
        r"(?i)\b(?:by|until|till|due|due on|starting|starts|starting on|starts on|begins|beginning|no later than)(?: (?:eod|end of day|cob|close of business|eob))? (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b",
        Rule::Upcoming,
    ),
    (
        r"\b(?:by|until|till|due|starting)(?: (?:EOD|COB))? (?P<w>(?P<day>Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri))\b",
        Rule::Upcoming,
    ),
    (
        r"(?i)\b(?:before|after|from|through|ends|ends on|ending|as of|effective) (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b",
        Rule::Tense(true),
    ),
    (r"(?i)\bon (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b", Rule::Tense(false)),
    (r"(?i)\bsince (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b", Rule::Previous),
    (
        r"(?i)\bin (?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month|year)s?\b",
        Rule::From,
    ),
    (
        r"(?i)\b(?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month|year)s? from (?:now|today)\b",
        Rule::From,
    ),
    (
        r"(?i)\b(?P<n>an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}) (?P<unit>day|week|month|year)s? ago\b",
        Rule::Ago,
    ),
    (
        r"\b(?P<month>January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?\b",
        Rule::MonthDay,
    ),
    (
        r"\b(?P<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?P<month>January|February|March|April|May|June|July|August|September|October|November|December)\b",
        Rule::MonthDay,
    ),
];
