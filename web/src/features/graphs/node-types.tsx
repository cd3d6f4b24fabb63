import { Button, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import type { LiveGraph } from './live-graph.ts'
import classes from './node-types.module.css'
import { useFromGraph } from './use-from-graph.ts'

type NodeTypesProps = {
  graph: LiveGraph
  hidden: readonly string[]
  onChange: (hidden: string[]) => void
}

/** The legend; a click leaves a type out or takes it in again. */
export const NodeTypes = memo(function NodeTypes({ graph, hidden, onChange }: NodeTypesProps) {
  const types = useFromGraph(graph, (now) => now.types)
  const toggle = (type: string) =>
    onChange(hidden.includes(type) ? hidden.filter((other) => other !== type) : [...hidden, type])
  return (
    <Section
      title="Node Types"
      aside={
        hidden.length > 0 && (
          <Button variant="default" size="compact-xs" onClick={() => onChange([])}>
            Show all
          </Button>
        )
      }
    >
      <ul className={classes.list}>
        {types.map(({ type, count }) => (
          <li key={type}>
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
          </li>
        ))}
      </ul>
    </Section>
  )
})
