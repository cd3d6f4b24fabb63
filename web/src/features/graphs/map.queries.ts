import { mapPlacesMax, type StoredGraphPlaces } from '@loci/contract/graph-places'
import type { GraphMap } from '@loci/graph/types'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../lib/api.ts'
import { onLiveNews, onLiveStart, useConnectionStatus } from '../../lib/live.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { readMap, writeMap } from './map-wire.ts'

/** The map that all who open this graph share. `version` is 0 until somebody has drawn it. */
export type SharedMap = {
  version: number
  map: GraphMap
  /** What was last stored from here, and the map before: a picture that shows that one need not take over all of it. */
  change?: { before: GraphMap; map: GraphMap }
  /** Given to regions, by the id of a node in each. */
  names: Readonly<Record<string, string>>
  /** The names of the nodes that represent regions, by id. */
  hubs: Readonly<Record<string, string>>
}

/** How soon others see what one person rearranged, while the live connection is down. */
const lookMs = 10_000
const noMap: GraphMap = { regions: [], places: [] }

/** The space's map, read again when others change it. */
export function useSharedMap() {
  const isLive = useConnectionStatus() === 'connected'
  useMapNews()
  return useQuery({
    queryKey: queryKeys.graphMap(),
    queryFn: async ({ client, queryKey, signal }): Promise<SharedMap> => {
      const before = client.getQueryData<SharedMap>(queryKey)
      const query = before && { known: String(before.version) }
      const { version, regions, places, hubs, names } = await api.getGraphPlaces({
        query: query ?? {},
        signal,
      })
      const isNew = regions && places !== undefined
      const map = isNew ? await readMap({ regions, places }) : (before?.map ?? noMap)
      // What was stored from here meanwhile is newer than this answer.
      const now = client.getQueryData<SharedMap>(queryKey)
      if (now && now !== before && now.version > version) return now
      const isSame = before && JSON.stringify(before.names) === JSON.stringify(names)
      const hubNames = isNew ? hubNamesOf(regions, hubs) : (before?.hubs ?? {})
      return { version, map, names: isSame ? before.names : names, hubs: hubNames }
    },
    refetchInterval: isLive ? false : lookMs,
    structuralSharing: false,
  })
}

function hubNamesOf(regions: GraphMap['regions'], names: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(regions.map(({ id }, i) => [id, names[i] ?? '']))
}

function useMapNews(): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = queryKeys.graphMap()
    const readAgain = () => client.invalidateQueries({ queryKey })
    // An answer that is under way may be older than the connection.
    const stopStart = onLiveStart(() => {
      void client.invalidateQueries({ queryKey }, { cancelRefetch: false }).then(readAgain)
    })
    const stopNews = onLiveNews((news) => {
      if (news.type !== 'map_changed') return
      const { version } = news.payload
      // It may tell of what is being stored from here.
      void storing.then(() => {
        if ((client.getQueryData<SharedMap>(queryKey)?.version ?? 0) < version) void readAgain()
      })
    })
    return () => {
      stopStart()
      stopNews()
    }
  }, [client])
}

/** Resolves when nothing is being stored from here. */
let storing: Promise<void> = Promise.resolve()

/**
 * Stores places that the map lacks, as many as it has room for, and takes over those that are stored: of two browsers,
 * the first counts.
 */
export async function addToMap(client: QueryClient, added: GraphMap): Promise<void> {
  const places = fitting(added.places, current(client).known?.map ?? noMap)
  if (places.length > 0) await store(client, { ...added, places }, false)
}

export const isFull = ({ places }: GraphMap) => places.length >= mapPlacesMax

/** A map that is full would refuse all of an addition, so nobody asks it. */
function fitting(added: GraphMap['places'], { places }: GraphMap): GraphMap['places'] {
  if (places.length + added.length <= mapPlacesMax) return added
  const known = new Set(places.map(({ id }) => id))
  let room = mapPlacesMax - known.size
  return added.filter(({ id }) => known.has(id) || room-- > 0)
}

/** Moves single nodes on the newest map. */
export const moveOnMap = (client: QueryClient, moved: GraphMap) => store(client, moved, true)

/** One after the other, so that each answer continues the map that the one before left. */
function store(client: QueryClient, change: GraphMap, moves: boolean): Promise<void> {
  const stored = storing.then(async () => {
    const answer = await api.putGraphPlaces({ body: { ...(await writeMap(change)), moves } })
    takeOver(client, answer, await readMap(answer))
  })
  storing = stored.catch(() => {})
  return stored
}

function takeOver(client: QueryClient, { version, before }: StoredGraphPlaces, stored: GraphMap): void {
  // The map known by now: others may have changed it since the request was sent.
  const { queryKey, known } = current(client)
  if (known?.version !== before) {
    void client.invalidateQueries({ queryKey })
    return
  }
  const change = { before: known.map, map: stored }
  client.setQueryData<SharedMap>(queryKey, { ...known, version, map: joined(known.map, stored), change })
}

/** Stores a whole map in place of the one last seen. Throws `stale_write` if someone else changed it since. */
export async function replaceMap(client: QueryClient, map: GraphMap): Promise<void> {
  const { queryKey, known } = current(client)
  const headers = { 'If-Match': `"${known?.version ?? 0}"` }
  const { version } = await api.putGraphPlaces({ body: await writeMap(map), headers })
  client.setQueryData<SharedMap>(queryKey, { names: {}, hubs: {}, ...known, version, map })
}

function current(client: QueryClient) {
  const queryKey = queryKeys.graphMap()
  return { queryKey, known: client.getQueryData<SharedMap>(queryKey) }
}

/** A map with what was stored last, which has all of its regions. */
export function joined({ places }: GraphMap, stored: GraphMap): GraphMap {
  if (places.length === 0) return stored
  const ids = new Set(stored.places.map(({ id }) => id))
  return { regions: stored.regions, places: [...places.filter(({ id }) => !ids.has(id)), ...stored.places] }
}
