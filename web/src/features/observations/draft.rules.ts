import { isBefore } from '@loci/contract/fact-times'
import type { Observation, ObservationFields } from '@loci/contract/observations'

/** What a new wording means: the world has changed, or the old one was never right. */
export type Meaning = 'replaced' | 'slip'
export type Precision = 'day' | 'month' | 'year'
export type Day = { day: string; precision: Precision }

const lengths = { day: 10, month: 7, year: 4 } as const

/** The time as it is sent: `2026-11-16`, `2026-11`, `2026`. */
export const toFactTime = ({ day, precision }: Day) => day.slice(0, lengths[precision])

/** A new wording as it would be stored. */
export type Draft = {
  content: string
  meaning: Meaning | undefined
  at: string
  until: string | undefined
} & Pick<ObservationFields, 'files' | 'source'>

/** The facts as they would be with a replacement. */
export function withDraft(
  observations: readonly Observation[],
  edited: Observation,
  draft: Draft,
  also: readonly string[],
): Observation[] {
  const { content, at, until, files, source } = draft
  const replaced = new Set([edited.id, ...also])
  const id = `new ${edited.id}`
  const added = {
    id,
    content,
    at,
    createdAt: edited.createdAt,
    ...(until && { until }),
    ...(files && { files }),
    ...(source && { source }),
  }
  const ended = observations.map((one) =>
    replaced.has(one.id) ? { ...one, until: endOf(one, at), replacedBy: id } : one,
  )
  return [...ended, added]
}

/** An end that was earlier stays. */
const endOf = ({ until }: Observation, at: string) =>
  until !== undefined && isBefore(until, at) ? until : at

const alsoMax = 3
const word = /[\p{L}\p{N}]{3,}/gu
const wordsOf = (text: string) => new Set(text.toLowerCase().match(word))

/** Current facts that share words with a new wording, those that share most first. */
export function alsoSaid(
  observations: readonly Observation[],
  edited: Observation,
  content: string,
): Observation[] {
  const own = wordsOf(`${content} ${edited.content}`)
  return observations
    .filter(
      ({ id, replacedBy, state }) => id !== edited.id && replacedBy === undefined && state !== 'expired',
    )
    .map((fact) => {
      const words = wordsOf(fact.content)
      return { fact, shared: words.intersection(own).size / Math.sqrt(words.size || 1) }
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, alsoMax)
    .map(({ fact }) => fact)
}
