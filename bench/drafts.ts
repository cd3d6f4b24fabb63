/**
 * Which sentences of conversations become drafts: of 100 conversations of people with agents, in which somebody who had
 * not seen the code labelled each sentence by whether it is worth remembering. `talks.txt` is what the weights of
 * `server/src/features/conversations/drafts/fact-signs.ts` are learned on, the other two are held back. And how many
 * turns of chats are drafted that no question of LoCoMo and REALTALK needs, nearly all of them small talk.
 * `--learn` prints new weights. In-process.
 * Usage: BENCH_DATA=... node bench/drafts.ts [--learn]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { factSigns } from '../server/src/features/conversations/drafts/fact-signs.ts'
import { findDrafts } from '../server/src/features/conversations/drafts/find-drafts.ts'
import { proseSentences } from '../server/src/features/conversations/drafts/prose-sentences.ts'
import { statementIn } from '../server/src/features/conversations/drafts/statement-in.ts'
import { createRandom, pick } from '../server/test/random.ts'
import { learnLogistic } from './lib/logistic.ts'
import { print, type Row } from './lib/report.ts'
import { findSetFile } from './recall-sets.ts'

type Sentence = { text: string; isKept: boolean }
type Turn = { role: 'person' | 'agent'; sentences: Sentence[] }

const { values: options } = parseArgs({ options: { learn: { type: 'boolean', default: false } } })
const learnedOn = 'talks'
const sets = [learnedOn, 'talks-other', 'talks-more']

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

/** Learns what persons say in `talks.txt`, and that the small talk of chats is not worth it. */
function learn(): void {
  const [amount, weight, penalty] = [1_500, 0.1, 3]
  const random = createRandom(3)
  const said = chats.flatMap(proseSentences).filter(({ length }) => length >= 12 && length <= 300)
  const smallTalk = Array.from({ length: amount }, () => ({
    text: pick(random, said),
    isKept: false,
    weight,
  }))
  const told = readTurns(learnedOn)
    .filter(({ role }) => role === 'person')
    .flatMap(({ sentences }) => sentences.map((sentence) => ({ ...sentence, weight: 1 })))
  const examples = [...told, ...smallTalk].flatMap(({ text, isKept, weight: share }) => {
    const statement = statementIn(text)
    if (statement === undefined) return []
    return [
      { features: factSigns.map(({ pattern }) => Number(pattern.test(statement))), isKept, weight: share },
    ]
  })
  const { weights, bias } = learnLogistic(examples, penalty)
  for (const [i, { pattern }] of factSigns.entries())
    process.stdout.write(`${weights[i]!.toFixed(1)} ${pattern.source.slice(0, 90)}\n`)
  process.stdout.write(`bias ${bias.toFixed(1)}\n`)
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
