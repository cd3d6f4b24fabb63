import { memoised } from '../../ground/lib/memoised.ts'
import { readFactWords } from './fact-words.rules.ts'

/** The words for which a fact cannot be understood without what was said around it. */
export type Unclear = { words: string[]; kind: 'reference' | 'time' | 'both' }

const charactersRead = 600

/** Pronouns that begin a fact, so that nothing before them tells what they mean. */
const opening =
  /^\s*(?:[-*+]\s+)?(?:(he|she|they|it|this|that|these|those|there(?= it))(?=\s+(?:['’]?s\b|is|are|was|were|has|have|had|does|do|did|will|would|can|could|should|must|may|might|need|needs|said|says|told|wants?|only|also|still|now|never|always|[a-z]{3,}(?:s|ed)\b))|(his|her|their|its)(?=\s+\p{L}))/giu
/** "This repository", "this project": what it is stands beside it, or it is where the memory lives. */
const spoken =
  /\b(?:as (?:mentioned|said|discussed|noted|described|above) ?(?:above|before|earlier|already)?|same as (?:before|above|last time)|(?:the )?(?:link|list|example|code|table|message|file) above|in that case|until further notice|the other one|the (?:red|blue|green|black|white|big|small) one(?= |$)(?! of))\b/gi
const relativeTime =
  /\b(?:yesterday|tomorrow|today|tonight|the day (?:after tomorrow|before yesterday)|(?:last|next) (?:night|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|spring|summer|autumn|fall|winter)|this (?:morning|afternoon|evening|week|weekend|month|year)|(?:(?:two|three|four|five|six|ten|a few|several|\d+) |an? )(?:minutes?|hours?|days?|weeks?|months?|years?) ago|in (?:two|three|four|five|six|ten|a few|\d+) (?:days|weeks|months)(?=[.,;!?]|$)|right now|just now|recently|lately)\b(?!['’]s)/gi
/** Habits and rules speak of any day. */
const general =
  /\b(?:each|every|always|never|whenever|if|when|must|should|daily|weekly|monthly|before they|after each|since)\b/i
const quoted = /["“”«»][^"“”«»]*["“”«»]|(?<![\p{L}])['‘][^'’]*['’](?![\p{L}])|`[^`]*`/gu
/** A date in the text says which day "yesterday" is. */
const dated = /\b(?:19|20)\d\d\b|\b\d{1,2}\.\d{1,2}\.\d{2,4}\b/

/** What in a fact is unclear on its own; undefined if it stands alone. Knows English only. */
export function findUnclear(content: string, entityName: string): Unclear | undefined {
  const text = content.slice(0, charactersRead).replace(quoted, '""')
  const told = namePattern(entityName).test(text) ? '' : text
  const references = [...matchesOf(opening, told), ...lonely(told, entityName), ...matchesOf(spoken, text)]
  const times = dated.test(text) ? [] : matchesOf(relativeTime, text).filter((time) => isMeant(time, text))
  const words = [...new Set([...references, ...times])].slice(0, 4)
  if (words.length === 0) return undefined
  if (references.length > 0 && times.length > 0) return { words, kind: 'both' }
  return { words, kind: references.length > 0 ? 'reference' : 'time' }
}

const namesKept = 1_000
const nameCharacters = 200
/** A fact that begins with the entity's name, or with its first word: "Maria" for "Maria Lind". */
const namePattern = memoised(namesKept, (name) => {
  const [first] = name.slice(0, nameCharacters).match(/[\p{L}\p{N}]+/gu) ?? []
  return first === undefined ? /$^/ : new RegExp(`^\\s*${first}(?![\\p{L}\\p{N}])`, 'iu')
})

const matchesOf = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([found]) => found.trim()).filter((found) => found !== '')

/** "Since this morning" is meant, "lists what changed since yesterday" is a rule of any day. */
function isMeant(time: string, text: string): boolean {
  if (/^[A-Z]/.test(time) && !text.startsWith(time)) return false
  if (/^(?:recently|lately|right now|just now)$/i.test(time)) return true
  const others = text.replace(/\bsince (?:this|last)\b/gi, '')
  return !general.test(others) && !isTitle(time, text)
}

/** "Yesterday was written by", "Tomorrow is a magazine". */
const isTitle = (time: string, text: string) =>
  text.startsWith(time) && /^\S+(?: \S+)? (?:is|was) (?:an?|the|written|made|one)\b/.test(text)

const elsewhere =
  /\b(?:that|which|whom) (he|she|they)\b|\bwhen (they|he|she) (?:are|is) both\b|^\s*(?:went|was|is) (there)\b|\b(?:approved|said|fixed|did|decided|wants|broke) (this|that)(?=\s*(?:[.,;!?]|$|on\b|for\b|yesterday|today|last\b|with\b|at\b))|^(?:turned|switched|left|made|put|took) (it|them)\b|\bdecided against (it|that)\b/giu

/** Pronouns elsewhere that nothing in the text stands for. */
function lonely(text: string, entityName: string): string[] {
  const { words } = readFactWords(text, entityName)
  const namesSomebody = words.slice(1).some(({ isCapital, kind }) => isCapital && kind === undefined)
  if (namesSomebody || /^\s*\p{Lu}\p{Ll}+ (?:said|says)\b/u.test(text)) return []
  return [...text.matchAll(elsewhere)].flatMap((found) => found.slice(1).filter((word) => word !== undefined))
}
