import type { HealthItem, HealthKind, MemoryHealth } from '@loci/contract/health'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { pagingOptions } from '../../lib/pages.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { currentScope } from '../../lib/scope.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { withChangeSet } from '../../lib/use-undo.ts'
import type { CureAction } from './cures.ts'

const itemsPerPage = '50'
const askAgainMs = 2_000

/** What the last check found, the worst first; asks again while one runs. */
export function useMemoryHealth(kind: HealthKind | undefined) {
  return useInfiniteQuery({
    queryKey: queryKeys.healthOf(kind),
    queryFn: ({ pageParam, signal }) =>
      api.getMemoryHealth({
        query: { limit: itemsPerPage, cursor: pageParam, ...(kind && { kind }) },
        signal,
      }),
    ...pagingOptions,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.running === undefined ? false : askAgainMs),
    // Mended rows stay where they are until the person checks again.
    refetchOnWindowFocus: false,
  })
}

export function itemsOf(data: { pages: MemoryHealth[] } | undefined): HealthItem[] {
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/** Begins to count which facts are told. */
export function useCountTold() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const { spaces } = await api.listSpaces()
      const id = spaceOf(spaces, currentScope().space)?.id ?? ''
      return api.updateSpace({ params: { id }, body: { countsTold: true } })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.health() }),
    onError: (error) => notifyError('Failed to count recalls', messageOf(error, '')),
  })
}

/** What a cure did: the sets of changes to undo, or that it only left the item as it was. */
export type Mended = { sets: string[]; isLeft: boolean }
export type ToCure = { item: HealthItem; action: CureAction; content?: string }

export function useCure() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ item, action, content }: ToCure): Promise<Mended> => mend(item, action, content),
    onSuccess: () => refresh(client),
    onError: (error) => notifyError('Failed to mend it', messageOf(error, '')),
  })
}

export function useUncure() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ item, mended }: { item: HealthItem; mended: Mended }) => {
      for (const setId of mended.sets.toReversed()) await api.undoChangeSet({ params: { setId } })
      if (mended.isLeft) await api.undismissHealthItem({ body: { id: item.id } })
      if (mended.isLeft && item.cure.action === 'merge')
        await api.undismissDuplicate({ body: { ids: pairOf(item) } })
    },
    onSuccess: () => refresh(client),
    onError: (error) => notifyError('Failed to undo', messageOf(error, '')),
  })
}

/** Other screens show it at once; this one keeps its rows in place. */
function refresh(client: ReturnType<typeof useQueryClient>): Promise<void> {
  const [account, space, health] = queryKeys.health()
  return client.invalidateQueries({
    queryKey: queryKeys.space(),
    predicate: ({ queryKey }) =>
      !(queryKey[0] === account && queryKey[1] === space && queryKey[2] === health),
  })
}

const pairOf = ({ subjects }: HealthItem): [string, string] => [
  subjects[0]!.entity.id ?? '',
  subjects[1]!.entity.id ?? '',
]

type Place = { params: { id: string; observationId: string } }

/** The call's address of an observation among the subjects. */
function placeOf({ subjects }: HealthItem, index: number): Place {
  const { entity, observation } = subjects[index]!
  return { params: { id: entity.id ?? '', observationId: observation?.id ?? '' } }
}

const undoable = (setId: string | undefined): Mended => ({
  sets: setId === undefined ? [] : [setId],
  isLeft: false,
})

async function mend(item: HealthItem, action: CureAction, content = item.cure.content): Promise<Mended> {
  const { subjects, cure } = item
  switch (action) {
    case 'erase': {
      const { observationId } = placeOf(item, 0).params
      const body = content === undefined ? {} : { content }
      await api.eraseObservation({ params: { id: observationId }, body })
      return { sets: [], isLeft: false }
    }
    case 'newer': {
      const old = placeOf(item, 1).params.observationId
      const replaces = [...(subjects[0]!.observation?.replaces ?? []), old]
      return undoable(
        await setOf((onHeaders) =>
          api.updateObservation({ ...placeOf(item, 0), body: { replaces }, onHeaders }),
        ),
      )
    }
    case 'older':
      return undoable(await setOf((onHeaders) => api.deleteObservation({ ...placeOf(item, 0), onHeaders })))
    case 'merge': {
      const [into, gone] = pairOf(item)
      const { setId } = await api.mergeEntities({ body: { ids: [gone], into } })
      return undoable(setId ?? undefined)
    }
    case 'forget':
      return forget(item)
    case 'reword':
    case 'edit':
      return undoable(
        await setOf((onHeaders) =>
          api.updateObservation({ ...placeOf(item, 0), body: { content: content ?? '' }, onHeaders }),
        ),
      )
    case 'split': {
      const { id, observationId } = placeOf(item, 0).params
      const observations = (cure.parts ?? []).map((part, i) => ({
        content: part,
        ...(i === 0 && { replaces: [observationId] }),
      }))
      return undoable(
        await setOf((onHeaders) =>
          api.createObservations({ params: { id }, body: { observations }, onHeaders }),
        ),
      )
    }
    case 'confirm': {
      const { observationId } = placeOf(item, 0).params
      return undoable(
        await setOf((onHeaders) => api.confirmObservation({ params: { id: observationId }, onHeaders })),
      )
    }
    case 'leave':
      await api.dismissHealthItem({ body: { id: item.id } })
      if (cure.action === 'merge') await api.dismissDuplicate({ body: { ids: pairOf(item) } })
      return { sets: [], isLeft: true }
  }
}

async function setOf(call: Parameters<typeof withChangeSet<unknown>>[0]): Promise<string | undefined> {
  return (await withChangeSet(call)).setId
}

/** All but the first, or the only one; an entity where no observation is named. */
async function forget(item: HealthItem): Promise<Mended> {
  const { subjects } = item
  const sets: string[] = []
  const from = subjects.length > 1 ? 1 : 0
  for (let i = from; i < subjects.length; i += 1) {
    const { params } = placeOf(item, i)
    const setId = await setOf((onHeaders) =>
      subjects[i]!.observation === undefined
        ? api.deleteEntity({ params: { id: params.id }, onHeaders })
        : api.deleteObservation({ params, onHeaders }),
    )
    if (setId !== undefined) sets.push(setId)
  }
  return { sets, isLeft: false }
}
