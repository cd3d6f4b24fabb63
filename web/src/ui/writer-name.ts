import type { ChangeActor } from '@loci/contract/change-actor'

/** The agent as it names itself, where one wrote; else the person or the key. */
export function writerOf({ client, kind, name }: ChangeActor): string {
  if (client !== undefined) return client
  return kind === 'personal_key' || kind === 'local' ? 'An agent' : name
}

/** A person writes in a session of the web app; everything else is a program. */
export const isAgent = ({ kind }: ChangeActor): boolean => kind !== 'session'

/** Two letters: of the first two words, or of the only one. */
export function monogramOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '?', second] = words
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join('').toUpperCase()
}
