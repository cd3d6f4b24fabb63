import type { Proposal } from '@loci/contract/proposals'
import { Button } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useUndo } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './inbox.module.css'
import { proposalsOf, useProposals } from './inbox.queries.ts'
import { ProposalChanges } from './proposal-row.tsx'

type DecidedProps = { status: 'accepted' | 'rejected'; mayDecide: boolean; none: ReactNode }

/** What was decided, newest first; what was accepted can be undone. */
export function DecidedList({ status, mayDecide, none }: DecidedProps) {
  const query = useProposals(status)
  const proposals = useMemo(() => proposalsOf(query.data), [query.data])
  if (query.data === undefined)
    return query.error ? (
      <ErrorAlert message="Could not load what was decided." onRetry={() => void query.refetch()} />
    ) : (
      <LoadingText>Loading what was decided...</LoadingText>
    )
  if (proposals.length === 0 && !query.hasNextPage) return none
  return (
    <>
      <div className={classes.frame}>
        <ul className={classes.rows}>
          {proposals.map((proposal) => (
            <Decided key={proposal.id} proposal={proposal} mayDecide={mayDecide} />
          ))}
        </ul>
      </div>
      <NextPage query={query} failure="Could not load older decisions.">
        Show older decisions
      </NextPage>
    </>
  )
}

function Decided({ proposal, mayDecide }: { proposal: Proposal; mayDecide: boolean }) {
  const undo = useUndo()
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
            {proposal.status === 'accepted' ? 'Accepted' : 'Rejected'}
            {decidedBy && ` by ${decidedBy.name}`}
            {note && `: ${note}`}
          </span>
        </div>
      </div>
    </li>
  )
}
