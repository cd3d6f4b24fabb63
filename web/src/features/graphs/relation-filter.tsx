import { labelOfType } from '@loci/contract/lists'
import { Button, UnstyledButton } from '@mantine/core'
import { memo, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { LiveGraph } from './live-graph.ts'
import { PanelSection } from './panel-section.tsx'
import classes from './relation-filter.module.css'
import { useFromGraph } from './use-from-graph.ts'

type RelationFilterProps = {
  graph: LiveGraph
  hidden: readonly string[]
  onChange: (hidden: string[]) => void
}

const shownAtFirst = 8

/** The types of the relations; a click hides or shows one. */
export const RelationFilter = memo(function RelationFilter({ graph, hidden, onChange }: RelationFilterProps) {
  const types = useFromGraph(graph, (now) => now.relationTypes)
  const [all, setAll] = useState(false)
  if (types.length === 0) return null
  const shown = all ? types : types.slice(0, shownAtFirst)
  const toggle = (type: string) =>
    onChange(hidden.includes(type) ? hidden.filter((other) => other !== type) : [...hidden, type])
  return (
    <PanelSection
      title="Relations"
      aside={
        hidden.length > 0 ? (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange([])}>
            All
          </Button>
        ) : (
          types.length > 1 && (
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => onChange(types.map(({ type }) => type))}
            >
              None
            </Button>
          )
        )
      }
    >
      <ul className={classes.list}>
        {shown.map(({ type, count }) => (
          <li key={type}>
            <UnstyledButton
              className={classes.type}
              aria-pressed={!hidden.includes(type)}
              title={hidden.includes(type) ? `Show ${type}` : `Hide ${type}`}
              onClick={() => toggle(type)}
            >
              <bdi className={classes.name}>{labelOfType(type)}</bdi>
              <span className={classes.count}>{formatNumber(count)}</span>
            </UnstyledButton>
          </li>
        ))}
        {types.length > shown.length && (
          <li>
            <UnstyledButton className={classes.more} onClick={() => setAll(true)}>
              {formatNumber(types.length - shown.length)} more
            </UnstyledButton>
          </li>
        )}
      </ul>
    </PanelSection>
  )
})
