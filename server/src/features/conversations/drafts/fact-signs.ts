import type { Language } from '../../../search/analyse/languages.ts'
import learned from './fact-weights.json' with { type: 'json' }
import { isRequest, type Statement } from './statements.ts'

const aside =
  /\b(?:btw|by the way|fyi|oh and|oh,|one more thing|one thing|another thing|heads up|note that|keep in mind|remember|for the record|also|just so you know|you should know|actually)\b/i

/** What a statement shows. Most signs are of English; in other languages the learned words tell as much. */
export const factSigns: readonly (RegExp | ((statement: Statement) => boolean))[] = [
  // Somebody or something is, has, does or must.
  /(?<!\p{L})(?!(?:it|that|this|there|what|he|she|which|who|here)\b)\p{L}{2,} (?:is|are|was|were)\b/iu,
  /(?<!\p{L})(?!(?:it|that|this|there|what|he|she|which|who)\b)\p{L}{2,} (?:owns|handles|approves|manages|leads|runs|maintains|reviews|signs|pays|lives|works|teaches|reports|hates|loves|likes|wants|needs|prefers|speaks|plays|takes|uses|expects|starts|ends|closes|opens|expires|costs|supports|requires|allows|returns|rejects|means|belongs|goes|comes|sits|stays|has|does|doesn['’]?t|only|never|always|can['’]?t|won['’]?t)\b/iu,
  /\bwe(?:['’](?:re|ve|ll|d))?\b/i,
  /\bour\b/i,
  /\b(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|sons?|daughters?|brothers?|sisters?|mother|father|mom|mum|dad|dog|cat|kids?|child|children|baby|boss|manager|landlord|neighbou?r|grand\p{L}+|uncle|aunt|niece|nephew|parents?|colleague|cofounder|doctor|accountant|lawyer|therapist)\b/iu,
  /\b(?:prefer\w*|rather|favou?rite|hates?|can['’]?t stand|loves?|dislikes?|likes? (?:it )?(?:when|to|my)|don['’]?t like|fan of|allergic|enjoy)\b/i,
  /\b(?:must|has to|have to|needs? to|had to|(?:not )?allowed|required?|forbidden|may not|can['’]?t|cannot|can only|supposed to|don['’]?t (?:touch|use|ever)|max(?:imum)?|at most|at least|limit(?:ed)?|minimum|budget|cap)\b/i,
  /\b(?:not|never|no)\b|n['’]t\b/i,
  /\b(?:responsible|in charge|owners?|owns|approv\w+|signs? off|signed off|the one who|point person|on.call|reports? to|maintain\w*|takes? over|took over|works? for|belongs? to|goes? to|only does)\b/i,
  // Since when, until when, how often; what became of it.
  /\b(?:since|as of|starting|from|until|till|by|before|after|through|end of|beginning of|next|every|each|twice|once a)\b/i,
  /\b(?:every|each|per|weekly|monthly|daily|yearly|annual|always|never|only|usually|except)\b/i,
  /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|apr|aug|sept?|oct|nov|dec)\b/i,
  /\b(?:moved|renamed|left|quit|retired|replaced|switched|joined|dropped|deprecated|migrated|changed|cancell?ed|sold|bought|hired|fired|promoted|married|divorc(?:ed|ing)|pregnant|died|born|diagnosed|took over|takes over|expired?|merged|split|shut down|closed|raised|cut|extended|postponed|pushed back|signed)\b/i,
  /\b(?:no longer|any ?more|used to|gone|now|these days|nowadays)\b/i,
  // Names, numbers and identifiers.
  /(?<!^)(?<![.!?:] )(?<!["'(])\b(?!I\b|I['’]|OK\b|PR\b)\p{Lu}\p{L}+/u,
  /\b(?!OK|PR|LOL|BTW|PS|FYI|TODO|ASAP)\p{Lu}{2,}\d?\b/u,
  /\d/,
  /`[^`]+`|\b[\w-]+\.(?:\w+\.)*\w{2,}\b|\b\w+[_/]\w+|\b\w+-\w+-\w+|\/\w+|\b[a-z]+[A-Z]\w+|\bv?\d+\.\d+/,
  // It is about what was said or shown before, or of the moment,
  /^(?:and |but |so |ok |no |yes )*(?:it|that|this|these|those|they|he|she|there|here)(?:['’](?:s|re))?\b/i,
  /\b(?:today|tonight|yesterday|this (?:morning|evening|afternoon)|last night|right now|for now|just now|a minute|in a bit|later|tomorrow|so far)\b/i,
  // a request, a doubt or a condition,
  isRequest,
  /\b(?:wondering|not sure|no idea|i think|i guess|i suppose|maybe|perhaps|probably|might|hopefully|i hope|seems?|looks? like|kind of|kinda|sort of|i believe)\b/i,
  // what is wrong, to be built or looked at now,
  /\b(?:fails?|failed|failing|errors?|exception|broken?|missing|empty|wrong|hangs?|crash\w*|overlaps?|blank|(?:doesn['’]?t|does not|won['’]?t) (?:work|show|load|fit|match|update|compile|find|start|open)|not found|undefined|null|bug|flaky|out of date|too \p{L}+|still|instead of|keeps)\b/iu,
  /\b(?:(?:is|are|gets?) (?:shown|displayed|rendered|cut off|hidden|sorted|ignored|lost|missing)|shows?|should|shall|needs? to be|has to be|would be|as soon as|when (?:i|the|you|it|a)|if)\b/i,
  // what the turn is about, which is mostly work of the moment, and not what is told along with it;
  ({ isFirst }) => isFirst,
  ({ isAlone }) => isAlone,
  ({ isBesideRequest }) => isBesideRequest,
  ({ sentence }) => aside.test(sentence),
  // a judgement, a word of thanks, or too little.
  /\b(?:really|so much|such|very|super|totally|pretty|quite)\b/i,
  /!/,
  /^\S+(?:\s+\S+){0,3}$/,
]

export const readSigns = (statement: Statement): boolean[] =>
  factSigns.map((shows) => (shows instanceof RegExp ? shows.test(statement.text) : shows(statement)))

/** The words of a statement, each once. */
export const statementWords = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(/[\p{L}'’]+/gu)),
]

/** In tenths, by `factSigns` in their order and by word. */
type Weights = { bias: number; signs: readonly number[]; words: ReadonlyMap<string, number> }

const weightsOf = new Map<string, Weights>(
  Object.entries(learned).map(([language, { words, ...weights }]) => [
    language,
    { ...weights, words: new Map(words.split(', ').map(toWordWeight)) },
  ]),
)

/** "since 4" */
function toWordWeight(entry: string): [string, number] {
  const [word, tenths] = entry.split(' ')
  return [word!, Number(tenths)]
}

/**
 * Whether a statement rather is a fact worth remembering than work of the moment or small talk: a logistic regression on
 * its signs and words, learned by `bench/drafts.ts --learn`. False in a language that was not learned.
 */
export function tellsFact(statement: Statement, language: Language): boolean {
  const weights = weightsOf.get(language)
  if (weights === undefined) return false
  let score = weights.bias
  for (const [i, isShown] of readSigns(statement).entries()) if (isShown) score += weights.signs[i]!
  for (const word of statementWords(statement.text)) score += weights.words.get(word) ?? 0
  return score > 0
}
