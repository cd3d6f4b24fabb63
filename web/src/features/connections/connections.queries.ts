import type { ApproveConnection } from '@loci/contract/connections'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

/** The apps that the user connected; with `all`, those of everybody in the account. */
export function useConnections(all: boolean) {
  return useQuery({
    queryKey: queryKeys.connectionList(all),
    queryFn: async () => (await api.listConnections({ query: { all: all ? 'true' : 'false' } })).connections,
  })
}

export const useDisconnect = () =>
  useChange(queryKeys.connections(), (id: string) => api.deleteConnection({ params: { id } }))

/** An app's request to be connected; it never changes. */
export function useConnectionRequest(id: string) {
  return useQuery({
    queryKey: queryKeys.connectionRequest(id),
    queryFn: () => api.getConnectionRequest({ params: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Sends the user's decision: the rights and the space to grant, or nothing. Returns where to redirect the browser. */
export function useDecide(id: string) {
  return useMutation({
    mutationFn: async (granted: ApproveConnection | undefined) => {
      const params = { id }
      const { redirectTo } =
        granted === undefined
          ? await api.refuseConnection({ params })
          : await api.approveConnection({ params, body: granted })
      return redirectTo
    },
    onSuccess: (redirectTo) => window.location.assign(redirectTo),
  })
}
