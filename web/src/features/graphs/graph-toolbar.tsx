import type { GraphView } from '@loci/graph/types'
import { ActionIcon, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import { IconDownload, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { download } from '../../lib/download.ts'
import { notifyError } from '../../lib/notify.tsx'
import type { GraphViewName } from './graph-address.ts'
import classes from './graph-toolbar.module.css'

type GraphToolbarProps = {
  /** Undefined until the engine has loaded. */
  drawing: GraphView | undefined
  view: GraphViewName
  full: boolean
  onView: (view: GraphViewName) => void
  onToggleFull: () => void
  /** More tools, shown first. */
  children?: ReactNode
}

const views: { value: GraphViewName; label: string }[] = [
  { value: 'graph', label: 'Graph' },
  { value: 'plan', label: 'Plan' },
  { value: 'list', label: 'List' },
]

export const GraphToolbar = memo(function GraphToolbar({
  drawing,
  view,
  full,
  children,
  ...on
}: GraphToolbarProps) {
  const drawn = drawing !== undefined && view !== 'list'
  return (
    <div className={classes.bar}>
      <SegmentedControl
        aria-label="View"
        size="xs"
        className={classes.views}
        data={views}
        value={view}
        onChange={on.onView}
      />
      <div className={classes.tools}>
        {children}
        <Menu width={170}>
          <Menu.Target>
            <ActionIcon size={28} aria-label="Export picture" disabled={!drawn}>
              <IconDownload size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => drawing && void exportPng(drawing)}>Export as PNG</Menu.Item>
            <Menu.Item onClick={() => drawing && exportSvg(drawing)}>Export as SVG</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Tool label={full ? 'Exit full screen' : 'Full screen'} autoFocused onClick={on.onToggleFull}>
          {full ? <IconMinimize size={16} /> : <IconMaximize size={16} />}
        </Tool>
      </div>
    </div>
  )
})

type ToolProps = {
  label: string
  disabled?: boolean
  pressed?: boolean
  /** Focused when full screen traps the focus. */
  autoFocused?: boolean
  onClick: () => void
  children: ReactNode
}

export function Tool({ label, disabled, pressed, autoFocused, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={28}
        aria-label={label}
        aria-pressed={pressed}
        variant={pressed ? 'light' : 'subtle'}
        color={pressed ? 'iris' : 'gray'}
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
