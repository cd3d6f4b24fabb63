import type { InviteMember } from '@loci/contract/members'
import type { Role } from '@loci/contract/rights'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api, sessionApi } from '../../lib/api.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { updateSessionUser } from '../../lib/session.ts'
import { useChange } from '../../lib/use-change.ts'

export function useMembers() {
  return useQuery({ queryKey: queryKeys.members(), queryFn: () => api.listMembers() })
}

export const useInvite = () =>
  useChange(queryKeys.members(), (body: InviteMember) => api.inviteMember({ body }))

export const useTakeBack = () =>
  useChange(queryKeys.members(), (id: string) => api.deleteInvitation({ params: { id } }))

export const useSetRole = () =>
  useChange(queryKeys.members(), ({ userId, role }: { userId: string; role: Role }) =>
    api.updateMember({ params: { userId }, body: { role } }),
  )

export const useHandOver = () =>
  useChange(queryKeys.members(), ({ userId, password }: { userId: string; password: string }) =>
    api.transferOwnership({ params: { userId }, body: { password } }),
  )

/** Refetches the session, which holds the account's name and the user's role in it. */
export async function renewSession(): Promise<void> {
  const { role, accounts } = await sessionApi.me()
  updateSessionUser({ role, accounts })
}

export function useRenameAccount() {
  return useMutation({
    mutationFn: async (name: string) => {
      await api.renameAccount({ body: { name } })
      await renewSession()
    },
  })
}

export const useRemoveMember = () =>
  useChange(queryKeys.members(), (userId: string) => api.deleteMember({ params: { userId } }))
