import type { GraphPoint, GraphRegion, GraphSpot, GraphView } from '@loci/graph/types'
import { Popover } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import menuClasses from './context-menu.module.css'
import classes from './drawn-relation.module.css'
import type { LiveGraph } from './live-graph.ts'
import { moveOnMap } from './map.queries.ts'

/** Renders the form of a new entity; `type` is the commonest where it will be. */
export type Grow = (type: string, onCreated: (id: string) => void, onClose: () => void) => ReactNode

/** `place`: where that is on the map; the picture may move before the entity is there. */
export type NewSpot = GraphPoint & { region: GraphRegion | undefined; place: GraphSpot }

type NewNodeProps = {
  drawing: GraphView | undefined
  graph: LiveGraph
  /** Where in the picture the entity is wanted. */
  spot: NewSpot | undefined
  grow: Grow
  onCreated: (id: string) => void
  onClose: () => void
}

/** Asks for a new entity at a point of the picture; it is placed there for everybody, in the region around it. */
export function NewNode({ drawing, graph, spot, grow, onCreated, onClose }: NewNodeProps) {
  const client = useQueryClient()

  function place(id: string, { place: { x, y, region } }: NewSpot) {
    onClose()
    if (drawing) {
      const regions = region ? [region] : []
      const map = { regions, places: [{ id, x, y, region: regions.length - 1 }] }
      drawing.setMap(map)
      // It may have been placed like any other newcomer by now.
      moveOnMap(client, map).catch(() => {})
    }
    onCreated(id)
  }

  const region = spot?.region?.loose ? undefined : spot?.region
  return (
    <Popover
      opened={spot !== undefined}
      onDismiss={onClose}
      // The options of a select lie outside.
      closeOnClickOutside={false}
      position="bottom"
      offset={10}
      width={340}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <span aria-hidden className={menuClasses.point} style={{ left: spot?.x ?? 0, top: spot?.y ?? 0 }} />
      </Popover.Target>
      <Popover.Dropdown aria-label="New entity" className={classes.form}>
        {spot && (
          <>
            <p className={classes.ends}>
              {region ? (
                <>
                  New in <bdi>{region.name}</bdi>
                </>
              ) : (
                'New here'
              )}
            </p>
            {grow(likelyType(drawing, graph, region), (id) => place(id, spot), onClose)}
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** The commonest type in a region, else in the graph. */
function likelyType(
  drawing: GraphView | undefined,
  graph: LiveGraph,
  region: GraphRegion | undefined,
): string {
  const counts = new Map<string, number>()
  for (const id of (region && drawing?.regionNodes(region.id)) ?? []) {
    const type = graph.findEntity(id)?.type
    if (type !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  const [commonest] = [...counts].sort(([, a], [, b]) => b - a)
  return commonest?.[0] ?? graph.types[0]?.type ?? ''
}
