//! English.

use super::Table;

/// Where a rule may begin: at the start, or after a reason that leads up to it.
macro_rules! start {
    ($rest:literal) => {
        concat!(
            r"(?:^|[;:—]\s+|,\s+(?:so|but)\s+|^so\s+)(?:please\s+|pls\s+|plz\s+|just\s+|and\s+|so\s+|then\s+)*",
            $rest
        )
    };
}

/// Verbs that orders begin with.
macro_rules! order {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            r"(?:use|write|run|add|keep|put|make|ask|tell|show|explain|answer|reply|respond|format|name|commit|push|test|check|prefer|avoid|stop|don't|do not|never|always|include|skip|leave|give|start|end|follow|stick|assume|document|list|split|squash|rebase|sign|tag|call|address|send|open|create|wait|read|verify|confirm|double-check|summari[sz]e|be|do|propose|suggest|prefix|group|sort|target|deploy|log|mention|cite|quote|link|lint|mock|review|remind|work|treat|label|base|begin|finish|plan|pin|prepend|append)",
            $after
        )
    };
}

/// Where a statement of the person about themselves may begin.
macro_rules! myself {
    ($rest:literal) => {
        concat!(r"(?:^|[;—,(]\s*|\b(?:and|but|so|as|since|because|that)\s+)", $rest)
    };
}

/// A person or team, capitals seen.
macro_rules! owner {
    ($rest:literal) => {
        concat!(r"(?:^|[;:—,]\s+|⟦d⟧,?\s+|\band\s+|\b[Tt]hat\s+)(?:\p{Lu}\p{Ll}[\p{Ll}'-]*(?: \p{Lu}\p{Ll}[\p{Ll}'-]*)?|[Tt]he (?:[\w/&-]+ ){1,3}team|[\w/&-]+ team)(?:,? (?:who|which))? ", $rest)
    };
}

pub(super) const TABLE: Table = Table {
    lead_in: r"(?i)^(?:(?:no|nope|yes|yeah|yep|yup|right|actually|wait|perfect|great|nice|cool|thanks|thank you|sorry|ah|oh|hey|hi|hello|hmm+|well|again|ok|okay|lgtm|exactly|correct|good|awesome|fyi|ps|p\.s\.|just|look|listen|seriously|honestly|argh|ugh|ffs|omg|dude|man|please|fine|side note|note|heads up|heads-up|quick note|one (?:more )?thing|small thing|reminder|for the record|for context|context|some context|for what it's worth|by the way|btw|alright|sure|remember|important|also|and|but|so|then|first of all|please note|just fyi)(?:[\s]*[,.:!—–-]+\s+|\s+-\s+)|(?:(?:a )?(?:bit|little|some)(?: of)? (?:background|context|info)(?: on me| about me)?\s*[:,]|(?:about me|background|quick intro|intro)\s*:|(?:just )?so (?:that )?you (?:know|understand)(?: why)?[^:]{0,40}:|and|but|also|so|well|actually|ok|okay|btw|fyi|hey|oh|ah|yeah|yes|just so you know|just to be clear|to be clear|note that|remember that|keep in mind that|for context|for your information|as i said|like i said|as mentioned|one more thing|kindly|by the way|please remember that|you should know that|you should know|i (?:already |just )?(?:said|told you)(?: to| that)?)\s*[,:]?\s+|(?:one more thing|another thing|for|about|regarding|concerning|on) [^:.,;]{0,40}:\s+)",
    correction: r"(?i)^(?:no|nope|wrong|stop|wait,? no|actually,? no|not like that)\b[\s,.:!—–-]+",
    question: &[
        r"\?\s*[)\x22]*$",
        r"^(?:can|could|would|will|should|shall|may|is|are|was|were|do|does|did|has|have|had|am) (?:you|we|i|it|he|she|they|there|this|that|the|a|an|these|those|our|my|your|any)\b",
        r"^(?:what|why|how|who|where|which|whose|when (?:is|are|do|does|did|will|was|were|should|can))\b",
        r"^(?:any (?:idea|chance)|i wonder|wondering|not sure (?:if|whether|why|how|what))\b",
        r"^(?:isn't|aren't|doesn't|don't (?:you|we|they)|won't|can't (?:you|we)|shouldn't)\b",
    ],
    hypothetical: &[
        r"\b(?:what if|if only|maybe|perhaps|suppose|supposing|imagine|hypothetically|let's say|lets say|say we|assume (?:that )?(?:i|we|the|you|a)|possibly|potentially|might|wonder(?:ing)?|thinking (?:about|of)|considering|debating|toying with|tempted|leaning towards?|i guess|i suppose|not sure|unsure|probably)\b",
        r"\b(?:would|could|may)\b",
        r"(?:^|, )assuming\b",
        r"\bif\b",
        r"\b(?:should we|we should|we could|we can|we may|i could|i may|i think we)\b",
        r"\b(?:pretend|unless)\b",
        r"\b(?:were|was) to\b",
    ],
    reported: &[
        r"\b(?:he|she|they|someone|somebody|people|everyone|everybody|my (?:boss|manager|colleague|coworker|friend|lead|teammate|client|customer)|the (?:docs?|documentation|readme|article|post|guide|error|comment|ticket|book|template|message|log|spec|prompt|system|linter|compiler|output|assistant|agent|bot|model|page|tutorial|blog|issue|reviewer|client|customer|user)) (?:said|say|says|wrote|writes|told (?:me|us)|tells?|mentioned|suggests?|suggested|thinks?|thought|claims?|claimed|complained|recommends?|recommended|reads?|asked|asks?|argues|insists|insisted)\b",
        r"\b(?:[a-z]+'s |their |official |own )(?:docs?|documentation|guides?|style guide|manual|handbook|tutorial|blog)(?: (?:clearly|also|explicitly))? (?:say|says|recommend|recommends|suggest|suggests|tell|tells|state|states)\b",
        r"\b[a-z]+ (?:said|says|wrote|writes|told (?:me|us)|mentioned|suggests|suggested|thinks|claims|claimed|complained|recommends|recommended|argues|insists|insisted)\b",
        r"\b(?:according to|quote|quoting|apparently|supposedly|rumou?r|i (?:read|heard|saw) (?:that|somewhere|on)|it says|you said|you wrote|you told|you claimed|the text (?:should|must))\b",
        r"\b(?:used to|liked? to|likes to|would (?:always|often)|(?:always|often)) (?:say|tell (?:me|us)|said|told (?:me|us)|claim(?:ed)?|insist(?:ed)?)\b",
        r"^(?:said|says|wrote)\b",
        // "I get this warning: never …"
        r"\b(?:gets?|getting|got|see|sees|seeing|shows?|prints?|throws?|gives?|giving|with|there(?:'s| is)) (?:me |us )?(?:this|that|the|a|an|some) (?:[\w-]+ ){0,3}(?:warning|error|message|hint|lint|notice):",
    ],
    invented_turn: &[
        r"\b(?:write|generate|create|make up|invent|compose|draft|come up with)\b.{0,60}\b(?:story|stories|novel|poem|song|tale|essay|fiction|dialogue|script for|screenplay|persona|personas|user stor(?:y|ies)|test data|fixtures?|sample (?:data|text|users?|messages?|conversations?)|dummy|placeholder|fake|mock (?:data|users?|profiles?|conversations?)|seed data|example (?:conversations?|messages?|users?|profiles?|sentences?|data|text)|blog post|tweet|newsletter|email|e-mail|cover letter|letter|bio|speech|press release|job (?:ad|description|posting)|tagline|slogan|marketing|copy for|announcement|quiz)\b",
        r"\b(?:draft|compose)\b.{0,40}\b(?:mail|update|memo|notice|note|reply|invite|invitation|minutes|statement|response|message (?:to|for) (?:the|my|our|all|everyone))\b|\b(?:write|prepare|send) (?:me |us |up )?(?:an?|the) (?:[a-z]+ ){0,2}(?:mail|memo|notice|status update|team update|status report|(?:slack |teams |chat )?message) (?:to|for) (?:the|my|our|all|everyone|[a-z]+ team)\b",
        r"\b(?:translate|proofread|rephrase|paraphrase|reword|fix the (?:grammar|wording)|correct (?:my|the) (?:grammar|english|spelling|text))\b",
        r"\b(?:pretend|role-?play|act as|act like|imagine you(?:'re| are)|you are (?:an?|the) [\w -]{3,40}(?:assistant|agent|expert|bot|who|that|named|called))\b",
        r"\b(?:test (?:fixture|data|string|input)s?|lorem ipsum|for a character|main character|protagonist|in the story|in the novel|short story|fictional)\b",
        r"^(?:please )?(?:add|put|write|insert|append|document)\b[^.:]{0,60}\b(?:readme|docs?|changelog|documentation|wiki|faq|template|website|page|email|ticket|issue|pr|description|endpoint|strings?|cases|prompts?)\b[^.:]{0,20}:",
        r"\bin the (?:docs|readme|documentation|changelog|faq|wiki|ticket|email)[, ]+(?:say|write|put|add)\b",
        r"\b(?:word|phrase|polish|tighten|shorten|improve) (?:my|this|the|an?) (?:[a-z]+ )?(?:intro|bio|message|text|reply|answer|announcement|post|cv|resume|abstract|paragraph|slide|email)\b",
        r"\b(?:with the|with|as|this) inputs?\b|\binput(?: is)?:|\binterview question\b|\bseed (?:users?|rows|records)\b|\btitle ideas?\b|\b(?:song|lyrics)\b",
        r"\b(?:commit message|release notes?|pr description|changelog entry|docstring|banner|alert|toast)s? (?:saying|that says|like)\b",
        r"\b(?:cover|test|handle|add) these (?:cases|inputs|rows|users|scenarios|strings)\b",
        r"\bas an? [\w -]{2,40},? i (?:want|need|would|can|should|expect)\b",
        r"\b(?:string|label|text|button|message|caption|title|placeholder|tooltip|banner|copy|prompt|comment|headline|error message|docstring) (?:that )?(?:should |must |to )?(?:says?|saying|reads?|reading)\b",
        r"\b(?:parse|classify|tokeni[sz]e|extract from|summari[sz]e) (?:this|the following|these) (?:sentence|text|message|email|paragraph|transcript|conversation|article|document|doc)s?\b",
    ],
    invented: &[
        r"\b(?:for example|for instance|e\.g\.|example:|such as|say,|like so|hypothetical|fictional|made[- ]up|dummy|placeholder|lorem|sample|fixture|test data|test case|persona|user story|acceptance criteria|in the story|character)\b",
        r"\b(?:should|must|to|will|that|it) (?:say|read|print|display|output|show)s?\b.*⟦q⟧",
        r"^⟦q⟧[.!]?$",
        r"^\W*(?:q|a|user|assistant|human|ai|system|alice|bob):",
        // What a product is to do, told by one who uses it.
        r"^as an? (?:(?:logged-in|registered|new|returning|paying|site|store|system|first-time|premium|free) )*(?:user|admin(?:istrator)?|customer|visitor|guest|shopper|member|editor|viewer|owner|operator|buyer|seller|subscriber|moderator|reader|cashier|patient|driver|tenant)s?(?: of [\w ]{2,30})?,? i (?:want|need|can|must|should|would like|expect)\b",
        r"^(?:given|when|then) (?:that )?i(?:'m| am| have| was)\b",
        r"\bi(?:'m| am) (?:an?|the) [\w-]+ (?:role|account|page|screen|view|state|flag) (?:exists?|is|are|has|should|must)\b",
        // Nobody asks for harm.
        r"\b(?:always|please|keep(?: on)?|just) (?:always |keep )?(?:break|breaking|crash|crashing|ruin|ruining|wreck|wrecking|destroy|destroying) (?:the|my|our|all|every)\b",
        r"\b(?:always|please|keep(?: on)?) (?:always |keep )?(?:lose|losing|waste|wasting|forget|forgetting|ignore|ignoring) (?:my|our|all my|everything i|what i)\b",
    ],
    task: &[
        r"^(?:please\s+|now\s+|next,?\s+|then\s+|first,?\s+)*(?:add|fix|implement|write|create|run|refactor|update|change|make|check|look|rename|remove|move|delete|build|generate|install|open|read|review|test|debug|deploy|push|commit|merge|revert|set|put|replace|convert|show|explain|help|try|investigate|find|figure|let's|lets|continue|go|start|restart|rebase|bump|upgrade|downgrade|print|list|give|tell|summari[sz]e|translate|draft|document|port|extract|split|clean|wire|hook|render|parse|use|take|pick|do|see|handle|send|email|message|post|ping|remind|schedule|plan|prepare|compare|compute|calculate|search|grep|configure|enable|disable|ship|release|launch|migrate|freeze|cut|drop|switch|finish|verify|ensure|confirm|tag|store|track|log|save|keep|copy|paste|include)\b",
        r"^(?:can|could|would|will) you\b",
        r"^(?:i want|i need|i'd like|i would like|we need you|i want you)\b.*\bto (?:add|fix|implement|write|create|see|change|update|build|be able)\b",
    ],
    fleeting: &[
        r"\b(?:for now|right now|just now|yet|tonight|at the moment|for the moment|currently|this time|just this once|only this once|temporarily|in the meantime|meanwhile|so far|for the time being|for a (?:bit|moment|second|minute|while)|just yet|as a (?:workaround|stopgap)|first pass|quick and dirty|one[- ]off|for the demo)\b",
        r"\b(?:in|for|on) this (?:pr|branch|commit|session|conversation|file|function|change|ticket|task|refactor|patch|release|sprint|one|case|test|step|pass|round)\b",
        r"⟦d⟧",
    ],
    pointing: &[
        r"\bthis\b",
        r"\bthese\b",
        r"\bthose\b",
        r"\bthat(?:$|[.,;:!)]|'s\b|\s+(?:again|way|one|thing|file|function|method|test|branch|command|class|component|variable|line|part|bit|stuff|approach|change|commit|pr|library|package|code|kind|sort|script|module|folder|directory|flag|option|button|page|table|column|field))",
        r"\b(?:do|doing|did|use|using|touch|run|change|remove|delete|keep|like|want|need|fix|add|edit|revert|try|say|write|commit|push) (?:it|that|them)\b",
        r"\bhere\b|\b(?:above|below)(?: (?:it|that|this|them|in|is|are|does))?(?:$|[.,;:!)])",
        r"\b(?:he|she|him|her|his|hers)\b",
        r"\bthe (?:other|second|first|third|last|latter|former|previous|next|same|new|old|existing|current|following|above) (?:ones?|options?|approach|version|way|functions?|files?|method|class|tests?|branch|commits?|api|endpoint|component|variable|solution|idea|design|thing|part|step)\b",
    ],
    particular: &[
        r"⟦c⟧",
        r"\bline \d+",
        r"(?:^|\s)#\d+",
        r"\b(?:pr|issue|ticket|commit|step|option|version) #?\d",
        r"\bthe (?:file|function|class|method|branch|pr|commit|test|component|variable|change|changes|build|server|button|page|bug|error|issue|screenshot|output|script|migration|migrations|endpoint|config|configuration|code|readme|ticket|task|plan|diff|patch|loop|header|footer|modal|form|table|column|field|query|import|imports|tests|files|functions|parser|layout|logic|handler|schema|index|cache|feature|flag|folder|directory|module|app|dev server|docs|comments?|todo|type|types|interface|signature|api|ui|styles?|css|colors?|colours?|dependency|dependencies|version|lockfile|results?|data|text|title|name|names|word|words|line|lines)\b",
        r"\b(?:change|touch|edit|modify|rename|delete|remove|break|move|revert|refactor|rewrite|update|replace|fix|run|start|open|close|merge|deploy|push|commit) (?:the|my|any)\b",
        r"\b(?:anything|everything|nothing|something|anyone) (?:else|yet|in|to)\b",
        r"\b(?:anything|everything|something)$",
        r"\b(?:until|before|after|once|till) (?:i|we|you|it|the)\b",
        r"\byourself\b",
    ],
    not_rule: &[
        r"\b(?:always|never) (?:end up|see|hit|reach|run into|enter|fall|land|\w+ed|\w*[^s\W]s|been|seen|had|got|gotten|heard|done|gone|knew|known|went|came|worked|going|mind|once|ending|thought|the|a|an|there|in|on|at|so|that|this|it|get|gets|getting|happy|good|nice|welcome|possible|true|null|undefined|returning|failing|wrong|right)\b",
        r"\b(?:i|it|that|this|he|she|they|which|who|you) (?:have |has |had |will |would |could |can )?(?:always|never)\b",
        r"\b(?:don't|do not|dont) (?:worry|mind|know|think|care|forget|bother|get|see|understand|need|have|hesitate|let|remember|feel|want|like|panic|ask|be|go|do|stop|give up|look|wait|rush|stress|spend|waste|try)\b",
        r"\bstop (?:nothing|something|anything|everything|working|being able|running|responding|listening)\b",
        r"\bnever ?mind\b",
        r"\bavoid (?:the|a|an|this|that|it)\b",
        r"\bwhen (?:you're|you are|it's|it is|that's|you have|you've) (?:done|finished|ready|complete|back|through)\b",
    ],
    rule_strong: &[
        start!(r"(?:always|never)\s+[a-z'-]+\s+\S"),
        start!(r"(?:do not|don't|dont) ever\s+[a-z]+"),
        start!(
            r"(?:make sure|be sure|remember|you (?:should|must|need to|have to)|i (?:want|need) you|i'd like you|i would like you)(?: that)?(?: you)?(?: to)? (?:always|never)\b"
        ),
        start!(
            r"(?:all |our |the )?(?:[a-z-]+ ){0,2}(?:tests|commits|messages|prs|pull requests|comments|responses|answers|summaries|migrations|branches|releases|deploys|changelogs?|docs|reviews) (?:must|should) (?:always|never)\b"
        ),
        start!(r"we (?:always|never)\s+[a-z]+\s+\S"),
        order!(
            r"^(?:from now on|going forward|from here on(?: out)?|in (?:the )?future|as a (?:general )?rule|by default|every time|for future reference|generally|in general)[,:]?\s+(?:please\s+|you (?:should|must|can)\s+)?",
            r"\b"
        ),
        order!(
            r"^(?:please\s+)?",
            r"\b.*\b(?:from now on|going forward|in (?:the )?future|by default|as a (?:general )?rule|every (?:single )?time|at all times|without exception)\b"
        ),
        start!(r"(?:stop|quit)\s+[a-z]{2,}ing\s+\S"),
        r"^(?:can|could|would|will) you (?:please )?(?:stop [a-z]+ing|always|never)\b",
        r"\bi (?:really |just )?(?:don't|do not) (?:like|want) (?:it when|when) you\b",
        r"\bi (?:hate|can't stand|dislike) (?:it )?when you\b",
        r"\bi(?:'d| would)? (?:rather|prefer)(?: it)?(?: (?:that|if|when))? you\b",
        r"^(?:remember|make sure) to (?:always|never)\b",
    ],
    rule_plain: &[
        start!(r"(?:don't|do not|dont)\s+[a-z-]+\s+\S"),
        r"^avoid\s+[a-z-]+\s+\S",
        r"^(?:use|prefer|choose|stick (?:to|with))\s+(?:[\w.+#@-]+\s+){0,3}?[\w.+#@-]+,?\s+(?:not|instead of|rather than|over|and not)\s+[\w.+#@-]+",
        order!(r"^when(?:ever)? (?:you |we |i )?[a-z]+\b[^,]*,\s*(?:please\s+)?", r"\b"),
        r"^(?:please )?(?:answer|reply|respond|write|talk|speak)(?: to me)?(?: only)? in (?:english|german|french|spanish|italian|portuguese|japanese|chinese|korean|dutch|polish|russian|turkish)\b",
        r"^be (?:more |less )?(?:concise|brief|terse|direct|verbose|critical|succinct)\b",
        r"^keep (?:your |all |the )?(?:answers?|responses?|repl(?:y|ies)|summar(?:y|ies)|explanations?|commits|commit messages|prs|pull requests|code comments|messages) \S",
        r"^no (?:more )?[a-z]+(?: [a-z]+){0,2} in (?:[a-z]+ ){0,2}(?:commits?|messages|responses?|answers?|comments?|docs|prs?|tests?|code)\b",
        r"^i (?:want|need) (?:all|every|your) [a-z]+\b.*\b(?:to be|signed|short|small|in)\b",
        r"\b(?:stop|quit) (?:[a-z]+ing) (?:me|my|your)\b",
    ],
    rule_with_reason: &[
        r"^(?:all |every |any |our |the )?(?:[a-z-]+\s+){0,3}[a-z-]+ (?:must|should|have to|has to|need to|needs to) (?:not |n't )?[a-z]+",
        r"^(?:use|run|write|prefer|keep|put|split|squash|name) [a-z]+",
        r"^no [a-z]+",
    ],
    rule_corrected: &[
        r"^use (?:[\w.+#@-]+)(?: [\w.+#@-]+)?,? (?:instead|here instead)[.!]?$",
        r"^(?:it's|we use|we're using) [\w.+#@-]+(?: [\w.+#@-]+)?(?: here)?(?:, not [\w.+#@-]+|[.!]?$)",
        r"^we (?:use|prefer|write|run|deploy|commit|name|call)\b.*\b(?:not|instead of|rather than)\b",
    ],
    approval: &[
        r"\bkeep (?:doing|using|writing|making|adding|putting|giving|splitting|naming|showing|running|asking|including|starting|ending|up) \S",
        r"\b(?:was|is|were|are) (?:exactly )?(?:the right (?:call|move|choice|approach|thing)|exactly what i (?:want|wanted|like|need)|how i (?:like|want) (?:it|things|them))\b",
        r"\bi (?:really )?(?:like|love|appreciate) (?:how|that|it when|when|the way) you\b",
        r"^(?:more of|do more) [a-z]+ \S",
        r"\b(?:works|worked) (?:really |very )?well for (?:me|us)\b.*\bkeep\b",
    ],
    about_self: &[
        myself!(
            r"i(?:'m| am) (?:currently |now |also |actually |basically |mainly |mostly )?(?:an?|the|our|one of the|also an?) (?:[\w+#./&'-]+[ ,]+){0,6}?(?:engineer|developer|dev|programmer|designer|scientist|analyst|manager|student|lead|architect|sre|devops|administrator|admin|sysadmin|researcher|teacher|professor|founder|cofounder|co-founder|cto|ceo|vp|beginner|newbie|novice|person|on-?call|contractor|freelancer|consultant|maintainer|writer|dba|pm|product owner|qa|tester|intern|expert|veteran|physicist|mathematician|statistician|biologist|economist|lawyer|doctor|accountant|chemist|journalist|librarian|hobbyist|postdoc|phd|technician|marketer|bioinformatician|native speaker|nurse|geologist|astronomer|linguist|pilot)s?\b"
        ),
        myself!(
            r"i(?:'m| am) (?:very |pretty |quite |completely |totally |fairly |still |relatively |brand |really |also |super |more )*(?:new to|not (?:very |really |that |super |at all |too )*(?:familiar|comfortable|experienced|fluent) (?:with|in)|familiar with|comfortable (?:with|in)|experienced (?:with|in)|fluent in|used to|responsible for|in charge of|based in|located in|from the|(?:[a-z]+-[a-z]+ )?colou?r[- ]?blind|dyslexic|left-handed|deaf|visually impaired|self-taught|learning|studying|at home in|better at|bad (?:at|with)|good (?:at|with)|terrible (?:at|with)|an? native)\b"
        ),
        myself!(
            r"i(?:'m| am) (?:on|in|with|part of|leading|running|heading) the (?:[\w/&-]+ ){1,4}(?:team|group|department|squad|guild|org)\b"
        ),
        myself!(r"i(?:'m| am) on (?:windows|mac(?:os)?|linux|arch|ubuntu|debian|fedora|nixos|wsl|a mac|freebsd)\b"),
        myself!(r"i(?:'m| am) (?:in|on) (?:the )?(?:[a-z]+ )?(?:time ?zone|utc|cet|pst|est|gmt|jst)\b"),
        myself!(
            r"i(?:'m| am) (?:mostly |mainly |primarily )?(?:focus(?:ed|ing) on|speciali[sz](?:ed|ing) in|investigating)\b"
        ),
        myself!(
            r"i (?:mostly |mainly |primarily |usually |currently |also )*(?:work (?:mostly |mainly |primarily )?(?:as|on|at|in|for|from|with|part[- ]time|remotely)|focus on|speciali[sz]e in|do (?:frontend|backend|ml|machine learning|data|devops|embedded|infra|research))\b"
        ),
        myself!(
            r"i(?:'ve| have) (?:been )?(?:mostly |mainly )?(?:writing|using|doing|coding|programming|working|building|teaching)\b.*\b(?:for|since)\b.*(?:years?|months?|decades?|\d{4})"
        ),
        myself!(
            r"i(?:'ve| have) (?:only |about |over |around |roughly |more than |almost |nearly )*(?:[\w+-]+ ){1,3}(?:years?|decades?)(?:'| of|\b).*\b(?:experience|of|in|with|doing|writing)\b"
        ),
        myself!(r"i(?:'ve| have) never (?:used|written|touched|worked|done|learned|learnt|programmed|really used)\b"),
        myself!(
            r"i (?:don't|do not|barely|hardly) (?:really )?know (?:much (?:about )?|any |a lot (?:about|of) )[\w+#.]+"
        ),
        myself!(
            r"my (?:background|role|job|job title|title|name|pronouns|main language|native language|first language|mother tongue|time ?zone|day job|specialty|expertise|preferred (?:language|editor|shell|name))(?:'s| is| are)\b"
        ),
        myself!(
            r"i (?:always |only |mainly |mostly |usually |generally |exclusively )*use (?:neovim|nvim|vim|emacs|vs ?code|zed|helix|intellij|pycharm|goland|webstorm|rustrover|tmux|fish|zsh|nushell|a screen reader|dvorak|colemak|windows|macos|linux|wsl)\b"
        ),
        r"(?:^|[—;,]\s*|\b(?:and|but) )(?:you can |please )?call me \p{L}+",
        myself!(
            r"i(?:'d| would)? (?:really |generally |usually |always |strongly |much |personally |tend to )*prefer\b"
        ),
        myself!(r"i come from (?:an? )?[\w+#/ -]+(?:background|world)\b"),
        myself!(r"i (?:lead|maintain|manage|run|own|teach|head|administer) (?:the|our|an?) \S"),
        myself!(
            r"i (?:only |mostly |usually |mainly )+(?:work|code|get to|touch|have time|do)\b.*\b(?:on|at|in|during) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|evenings|mornings|nights)\b"
        ),
        r"\bmy first time (?:using|touching|writing|working|with|in)\b",
        myself!(r"i (?:speak|read and write) (?:[\p{L}]+)(?:,| and|$|[.!]| natively| fluently| as )"),
        myself!(r"i (?:can't|cannot|can not) (?:distinguish|tell) (?:red|green|colou?rs)\b"),
    ],
    not_about_self: &[
        r"\b(?:this|that|these|those) (?:bug|file|issue|error|branch|pr|ticket|thing|function|test|version|option|approach|one|way|problem|change|code|task|commit|design|solution|idea|name|layout|format)\b",
        r"\b(?:with|on|to|for|of|about|in|at|over|prefer|do|see|like) (?:this|that|it)(?:$|[.,;!])",
        r"\bprefer (?:this|that|these|those|it|the (?:first|second|third|former|latter|other|last|new|old|original|previous|current)|option|version|approach|to (?:wait|see|do|keep|leave|skip|merge|revert|have (?:it|this)))\b",
        r"\bwork (?:with|for) you\b",
        r"\bprefer (?:the|a|an) (?:[a-z-]+ ){0,2}(?:one|version|option|variant|approach|way|name|layout|design|colou?r|icon|style)\b",
        r"\bmy (?:name|role|title) (?:is|'s) (?:not|missing|in|on|wrong|showing|gone|displayed|empty|null|shown|cut|also|broken)\b",
        r"\bcall me (?:when|if|back|later|crazy|once|after|before|at|on|paranoid|old|a|an|the|in|about|for|when(?:ever)?)\b",
        r"\bi(?:'m| am) (?:an?|the) (?:bit|little|big fan|fan|idiot|fool|user|(?:[a-z]+ )?person (?:who|that))\b",
        r"\b(?:i|we) work(?:s|ed)? (?:on|with|in) (?:it|this|that)\b",
        r"⟦d⟧",
        r"\bfor now\b|\bright now\b|\bat the moment\b",
    ],
    decision: &[
        r"^(?:we|the team|the group|management|leadership|legal|product|security|the board|engineering|the [a-z-]+ team|[a-z]+ team)(?:'ve| have| has)? (?:just |finally |all |already |now |officially )*(?:decided|agreed|settled on|chosen|chose|opted|committed to|signed off)\b",
        r"^we(?:'re| are) (?:now |all |officially |finally |also )*(?:going with|sticking with|moving (?:to|from|off|away)|migrating|switching|dropping|sunsetting|deprecating|replacing|retiring|ripping out|phasing out|standardi[sz]ing|consolidating|freezing|rewriting|porting|splitting|not (?:supporting|going to support|doing|using|shipping|launching))\b",
        r"^we(?:'re| are) (?:using|doing|practi[cs]ing|following) [\w.+#/-]+(?: [\w.+#/-]+){0,2}, no [a-z-]+",
        r"^the (?:final )?decision (?:is|was)\b",
        r"^the reason (?:we're|we are|we|for the|behind the|the)\b.*\b(?:is|was)\b",
        r"^it(?:'s| has| was)(?: been)? decided\b",
        r"^(?:legal|compliance|security|product|management|marketing|finance|the client|the customer|our customers?) (?:requires?|wants?|needs?|flagged|insists?|asked|demands?|mandated|signed)\b",
    ],
    owner: &[
        owner!(
            r"(?:owns|maintains|leads|is leading|is owning|is taking over|takes over|took over|has taken over|is responsible for|is in charge of|is on[- ]call for|will own|will lead|will take over|will be taking over|is driving|is working on|are working on|own|maintain|handle|is the one who|looks after|is handling|is building|is reviewing|reviews all|approves all|signs off)\b"
        ),
        owner!(
            r"is (?:the|our) (?:[\w-]+ ){0,3}(?:owner|lead|maintainer|contact|reviewer|approver|dri|pm|product manager|product owner|on-?call|manager|architect|designer|tech lead|go-to|release manager|point of contact|stakeholder)\b"
        ),
        r"^(?i:the) [\w -]{3,40} (?i:belongs? to) (?:\p{Lu}\p{Ll}+|(?:the )?(?:finance|legal|sales|marketing|security|product|platform|data|support|operations|ops|infra|mobile|design|growth|compliance)\b|(?:the )?(?:[\w/&-]+ ){1,3}team)",
        r"(?i:\b(?:is|are)) (?i:owned|maintained|handled|led|managed|run|covered|reviewed|driven|being handled|being taken over|taken over) (?i:by) (?:\p{Lu}\p{Ll}[\p{Ll}'-]*|[Tt]he (?:[\w/&-]+ ){1,3}team|[\w/&-]+ team)",
        r"(?:^|[;:—,]\s+)(?i:the )?(?i:owner|lead|maintainer|contact|point of contact|product manager|pm|tech lead|dri|release manager) (?i:of|for|on) [\w ./&-]+ (?i:is) \p{Lu}\p{Ll}",
    ],
    scheduled: &[
        r"\b(?:freeze|freezes|freezing|frozen|deadline|due|launch|launches|launching|release|releases|releasing|releas(?:e|ing) branch|ships?|shipping|go(?:es|ing)? live|go-live|cut|cuts|cutting|demo|migration|migrates?|migrating|sunset|sunsets|sunsetting|deprecated|cutover|beta|ga|rollout|rolls? out|rolling out|audit|end of life|eol|maintenance window|sprint|milestone|handover|workshop|presentation|kick-?off|exam|submission|moves? to|moved to|postponed|delayed|pushed (?:back )?to|shuts? down|shutting down|switch(?:es|ing)? off|turned off|starts?|starting|begins?|beginning|ends?|ending|expires?|runs out|kicks off|lands|is scheduled|are scheduled|is planned|are planned)\b.*⟦d⟧",
        r"⟦d⟧.*\b(?:freeze|deadline|launch|release|demo|migration|cutover|beta|rollout|audit|go-live|milestone|maintenance window)\b",
        r"^(?:we|the [a-z-]+ team|[a-z-]+ team|[a-z]+) (?:need|needs|have|has|must|will|want|wants|plan|plans|expect|expects|'re going|are going|is going)(?: to)? (?:[a-z-]+ ){0,2}(?:ship|release|launch|finish|deliver|freeze|migrate|cut|complete|hand over|present|submit|roll out|deploy|switch|merge|land|publish|move|upgrade|be (?:done|live|ready|out))\b.*⟦d⟧",
        r"\b(?:comes?|arrives?|happens?|goes out|go out|deploys?|releases?|ships?|lands?|meets?|publish|publishes|syncs?|rotates?|imports?|exports?|refresh|refreshes|restarts?|closes?|opens?|is|are) .{0,60}\b(?:every|each) (?:other )?(?:⟦d⟧|(?:day|week|month|quarter|sprint|morning|night|evening|hour)\b)",
        r"\b(?:we|they|the [a-z-]+ team) (?:deploy|release|ship|cut|merge|meet|plan|publish)\b.{0,40}\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days\b",
        r"\b(?:is|are|will be|i'm|i am|we're) (?:out|away|off|on (?:vacation|leave|holiday|pto|parental leave|sabbatical))\b.*⟦d⟧",
        r"\b(?:joins?|joining|leaves?|leaving) (?:us|the (?:[a-z-]+ )?(?:team|company|project))\b.*⟦d⟧",
    ],
    code_talk: &[
        r"\b(?:struct|pointer|borrow(?:s|ed)?|buffer|variable|mutex|threads?|heap|trait|closure|object|instance|enum|vec|arc|box|parent component|file descriptor|lifetime|allocation|iterator|callback|loop|stack|array|string|parameter|argument|constructor|destructor|event loop|exception|assertion)\b",
    ],
    in_the_code: &[
        r"\bin the (?:[a-z-]+ ){0,2}(?:handler|function|loop|component|header|footer|modal|form|file|class|method|parser|query|endpoint|page|table|view|branch|migration|module|callback|hook|constructor|template|list|response body|request body)\b",
        r"\b[a-z]+_[a-z_]+\b",
        r"^(?:use|prefer) (?:a|an|the|one|two)\b",
        r"\b(?:users?|passwords?|rows?|records?|requests?|the (?:user|function|page|form|app|api|server|client|button|method|class|field)) (?:must|should) (?:always|never)\b",
    ],
    on_screen: &[
        r"\b(?:screen|field|column|button|widget|rows?|modal|dropdown|picker|component|endpoint|label|fixture|parser|function|method|class|query|tests?|json|csv|cron|jobs?|page|banner|tooltip|popup|countdown|timer)\b",
    ],
    located: &[
        r"\b(?:is|are|get|gets|being|all|'s|'re)? ?(?:tracked|documented|kept|stored|filed|listed|recorded|posted|discussed|announced|described|written up|managed|monitored|maintained|published|collected|hosted|coordinated|reported|planned|archived|logged|translated|locali[sz]ed|handled|reviewed|approved|scheduled)(?: [\w-]+){0,3} (?:in|on|at|under|via|to|through|with|by|as)\b",
        r"\blives? (?:in|on|at|under|over)\b",
        r"^(?:the |our |all )*(?:runbooks?|docs|designs|tickets|board|wiki|specs|logs|metrics|dashboards?|roadmap|notes|secrets|issues|bugs|tasks) (?:have |has |were |was |are |got )*(?:moved|migrated|went) .{0,25}\b(?:to|into) .{2,}",
        r"^if (?:it's about|you(?: ever)? need|you want|you're looking for) .{3,40},? (?:look|check|go|see|search)\b.*",
        r"\bwe (?:all |also )?(?:track|log|document|keep|file|record|post|discuss|announce|manage|monitor|report|store|publish|coordinate|plan) (?:all |our |every |the )?\S",
        r"\b(?:can be found|you(?:'ll| will| can) find|to be found|sits|sit)\b.*\b(?:in|on|at|under)\b",
        r"\b(?:bugs?|issues|tickets|questions|requests|incidents|alerts|reports|feedback|designs|specs|docs|announcements|deploys?|errors|support requests|feature requests|postmortems)\b.*\b(?:go|goes|belong|belongs|land|lands|come in|end up) (?:in|to|into|on|at|through|via)\b",
        r"\b(?:is|are) (?:what|where) (?:[\w'-]+ ){1,4}(?:watch|watches|uses?|looks?|tracks?|keeps?|checks?|monitors?|lives?|posts?|discuss|documents?)\b",
        r"\b(?:that's|is) where (?:the |all |our )?[a-z-]+ (?:go|goes|live|lives|are kept|are tracked|belong)\b",
        r"\bwhere we (?:track|keep|log|document|file|post|discuss|announce|plan|store)\b",
        r"\b(?:dashboards?|boards?|runbooks?|wiki|docs|design docs?|specs?|tracker|issue tracker|bug tracker|channel|schedule|roadmap|status page|backlog|mock-?ups?|designs?|style ?guide|playbooks?|on-?call(?: rotation| schedule)?|staging(?: environment)?|api docs|documentation|post-?mortems?|metrics|logs|alerts|incidents|tickets|sprint board|project board|credentials|secrets|meeting notes|adrs?|rfcs?|design system|error tracking|monitoring|analytics)(?: (?:for|of|on|about) (?:the |our |all )?[\w /&-]+)? (?:is|are)(?: (?:all|also|kept|now))? (?:in|on|at|under|called|over at|here:?|⟦u⟧|#)",
        r"\b(?:dashboards?|boards?|runbooks?|wiki|docs|tracker|roadmap|status page|backlog|style ?guide|playbook|api docs|documentation)(?: (?:for|of|on) (?:the |our )?[\w /&-]+)?\s?(?::|is|—) ⟦u⟧",
        r"(?:^|\s)#[a-z][\w-]+ (?:is|on slack is) (?:the|our|where|for)\b",
        r"\bthe (?:[\w-]+ ){0,3}(?:channel|slack channel) (?:is|for [\w ]+ is) #[a-z]",
    ],
    not_located: &[
        r"^here\b",
        r"\b(?:outdated|out of date|obsolete|stale|defunct|dead|abandoned|deprecated)\b|\b(?:don't|do not|never) (?:read|use|trust) it\b|\bignore (?:it|them)\b",
        r"\b(?:is|are) in (?:react|vue|angular|svelte|rust|python|java|go|ruby|typescript|javascript|english|german|json|yaml|markdown|html|utc)\b",
        r"\blogged in\b (?:to|at|via|on|with|as)\b",
        r"\bthe (?:error|bug|issue|exception|failure|crash|stack ?trace|ticket|problem|user|request|screenshot|file|test|function|value|variable|state)\b (?:is|was|gets|got)\b",
        r"\b(?:this|that|it) (?:is|was|gets|should|must|lives?)\b",
        r"\bshould (?:be|live|go)\b",
        r"\bin (?:memory|a (?:variable|map|vec|hash|list|struct|file|constant)|the (?:database|db|table|config|code|repo|struct|cache|store|state|component))\b",
    ],
    take_back: &[
        r"\b(?:(?:scratch|scrap|strike|cancel|undo|ignore|disregard|discard|forget) (?:that|it|what i (?:just )?said|about (?:that|it)|i said|my (?:last|previous|earlier)|the (?:last|previous|earlier) (?:rule|instruction|request))|i take (?:that|it) back|on second thoughts?|i was wrong|i misspoke|just kidding|only kidding|that was (?:wrong|a mistake|a joke))\b",
        r"^(?:oh |ah |ok |okay |hmm,? |sorry,? |actually,? |wait,? )*never ?mind\b",
        r"^(?:actually|wait|sorry|hmm|oh)[,.!—]* no\b",
        r"^no[,.]? wait\b",
        r"\bjk\b",
    ],
    lifted: &[
        r"\b(?:is|are) (?:actually )?(?:fine|ok|okay|allowed|good|welcome)(?: (?:after all|too|again|now|here|for me|with me))?[.!]?$",
        r"\byou (?:can|may) (?:\w+ ){1,8}(?:after all|again|now)\b",
        r"\b(?:i changed my mind|changed our minds?|not anymore|no longer (?:true|applies|the case|matters))\b",
        r"\bdoesn't (?:apply|matter) (?:anymore|any more|after all)\b",
    ],
    why_join: r"(,? ?\b(?:because|cause|'cause|given that|otherwise|or else|the reason being|due to|so that|since (?:we|i|it|they|the|our|that|this|those|there|you|he|she|prod|my|people|everyone|customers|users|legal|ci)|as (?:we|it|they|i) (?:got|had|were|was|have|need|break|broke))\b)|( — |; |\s\()|(, (?:we got burned|we were burned|we (?:just )?had (?:an?|one|two|three|several) (?:[a-z]+ )?(?:outages?|incidents?|breach|rollbacks?|failures?|conflicts?)\b|it (?:broke|bit|breaks)|last (?:quarter|time|month|week|year|sprint|release)|i (?:can|already|read|know|see|review) )|: )",
    why_begin: &[
        r"^(?:because|since|we|we're|we've|i|i'm|i've|it|it's|they|they're|that|that's|last|the|our|there|this|he|she|people|otherwise|prod|production|ci|everyone|customers|users|legal|compliance|nobody|no one|too many|half|[a-z-]+ team|[a-z]+ (?:got|broke|failed|passed|is|are|was|were|has|have|keeps?|wants?|needs?|requires?|flagged|breaks?)\b)",
        r"\b(?:burned|broke|failed|outage|incident|bit us|cost us|lost|wasted)\b",
    ],
    why_next: &[
        r"^(?:because|otherwise|the reason\b|reason:|why:|that's because|that is because|that's why|it's because|last (?:time|quarter|month|week|year|sprint|release)|the last time)",
        r"^we (?:got|were|had|lost|once|already|spent|almost|nearly|shipped|broke|need)\b",
        r"^(?:it|they|that|this|mocks?|mocked tests|those) (?:always |just |only |really )?(?:broke|bit|makes?|made|caused?|causes|confuses?|slows?|breaks?|took|hides?|clutters?|costs?|adds?|gets?|got|passed|masked|gave|gives|wastes?|annoys?|drowns?)\b",
        r"^i (?:can read|already (?:read|see|know)|keep losing|get lost|lose track|have to scroll|review)\b",
        r"^(?:our )?(?:ci|prod|production|legal|compliance|reviewers?|customers?|the team) (?:broke|breaks|failed|fails|is|was|requires?|rejects?|needs?|went|only)\b",
    ],
    how_next: &[
        r"^(?:so )?(?:that means|in practice|instead,|how to apply|applies to|(?:this|that|it) (?:applies|goes) (?:to|for))",
        r"^(?:instead )?use \S.* instead[.!]?$",
        r"^(?:when|whenever) (?:you|we)\b.*,",
    ],
    incident: &[
        r"\b(?:burned|burnt|broke|bit us|bit me|failed|outage|incident|last (?:quarter|month|week|year|time|sprint|release)|lost|cost us|took down|went down|leaked|corrupted|got (?:stuck|paged|blocked)|prod(?:uction)? (?:migration|broke|failed|went))\b",
        r"⟦d⟧",
    ],
};
