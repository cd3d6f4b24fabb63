import type { Metadata } from '@loci/contract/metadata'
import { analyse } from './analyser.ts'
import { valueMark } from './passages.ts'

/** Only the beginning of longer metadata is indexed. */
const termsMax = 200
const charactersMax = 4_000

/**
 * The terms of the values and of the keys leading to them, so that "severity sev1" finds `{"severity":
 * "sev1"}`. Codes are kept whole: otherwise any question with a number would match the digits of
 * "D1:3".
 */
export function metadataTerms(metadata: Metadata | undefined): string[] {
  if (metadata === undefined) return []
  const terms = new Set<string>()
  let characters = 0
  for (const text of textsOf(metadata)) {
    if (characters >= charactersMax || terms.size >= termsMax) break
    for (const term of termsOfText(beginningOf(text, charactersMax - characters))) terms.add(term)
    characters += text.length
  }
  return [...terms].slice(0, termsMax)
}

/** The first characters of a text without the word that they end in; the whole text if it is short enough. */
const beginningOf = (text: string, length: number) =>
  text.length <= length ? text : text.slice(0, length).replace(/[^\s\p{P}]*$/u, '')

/** The same as terms of a passage, marked because they are not words of its text. */
export const toObservationMetadataTerms = (metadata: Metadata | undefined) =>
  metadataTerms(metadata).map((term) => valueMark + term)

function* textsOf(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'boolean') {
        if (inner) yield key
        continue
      }
      if (!isReference(key)) yield key
      yield* textsOf(inner)
    }
  }
}

const isReference = (key: string) => /(?:^|[_-])id$|Id$/u.test(key)

function termsOfText(text: string): string[] {
  const { tokens, wholes } = analyse(text)
  const isCode = wholes.length > 0 && /^\S*\p{N}\S*$/u.test(text)
  const kept = isCode ? wholes : [...tokens.filter(({ isStop }) => !isStop), ...wholes]
  return kept.map(({ term }) => term)
}
