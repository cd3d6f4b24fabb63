/** What a question asks for, if its words say so. */
export type AnswerKind = 'time' | 'span' | 'rhythm' | 'age' | 'number' | 'reason' | 'name'

/** What mostly has a name of its own. */
const named =
  'songs?|books?|movies?|films?|shows?|series|games?|bands?|artists?|authors?|teams?|compan(?:y|ies)|firms?|' +
  'brands?|cit(?:y|ies)|towns?|states?|countr(?:y|ies)|places?|streets?|restaurants?|hotels?|shops?|schools?|' +
  'universit(?:y|ies)|airlines?|airports?|languages?'

const asksFor: [AnswerKind, RegExp][] = [
  ['time', /\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year))\b/i],
  ['span', /\bhow long\b/i],
  ['rhythm', /\bhow (?:often|frequently)\b/i],
  ['age', /\bhow old\b/i],
  ['number', /\bhow (?:many|much|far|tall|big|high|large|heavy)\b/i],
  ['reason', /\b(?:why|reasons?)\b/i],
  ['name', new RegExp(`\\b(?:who|whom|whose|names?|named|called|(?:which|what) (?:${named}))\\b`, 'i')],
]

const units = '(?:second|minute|hour|day|night|week|weekend|month|quarter|year|decade)'
const days = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec'
const seasons = 'spring|summer|autumn|winter'
const partsOfDay = 'morning|noon|afternoon|evening|midnight'
const numbers =
  '(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|' +
  'seventy|eighty|ninety|hundred|thousand|million|dozen|half|couple|several)'
const year = '(?:1[5-9]|20)\\d\\d'

const anyOf = (...patterns: string[]) => new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'i')

const tells: Record<Exclude<AnswerKind, 'name'>, RegExp> = {
  time: anyOf(
    ...[year, `${days}s?`, months, seasons, partsOfDay, '\\d\\d?:\\d\\d', '\\d\\d? ?[ap]m'],
    ...['yesterday', 'today', 'tonight', 'tomorrow', 'ago', 'Q[1-4]'],
    `(?:last|next|this|past|every) ${units}`,
  ),
  span: anyOf(`(?:${numbers}|an?|few)[ -]${units}s?`, '\\d+ ?(?:h|min|s)', 'since', 'until'),
  rhythm: anyOf(
    ...['every', 'each', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly', 'annual(?:ly)?'],
    ...['once', 'twice', `${numbers} times`, 'always', 'never', 'rarely', `${days}s`, `(?:per|an?) ${units}`],
  ),
  age: anyOf(
    `${numbers}[ -](?:years?|months?)`,
    `turn(?:s|ed|ing)? ${numbers}`,
    'born',
    'birthday',
    'aged?',
    year,
  ),
  number: anyOf(`${numbers}`, '\\d+[a-z]+', 'free'),
  reason: anyOf('because', 'since', 'so', 'due to', 'after', 'reason', 'therefore', 'to [a-z]+'),
}

/** A capitalised word that begins no sentence, or the first one in quotation marks. */
const names = /(?<=[^.!?:] )(?:["'“(]+)?(\p{Lu}[\p{L}'’-]+)|["“](\p{L}+)/gu

/** Only the beginning of a longer text is read. */
const readMax = 1_000

export function readAnswerKind(query: string): AnswerKind | undefined {
  const text = query.slice(0, readMax)
  return asksFor.find(([, asks]) => asks.test(text))?.[0]
}

/** Whether a text contains something of the kind; a name, if the question does not have it. */
export function tellsKind(kind: AnswerKind, text: string, question: string): boolean {
  const read = text.slice(0, readMax)
  if (kind !== 'name') return tells[kind].test(read)
  const asked = question.slice(0, readMax).toLowerCase()
  return read.matchAll(names).some(([, name, quoted]) => {
    const bare = (name ?? quoted ?? '').toLowerCase().replace(/['’]s$/, '')
    return quoted !== undefined || !asked.includes(bare)
  })
}
