import type { ChangePassword, UpdateProfile } from '@loci/contract/auth'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { renewSessionUser, signOutHere, updateSessionUser } from '../../lib/session.ts'
import { useChange } from '../../lib/use-change.ts'

export function useUpdateProfile() {
  return useMutation({
    mutationFn: (body: UpdateProfile) => api.updateProfile({ body }),
    onSuccess: ({ firstName, lastName }) => updateSessionUser({ firstName, lastName }),
  })
}

/** Learns when the address is confirmed, which happens in the tab that the link opens. */
export function useConfirmation() {
  return useQuery({
    queryKey: queryKeys.confirmation(),
    queryFn: async () => {
      await renewSessionUser()
      return null
    },
    staleTime: 0,
  })
}

export function useSendVerification() {
  return useMutation({ mutationFn: () => api.sendVerification() })
}

export const useChangePassword = () =>
  useChange(queryKeys.sessions(), (body: Pick<ChangePassword, 'currentPassword' | 'newPassword'>) =>
    api.changePassword({ body }),
  )

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

export const useEndSession = () =>
  useChange(queryKeys.sessions(), (id: string) => api.deleteSession({ params: { id } }))

/** Ends all of the user's sessions except this one. */
export const useEndOtherSessions = () =>
  useChange(queryKeys.sessions(), () => api.deleteSessions({ query: { others: 'true' } }))

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
