import { noFields } from '../analyse/passages.ts'
import type { CountedPassage, Passage } from '../match/count-words.ts'
import type { RankingInput } from './ranking.ts'

export type NamedTests = {
  /** Whether a passage is of a named entity, or begins with its name ("Ada: ...", "Ada wrote ..."). */
  isAboutNamed: (passage: Passage) => boolean
  /** The same for the entities that the question is about, if such a beginning also has another word of the question. */
  isAsked: (counted: CountedPassage) => boolean
}

export function toNamedTests({
  named,
  askedAbout = new Set(),
  fields,
  words,
}: Pick<RankingInput, 'named' | 'askedAbout' | 'fields' | 'words'>): NamedTests {
  const asked = [...named].filter(([id]) => askedAbout.has(id)).map(([, name]) => name)
  const nameTerms = new Set([...askedAbout].flatMap((id) => namesIn(fields.get(id))))
  const others = words.flatMap(({ terms }, i) => ([...terms.keys()].some((t) => nameTerms.has(t)) ? [] : [i]))
  const opensWithNamed = toOpeningTest([...named.values()])
  const opensWithAsked = toOpeningTest(asked)
  return {
    isAboutNamed: (passage) => named.has(passage.entityId) || opensWithNamed(passage),
    isAsked: ({ passage, frequencies }) =>
      askedAbout.has(passage.entityId) ||
      (others.some((word) => frequencies[word]! > 0) && opensWithAsked(passage)),
  }
}

export const namesIn = ({ name, nameWholes, aliases, written } = noFields) => [
  ...name,
  ...nameWholes,
  ...aliases.flat(),
  ...written.values(),
]

function toOpeningTest(names: readonly (readonly string[])[]): (passage: Passage) => boolean {
  const openings = names.filter((name) => name.length > 0).map((name) => name.join(' '))
  const opensWith = (terms: string, name: string) =>
    terms.startsWith(name) && (terms.length === name.length || terms[name.length] === ' ')
  return ({ terms }) => openings.some((name) => opensWith(terms, name))
}
