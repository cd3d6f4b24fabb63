import type { NewTurn } from '@loci/contract/conversations'
import type { Person } from './harness.ts'

/** A turn of a conversation in a test; its id is its place, and it comes a minute after the one before. */
export type Said = Pick<NewTurn, 'role' | 'text'> & Partial<Pick<NewTurn, 'tool' | 'files' | 'at'>>

type Told = { title?: string; agent?: string; startedAt?: number }

/** Stores a conversation about a project; returns its id. */
export async function talk(
  { rest }: Pick<Person, 'rest'>,
  project: string,
  turns: readonly Said[],
  {
    title = `Session ${Math.random()}`,
    agent = 'claude-code',
    startedAt = Date.UTC(2026, 4, 4, 9),
  }: Told = {},
): Promise<string> {
  const { conversationId } = await rest.storeTurns({
    body: {
      conversation: {
        agent,
        externalId: title.slice(0, 256),
        title,
        project: { name: project, path: `/home/ada/${project}` },
      },
      turns: turns.map((turn, i) => ({
        at: new Date(startedAt + i * 60_000).toISOString(),
        externalId: String(i),
        ...turn,
      })),
    },
  })
  return conversationId
}
