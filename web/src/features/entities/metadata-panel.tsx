import { Button, Code } from '@mantine/core'
import { Frame, Panel } from '../../ui/frame.tsx'
import classes from './metadata-panel.module.css'

type MetadataProps = {
  metadata: Record<string, unknown>
  onEdit: (() => void) | undefined
}

/** An entity's metadata: a row for each key. */
export function MetadataPanel({ metadata, onEdit }: MetadataProps) {
  const entries = Object.entries(metadata)
  return (
    <Frame className={classes.frame}>
      <Panel
        title="Metadata"
        aside={
          onEdit && (
            <Button size="xs" variant="default" onClick={onEdit}>
              Edit
            </Button>
          )
        }
      >
        {entries.length === 0 ? (
          <p className={classes.none}>No metadata</p>
        ) : (
          <dl>
            {entries.map(([key, value]) => (
              <div key={key} className={classes.row}>
                <dt>{key}</dt>
                <dd>
                  {typeof value === 'object' && value !== null ? (
                    <Code block>{JSON.stringify(value, null, 2)}</Code>
                  ) : (
                    <bdi>{String(value)}</bdi>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Panel>
    </Frame>
  )
}
