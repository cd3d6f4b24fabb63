import { Button, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import type { LiveGraph } from './live-graph.ts'
import classes from './node-types.module.css'
import { PanelSection } from './panel-section.tsx'
import { useFromGraph } from './use-from-graph.ts'

type NodeTypesProps = {
  graph: LiveGraph
  hidden: readonly string[]
  onChange: (hidden: string[]) => void
}

/** The legend. A click hides or shows a type; Only hides all others. */
export const NodeTypes = memo(function NodeTypes({ graph, hidden, onChange }: NodeTypesProps) {
  const types = useFromGraph(graph, (now) => now.types)
  const toggle = (type: string) =>
    onChange(hidden.includes(type) ? hidden.filter((other) => other !== type) : [...hidden, type])
  const isolate = (type: string) =>
    onChange(types.map((other) => other.type).filter((other) => other !== type))
  return (
    <PanelSection
      title="Node Types"
      aside={
        hidden.length > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange([])}>
            Show all
          </Button>
        )
      }
    >
      <ul className={classes.list}>
        {types.map(({ type, count }) => (
          <li key={type} className={classes.row}>
            <UnstyledButton
              className={classes.type}
              aria-pressed={!hidden.includes(type)}
              title={hidden.includes(type) ? `Show ${type}` : `Hide ${type}`}
              onClick={() => toggle(type)}
            >
              <TypeDot type={type} />
              <bdi className={classes.name}>{type}</bdi>
              <span className={classes.count}>{formatNumber(count)}</span>
            </UnstyledButton>
            {types.length > 1 && (
              <UnstyledButton
                className={classes.only}
                aria-label={`Only ${type}`}
                onClick={() => isolate(type)}
              >
                Only
              </UnstyledButton>
            )}
          </li>
        ))}
      </ul>
    </PanelSection>
  )
})
