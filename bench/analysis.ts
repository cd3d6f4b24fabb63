/**
 * The cost of analysing a text for the index, on invented text and on the sets of BENCH_DATA. Given another
 * checkout of this repository, alternates with its analyser.
 * Usage: node bench/analysis.ts [texts] [checkout]
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { machine, print, type Row, times } from './lib/report.ts'
import { findSetFile, readSet } from './recall-sets.ts'
import { createCorpus } from './search-corpus.ts'

const [texts = '60000', other] = process.argv.slice(2)
const textsPerTurn = 500
/** This share of the turns is warm-up and not measured. */
const warmUp = 0.2
const sets = ['locomo', 'realtalk', 'beam', 'musique']

/** Returns a number computed from all that the index needs, so that no work can be optimized away. */
type Work = (texts: readonly string[]) => number

/** Uses only parts that every checkout has: the analysis of a text, its passages and their terms. */
async function loadWork(checkout: string): Promise<Work> {
  const load = (name: string) =>
    import(pathToFileURL(resolve(checkout, 'server/src/search/analyse', `${name}.ts`)).href)
  const { analyse } = await load('analyser')
  const { searchedTerms, toPassages } = await load('passages')
  return (texts) => {
    let sum = 0
    for (const text of texts) {
      for (const { terms, length } of toPassages(text, analyse(text))) {
        sum += terms.join(' ').length + searchedTerms(terms).join(' ').length + length
      }
    }
    return sum
  }
}

const inventedTexts = () =>
  [...createCorpus(1).entities(Number(texts))].flatMap(({ observations }) => observations)

function textsOfSet(set: string): string[] {
  const file = findSetFile(set)
  if (file === undefined) return []
  const spaces = readSet(gunzipSync(readFileSync(file)).toString(), { typos: false })
  return spaces.flatMap(({ entities }) =>
    entities.flatMap(({ observations }) => observations.map(({ content }) => content)),
  )
}

/** Alternates after every few texts, so that background load affects both equally. */
function measure(name: string, texts: readonly string[], own: Work, others: Work | undefined): Row {
  const us = { own: 0, others: 0 }
  let measured = 0
  for (let from = 0; from < texts.length; from += textsPerTurn) {
    const part = texts.slice(from, from + textsPerTurn)
    const [taken, takenByOthers] = [timeOf(own, part), others === undefined ? 0 : timeOf(others, part)]
    if (from < texts.length * warmUp) continue
    measured += part.length
    us.own += taken
    us.others += takenByOthers
  }
  const row: Row = {
    texts: name,
    count: texts.length,
    characters: Math.round(texts.reduce((length, text) => length + text.length, 0) / texts.length),
    'us a text': (us.own / measured).toFixed(1),
  }
  if (others === undefined) return row
  return { ...row, 'other us': (us.others / measured).toFixed(1), 'times as fast': times(us.others / us.own) }
}

/** Microseconds of processor time, since other processes may be running. */
function timeOf(work: Work, texts: readonly string[]): number {
  const before = process.threadCpuUsage()
  work(texts)
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

console.log(machine())
const own = await loadWork(resolve(import.meta.dirname, '..'))
const others = other === undefined ? undefined : await loadWork(other)
const rows = [measure('invented', inventedTexts(), own, others)]
for (const set of sets) {
  const found = textsOfSet(set)
  if (found.length > 0) rows.push(measure(set, found, own, others))
}
print('Analysis of a text for the index', rows)
