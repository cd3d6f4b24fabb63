import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay } from '../../lib/rights.ts'
import { useScope } from '../../lib/scope.ts'
import { programPath } from '../../lib/server-facts.ts'
import { useSession, useUser } from '../../lib/session.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { type Memory, pathOf, serverNameOf } from './memory-address.ts'
import type { Address } from './snippets.ts'

/** The memory on screen; undefined while it loads. */
export function useMemory(): Memory | undefined {
  const { data: spaces } = useSpaces()
  const { space: named } = useScope()
  const user = useUser()
  const isOwn = useIsOwnAccount()
  const space = spaces && spaceOf(spaces, named)
  if (spaces === undefined || space === undefined || user === undefined) return undefined
  const account = user.accounts.find(({ id }) => id === user.accountId)
  return { foreignAccount: isOwn ? undefined : account?.name, space, spaces }
}

/** Whether the account on screen is the one that the personal key belongs to. */
function useIsOwnAccount(): boolean {
  const session = useSession()
  const user = useUser()
  return session.status === 'signed-in' && session.user.accountId === user?.accountId
}

/** A key that was just created or rolled, and the spaces that it is limited to. */
export type FreshKey = { apiKey: string; spaces: readonly string[] | null }

/**
 * Where agents reach the memory on screen, or with a fresh key the one that the key reaches. Without one, the key is
 * missing until it is created where the personal one is no use.
 */
export function useAddress(fresh?: FreshKey): Address | undefined {
  const shown = useMemory()
  const user = useUser()
  const { data: created } = useMemoryKey()
  const memory = shown && fresh ? reachedBy(fresh, shown) : shown
  if (memory === undefined) return undefined
  const personal = memory.foreignAccount === undefined ? user?.apiKey : null
  const { origin } = window.location
  // Calls that name no space reach the first one of the key.
  const path = pathOf(memory, { isNamed: Boolean(fresh?.spaces) })
  return {
    server: serverNameOf(memory),
    origin,
    url: origin + path,
    space: path === '/mcp' ? undefined : memory.space.id,
    key: fresh?.apiKey ?? personal ?? created ?? undefined,
    program: programPath === '' ? undefined : programPath,
  }
}

/** The memory on screen if the key reaches it, else the first one that it reaches. */
function reachedBy({ spaces }: FreshKey, shown: Memory): Memory {
  if (spaces === null || spaces.includes(shown.space.id)) return shown
  const space = shown.spaces.find(({ id }) => id === spaces[0])
  return space ? { ...shown, space } : shown
}

/** The key created here for the memory on screen; kept until the page is left, never stored. */
export function useMemoryKey() {
  return useQuery<string | null>({
    queryKey: queryKeys.memoryKey(),
    queryFn: () => null,
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
  })
}

/** Creates a key that reaches only the memory on screen. */
export function useCreateMemoryKey() {
  const client = useQueryClient()
  const memory = useMemory()
  const user = useUser()
  const mayCreate = useMay('keys:manage')
  const create = useMutation({
    mutationFn: async () => {
      const name = `Agent of ${user?.firstName} ${user?.lastName}`.slice(0, 128)
      const spaces = memory === undefined ? [] : [memory.space.id]
      return (await api.createKey({ body: { name, permissions: [], spaces } })).apiKey
    },
    onSuccess: (apiKey) => {
      client.setQueryData(queryKeys.memoryKey(), apiKey)
      void client.invalidateQueries({ queryKey: queryKeys.keys() })
    },
  })
  return { create, mayCreate }
}
