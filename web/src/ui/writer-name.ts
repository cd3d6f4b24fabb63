import type { ChangeActor } from '@loci/contract/change-actor'

/** The agent's own name if an agent wrote; otherwise the person or the key. */
export function writerOf({ client, kind, name }: ChangeActor): string {
  if (client !== undefined) return client
  return kind === 'personal_key' || kind === 'local' ? 'An agent' : name
}

/** People write in a session of the web app; everything else is a program. */
export const isAgent = ({ kind }: ChangeActor): boolean => kind !== 'session'

/** Two letters: the initials of the first two words, or the first two letters of the only one. */
export function monogramOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '?', second] = words
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]]
  return letters.join('').toUpperCase()
}
