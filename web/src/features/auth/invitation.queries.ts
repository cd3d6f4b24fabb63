import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** Who invites whom; nothing is asked without a token. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.invitation({ params: { token } }),
    retry: false,
    enabled: token !== '',
  })
}
