import type { ChangePassword, UpdateProfile } from '@loci/contract/auth'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { signOutHere, updateSessionUser } from '../../lib/session.ts'

export function useUpdateProfile() {
  return useMutation({
    mutationFn: (body: UpdateProfile) => api.updateProfile({ body }),
    onSuccess: ({ firstName, lastName }) => updateSessionUser({ firstName, lastName }),
  })
}

export function useSendVerification() {
  return useMutation({ mutationFn: () => api.sendVerification() })
}

export function useChangePassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Pick<ChangePassword, 'currentPassword' | 'newPassword'>) =>
      api.changePassword({ body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions() }),
  })
}

export function useSessions() {
  return useQuery({
    queryKey: queryKeys.sessions(),
    queryFn: async () => (await api.listSessions()).sessions,
  })
}

/** The account's API keys that still work. */
export function useWorkingKeys() {
  return useQuery({
    queryKey: queryKeys.keys(),
    queryFn: async () => (await api.listKeys()).apiKeys,
    select: (keys) => keys.filter(({ isExpired }) => !isExpired),
  })
}

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteSession({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions() }),
  })
}

/** Ends all of the user's sessions except this one. */
export function useEndOtherSessions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.deleteSessions({ query: { others: 'true' } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions() }),
  })
}

export function useRollPersonalKey() {
  return useMutation({
    mutationFn: () => api.rollPersonalKey(),
    onSuccess: ({ apiKey }) => updateSessionUser({ apiKey }),
  })
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (password: string) => api.deleteAccount({ body: { password } }),
    onSuccess: () => signOutHere(),
  })
}
