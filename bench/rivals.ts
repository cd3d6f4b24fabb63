/**
 * How often the fact that a new one replaces is named as its rival (100 updates, beside about ten facts of the same
 * entity), and how often `recall` would mark one of two facts that are both true as outdated (200 pairs, many of them
 * alike on purpose); written by somebody who had not seen the code. In-process.
 * Usage: node bench/rivals.ts
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRivals, findVersions } from '../server/src/search/find/rivals.rules.ts'

/** As many as a write answers with. */
const rivalsMax = 3

/** Reads lines such as `Maya: Lives in Berlin => Moved to Lisbon`. */
function readPairs(set: string, between: string) {
  const lines = readFileSync(join(import.meta.dirname, 'sets', `${set}.txt`), 'utf8').split('\n')
  return lines
    .filter((line) => line.includes(between))
    .map((line) => {
      const [name = '', facts = ''] = line.split(/: (.*)/)
      const [earlier = '', later = ''] = facts.split(between)
      return { name, earlier, later }
    })
}

const updates = readPairs('updates', ' => ')
const unrelated = readPairs('pairs', ' || ')
const earlierOf = Map.groupBy([...updates, ...unrelated], ({ name }) => name)

const found = updates.map(({ name, earlier, later }) => {
  const others = earlierOf.get(name)!.map((pair) => ({ content: pair.earlier }))
  return findRivals(later, others, name).findIndex(({ content }) => content === earlier)
})
const wrong = unrelated.filter(
  ({ name, earlier, later }) => findVersions(later, [{ content: earlier }], name).length > 0,
)
console.table([
  {
    updates: updates.length,
    first: found.filter((place) => place === 0).length,
    'within three': found.filter((place) => place >= 0 && place < rivalsMax).length,
    'unrelated pairs': unrelated.length,
    'marked as newer': wrong.length,
  },
])
