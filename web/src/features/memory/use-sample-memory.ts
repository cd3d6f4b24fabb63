import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { markOwnBatch } from '../../lib/own-changes.ts'
import { withChangeSet } from '../../lib/use-undo.ts'
import { readSampleSet, sampleMemory, storeSampleSet } from './sample-memory.ts'

/** Stores the sample memory, and undoes all of it. */
export function useSampleMemory(accountId: string) {
  const client = useQueryClient()
  const [setId, setSetId] = useState(() => readSampleSet(accountId))
  const remember = (id: string | undefined) => {
    storeSampleSet(accountId, id)
    setSetId(id)
    return client.invalidateQueries()
  }
  const load = useMutation({
    mutationFn: () => {
      markOwnBatch()
      return withChangeSet((onHeaders) => api.createBatch({ body: sampleMemory, onHeaders }))
    },
    onSuccess: (stored) => remember(stored.setId),
    onError: (error) => notifyError('Failed to load the sample memory', messageOf(error, '')),
  })
  const remove = useMutation({
    mutationFn: (id: string) => {
      markOwnBatch()
      return api.undoChangeSet({ params: { setId: id } })
    },
    onSuccess: () => {
      notifySuccess('Sample memory removed')
      return remember(undefined)
    },
    onError: (error) => {
      notifyError('Failed to remove the sample memory', messageOf(error, ''))
      if (isApiError(error, 'change_set_not_found')) return remember(undefined)
      return undefined
    },
  })
  return {
    isLoaded: setId !== undefined,
    isPending: load.isPending || remove.isPending,
    load: () => load.mutate(),
    remove: () => setId !== undefined && remove.mutate(setId),
  }
}
