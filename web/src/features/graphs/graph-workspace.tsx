import type { GraphEntity } from '@loci/contract/graph'
import type { GraphEvents, GraphRegion, GraphTool } from '@loci/graph/types'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useMayWrite } from '../../lib/rights.ts'
import { ContextMenu, type MenuRequest } from './context-menu.tsx'
import { DisplayMenu } from './display-menu.tsx'
import { DrawnRelation, type Relate } from './drawn-relation.tsx'
import { FoldedLegend } from './folded-legend.tsx'
import type { GraphAddress } from './graph-address.ts'
import { GraphBoard } from './graph-board.tsx'
import type { PathAnswer } from './graph-details.tsx'
import { GraphDetails } from './graph-details.tsx'
import classes from './graph-screen.module.css'
import { GraphTime } from './graph-time.tsx'
import { GraphToolbar } from './graph-toolbar.tsx'
import { HighlightNote } from './highlight-note.tsx'
import { HoverCard } from './hover-card.tsx'
import type { LiveGraph } from './live-graph.ts'
import { Minimap } from './minimap.tsx'
import { type Grow, NewNode, type NewSpot } from './new-node.tsx'
import { RecallLight } from './recall-light.tsx'
import { RegionDialog } from './region-dialog.tsx'
import { type Shareable, ShareMenu } from './share-menu.tsx'
import { TidyBar } from './tidy-bar.tsx'
import type { GraphActions } from './use-graph-actions.ts'
import { useGraphView } from './use-graph-view.ts'
import { useMap } from './use-map.ts'
import { useNearNotes } from './use-near-notes.ts'
import { type GraphPanels, type Subject, usePadding } from './use-panels.ts'
import { useSavedViews } from './use-saved-views.ts'
import { ViewsMenu } from './views-menu.tsx'
import { ZoomButtons } from './zoom-buttons.tsx'

type GraphWorkspaceProps = {
  graph: LiveGraph
  /** Whether the graph has not arrived: `graph` is an empty one. */
  awaits: boolean
  /** The present graph; `graph` may be that of an earlier moment. */
  present: LiveGraph
  address: GraphAddress
  actions: GraphActions
  flight: { id: string } | undefined
  path: PathAnswer
  panels: GraphPanels
  full: boolean
  onToggleFull: () => void
  onEdit: (entity: GraphEntity) => void
  facts: (node: GraphEntity) => ReactNode
  connect: (node: GraphEntity) => ReactNode
  /** Renders the form of a relation that was drawn. */
  relate: Relate
  /** Renders the form of an entity that is added in the picture. */
  grow: Grow
  /** Absent for people who may not share. */
  onShare: ((shareable: Shareable) => void) | undefined
}

const noIds: readonly string[] = []

/** The picture of a graph, its tools, and the details of the selected node. */
export function GraphWorkspace({ graph, address, actions, path, panels, ...props }: GraphWorkspaceProps) {
  const { view, asOf } = address
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  const [card, setCard] = useState<GraphEvents['card']>(null)
  const [menu, setMenu] = useState<MenuRequest>()
  const [renaming, setRenaming] = useState<GraphRegion>()
  const [marked, setMarked] = useState(noIds)
  const [tool, setTool] = useState<GraphTool>('pan')
  const [spot, setSpot] = useState<NewSpot>()
  const [link, setLink] = useState<GraphEvents['link']>()
  const mayWrite = useMayWrite()
  const pathIds = useMemo(() => path.data?.entities.map(({ id }) => id) ?? noIds, [path.data])
  const subject = subjectOf(address, marked)
  const padding = usePadding(panels, subject)
  const { notes, setNear } = useNearNotes(asOf)
  const drawing = useGraphView(container, {
    ground: '--loci-ground',
    regions: true,
    ring: true,
    map: true,
    onSelect: (node) => actions.select(node?.id),
    onActivate: (node) => actions.expand(node.id),
    onCard: setCard,
    onNear: setNear,
    onMenu: setMenu,
    onLasso: (nodes) => {
      setMarked(nodes.map(({ id }) => id))
      setTool('pan')
    },
    links: mayWrite,
    onLink: (drawn) => {
      setTool('pan')
      if (asOf === undefined) setLink(drawn)
    },
    onRegion: setRenaming,
  })
  const { known: mapped, tidying } = useMap({ drawing, graph, stores: mayWrite, awaits: props.awaits })
  const views = useSavedViews(drawing, graph, address, actions)

  const setAt = ({ x, y, region }: MenuRequest) => {
    if (drawing) setSpot({ x, y, region: region ?? undefined, place: drawing.spotAt({ x, y }) })
  }

  useEffect(() => drawing?.mark(marked), [drawing, marked])
  useEffect(() => drawing?.setNotes(notes), [drawing, notes])
  useEffect(() => drawing?.setTool(tool), [drawing, tool])

  return (
    <>
      <GraphBoard
        container={setContainer}
        drawing={drawing}
        graph={graph}
        mapped={mapped}
        address={address}
        pathIds={pathIds}
        flight={props.flight}
        padding={padding}
        onSelect={actions.select}
        onClearPath={actions.clearPath}
      />
      {card && !menu && container && view !== 'list' && (
        <HoverCard card={card} graph={graph} width={container.clientWidth - padding.right} />
      )}
      <GraphToolbar
        drawing={drawing}
        view={view}
        full={props.full}
        onView={actions.show}
        onToggleFull={props.onToggleFull}
      >
        <ViewsMenu drawing={drawing} search={views.search} mayWrite={mayWrite} onOpen={views.open} />
        {props.onShare && (
          <ShareMenu drawing={drawing} graph={graph} address={address} onShare={props.onShare} />
        )}
        <DisplayMenu
          drawing={drawing}
          address={address}
          tool={tool}
          mayLink={mayWrite}
          onTool={setTool}
          onTidy={mayWrite ? tidying.tidy : undefined}
          onChange={actions.change}
        />
      </GraphToolbar>
      <TidyBar tidying={tidying} />
      <HighlightNote graph={graph} drawing={drawing} wanted={address.recent} />
      <RecallLight
        drawing={drawing}
        isPlan={view === 'plan'}
        isOff={asOf !== undefined || address.recent !== undefined}
      />
      <GraphTime
        graph={props.present}
        drawing={drawing}
        address={address}
        open={panels.open.time}
        covered={panels.phone && subject !== 'none'}
        onToggle={() => panels.toggle('time')}
        onChange={actions.goTo}
      />
      {view !== 'list' && !panels.small && !panels.open.filters && !panels.open.time && (
        <FoldedLegend graph={graph} onUnfold={() => panels.toggle('filters')} />
      )}
      {view !== 'list' && (
        <>
          <Minimap drawing={drawing} />
          <div className={classes.zoom}>
            <ZoomButtons drawing={drawing} />
          </div>
        </>
      )}
      <GraphDetails
        graph={graph}
        drawing={drawing}
        address={address}
        actions={actions}
        path={path}
        panels={panels}
        subject={subject}
        marked={marked}
        mayWrite={mayWrite}
        onMark={setMarked}
        onEdit={props.onEdit}
        facts={props.facts}
        connect={props.connect}
      />
      <ContextMenu
        request={menu}
        drawing={drawing}
        actions={actions}
        mayWrite={mayWrite}
        onAdd={mayWrite && asOf === undefined && view === 'graph' ? setAt : undefined}
        onTidy={tidying.tidy}
        onShare={props.onShare}
        onRename={setRenaming}
        onMark={setMarked}
        onClose={() => setMenu(undefined)}
      />
      <NewNode
        drawing={drawing}
        graph={graph}
        spot={spot}
        grow={props.grow}
        // A part of the graph does not take up newcomers by itself.
        onCreated={graph.truncated ? actions.pick : actions.select}
        onClose={() => setSpot(undefined)}
      />
      <DrawnRelation link={link} relate={props.relate} onClose={() => setLink(undefined)} />
      <RegionDialog
        drawing={drawing}
        region={mayWrite ? renaming : undefined}
        onClose={() => setRenaming(undefined)}
      />
    </>
  )
}

function subjectOf({ selected, from, to }: GraphAddress, marked: readonly string[]): Subject {
  if (selected !== undefined || to !== undefined || marked.length > 0) return 'details'
  return from === undefined ? 'none' : 'hint'
}
