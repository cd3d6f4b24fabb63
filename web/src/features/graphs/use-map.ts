import type { GraphEvents, GraphMap, GraphView } from '@loci/graph/types'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { notifyError, offerUndo } from '../../lib/notify.tsx'
import { fetchWholeGraph } from './fetch-large-graph.ts'
import type { LiveGraph } from './live-graph.ts'
import { addToMap, isFull, moveOnMap, replaceMap, useSharedMap } from './map.queries.ts'

/** With fewer of its nodes on the map, a part of a large graph says too little about the whole. */
const placedShareMin = 0.5

type Wanted = {
  drawing: GraphView | undefined
  graph: LiveGraph
  /** Whether places found here are stored: the person may write, and this is the present. */
  stores: boolean
  /** Whether the graph has not arrived: until then the regions of the map are shown. */
  awaits: boolean
}

/**
 * Keeps the picture on the map that everybody shares: takes over what others store, and stores what this browser finds.
 * `known` says whether the map has been asked for, so that nothing is drawn elsewhere first.
 */
export function useMap({ drawing, graph, stores, awaits }: Wanted) {
  const client = useQueryClient()
  const { data, isError } = useSharedMap()
  const map = data?.map
  const [trial, setTrial] = useState<GraphMap>()
  const [busy, setBusy] = useState(false)
  const surveying = useRef(false)
  /** What the picture shows. */
  const taken = useRef<{ drawing: GraphView; map: GraphMap }>(undefined)
  const change = data?.change

  useEffect(() => {
    if (trial) taken.current = undefined
    if (!map || !drawing || trial) return
    const shown = taken.current?.drawing === drawing ? taken.current.map : undefined
    drawing.setMap(change && change.before === shown ? change.map : map)
    taken.current = { drawing, map }
  }, [drawing, map, change, trial])

  useEffect(() => {
    if (awaits && data && drawing) drawing.sketch(data.hubs)
  }, [drawing, data, awaits])

  const changed = useEffectEvent((change: GraphEvents['map']) => {
    if (!stores || !map || trial || surveying.current) return
    if (change.before) void move(change)
    else addToMap(client, change).catch(() => {})
  })
  useEffect(() => drawing?.on('map', changed), [drawing])

  const hasRoom = map !== undefined && !isFull(map)
  const isSparse = stores && !awaits && hasRoom && graph.truncated && !coversMost(map, graph)
  useEffect(() => {
    if (!drawing || !isSparse) return
    const stop = new AbortController()
    surveying.current = true
    drawWhole(graph, drawing.map(), stop.signal)
      .then((whole) => addToMap(client, whole))
      .catch(() => {})
      .finally(() => {
        surveying.current = false
      })
    return () => stop.abort()
  }, [drawing, graph, isSparse, client])

  async function move({ regions, places, before }: GraphEvents['map']) {
    const [place] = places
    const name = graph.findEntity(place?.id)?.name ?? 'Node'
    try {
      await moveOnMap(client, { regions, places })
      offerUndo(`Moved ${name}`, () => {
        drawing?.pin([place!.id], false)
        drawing?.setMap({ regions, places: [before!] })
        moveOnMap(client, { regions, places: [before!] }).catch(failed)
      })
    } catch {
      failed()
    }
  }

  /** Shows what the map would look like if it were drawn today. */
  async function tidy() {
    if (!drawing || busy) return
    setBusy(true)
    try {
      const after = await drawWhole(graph, null)
      setTrial(after)
      drawing.setPins({})
      drawing.setMap(after)
    } catch {
      notifyError('Failed to tidy up')
    } finally {
      setBusy(false)
    }
  }

  async function keep() {
    const before = map
    if (!trial || !before) return
    try {
      await replaceMap(client, trial)
      offerUndo('Tidied up for everybody', () => void replaceMap(client, before).catch(failed))
    } catch {
      notifyError('Failed to tidy up', 'Someone else has changed the map in the meantime.')
      void client.invalidateQueries()
    }
    setTrial(undefined)
  }

  const dismiss = () => setTrial(undefined)
  return {
    known: map !== undefined || isError,
    tidying: { busy, isTrial: trial !== undefined, tidy, keep, dismiss },
  }
}

export type Tidying = ReturnType<typeof useMap>['tidying']

const failed = () => notifyError('Failed to store the map')

function coversMost({ places }: GraphMap, graph: LiveGraph): boolean {
  const placed = places.filter(({ id }) => graph.has(id)).length
  return placed >= placedShareMin * graph.entityCount
}

/** Draws the map of the whole space; what is known stays. */
async function drawWhole(graph: LiveGraph, known: GraphMap | null, signal?: AbortSignal): Promise<GraphMap> {
  const whole = graph.truncated ? await fetchWholeGraph(signal ?? new AbortController().signal) : graph
  const { layOutMap } = await import('@loci/graph/lay-out-map')
  const { innerWidth, innerHeight } = window
  const aspect = innerWidth / innerHeight
  return layOutMap(
    { nodes: whole.entities(), edges: whole.relations() },
    { known, aspect, ...(signal && { signal }) },
  )
}
