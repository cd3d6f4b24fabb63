import type { Connection } from '@loci/contract/connections'
import type { Door, DoorCall } from '@loci/contract/doors'
import type { ApiKey } from '@loci/contract/keys'
import type { Space } from '@loci/contract/spaces'
import { doorInto, passOfConnection, passOfKey } from './doors.rules.ts'

/** A key or a connection of one account, with the door that it has into each of its spaces. */
export type Credential = {
  id: string
  accountId: string
  kind: 'key' | 'connection' | 'personal'
  name: string
  /** Beside the name: what can be shown of a key, or the host of an app. */
  preview: string
  /** Whether it was granted the right to write. */
  mayWrite: boolean
  endsSoon: boolean
  expiresAt: string | null
  lastUsedAt: string | null
  /** Spaces that it can be let into; null for all. */
  spaces: readonly string[] | null
  door: (space: Space) => Door
}

/** What one account has, as far as its member can see it. */
export type AccountDoors = {
  id: string
  name: string
  role: string
  spaces: Space[]
  keys: ApiKey[]
  connections: Connection[]
  calls: DoorCall[]
}

/** An agent, by the name of its keys or of its app, which can have one in each account and memory. */
export type Agent = { id: string; name: string; kind: string; credentials: Credential[] }

const ofKey = (accountId: string, key: ApiKey): Credential => ({
  ...{ id: key.id, accountId, kind: 'key', name: key.name, preview: key.keyPreview, mayWrite: true },
  ...{ endsSoon: key.isExpiringSoon, expiresAt: key.expiresAt, lastUsedAt: key.lastUsedAt, spaces: null },
  door: (space) => doorInto(space, passOfKey(key)),
})

const ofConnection = (accountId: string, connection: Connection): Credential => ({
  ...{ id: connection.id, accountId, kind: 'connection', name: connection.client.name },
  ...{ preview: connection.client.host, mayWrite: connection.scopes.includes('memory:write') },
  ...{ endsSoon: false, expiresAt: null, lastUsedAt: connection.lastUsedAt, spaces: [connection.space.id] },
  door: (space) => doorInto(space, passOfConnection(connection)),
})

const ofPerson = ({ id: accountId, role }: AccountDoors, userId: string): Credential => ({
  ...{
    id: userId,
    accountId,
    kind: 'personal',
    name: 'Personal key',
    preview: '',
    mayWrite: role !== 'viewer',
  },
  ...{ endsSoon: false, expiresAt: null, lastUsedAt: null, spaces: null },
  door: (space) =>
    doorInto(space, { rights: role === 'viewer' ? ['memory:read'] : [], writes: 'direct', spaces: null }),
})

/** All agents of the accounts, the personal key last. Credentials of one name are one agent unless they overlap. */
export function agentsIn(accounts: readonly AccountDoors[], userId: string): Agent[] {
  const agents: Agent[] = []
  for (const account of accounts) {
    const credentials = [
      ...account.keys.filter(({ isExpired }) => !isExpired).map((key) => ofKey(account.id, key)),
      ...account.connections.map((connection) => ofConnection(account.id, connection)),
    ]
    for (const credential of credentials) addTo(agents, credential)
  }
  const personal = accounts.map((account) => ofPerson(account, userId))
  return [...agents, { id: userId, name: 'Personal key', kind: 'yours', credentials: personal }]
}

function addTo(agents: Agent[], credential: Credential): void {
  const kind = credential.kind === 'key' ? 'API key' : 'signed in'
  const same = agents.find(
    (agent) =>
      agent.name === credential.name &&
      agent.kind === kind &&
      !agent.credentials.some((other) => isBeside(other, credential)),
  )
  if (same) same.credentials.push(credential)
  else agents.push({ id: credential.id, name: credential.name, kind, credentials: [credential] })
}

/** Whether both could lead into one space, so that a cell could not tell which one it shows. */
function isBeside(one: Credential, other: Credential): boolean {
  if (one.accountId !== other.accountId) return false
  return one.spaces === null || other.spaces === null || one.spaces.some((id) => other.spaces?.includes(id))
}

/** An agent before a memory: the credential that leads there or could be let in, and its newest call there. */
export type Cell = {
  agent: Agent
  account: AccountDoors
  space: Space
  credential: Credential | undefined
  door: Door
  call: DoorCall | undefined
}

export function cellOf(agent: Agent, account: AccountDoors, space: Space): Cell {
  const credential = agent.credentials.find(
    ({ accountId, spaces }) => accountId === account.id && (spaces?.includes(space.id) ?? true),
  )
  const call = account.calls.find((one) => one.credential === credential?.id && one.spaceId === space.id)
  return { agent, account, space, credential, door: credential?.door(space) ?? 'none', call }
}

/** Why a door cannot be opened so far; undefined if it can. */
export function refusalOf({ credential, space, agent }: Cell, door: Door): string | undefined {
  if (credential === undefined) {
    if (agent.kind === 'signed in')
      return door === 'none' ? undefined : `Connect ${agent.name} to this memory from the app itself.`
    return undefined
  }
  if (credential.kind === 'personal')
    return door === credential.door(space) ? undefined : 'Your own key always gets as far as you do.'
  if (door === 'write' && space.writes === 'propose') return 'In this memory everything waits for a review.'
  if ((door === 'write' || door === 'propose') && !credential.mayWrite)
    return `${agent.name} asked to read only. Connect it again to let it write.`
  return undefined
}
