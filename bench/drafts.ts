/**
 * Which sentences of conversations become drafts. Writers who had not seen the code labelled each sentence of
 * conversations, and of messages to agents, by whether it is worth remembering. `drafts-learned-*.txt` are what the
 * weights in `server/src/features/conversations/drafts/` are learned on, for each language; the others are held back:
 * conversations of many kinds, long sessions of coding, single messages that mostly give work, and other languages. And
 * how many turns of chats are drafted that no question of LoCoMo and REALTALK needs, nearly all of them small talk.
 * `--learn` writes new weights instead. In-process.
 * Usage: BENCH_DATA=... node bench/drafts.ts [--learn]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import {
  factSigns,
  readSigns,
  statementWords,
} from '../server/src/features/conversations/drafts/fact-signs.ts'
import { findDrafts } from '../server/src/features/conversations/drafts/find-drafts.ts'
import { proseSentences } from '../server/src/features/conversations/drafts/prose-sentences.ts'
import { statementsIn } from '../server/src/features/conversations/drafts/statements.ts'
import { createRandom, pick } from '../server/test/random.ts'
import { learnLogistic } from './lib/logistic.ts'
import { print, type Row } from './lib/report.ts'
import { findSetFile } from './recall-sets.ts'

type Sentence = { text: string; isKept: boolean }
type Turn = { role: 'person' | 'agent'; sentences: Sentence[] }

const languages = ['en', 'de', 'fr', 'es']
const sets = [
  ...languages.map((language) => `learned-${language}`),
  'talks',
  'sessions',
  'prompts',
  'short',
  'de',
  'fr',
  'es',
]
const weightsFile = join(import.meta.dirname, '../server/src/features/conversations/drafts/fact-weights.json')

/** Turns of chats, and how much a sentence of them counts. */
const [smallTalkAmount, smallTalkWeight] = [600, 0.1]
/** Of the regression. Words that are rarer, or whose weight in tenths is smaller, are left out. */
const [penalty, occurrencesMin, tenthsMin] = [2, 4, 2]
/** How much surer than even a draft has to be, in tenths: nobody wants to drop many. */
const caution = 4

const { values: options } = parseArgs({ options: { learn: { type: 'boolean', default: false } } })
const chats = ['locomo', 'realtalk'].flatMap(readChats)
if (options.learn) learn()
else measure()

function measure(): void {
  const roles = ['person', 'agent'] as const
  print(
    'Sentences that become drafts',
    sets.flatMap((set) => roles.flatMap((role) => measureSet(set, role))),
  )
  if (chats.length === 0) return
  const drafted = chats.filter((text) => findDrafts({ role: 'person', text }).length > 0).length
  const share = (drafted / chats.length).toFixed(3)
  print('Turns of chats that become drafts', [{ turns: chats.length, drafted, share }])
}

function measureSet(set: string, role: Turn['role']): Row[] {
  const turns = readTurns(set).filter((turn) => turn.role === role)
  if (turns.length === 0) return []
  const sentences = turns.flatMap((turn) => {
    const drafts = findDrafts({ role, text: turn.sentences.map(({ text }) => text).join('\n') })
    return turn.sentences.map(({ text, isKept }) => ({
      isKept,
      isDrafted: drafts.some(({ content }) => text.includes(content)),
    }))
  })
  const worth = sentences.filter(({ isKept }) => isKept).length
  const drafted = sentences.filter(({ isDrafted }) => isDrafted)
  const right = drafted.filter(({ isKept }) => isKept).length
  return [
    {
      ...{ set, role, sentences: sentences.length, 'worth keeping': worth, drafted: drafted.length, right },
      precision: (right / drafted.length).toFixed(2),
      recall: (right / worth).toFixed(2),
    },
  ]
}

type Lesson = { sentences: readonly Sentence[]; weight: number }

/** Learns what persons say in each language, and that English small talk is not worth it. */
function learn(): void {
  const random = createRandom(3)
  const smallTalk = Array.from({ length: smallTalkAmount }, () => ({
    sentences: proseSentences(pick(random, chats)).map((text) => ({ text, isKept: false })),
    weight: smallTalkWeight,
  }))
  const learned = languages.map((language) => {
    const turns = readTurns(`learned-${language}`).filter(({ role }) => role === 'person')
    const lessons = turns.map(({ sentences }) => ({ sentences, weight: 1 }))
    const { bias, ...weights } = learnWeights([...lessons, ...(language === 'en' ? smallTalk : [])])
    return [language, { bias: bias - caution, ...weights }]
  })
  writeFileSync(weightsFile, `${JSON.stringify(Object.fromEntries(learned), null, 1)}\n`)
}

function learnWeights(lessons: readonly Lesson[]) {
  const examples = lessons.flatMap(({ sentences, weight }) => {
    const statements = statementsIn(sentences.map(({ text }) => text))
    return sentences.flatMap(({ isKept }, i) => {
      const statement = statements[i]
      if (statement === undefined) return []
      return [{ statement, words: statementWords(statement.text), isKept, weight }]
    })
  })
  const counts = new Map<string, number>()
  for (const { words, weight } of examples)
    if (weight === 1) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const known = [...counts].flatMap(([word, count]) => (count < occurrencesMin ? [] : [word])).sort()
  const places = new Map(known.map((word, i) => [word, factSigns.length + i]))
  const rows = examples.map(({ statement, words, ...example }) => {
    const shown = readSigns(statement).flatMap((isShown, i) => (isShown ? [i] : []))
    return { ...example, features: [...shown, ...words.flatMap((word) => places.get(word) ?? [])] }
  })
  const { weights, bias } = learnLogistic(rows, factSigns.length + known.length, penalty)
  const [all, signs] = [weights.map((weight) => Math.round(weight * 10)), factSigns.length]
  const words = known
    .map((word, i) => [word, all[signs + i]!] as const)
    .filter(([, tenths]) => Math.abs(tenths) >= tenthsMin)
    .map(([word, tenths]) => `${word} ${tenths}`)
  return { bias: Math.round(bias * 10), signs: all.slice(0, signs), words: words.join(', ') }
}

/** Lines `P+ text`: who speaks, whether it is worth keeping, and a sentence. An empty line ends a turn. */
function readTurns(set: string): Turn[] {
  const file = join(import.meta.dirname, 'sets', `drafts-${set}.txt`)
  return readFileSync(file, 'utf8')
    .split(/\n\n+|^#.*$/m)
    .flatMap((block) => {
      const lines = [...block.matchAll(/^([PA])([+-]) (.+)$/gm)]
      if (lines.length === 0) return []
      const sentences = lines.map(([, , label, text]) => ({ text: text!, isKept: label === '+' }))
      return [{ role: lines[0]![1] === 'P' ? 'person' : 'agent', sentences }]
    })
}

/** Turns of a set of chats that answer none of its questions. */
function readChats(set: string): string[] {
  const file = findSetFile(set)
  if (file === undefined) return []
  const { conversations } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    conversations: {
      sessions: { turns: { id: string; t: string }[] }[]
      qa: { ev: (string | number)[] }[]
    }[]
  }
  return conversations.flatMap(({ sessions, qa }) => {
    const needed = new Set(qa.flatMap(({ ev }) => ev.map(String)))
    return sessions.flatMap(({ turns }) =>
      turns.filter(({ id }) => !needed.has(String(id))).map(({ t }) => t),
    )
  })
}
