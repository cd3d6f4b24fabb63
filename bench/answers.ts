/**
 * What an answer of `recall` costs a model: tokens of the forms that clients show, the share that is stored text or a
 * name, and the share of the evidence in it. `--set locomo,facts` asks some of the sets, `--every 10` each tenth question,
 * `--tokens 1500` other than the default length. Tokens are those of o200k if LOCI_TOKENIZER names the folder of
 * `gpt-tokenizer` (`npm install --no-save gpt-tokenizer`), else estimated.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { asAgentsAsk } from '../server/src/features/memories/preview-recall.ts'
import { toForm } from '../server/src/features/memories/recall-form.ts'
import { recallMemories } from '../server/src/features/memories/recall-memories.ts'
import { toText } from '../server/src/features/memories/recall-text.ts'
import type { Recalled } from '../server/src/features/memories/recalled.ts'
import { estimateTokens } from '../server/src/ground/lib/tokens.ts'
import { importLines } from '../server/test/import-lines.ts'
import { readLives, toLifeLines } from '../server/test/lives/lives.ts'
import { openBenchAccount, startBenchServer } from './bench-server.ts'
import { findOwner } from './lib/actors.ts'
import { print } from './lib/report.ts'
import { findSetFile, readSet, toImportLines } from './recall-sets.ts'
import { isShown, readShown, type Shown } from './recall-shown.ts'

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'lives,facts,locomo,realtalk,beam,musique,timeqa' },
    every: { type: 'string', default: '1' },
    tokens: { type: 'string', default: String(asAgentsAsk.maxTokens) },
  },
})

type Asked = { text: string; isShownIn: (shown: readonly Shown[]) => number }
type Memory = { lines: string; questions: Asked[] }

const countTokens = await readTokenizer()
const server = await startBenchServer('sqlite')
const rows = []
for (const set of options.set.split(',')) {
  const memories = readMemories(set)
  if (memories !== undefined) rows.push(await measure(set, memories))
}
await server.close()
print('Answers of recall, means of a question', rows)

async function readTokenizer(): Promise<(text: string) => number> {
  const folder = process.env.LOCI_TOKENIZER
  if (folder === undefined) return estimateTokens
  const { countTokens } = await import(pathToFileURL(join(folder, 'esm/encoding/o200k_base.js')).href)
  return countTokens
}

function readMemories(set: string): Memory[] | undefined {
  if (set === 'lives' || set === 'facts') {
    const lives = set === 'lives' ? readLives() : readLives([join(import.meta.dirname, 'sets', 'facts.txt')])
    const questions = lives.questions.map(({ text, wanted }) => ({
      text,
      isShownIn: (shown: readonly Shown[]) =>
        Number(shown.some((part) => wanted.some((one) => part.text.includes(one)))),
    }))
    return [{ lines: toLifeLines(lives), questions }]
  }
  const file = findSetFile(set)
  if (file === undefined) return undefined
  return readSet(gunzipSync(readFileSync(file)).toString(), { typos: false }).map((space) => {
    const texts = new Map(
      space.entities.flatMap(({ name, observations }) =>
        observations.map(({ content, evidenceId }) => [evidenceId, { entity: name, text: content }] as const),
      ),
    )
    const questions = space.questions.map(({ text, evidence }) => ({
      text,
      isShownIn: (shown: readonly Shown[]) =>
        evidence.filter((id) => isShown(texts.get(id)!, shown)).length / evidence.length,
    }))
    return { lines: toImportLines(space), questions }
  })
}

async function measure(set: string, memories: Memory[]) {
  const sums = { questions: 0, shown: 0, facts: 0, text: 0, structured: 0, content: 0, short: 0 }
  let asked = 0
  for (const { lines, questions } of memories) {
    const account = await openBenchAccount(server)
    await importLines(server, account, lines)
    const actor = await findOwner(server.ctx, account.id)
    for (const { text: query, isShownIn } of questions) {
      if (asked++ % Number(options.every) !== 0) continue
      const wish = { ...asAgentsAsk, query, maxTokens: Number(options.tokens), isPreview: true }
      const { recalled, notice } = await recallMemories(server.ctx, actor, wish)
      const tokens = countTokens([notice ?? '', toText(recalled)].join('\n\n').trim())
      sums.questions++
      sums.shown += isShownIn(readShown(recalled))
      sums.facts += recalled.observations?.length ?? 0
      sums.text += tokens
      sums.structured += countTokens(JSON.stringify({ notice, ...toForm(recalled) }))
      sums.content += countTokens(contentOf(recalled))
      sums.short += Number(tokens < 400)
    }
  }
  const mean = (sum: number, digits = 0) => Number((sum / sums.questions).toFixed(digits))
  const percent = (part: number, whole: number) => Number(((100 * part) / whole).toFixed(1))
  return {
    set,
    questions: sums.questions,
    'evidence shown, %': percent(sums.shown, sums.questions),
    facts: mean(sums.facts, 1),
    'tokens, text': mean(sums.text),
    'tokens, structured': mean(sums.structured),
    'content of text, %': percent(sums.content, sums.text),
    'content of structured, %': percent(sums.content, sums.structured),
    'under 400, %': percent(sums.short, sums.questions),
  }
}

/** What was stored of an answer: each text and each name once. */
function contentOf({
  rules = [],
  observations = [],
  relations = [],
  entities = [],
  said = [],
}: Recalled): string {
  const texts = [
    ...[...rules, ...observations].flatMap((fact) => [fact.entity.name, fact.content]),
    ...observations.flatMap(({ before = [], after = [] }) => [...before, ...after]),
    ...relations.map(({ from, relationType, to }) => `${from} ${relationType} ${to}`),
    ...entities.map(({ name, metadata = {} }) => `${name} ${Object.values(metadata).join(' ')}`),
    ...said.map(({ text }) => text),
  ]
  return [...new Set(texts)].join('\n')
}
