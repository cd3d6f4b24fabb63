import { type FactWord, type FactWords, isNegation } from './fact-words.rules.ts'
import { saysSameFact, withoutNegations } from './same-fact.rules.ts'

/** How two facts about one thing differ, so that they may not both hold. */
export type Rivalry = 'opposite' | 'number' | 'day' | 'date' | 'value'

const differingMax = 5
const valueWordsMax = 3

/**
 * Whether two facts about one entity may not both hold: the opposite of each other, or the same statement with another
 * value where there is usually one. Knows English only.
 */
export function findRivalry(one: FactWords, other: FactWords): Rivalry | undefined {
  const [a, b] = [toStatement(one), toStatement(other)]
  if (one.isNegated !== other.isNegated || isAbsolute(one) !== isAbsolute(other))
    return saysSameFact(withoutNegations(one), withoutNegations(other)) ? 'opposite' : undefined
  const { before, after, left, right } = difference(a, b)
  if (left.length === 0 || right.length === 0) return undefined
  if (left.length > differingMax || right.length > differingMax) return undefined
  if (left.length === 1 && right.length === 1 && areOpposites(left[0]!, right[0]!))
    return before.length + after.length > 0 ? 'opposite' : undefined
  const isSubject = isSubjectPart(before, after)
  const byValue = isSubject ? undefined : otherValue({ before, after, left, right })
  if (byValue !== undefined) return byValue
  if (before.length === 0) return otherHolder(left, right, after)
  return !isSubject && isOnly(before, after, left, right) ? 'value' : undefined
}

/** "Always" is the opposite of "never". */
const isAbsolute = ({ words }: FactWords) => words.some(({ text }) => text === 'never')

const settings =
  /^(?:(?:was|were|is|are|has been|have been|got) )?(?:raised|lowered|changed|increased|reduced|set|moved) to /

/** "Was raised to 60 seconds" and "is now 60 seconds" are the same statement; "was late" that of "late". */
function toStatement({ words }: FactWords): FactWord[] {
  const kept = words.filter(({ text }) => text !== 'now' && text !== 'currently' && text !== 'always')
  for (let i = 0; i < kept.length; i += 1) {
    const rest = `${kept
      .slice(i, i + 4)
      .map(({ text }) => text)
      .join(' ')} `
    const set = settings.exec(rest)?.[0]
    if (set !== undefined && i > 0)
      return [...kept.slice(0, i), copula, ...kept.slice(i + set.trim().split(' ').length)]
  }
  return kept.length > 2 && isCopula(kept[0]!) ? kept.slice(1) : kept
}

const copula: FactWord = { text: 'is', stem: 'is', isCapital: false }
const isCopula = ({ text }: FactWord) => /^(?:is|are|was|were|be)$/.test(text)

type Difference = { before: FactWord[]; after: FactWord[]; left: FactWord[]; right: FactWord[] }

/** The words that differ between two statements, and those around them. */
function difference(a: readonly FactWord[], b: readonly FactWord[]): Difference {
  const isSame = (x: FactWord | undefined, y: FactWord | undefined) =>
    x !== undefined && y !== undefined && (x.stem === y.stem || (isCopula(x) && isCopula(y)))
  let start = 0
  while (isSame(a[start], b[start])) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && isSame(a[a.length - 1 - end], b[b.length - 1 - end]))
    end += 1
  return {
    before: a.slice(0, start),
    after: a.slice(a.length - end),
    left: a.slice(start, a.length - end),
    right: b.slice(start, b.length - end),
  }
}

/** What differs names another thing: "version 2.1 was released", "409 means". */
const isSubjectPart = (before: readonly FactWord[], after: readonly FactWord[]) =>
  !before.some(isVerb) && after.some(isVerb)

const verb =
  /^(?:is|are|was|were|be|has|have|had|means|returns|requires|needs|leads|owns|runs|uses|takes|lasts|lives|works|contains|supports|belongs|fails|passes|ships|starts|ends|must|can|should|will)$/
const isVerb = ({ text }: FactWord) => verb.test(text)

const opposites = [
  ...['enabled disabled', 'open closed', 'on off', 'allowed forbidden', 'required optional', 'dark light'],
  ...['public private', 'synchronous asynchronous', 'married divorced', 'married single', 'active inactive'],
  ...['before after', 'always never', 'include exclude', 'includes excludes', 'enable disable', 'open close'],
  ...[
    'online offline',
    'mutable immutable',
    'sync async',
    'true false',
    'yes no',
    'tabs spaces',
    'possible impossible',
  ],
  ...['full-time part-time', 'monthly yearly', 'daily weekly', 'supported unsupported', 'stable unstable'],
].map((pair) => pair.split(' '))

const areOpposites = (one: FactWord, other: FactWord) =>
  opposites.some(([x, y]) => (one.text === x && other.text === y) || (one.text === y && other.text === x))

/** The same statement with another number, time, day or date. */
function otherValue({ before, after, left, right }: Difference): Rivalry | undefined {
  const [kinds, others] = [kindsOf(left), kindsOf(right)]
  const around = [...before, ...after]
  if (kinds.size === 0 || others.size === 0) return undefined
  if (kinds.has('day') && others.has('day')) return isStanding(around) && isDaily(before) ? 'day' : undefined
  const isPure = areValues(left) && areValues(right)
  if (!isPure || around.length === 0) return undefined
  const isDate =
    kinds.has('month') || others.has('month') || isBesideMonth(before, after) || areYears(left, right)
  if (isDate) return isStanding(around) && isDated(before) ? 'date' : undefined
  if (kinds.has('number') && others.has('number') && isCounted(before)) return undefined
  return 'number'
}

const kindsOf = (words: readonly FactWord[]) => new Set(words.flatMap(({ kind }) => kind ?? []))
const unit =
  /^(?:ms|s|sec|second|minut|hour|day|week|month|year|mb|gb|kb|px|percent|time|at|eur|usd|euro|dollar|degre)$/
/** Numbers with their units. */
const areValues = (words: readonly FactWord[]) =>
  words.every(({ kind, stem }) => kind !== undefined || unit.test(stem))
const areYears = (left: readonly FactWord[], right: readonly FactWord[]) =>
  [...left, ...right].some(({ text }) => /^(?:19|20)\d\d$/.test(text))
/** "17 May" against "3 May": the month is not what differs. */
const isBesideMonth = (before: readonly FactWord[], after: readonly FactWord[]) =>
  before.at(-1)?.kind === 'month' || after[0]?.kind === 'month'

/** "Chapter 3 is done": the number is a name. */
const isCounted = (before: readonly FactWord[]) =>
  /^(?:issue|ticket|pr|version|chapter|page|step|section|port-forward|item|task|bug|room|phase|sprint|level|error|code|adr|release|part|line)$/.test(
    before.at(-1)?.stem ?? '',
  ) && !before.some(isVerb)

const pastEvent =
  /^(?:met|visited|bought|sold|went|saw|attended|fixed|released|shipped|published|merged|started|finished|completed|called|talked|discussed|flew|travelled|traveled|watched|read|ran|won|lost|gave|got|made|created|added|removed|deployed|moved|joined|left|launched|spent|paid|received|caused|failed|signed|ordered|reported)$/

/** Not something that happened, which can happen again. */
const isStanding = (around: readonly FactWord[]) => !around.some(({ text }) => pastEvent.test(text))
const isDaily = (before: readonly FactWord[]) => before.length > 0
const isDated = (before: readonly FactWord[]) =>
  before.some(({ stem }) =>
    /^(?:birthday|born|plan|schedul|due|deadlin|date|expir|renew|anniversari|wed|start|end|begin|launch|go-live|target)$/.test(
      stem,
    ),
  )

/** Of these there is usually one: what follows is the value. */
const single =
  /(?:^| )(?:lives? in|lives? at|works? (?:at|for)|based (?:in|at|on)|located (?:in|at)|hosted (?:on|at|by|in|with)|stored (?:in|on|at)|written in|built (?:with|on|in)|runs? (?:on|with|in|under)|deployed (?:to|on|with)|kept (?:in|at|by)|planned for|scheduled for|listens on|managed (?:with|by)|maintained by|owned by|led by|reports to|formatted with|tested with|indent with|indented with|licensed under|served by|born in|prefers?|married to|assigned to|defaults to|named after|employed (?:at|by)|belongs to)$/
/** "Its owner is": an attribute with one value. */
const attribute =
  /(?:^| )(?:(?:favou?rite|preferred|default|primary|main|current) \S+|owner|lead|manager|maintainer|name|port|version|language|deadline|address|email|phone|timezone|currency|licen[cs]e|format|database|region|budget|status|period|limit|timeout|birthday|colou?r|price|capacity|size|interval|branch|password|url|domain|host|provider|title|role|job|employer|city|country|framework|tool|manager)(?: (?:is|are|was))+$/
const preferring = /^(?:prefers?|preferred)$/
const using = /^(?:use|uses|using)$/

/** Whether what differs is the one value of the statement. */
function isOnly(
  before: readonly FactWord[],
  after: readonly FactWord[],
  left: readonly FactWord[],
  right: readonly FactWord[],
): boolean {
  if ([...left, ...right].some(isNegation)) return false
  const opening = before.map(({ text }) => text).join(' ')
  if (before.length === 1 && preferring.test(opening)) return after.length > 0 && left.length === right.length
  if (before.length === 1 && using.test(opening))
    return after[0]?.text === 'for' && left.length === 1 && right.length === 1
  if (left.length > valueWordsMax || right.length > valueWordsMax) return false
  return attribute.test(opening) || (single.test(opening) && !/prefers?$/.test(opening))
}

const holds =
  /^(?:leads|owns|maintains|manages|runs|is (?:the )?(?:lead|owner|maintainer|manager|ceo|cto|head|chair|president|captain)) \S/

/** "Mara leads the team" and "Jonas leads the team". */
const otherHolder = (left: readonly FactWord[], right: readonly FactWord[], after: readonly FactWord[]) =>
  holds.test(after.map(({ text }) => text).join(' ')) &&
  [...left, ...right].every(({ isCapital }) => isCapital)
    ? 'value'
    : undefined
