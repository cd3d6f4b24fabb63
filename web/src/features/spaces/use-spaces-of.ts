import { accountHeader, type Membership } from '@loci/contract/auth'
import type { Space } from '@loci/contract/spaces'
import { useQueries } from '@tanstack/react-query'
import { otherAccountsApi } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The spaces of other accounts, by account; none while they load and where they cannot be listed. */
export function useSpacesOf(accounts: readonly Membership[]): Record<string, Space[]> {
  const results = useQueries({
    queries: accounts.map(({ id }) => ({
      queryKey: queryKeys.spacesOf(id),
      queryFn: async () => (await otherAccountsApi.listSpaces({ headers: { [accountHeader]: id } })).spaces,
      retry: false,
    })),
  })
  return Object.fromEntries(accounts.map(({ id }, index) => [id, results[index]?.data ?? []]))
}
