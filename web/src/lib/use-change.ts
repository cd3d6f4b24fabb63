import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/** A call that changes what is cached under the key, which is then fetched again. */
export function useChange<Output, Input = void>(
  queryKey: QueryKey,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => client.invalidateQueries({ queryKey }) })
}
