import type { DraftKind } from '@loci/contract/drafts'
import { analyseWords } from '../../../search/analyse/analyser.ts'
import { beginsStandingRule } from '../../../search/analyse/standing-rules.ts'
import { tellsFact } from './fact-signs.ts'
import { proseSentences } from './prose-sentences.ts'
import { type Saying, sayings } from './sayings.ts'
import { statementsIn } from './statements.ts'

/** A sentence of a turn that looks worth remembering, as it was said. */
export type FoundDraft = { kind: DraftKind; content: string }

type Said = { role: 'person' | 'agent' | 'tool'; text: string }

/** More of one turn would be a text that somebody pasted. */
const perTurnMax = 3
const lettersMin = 12
const charactersMax = 300

/** In a turn with more prose, which somebody pasted, facts are not looked for. */
const factTurnMax = 2_000

/** The sentences of a turn that tell a decision, a preference, a standing rule, a fix, a name or another fact. */
export function findDrafts({ role, text }: Said): FoundDraft[] {
  if (role === 'tool') return []
  const sentences = proseSentences(text)
  const length = sentences.reduce((sum, sentence) => sum + sentence.length, 0)
  const facts = role === 'person' && length <= factTurnMax ? factsIn(sentences) : []
  const found: FoundDraft[] = []
  for (const [i, sentence] of sentences.entries()) {
    if (sentence.length < lettersMin || sentence.length > charactersMax) continue
    const kind = kindOf(sentence, role)
    const content = kind !== undefined ? sentence : isTale(sentence) ? undefined : facts[i]
    if (content === undefined || found.some((draft) => draft.content === content)) continue
    found.push({ kind: kind ?? 'fact', content })
    if (found.length === perTurnMax) break
  }
  return found
}

/** The fact that each sentence tells, if it does. */
function factsIn(sentences: readonly string[]): (string | undefined)[] {
  const { language } = analyseWords(sentences.join(' '))
  const readable = sentences.map((sentence) => (sentence.length > charactersMax ? '' : sentence))
  return statementsIn(readable).map((statement) => {
    if (statement === undefined || statement.text.length < lettersMin || isPending(statement.text))
      return undefined
    return tellsFact(statement, language) ? statement.text : undefined
  })
}

function kindOf(sentence: string, role: 'person' | 'agent'): DraftKind | undefined {
  if (isPending(sentence.replace(nextQuestion, ''))) return undefined
  const said = sayings.find(({ by, ...saying }) => (by === 'both' || by === role) && isSaid(sentence, saying))
  if (said !== undefined || role === 'agent') return said?.kind
  return beginsStandingRule(sentence) && !isCheer.test(sentence) ? 'rule' : undefined
}

/** Asked, doubted, over tomorrow, or still to come. */
const isPending = (sentence: string): boolean =>
  isOpen.test(sentence) || isPassing.test(sentence) || /[:：]$/u.test(sentence)

/** Told in the words of a decision, a name or a cause, and none: "I decided to go with a bright red". */
const isTale = (sentence: string): boolean =>
  sayings.some(
    (saying) => saying.by !== 'agent' && saying.pattern.test(sentence) && !isSaid(sentence, saying),
  )

function isSaid(sentence: string, { pattern, holds }: Pick<Saying, 'pattern' | 'holds'>): boolean {
  const match = pattern.exec(sentence)
  if (match === null) return false
  const parts = {
    before: sentence.slice(0, match.index),
    after: sentence.slice(match.index + match[0].length),
  }
  return holds?.(parts) ?? true
}

/** Asked about what was decided, which it leaves as it is. */
const nextQuestion = /, (?:but|and|so) i['’]m (?:not sure|unsure) (?:how|where|what)\b.*$/iu

/** What was decided for the day is over tomorrow. */
const isPassing =
  /\b(?:decided|chose|chosen|going with|rather)\b.*\b(?:today|tonight|yesterday|this (?:morning|evening|afternoon)|last night)\b|\b(?:today|tonight|yesterday|this (?:morning|evening|afternoon)|last night)\b.*\b(?:decided|chose|chosen)\b/iu

/** "Always happy to help", "Never a dull moment": no rules, though they begin like one. */
const isCheer =
  /^(?:always|never) (?:an?|the|my|so|too|here|there|up|in|on|by|happy|glad|good|great|nice|fun|ready|open|give up|love|say|saw|done|heard|knew|thought|\p{L}+ing)\b|^i['’]d like you\b|^in (?:the )?future,? i\b|^don['’]t ever\b/iu

/** Questions, conditions and doubts tell nothing yet. */
const isOpen =
  /[?？؟]\s*["'”’)]*$|^(?:if|once|when|whether|before|until|unless|should|could|would|can|do|did|what|how|why)\b|\b(?:not (?:yet )?(?:sure|clear|known|proven)|haven['’]t decided|might|maybe|perhaps|would have|glad (?:that )?i|(?:path|way) (?:that )?i['’]ve|now (?:i['’]m |we['’]re )?(?:re)?considering|i(?:['’]m| am) (?:looking for|wondering|hoping)|if (?:we|i|you) (?:decide|choose|prefer)|(?:hard|difficult) (?:time )?(?:to decide|deciding|to choose)|(?:decided|chosen?) (?:whatever|yet)|noch (?:nicht|un\p{L}+|kein\p{L}*)|immer noch|pas encore|toujours (?:pas|en|l[ae]s?)|(?:todavía|aún) no|nada todavía)\b/iu
