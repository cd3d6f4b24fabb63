import type { Proof } from '@loci/contract/second-factors'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../lib/api.ts'
import { makePasskey, usePasskey } from '../../lib/passkeys.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { renewSessionUser } from '../../lib/session.ts'

export function useSecondFactors() {
  return useQuery({ queryKey: queryKeys.secondFactors(), queryFn: () => api.secondFactors() })
}

/**
 * A call that changes sign-in methods, after which the factors, the sessions and the user are refetched. If that fails,
 * the change is done all the same, and new recovery codes must be shown.
 */
function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: renewSessionUser,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.secondFactors() })
      void client.invalidateQueries({ queryKey: queryKeys.sessions() })
    },
  })
}

export const useBeginTotp = () =>
  useMutation({ mutationFn: (proof: Proof) => api.beginTotp({ body: proof }) })

export const useConfirmTotp = () =>
  useChange((body: { setup: string; code: string }) => api.confirmTotp({ body }))

export const useDeleteTotp = () => useChange((proof: Proof) => api.deleteTotp({ body: proof }))

export const useRollRecoveryCodes = () => useChange((proof: Proof) => api.rollRecoveryCodes({ body: proof }))

export function useAddPasskey() {
  // A code works once: whoever closes the browser's dialog and tries again has proved already who they are.
  const begun = useRef<{ by: string; options: Record<string, unknown> }>(undefined)
  return useChange(async ({ name, proof }: { name: string; proof: Proof }) => {
    const by = JSON.stringify(proof)
    if (begun.current?.by !== by) begun.current = { by, ...(await api.beginPasskey({ body: proof })) }
    const passkey = await makePasskey(begun.current.options)
    begun.current = undefined
    return api.addPasskey({ body: { name, passkey } })
  })
}

export const useDeletePasskey = () =>
  useChange(({ id, proof }: { id: string; proof: Proof }) =>
    api.deletePasskey({ params: { id }, body: proof }),
  )

export function useRenamePasskey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      api.renamePasskey({ params: { id }, body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.secondFactors() }),
  })
}

/** Has the browser prove with a passkey who is there. */
export async function proveWithPasskey(): Promise<Proof> {
  const { options } = await api.proofOptions()
  return { passkey: await usePasskey(options) }
}

export const useSetRule = () =>
  useChange((required: boolean) => api.setSecondFactorRule({ body: { required } }))
