/**
 * How often the fact that a new one replaces is named as its rival (100 updates, beside about ten facts of the same
 * entity), how often `recall` would mark it, and another of them instead, and how often one of two facts that are both
 * true (200 pairs, many of them alike on purpose); written by somebody who had not seen the code. Then the same for 20
 * updates of numbers and 20 look-alikes, written before the rule about numbers by who wrote the rule. Last how many
 * facts would be marked of entities described at one time, where hardly any replaces another. In-process.
 * Usage: node bench/rivals.ts
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFactReader, findReplaced, findRivals } from '../server/src/search/find/rivals.rules.ts'
import { readLives } from '../server/test/lives/lives.ts'

/** As many as a write answers with. */
const rivalsMax = 3

type Pair = { name: string; earlier: string; later: string }

/** Reads lines such as `Maya: Lives in Berlin => Moved to Lisbon`. */
function readPairs(set: string, between: string): Pair[] {
  const lines = readFileSync(join(import.meta.dirname, 'sets', `${set}.txt`), 'utf8').split('\n')
  return lines
    .filter((line) => line.includes(between))
    .map((line) => {
      const [name = '', facts = ''] = line.split(/: (.*)/)
      const [earlier = '', later = ''] = facts.split(between)
      return { name, earlier, later }
    })
}

console.table([measure('updates', 'pairs'), measure('count-updates', 'count-pairs')])
console.table(['facts', 'asked'].map(countMarked))

function measure(updatesSet: string, pairsSet: string) {
  const updates = readPairs(updatesSet, ' => ')
  const unrelated = readPairs(pairsSet, ' || ')
  const earlierOf = Map.groupBy([...updates, ...unrelated], ({ name }) => name)
  const found = updates.map((update) =>
    findRivals(update.later, factsBeside(update), createFactReader(update.name)).findIndex(
      ({ content }) => content === update.earlier,
    ),
  )
  const marks = updates.flatMap((update) =>
    findReplaced(update.later, factsBeside(update), update.name).map(
      ({ content }) => content === update.earlier,
    ),
  )
  return {
    updates: updates.length,
    first: found.filter((place) => place === 0).length,
    'within three': found.filter((place) => place >= 0 && place < rivalsMax).length,
    'marked as replaced': marks.filter((isRight) => isRight).length,
    'others marked': marks.filter((isRight) => !isRight).length,
    'pairs both true': unrelated.length,
    'marked wrongly': unrelated.filter(isMarked).length,
  }

  function factsBeside({ name }: Pair) {
    return earlierOf.get(name)!.map(({ earlier }) => ({ content: earlier }))
  }
}

function isMarked({ name, earlier, later }: Pair): boolean {
  return findReplaced(later, [{ content: earlier }], name).length > 0
}

/** Of the facts of each entity, each compared with those before it. */
function countMarked(set: string) {
  const { entities } = readLives([join(import.meta.dirname, 'sets', `${set}.txt`)])
  const marks = entities.flatMap(({ name, observations }) => {
    const facts = observations.map((content) => ({ content }))
    return facts.flatMap(({ content }, place) => findReplaced(content, facts.slice(0, place), name))
  })
  return { set, facts: entities.flatMap(({ observations }) => observations).length, marked: marks.length }
}
