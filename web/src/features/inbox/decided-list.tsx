import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useUndo } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './inbox.module.css'
import { useInboxItems } from './inbox.queries.ts'
import { type Item, verbsOf } from './inbox.rules.ts'
import { ProposalChanges } from './proposal-row.tsx'

type DecidedProps = { status: 'accepted' | 'rejected'; none: ReactNode }

/** What was decided, newest first; what was accepted can be undone. */
export function DecidedList({ status, none }: DecidedProps) {
  const { items, isLoaded, error, refetch, next, mayDecide } = useInboxItems(status)
  if (!isLoaded)
    return error ? (
      <ErrorAlert message="Could not load what was decided." onRetry={refetch} />
    ) : (
      <LoadingText>Loading what was decided...</LoadingText>
    )
  if (items.length === 0 && !next.hasNextPage) return none
  return (
    <>
      <div className={classes.frame}>
        <ul>
          {items.map((item) => (
            <Decided key={item.id} proposal={item} mayDecide={mayDecide(item)} />
          ))}
        </ul>
      </div>
      <NextPage query={next} failure="Could not load older decisions.">
        Show older decisions
      </NextPage>
    </>
  )
}

function Decided({ proposal, mayDecide }: { proposal: Item; mayDecide: boolean }) {
  const undo = useUndo()
  const verbs = verbsOf(proposal)
  const { by, decidedBy, decidedAt, note, setId } = proposal
  return (
    <li className={classes.row}>
      <div className={classes.halves}>
        <span />
        <ProposalChanges proposal={proposal} isWhole={false} />
        <div className={classes.source}>
          <div className={classes.sourceHead}>
            <WriterBadge by={by} />
            {decidedAt && <TimeText iso={decidedAt} />}
            {setId && mayDecide && (
              <Button
                className={classes.all}
                variant="default"
                size="compact-sm"
                loading={undo.isPending}
                onClick={() => undo.mutate(setId)}
              >
                Undo
              </Button>
            )}
          </div>
          <span className={classes.what}>
            {proposal.status === 'accepted' ? verbs.accepted : verbs.rejected}
            {decidedBy && ` by ${decidedBy.name}`}
            {note && `: ${note}`}
          </span>
        </div>
      </div>
    </li>
  )
}
