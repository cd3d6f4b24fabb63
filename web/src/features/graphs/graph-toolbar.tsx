import { ActionIcon, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDownload, IconMaximize, IconMinimize, IconZoomReset } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { GraphView } from '../../graph-engine/types.ts'
import { download } from '../../lib/download.ts'
import { notifyError } from '../../lib/notify.tsx'
import type { GraphAddress } from './graph-address.ts'
import classes from './graph-toolbar.module.css'
import { NodeSearch } from './node-search.tsx'

type GraphToolbarProps = {
  /** Undefined until the engine is there. */
  drawing: GraphView | undefined
  view: GraphAddress['view']
  full: boolean
  onView: (view: GraphAddress['view']) => void
  onToggleFull: () => void
  onPick: (id: string) => void
}

export const GraphToolbar = memo(function GraphToolbar({ drawing, view, full, ...on }: GraphToolbarProps) {
  const drawn = drawing !== undefined && view === 'graph'
  return (
    <div className={classes.bar}>
      <NodeSearch onPick={on.onPick} />
      <div className={classes.tools}>
        <SegmentedControl
          aria-label="View"
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'list', label: 'List' },
          ]}
          value={view}
          onChange={(next) => on.onView(next === 'list' ? 'list' : 'graph')}
        />
        <Tool label="Reset zoom" disabled={!drawn} onClick={() => drawing?.resetZoom()}>
          <IconZoomReset size={18} />
        </Tool>
        <Menu width={170}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label="Export picture" disabled={!drawn}>
              <IconDownload size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => drawing && void exportPng(drawing)}>Export as PNG</Menu.Item>
            <Menu.Item onClick={() => drawing && exportSvg(drawing)}>Export as SVG</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Tool label={full ? 'Exit full screen' : 'Full screen'} autoFocused onClick={on.onToggleFull}>
          {full ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
        </Tool>
      </div>
    </div>
  )
})

type ToolProps = {
  label: string
  disabled?: boolean
  /** Has the focus when the keyboard is kept in the full screen. */
  autoFocused?: boolean
  onClick: () => void
  children: ReactNode
}

function Tool({ label, disabled, autoFocused, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="lg"
        aria-label={label}
        disabled={disabled}
        data-autofocus={autoFocused}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

function exportPng(drawing: GraphView): Promise<void> {
  return drawing.exportPng().then(
    (picture) => download(picture, 'loci-graph.png'),
    () => notifyError('Failed to export the graph'),
  )
}

function exportSvg(drawing: GraphView): void {
  download(new Blob([drawing.exportSvg()], { type: 'image/svg+xml' }), 'loci-graph.svg')
}
