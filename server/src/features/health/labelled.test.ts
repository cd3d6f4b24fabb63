import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFactWords } from './fact-words.rules.ts'
import { hideSecrets } from './hide-secrets.rules.ts'
import { findRivalry } from './rival-facts.rules.ts'
import { saysSameFact } from './same-fact.rules.ts'
import { findUnclear } from './stands-alone.rules.ts'

type Labelled = { is: boolean; entity: string; text: string; facts: [string, string] }

/** Made up anew in each run, so that no file holds what looks like a secret. */
const alphabets: Record<string, string> = {
  base62: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  digits: '0123456789',
}
let state = 7
const next = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((state / 2 ** 31) * below)
}
const filled = (text: string) =>
  text.replace(/\{(\w+):(\d+)\}/g, (_, kind: string, count: string) =>
    Array.from({ length: Number(count) }, () => alphabets[kind]![next(alphabets[kind]!.length)]).join(''),
  )

const readLabelled = (kind: string): Labelled[] =>
  readFileSync(new URL(`./labelled/${kind}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const pairOf = ({ entity, facts }: Labelled) =>
  facts.map((fact) => readFactWords(fact, entity)) as [never, never]

test.each([
  ['secret', ({ text }: Labelled) => hideSecrets(filled(text)) !== undefined],
  ['not-standalone', ({ text, entity }: Labelled) => findUnclear(text, entity) !== undefined],
  ['duplicate', (item: Labelled) => saysSameFact(...pairOf(item))],
  ['rivals', (item: Labelled) => findRivalry(...pairOf(item)) !== undefined],
])(
  '%s: of 60 items labelled by hand, nine of ten found are right and seven of ten are found',
  (kind, finds) => {
    const items = readLabelled(kind)
    const found = items.filter(finds)
    const right = found.filter(({ is }) => is).length
    const precision = right / found.length
    const recall = right / items.filter(({ is }) => is).length
    expect(items.length).toBeGreaterThanOrEqual(60)
    expect(precision).toBeGreaterThanOrEqual(0.9)
    expect(recall).toBeGreaterThanOrEqual(0.7)
  },
)
