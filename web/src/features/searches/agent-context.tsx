import { ScrollArea } from '@mantine/core'
import type { SearchFilter } from '../../lib/filters.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Frame, Panel } from '../../ui/frame.tsx'
import classes from './agent-context.module.css'
import { useRecallPreview } from './searches.queries.ts'

/** The text that an agent would get for the question, to read and to copy. */
export function AgentContext({ filter }: { filter: SearchFilter }) {
  const { data, error } = useRecallPreview(filter)
  if (error || !data) return null
  return (
    <Frame>
      <Panel title="What an agent would get">
        <p className={classes.text}>
          {countOf(data.observations, 'observation', 'observations')} with neighbours, about{' '}
          {formatNumber(data.tokens)} tokens
        </p>
        <details className={classes.details}>
          <summary>Show the answer</summary>
          <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': 'Answer' }}>
            <pre className={classes.answer} dir="auto">
              {data.text}
            </pre>
          </ScrollArea.Autosize>
        </details>
        <CopyButton value={data.text} label="Copy as context" />
      </Panel>
    </Frame>
  )
}
