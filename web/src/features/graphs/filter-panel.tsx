import { ActionIcon, Tooltip } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { countOf } from '../../lib/format.ts'
import classes from './filter-panel.module.css'

type FilterPanelProps = {
  open: boolean
  /** Named while the panel is folded. */
  entityCount: number
  onToggle: () => void
  controls: ReactNode
  children: ReactNode
}

/** The left panel: the screen's title, how much of the graph is shown, and the filters. */
export function FilterPanel({ open, entityCount, onToggle, controls, children }: FilterPanelProps) {
  const label = open ? 'Fold filters' : 'Show filters'
  return (
    <div className={classes.panel} data-open={open || undefined}>
      <header className={classes.head}>
        <h1 className={classes.title}>Knowledge Graph Visualization</h1>
        {!open && entityCount > 0 && (
          <span className={classes.count}>{countOf(entityCount, 'node', 'nodes')}</span>
        )}
        <Tooltip label={label}>
          <ActionIcon aria-label={label} aria-expanded={open} onClick={onToggle}>
            {open ? <IconChevronUp size={16} /> : <IconAdjustmentsHorizontal size={16} />}
          </ActionIcon>
        </Tooltip>
      </header>
      {open && (
        <>
          {controls}
          <div className={classes.body}>{children}</div>
        </>
      )}
    </div>
  )
}
