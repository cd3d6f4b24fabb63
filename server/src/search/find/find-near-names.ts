import { entityNameMax } from '@loci/contract/entities'
import { findEndsByName } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyseName } from '../analyse/analyser.ts'
import { foldName, lettersOf } from '../analyse/name-letters.ts'
import { editDistance } from '../analyse/vocabulary.ts'
import { findNameCandidates } from './find-similar-names.ts'

/** Only the first names are looked up. */
const namesMax = 20
const answersPerName = 3

/**
 * The entities that unknown names may mean, likeliest first: different case or punctuation, typos, a part of the name
 * or more than the name. Names without any are omitted.
 */
export async function findNearNames(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, { name: string; type: string }[]>> {
  const asked = [...new Set(names)].filter((name) => name.length <= entityNameMax).slice(0, namesMax)
  if (asked.length === 0) return new Map()
  const variants = new Map(asked.map((name) => [name, variantsOf(name)]))
  const written = await findEndsByName(ctx.db, scope, [...new Set([...variants.values()].flat())])
  const candidates = await findNameCandidates(ctx, scope, asked)
  const near = new Map<string, { name: string; type: string }[]>()
  for (const name of asked) {
    const sameLetters = (variants.get(name) ?? []).flatMap((variant) => written.get(variant) ?? [])
    const found = pickNearest(name, [...sameLetters, ...(candidates.get(name) ?? [])])
    if (found.length > 0) near.set(name, found)
  }
  return near
}

function pickNearest(asked: string, candidates: readonly { name: string; type: string }[]) {
  const byName = new Map(candidates.map(({ name, type }) => [name, { name, type }]))
  byName.delete(asked)
  return [...byName.values()]
    .map((candidate) => ({ candidate, nearness: nearnessOf(asked, candidate.name) }))
    .filter(({ nearness }) => nearness > 0)
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, answersPerName)
    .map(({ candidate }) => candidate)
}

const separators = [' ', '_', '-', '']
const oneSlipLengthMin = 3
const twoSlipsLengthMin = 8

/** Variants of a name that differ in case, spaces, underscores and hyphens. */
export function variantsOf(name: string): string[] {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
  const cases = [
    words,
    words.map((word) => word.toLowerCase()),
    words.map(capitalized),
    words.map((word) => word.toUpperCase()),
  ]
  const variants = cases.flatMap((written) => separators.map((separator) => written.join(separator)))
  return [...new Set(variants)].filter((variant) => variant !== name)
}

function capitalized(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('').toLowerCase()
}

/**
 * How likely `asked` means `name`, 0 to 1: 1 if they differ only in case, accents and punctuation; less if words are
 * misspelt or one has extra words; 0 if each has words that the other lacks.
 */
export function nearnessOf(asked: string, name: string): number {
  if (lettersOrSigns(asked) === lettersOrSigns(name)) return 1
  const [words, others] = [wordsOf(asked), wordsOf(name)]
  return Math.max(coverage(words, others), coverage(others, words))
}

/** What {@link nearnessOf} says if each of `few` is a word of `many`, of which there are at least as many; otherwise 0. */
function coverage(few: readonly Word[], many: readonly Word[]): number {
  if (few.length === 0 || few.length > many.length) return 0
  let slips = 0
  for (const word of few) {
    const least = Math.min(...many.map((other) => slipsBetween(word, other)))
    if (least === Number.POSITIVE_INFINITY) return 0
    slips += least
  }
  return (0.9 * few.length) / many.length / (1 + slips)
}

const lettersOrSigns = (name: string) => lettersOf(name) || foldName(name)

const wordsOf = (name: string) => analyseName(name).tokens.map(({ term, surface }) => ({ term, surface }))
type Word = ReturnType<typeof wordsOf>[number]

/** Number of wrong letters in a word; infinite for a different word. A changed digit makes a different word. */
function slipsBetween(a: Word, b: Word): number {
  if (a.term === b.term) return 0
  const length = Math.min(a.surface.length, b.surface.length)
  const longest = Math.max(a.surface.length, b.surface.length)
  const allowed =
    length >= twoSlipsLengthMin ? 2 : longest > oneSlipLengthMin && length >= oneSlipLengthMin ? 1 : 0
  if (allowed === 0 || longest - length > allowed || /\p{N}/u.test(a.surface + b.surface)) {
    return Number.POSITIVE_INFINITY
  }
  const distance = editDistance(a.surface, b.surface)
  return distance <= allowed ? distance : Number.POSITIVE_INFINITY
}
