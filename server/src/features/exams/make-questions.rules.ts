import { readDates } from '../../search/analyse/dates.ts'
import { isTimeWord } from '../../search/analyse/time-words.ts'
import type { ExamQuestion } from './score-answers.rules.ts'

/** A fact, with the conversation that it is from and the files on which it rests. */
export type ExamFact = {
  content: string
  entity: string
  at: string | null
  conversationId: string | undefined
  files: readonly string[]
}

/** A conversation: the person's first words, and the files that it named. */
export type ExamConversation = {
  id: string
  startedAt: string
  prompt: string | undefined
  files: readonly string[]
}

const evidenceMax = 5
const questionsPerKindMax = 100
const promptMax = 2_000
const promptMin = 12
const contentMax = 400

/** Questions whose answers are known: from how conversations went on, and from what facts say. */
export function makeQuestions(
  facts: readonly ExamFact[],
  conversations: readonly ExamConversation[],
): ExamQuestion[] {
  return [
    ...spread(fromConversations(facts, conversations)),
    ...spread(facts.flatMap((fact) => askByName(fact) ?? [])),
    ...spread(facts.flatMap((fact) => askForDate(fact) ?? [])),
  ]
}

/** Evenly over the whole memory. */
function spread(questions: readonly ExamQuestion[]): ExamQuestion[] {
  const step = Math.max(1, questions.length / questionsPerKindMax)
  const count = Math.min(questions.length, questionsPerKindMax)
  return Array.from({ length: count }, (_, i) => questions[Math.floor(i * step)]!)
}

/**
 * The first prompt of a conversation, answered by facts of earlier ones: those that rest on files which it named, or
 * are about things that it led to facts about.
 */
function fromConversations(
  facts: readonly ExamFact[],
  conversations: readonly ExamConversation[],
): ExamQuestion[] {
  const startOf = new Map(conversations.map(({ id, startedAt }) => [id, startedAt]))
  const startedOf = ({ conversationId }: ExamFact) => startOf.get(conversationId ?? '')
  return conversations.flatMap(({ id, startedAt, prompt, files }) => {
    if (prompt === undefined || !isQuestion(prompt)) return []
    const ledTo = new Set(facts.filter((fact) => fact.conversationId === id).map(({ entity }) => entity))
    const earlier = facts.filter((fact) => {
      const started = startedOf(fact)
      if (started === undefined || started >= startedAt) return false
      return ledTo.has(fact.entity) || fact.files.some((file) => files.some((named) => isSame(named, file)))
    })
    if (earlier.length === 0) return []
    const evidence = [...new Set(earlier.slice(-evidenceMax).map(({ content }) => content))]
    return [{ question: prompt.slice(0, promptMax), evidence, kind: 'conversations' }]
  })
}

/** Not a command of an agent's program, nor what it put in the person's mouth. */
const isQuestion = (prompt: string) => prompt.length >= promptMin && !/^[<[/]/.test(prompt)

const isSame = (one: string, other: string) =>
  one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)

/** A word in the middle of a sentence that is written as names are. */
const named = /(?<=[\p{Ll}\p{N},;:] )(?:[\p{Lu}][\p{L}\p{N}_-]{2,}|`[^`]{3,40}`)/gu

function askByName({ content, entity }: ExamFact): ExamQuestion | undefined {
  if (content.length > contentMax) return undefined
  const [name] = (content.match(named) ?? []).filter(
    (word) => !entity.includes(word) && !isTimeWord(word.toLowerCase()),
  )
  if (name === undefined) return undefined
  return {
    question: `What do ${entity} and ${name.replaceAll('`', '')} have to do with each other?`,
    evidence: [content],
    kind: 'names',
  }
}

/** Asks for a fact by its words without the date, or by the time from which it holds. */
function askForDate({ content, entity, at }: ExamFact): ExamQuestion | undefined {
  if (content.length > contentMax) return undefined
  const [date] = readDates(content)
  if (date === undefined && at === null) return undefined
  if (date === undefined)
    return {
      question: `What happened to ${entity} in ${at!.slice(0, 7)}?`,
      evidence: [content],
      kind: 'dates',
    }
  const rest = `${content.slice(0, date.start)} ${content.slice(date.end)}`.replace(/\s+/g, ' ').trim()
  return { question: `When was this, of ${entity}: ${rest}`, evidence: [content], kind: 'dates' }
}
