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
        r"\b(?P<month>(?i:january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec)|May|MAY|Mar|MAR)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?\b",
        Rule::MonthDay,
    ),
    // In small letters they are words of their own: "may 5 people come".
    (
        r"\b(?i:on|by|until|till|from|to|before|after|since|due|is|starting) (?P<w>(?P<month>may|mar)\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?)\b",
        Rule::MonthDay,
    ),
    (
        r"\b(?P<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?P<month>(?i:january|february|march|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec)|May|MAY|Mar|MAR)\b",
        Rule::MonthDay,
    ),
    (
        r"\b(?i:on|by|until|till|from|to|before|after|since|due|is|starting) (?:the )?(?P<w>(?P<d>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?P<month>may))(?:$|[.,;:!)]| (?:and|to|till|until|for|at)\b)",
        Rule::MonthDay,
    ),
    (
        r"(?i)\b(?P<month>january|february|march|april|may|june|july|august|september|october|november|december)(?: of)? next year\b",
        Rule::MonthOf(1),
    ),
    (
        r"(?i)\b(?:the )?(?P<d>\d{1,2})(?:st|nd|rd|th) (?:of )?next month\b|\bnext month,? (?:on )?the (?P<d2>\d{1,2})(?:st|nd|rd|th)\b",
        Rule::DayOf(1),
    ),
    (
        r"(?i)\b(?:the )?(?P<d>\d{1,2})(?:st|nd|rd|th) (?:of )?last month\b|\blast month,? (?:on )?the (?P<d2>\d{1,2})(?:st|nd|rd|th)\b",
        Rule::DayOf(-1),
    ),
    (
        r"(?i)\b(?:the )?(?P<d>\d{1,2})(?:st|nd|rd|th) (?:of )?this month\b|\bthis month,? (?:on )?the (?P<d2>\d{1,2})(?:st|nd|rd|th)\b",
        Rule::DayOf(0),
    ),
    (
        r"(?i)(?:^|(?:\b(?:on|by|until|till|from|before|after|since|due|to|is|for|was|be|through|around)|[,;:]) )(?P<w>the (?P<d>\d{1,2})(?:st|nd|rd|th))(?:$|[.,;:!?)]|\s+(?:and|or|but|so|because|since|for|at|to|through|until|till|we|it|i|they|nothing|then|if|when|with|not|latest|in the|he|she|is|was|will|instead|now|already)\b)",
        Rule::BareDay,
    ),
    (
        r"(?i)\b(?:mid|early|late|(?:the )?(?:end|middle|beginning|start) of|in|by|until|before|since|till)[ -](?P<w>(?P<month>january|february|april|june|july|august|september|october|november|december))(?:$|[.,;:!?)]|\s+[a-z])",
        Rule::MonthAlone,
    ),
    (
        r"\b(?i:mid|early|late|(?:the )?(?:end|middle|beginning|start) of|in|by|until|before|since|till)[ -](?P<w>(?P<month>March|May))(?:$|[.,;:!?)]|\s+[a-z])",
        Rule::MonthAlone,
    ),
    (r"(?i)\b(?:until|till|by|before|after|through) (?P<w>new year(?:['’]?s(?: day)?)?)\b", Rule::Feast(1, 1)),
    (
        r"(?i)\b(?:until|till|by|before|after|through) (?P<w>christmas|x-?mas)(?:$|[.,;:!?)]|\s+(?:and|or|but|so|because|at|we|it|i|they|nothing|then|break)\b)",
        Rule::Feast(12, 25),
    ),
    (
        r"(?i)\b(?:deadline|due date|freeze|release|launch|demo|audit|go-live|review|cut-?off|beta|rollout|migration|presentation|handover|kick-?off|workshop|cutover|exam|submission)(?: date)? (?:is|will be|is set for|is planned for|moved to|was moved to|has moved to|slipped to)(?: now)? (?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day)\b",
        Rule::Upcoming,
    ),
    // With its day of the month, which tells which one it is.
    (
        r"(?i)\b(?P<w>(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day),? (?:the )?\d{1,2}(?:st|nd|rd|th)\b",
        Rule::Upcoming,
    ),
];
