import { nameOf } from './lines.ts'

/** The source of a conversation's name: its id, title and start time. */
export type Titled = { id: string; title: string; createdAt: string | undefined }

/**
 * A unique name for each conversation, by id. If several share a title, the oldest keeps it and the others get their
 * day, then the minute, then their id: conversations in both an earlier and a later export keep their names.
 */
export function nameConversations(conversations: readonly Titled[]): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, title, createdAt = '' } of conversations.toSorted(byAge)) {
    if (names.has(id)) continue
    const day = createdAt.slice(0, 10)
    const minute = createdAt.slice(0, 16).replace('T', ' ')
    const room = (suffix: string) =>
      `${nameOf(title)
        .slice(0, 512 - suffix.length)
        .trimEnd()}${suffix}`
    const candidates = [room(''), room(` (${day})`), room(` (${minute})`), room(` (${id})`)]
    const name = candidates.find((candidate) => !candidate.endsWith(' ()') && !taken.has(candidate))
    names.set(id, name ?? room(` (${id})`))
    taken.add(names.get(id)!)
  }
  return names
}

function byAge(one: Titled, other: Titled): number {
  const [a, b] = [`${one.createdAt ?? ''}${one.id}`, `${other.createdAt ?? ''}${other.id}`]
  return a < b ? -1 : Number(a > b)
}

/** `3 attachments were left out`. */
export function leftOut(count: number, one: string, many: string): string[] {
  if (count === 0) return []
  return [count === 1 ? `1 ${one} was left out` : `${count} ${many} were left out`]
}
