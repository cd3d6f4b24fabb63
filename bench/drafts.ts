/**
 * Which sentences of conversations become drafts. Writers who had not seen the code labelled each sentence of
 * conversations, and of messages to agents, by whether it is worth remembering. `drafts-learned.txt` is what the weights
 * in `server/src/features/conversations/drafts/` are learned on; the others are held back: conversations of many kinds,
 * long sessions of coding, and single messages that mostly give work. And how many turns of chats are drafted that no
 * question of LoCoMo and REALTALK needs, nearly all of them small talk. `--learn` prints new weights. In-process.
 * Usage: BENCH_DATA=... node bench/drafts.ts [--learn]
 */
import { readFileSync } from 'node:fs'
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

const { values: options } = parseArgs({ options: { learn: { type: 'boolean', default: false } } })
const learnedOn = 'drafts-learned'
const sets = [learnedOn, 'drafts-talks', 'drafts-sessions', 'drafts-prompts']

/** Lighter words are left out. */
const wordTenthsMin = 2

const chats = ['locomo', 'realtalk'].flatMap(readChats)
print(
  'Sentences that become drafts',
  sets.flatMap((set) => (['person', 'agent'] as const).map((role) => measure(set, role))),
)
if (chats.length > 0) {
  const drafted = chats.filter((text) => findDrafts({ role: 'person', text }).length > 0).length
  print('Turns of chats that become drafts', [
    { turns: chats.length, drafted, share: drafted / chats.length },
  ])
}
if (options.learn) learn()

function measure(set: string, role: Turn['role']): Row {
  const turns = readTurns(set).filter((turn) => turn.role === role)
  const sentences = turns.flatMap((turn) => {
    const drafts = findDrafts({ role, text: turn.sentences.map(({ text }) => text).join('\n') })
    return turn.sentences.map(({ text, isKept }) => ({
      isKept,
      isDrafted: drafts.some(({ content }) => text.includes(content)),
    }))
  })
  const worth = sentences.filter(({ isKept }) => isKept)
  const drafted = sentences.filter(({ isDrafted }) => isDrafted)
  const right = drafted.filter(({ isKept }) => isKept)
  return {
    ...{ set, role, sentences: sentences.length, 'worth keeping': worth.length },
    ...{ drafted: drafted.length, right: right.length },
    precision: (right.length / drafted.length).toFixed(2),
    recall: (right.length / worth.length).toFixed(2),
  }
}

/** Learns what persons say in the first set, and that the small talk of chats is not worth it. */
function learn(): void {
  const [amount, share, penalty, occurrencesMin] = [600, 0.1, 3, 8]
  const random = createRandom(3)
  const smallTalk = Array.from({ length: amount }, () => ({
    sentences: proseSentences(pick(random, chats)).map((text) => ({ text, isKept: false })),
    weight: share,
  }))
  const talks = readTurns(learnedOn).filter(({ role }) => role === 'person')
  const examples = [...talks.map(({ sentences }) => ({ sentences, weight: 1 })), ...smallTalk].flatMap(
    ({ sentences, weight }) => {
      const statements = statementsIn(sentences.map(({ text }) => text))
      return sentences.flatMap(({ isKept }, i) => {
        const statement = statements[i]
        if (statement === undefined) return []
        return [{ signs: readSigns(statement), words: statementWords(statement.text), isKept, weight }]
      })
    },
  )
  const occurrences = new Map<string, number>()
  for (const { words, weight } of examples)
    if (weight === 1) for (const word of words) occurrences.set(word, (occurrences.get(word) ?? 0) + 1)
  const known = [...occurrences].flatMap(([word, count]) => (count < occurrencesMin ? [] : [word])).sort()
  const places = new Map(known.map((word, i) => [word, factSigns.length + i]))
  const rows = examples.map(({ signs, words, ...example }) => {
    const shown = signs.flatMap((isShown, i) => (isShown ? [i] : []))
    return { ...example, features: [...shown, ...words.flatMap((word) => places.get(word) ?? [])] }
  })
  const { weights, bias } = learnLogistic(rows, factSigns.length + known.length, penalty)
  const ofSigns = weights.slice(0, factSigns.length).map((weight) => weight.toFixed(1))
  process.stdout.write(`signs ${ofSigns.join(' ')}\n`)
  process.stdout.write(`bias ${bias.toFixed(1)}\nwords`)
  for (const [i, word] of known.entries()) {
    const tenths = Math.round(weights[factSigns.length + i]! * 10)
    if (Math.abs(tenths) >= wordTenthsMin) process.stdout.write(` ${word}:${tenths}`)
  }
  process.stdout.write('\n')
}

/** Lines `P+ text`: who speaks, whether it is worth keeping, and a sentence. An empty line ends a turn. */
function readTurns(set: string): Turn[] {
  const blocks = readFileSync(join(import.meta.dirname, 'sets', `${set}.txt`), 'utf8').split(/\n\n+|^#.*$/m)
  return blocks.flatMap((block) => {
    const sentences = [...block.matchAll(/^([PA])([+-]) (.+)$/gm)]
    if (sentences.length === 0) return []
    const role = sentences[0]![1] === 'P' ? 'person' : 'agent'
    return [
      { role, sentences: sentences.map(([, , label, text]) => ({ text: text!, isKept: label === '+' })) },
    ]
  })
}

/** Turns of a set of chats that answer none of its questions. */
function readChats(set: string): string[] {
  const file = findSetFile(set)
  if (file === undefined) return []
  const { conversations } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    conversations: { sessions: { turns: { id: string; t: string }[] }[]; qa: { ev: (string | number)[] }[] }[]
  }
  return conversations.flatMap(({ sessions, qa }) => {
    const needed = new Set(qa.flatMap(({ ev }) => ev.map(String)))
    return sessions.flatMap(({ turns }) =>
      turns.filter(({ id }) => !needed.has(String(id))).map(({ t }) => t),
    )
  })
}
