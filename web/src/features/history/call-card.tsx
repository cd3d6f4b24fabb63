import { Button, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { HistoryFilter } from '../../lib/filters.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { useMay } from '../../lib/rights.ts'
import { useUndo } from '../../lib/use-undo.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './call-card.module.css'
import { ChangeLine } from './change-line.tsx'
import type { Call } from './group-calls.ts'
import { writerFilterOf } from './history.rules.ts'

const linesAtFirst = 6

type CallCardProps = {
  call: Call
  /** The entity whose history this is; changes to it need not name it. */
  entityId?: string | undefined
  /** Whether the call may have changed more than these changes. */
  mayBePart?: boolean
  /** Shows only what these filters select. */
  onFilter: (part: Partial<HistoryFilter>) => void
}

/** All changes of one call, with its undo. */
export function CallCard({ call, entityId, mayBePart = false, onFilter }: CallCardProps) {
  const [isOpen, setOpen] = useState(false)
  const undo = useUndo()
  const mayWrite = useMay('memory:write')
  const { actor, tool, at, changes, setId } = call
  const shown = isOpen ? changes : changes.slice(0, linesAtFirst)
  const hidden = changes.length - shown.length
  return (
    <article className={classes.card} aria-label={`Changes by ${actor.client ?? actor.name}`}>
      <header className={classes.head}>
        <UnstyledButton
          className={classes.writer}
          onClick={() => onFilter(writerFilterOf(actor))}
          title="Show only these"
        >
          <WriterBadge by={actor} />
        </UnstyledButton>
        {actor.client !== undefined && <span className={classes.dim}>for {actor.name}</span>}
        {tool && (
          <UnstyledButton className="loci-touch" onClick={() => onFilter({ tool })} title="Show only these">
            <code className={classes.tool}>{tool}</code>
          </UnstyledButton>
        )}
        <span className={classes.dim}>
          {countOf(changes.length, 'change', 'changes')}
          {mayBePart && ' shown'}
        </span>
        <div className={classes.end}>
          <TimeText iso={at} />
          {mayWrite && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconArrowBackUp size={14} />}
              loading={undo.isPending}
              title="Undo everything this call changed"
              onClick={() => undo.mutate(setId)}
            >
              {mayBePart ? 'Undo the whole call' : 'Undo'}
            </Button>
          )}
        </div>
      </header>
      <ul>
        {shown.map((change) => (
          <ChangeLine key={change.seq} change={change} entityId={entityId} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="subtle" size="compact-sm" m={6} onClick={() => setOpen(true)}>
          Show {formatNumber(hidden)} more
        </Button>
      )}
    </article>
  )
}
