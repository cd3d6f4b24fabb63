import { ApiError } from '@loci/client/call'
import type { GraphMap } from '@loci/graph/types'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../lib/api.ts'
import { onLiveNews, onLiveStart, useConnectionStatus } from '../../lib/live.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { readMap, writeMap } from './map-wire.ts'

/** The map that all who open this graph share. `version` is 0 until somebody has drawn it. */
export type SharedMap = { version: number; map: GraphMap; names: Readonly<Record<string, string>> }

/** How soon others see what one person rearranged, while the live connection is down. */
const lookMs = 10_000
const noMap: GraphMap = { regions: [], places: [] }

/** The space's map, read again when others change it. */
export function useSharedMap() {
  const isLive = useConnectionStatus() === 'connected'
  useMapNews()
  return useQuery({
    queryKey: queryKeys.graphMap,
    queryFn: async ({ client, queryKey, signal }): Promise<SharedMap> => {
      const before = client.getQueryData<SharedMap>(queryKey)
      const query = before && { known: String(before.version) }
      const { version, regions, places, names } = await api.getGraphPlaces({ query: query ?? {}, signal })
      // What was stored from here meanwhile is newer than this answer.
      const now = client.getQueryData<SharedMap>(queryKey)
      if (now && now !== before && now.version > version) return now
      const map = regions && places !== undefined ? readMap({ regions, places }) : (before?.map ?? noMap)
      const isSame = before && JSON.stringify(before.names) === JSON.stringify(names)
      return { version, map, names: isSame ? before.names : names }
    },
    refetchInterval: isLive ? false : lookMs,
    structuralSharing: false,
  })
}

function useMapNews(): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = queryKeys.graphMap
    const readAgain = () => client.invalidateQueries({ queryKey })
    // An answer that is under way may be older than the connection.
    const stopStart = onLiveStart(() => {
      void client.invalidateQueries({ queryKey }, { cancelRefetch: false }).then(readAgain)
    })
    const stopNews = onLiveNews((news) => {
      if (news.type !== 'map_changed') return
      if (client.getQueryData<SharedMap>(queryKey)?.version !== news.payload.version) void readAgain()
    })
    return () => {
      stopStart()
      stopNews()
    }
  }, [client])
}

/** Stores places that the map lacks, and takes over those that are stored: of two browsers, the first counts. */
export async function addToMap(client: QueryClient, added: GraphMap): Promise<void> {
  const answer = await api.putGraphPlaces({ body: writeMap(added) })
  // The map known by now: others may have changed it since the request was sent.
  const { queryKey, before } = current(client)
  if (before?.version === answer.before) {
    const map = joined(before.map, readMap(answer))
    client.setQueryData<SharedMap>(queryKey, { ...before, version: answer.version, map })
  } else await client.invalidateQueries({ queryKey })
}

/** Stores a whole map in place of the one last seen. Throws `stale_write` if someone else changed it since. */
export async function replaceMap(client: QueryClient, map: GraphMap): Promise<void> {
  const { queryKey, before } = current(client)
  const headers = { 'If-Match': `"${before?.version ?? 0}"` }
  const { version } = await api.putGraphPlaces({ body: writeMap(map), headers })
  client.setQueryData<SharedMap>(queryKey, { version, map, names: before?.names ?? {} })
}

/** Moves single nodes on the newest map. */
export async function moveOnMap(client: QueryClient, moved: GraphMap): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { queryKey, before } = current(client)
    try {
      return await replaceMap(client, joined(before?.map ?? noMap, moved))
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'stale_write' || tries > 2) throw error
      await client.refetchQueries({ queryKey })
    }
  }
}

function current(client: QueryClient) {
  const queryKey = queryKeys.graphMap
  return { queryKey, before: client.getQueryData<SharedMap>(queryKey) }
}

/** Both maps; where they differ, the second. */
export function joined(map: GraphMap, over: GraphMap): GraphMap {
  const regions = [...map.regions]
  const numbers = over.regions.map((region) => {
    const known = regions.findIndex(({ id }) => id === region.id)
    return known >= 0 ? known : regions.push(region) - 1
  })
  const places = new Map(map.places.map((place) => [place.id, place]))
  for (const place of over.places) places.set(place.id, { ...place, region: numbers[place.region] ?? -1 })
  return { regions, places: [...places.values()] }
}
