import type { Proposal } from '@loci/contract/proposals'
import { Group, Radio } from '@mantine/core'
import { useId } from 'react'
import { formatHeld } from '../../lib/fact-time.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { EntityWords } from './change-words.tsx'
import classes from './inbox.module.css'

type KnownProps = {
  proposal: Proposal
  replaces: readonly string[]
  /** Undefined if nothing can be decided. */
  onReplaces: ((ids: string[]) => void) | undefined
}

/** What is known already and could say the same, or the opposite. Nothing is decided for the reader. */
export function KnownFacts({ proposal: { rivals }, replaces, onReplaces }: KnownProps) {
  const name = useId()
  if (rivals.length === 0) return null
  return (
    <ul className={classes.known} aria-label="Known already">
      {rivals.map(({ id, content, entity, ...times }) => (
        <li key={id} className={classes.rival}>
          <span className={classes.rivalLabel}>Known already</span>
          <span className={classes.rivalText}>
            <VisibleText text={content} /> <span className={classes.held}>{formatHeld(times)}</span>{' '}
            <span className={classes.held}>
              on <EntityWords name={entity.name} type={entity.type} />
            </span>
          </span>
          {onReplaces && (
            <Radio.Group
              name={`${name} ${id}`}
              label={`What happens to: ${content.slice(0, 80)}`}
              labelProps={{ className: 'loci-unseen' }}
              value={replaces.includes(id) ? 'replace' : 'keep'}
              onChange={(value) =>
                onReplaces(value === 'replace' ? [...replaces, id] : replaces.filter((old) => old !== id))
              }
            >
              <Group gap="md" className={classes.choices}>
                <Radio value="replace" label="Replace it" size="xs" />
                <Radio value="keep" label="Keep both" size="xs" />
              </Group>
            </Radio.Group>
          )}
        </li>
      ))}
    </ul>
  )
}
