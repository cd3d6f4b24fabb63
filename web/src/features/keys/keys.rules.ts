import type { ApiKey } from '@loci/contract/keys'

const verbs = { query: 'Read', create: 'Created', update: 'Changed', delete: 'Deleted' } as const

/** Describes a key's last call: "Read entities". */
export function describeLastOperation({ type, resource }: NonNullable<ApiKey['lastOperation']>): string {
  if (resource === 'search') return 'Searched'
  return `${verbs[type]} ${nouns[resource] ?? resource.replaceAll('_', ' ')}`
}

const nouns: Record<string, string> = {
  entity: 'entities',
  observation: 'observations',
  relation: 'relations',
  graph: 'the graph',
  space: 'spaces',
  view: 'views',
  account: 'the account',
}

/** Describes what a key can do. */
export function describePermissions(permissions: ApiKey['permissions']): string {
  const mayRead = permissions.length === 0 || permissions.includes('memory:read')
  const mayWrite = permissions.length === 0 || permissions.includes('memory:write')
  if (mayRead && mayWrite) return 'Read and write'
  return mayRead ? 'Read only' : 'Write only'
}

/** The spaces that a key reaches, by name. */
export function describeSpaces(
  spaces: ApiKey['spaces'],
  names: readonly { id: string; name: string }[],
): string {
  if (spaces === null) return 'All spaces'
  if (spaces.length === 0) return 'None: they were deleted'
  return spaces.map((id) => names.find((space) => space.id === id)?.name ?? id).join(', ')
}
