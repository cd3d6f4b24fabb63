import { accountHeader, type Membership } from '@loci/contract/auth'
import type { Door, TryDoor } from '@loci/contract/doors'
import { reachOfRole } from '@loci/contract/rights'
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { otherAccountsApi } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import type { AccountDoors, Cell } from './agents.rules.ts'

const headersOf = (id: string) => ({ [accountHeader]: id })

async function loadDoors({ id, name, role }: Membership): Promise<AccountDoors> {
  const headers = headersOf(id)
  const hasKeys = reachOfRole(role, 'keys:manage') !== undefined
  const [{ spaces }, { connections }, { apiKeys: keys }, { calls }] = await Promise.all([
    otherAccountsApi.listSpaces({ headers }),
    otherAccountsApi.listConnections({ headers, query: {} }),
    hasKeys ? otherAccountsApi.listKeys({ headers }) : { apiKeys: [] },
    hasKeys ? otherAccountsApi.listDoorCalls({ headers }) : { calls: [] },
  ])
  return { id, name, role, spaces, connections, keys, calls }
}

/** The doors of each account; accounts that cannot be loaded are left out, unless none can. */
export function useDoors(accounts: readonly Membership[]) {
  const results = useQueries({
    queries: accounts.map((account) => ({
      queryKey: queryKeys.doorsOf(account.id),
      queryFn: () => loadDoors(account),
      refetchInterval: 30_000,
    })),
  })
  const loaded = results.flatMap(({ data }) => data ?? [])
  return {
    accounts: loaded,
    isLoading: results.some(({ isPending }) => isPending),
    error: loaded.length === 0 ? results.find(({ error }) => error !== null)?.error : undefined,
    retry: () => results.forEach(({ refetch }) => void refetch()),
  }
}

/** Opens or closes the door of a key or an app. */
export function useSetDoor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ cell: { account, space, credential }, opens }: { cell: Cell; opens: Door }) => {
      const headers = headersOf(account.id)
      if (credential === undefined) return
      const params = { id: credential.id }
      if (credential.kind === 'key') {
        return otherAccountsApi.updateKey({ headers, params, body: { door: { space: space.id, opens } } })
      }
      if (opens === 'none') return otherAccountsApi.deleteConnection({ headers, params })
      const body =
        opens === 'read'
          ? { isReadOnly: true }
          : { isReadOnly: false, writes: opens === 'propose' ? ('propose' as const) : ('direct' as const) }
      return otherAccountsApi.updateConnection({ headers, params, body })
    },
    onSettled: (_, __, { cell }) => {
      void client.invalidateQueries({ queryKey: queryKeys.keys() })
      void client.invalidateQueries({ queryKey: queryKeys.connections() })
      return client.invalidateQueries({ queryKey: queryKeys.doorsOf(cell.account.id) })
    },
  })
}

const permissionsFor = { none: [], read: ['memory:read'], propose: [], write: [] } as const

/** Creates a key of an agent's name that reaches one memory. */
export function useCreateDoor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ cell: { account, space, agent }, opens }: { cell: Cell; opens: Door }) =>
      otherAccountsApi.createKey({
        headers: headersOf(account.id),
        body: {
          name: agent.name,
          permissions: [...permissionsFor[opens]],
          spaces: [space.id],
          ...(opens === 'propose' && { writes: 'propose' as const }),
        },
      }),
    onSettled: (_, __, { cell }) =>
      client.invalidateQueries({ queryKey: queryKeys.doorsOf(cell.account.id) }),
  })
}

/** A call through a credential, made by the server, so that no secret comes to the browser. */
export function useTryDoor({ account, space, credential }: Cell) {
  return useMutation({
    mutationFn: (asked: Pick<TryDoor, 'tool' | 'text'>) =>
      otherAccountsApi.tryDoor({
        headers: headersOf(account.id),
        body: {
          ...asked,
          space: space.id,
          credential: credential?.kind === 'personal' ? 'personal' : (credential?.id ?? ''),
        },
      }),
  })
}
