import { UnstyledButton } from '@mantine/core'
import { IconChevronUp } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import classes from './folded-legend.module.css'
import type { LiveGraph } from './live-graph.ts'
import { useFromGraph } from './use-from-graph.ts'

const typesShown = 10

/** What the colours mean, in one line, while the filters are folded. */
export function FoldedLegend({ graph, onUnfold }: { graph: LiveGraph; onUnfold: () => void }) {
  const types = useFromGraph(graph, (now) => now.types)
  const more = types.length - typesShown
  return (
    <UnstyledButton className={classes.strip} aria-expanded={false} onClick={onUnfold}>
      <span className={classes.title}>Node Types</span>
      {types.slice(0, typesShown).map(({ type }) => (
        <span key={type} className={classes.type}>
          <TypeDot type={type} />
          <bdi>{type}</bdi>
        </span>
      ))}
      {more > 0 && <span className={classes.more}>{formatNumber(more)} more</span>}
      <IconChevronUp size={14} aria-hidden />
    </UnstyledButton>
  )
}
