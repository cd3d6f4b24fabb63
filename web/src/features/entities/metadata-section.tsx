import { Code, ScrollArea } from '@mantine/core'
import { Section } from '../../ui/section.tsx'

/** An entity's metadata, pretty-printed; nothing when there is none. */
export function MetadataSection({ metadata }: { metadata: Record<string, unknown> }) {
  if (Object.keys(metadata).length === 0) return null
  return (
    <Section title="Metadata">
      <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0, 'aria-label': 'Metadata' }}>
        <Code block>{JSON.stringify(metadata, null, 2)}</Code>
      </ScrollArea.Autosize>
    </Section>
  )
}
