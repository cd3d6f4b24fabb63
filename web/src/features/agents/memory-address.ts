import { program } from '@loci/contract/program'
import type { Space } from '@loci/contract/spaces'

/** The memory that an agent is connected to. */
export type Memory = {
  /** The account's name; undefined for the user's own account. */
  foreignAccount: string | undefined
  space: Space
  /** Of the account, the oldest first. */
  spaces: readonly Space[]
}

/** Clients put a server's name before each tool's and bound both together, at 64 characters. */
const nameMax = 32

const isDefault = ({ space, spaces }: Memory) => space.id === spaces[0]?.id

/** Where the memory is served: calls that name no space reach the oldest one, unless their key is limited to others. */
export function pathOf(memory: Memory, { isNamed = false } = {}): string {
  return isDefault(memory) && !isNamed ? '/mcp' : `/mcp/spaces/${memory.space.id}`
}

/** The name of the server in clients, so that each memory has its own beside the others. */
export function serverNameOf(memory: Memory): string {
  const { foreignAccount, space, spaces } = memory
  const parts = [
    program.name,
    ...(foreignAccount === undefined ? [] : [wordsOf(foreignAccount) || 'team']),
    ...(isDefault(memory) ? [] : [spaceWords(space, spaces)]),
  ]
  return parts.join('-').slice(0, nameMax).replace(/-+$/, '')
}

/** The id instead of a name without Latin letters, or of one that reads like another space's. */
function spaceWords(space: Space, spaces: readonly Space[]): string {
  const words = wordsOf(space.name)
  const isTaken = spaces.some(({ id, name }) => id !== space.id && wordsOf(name) === words)
  return words === '' || isTaken ? space.id : words
}

const wordsOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
