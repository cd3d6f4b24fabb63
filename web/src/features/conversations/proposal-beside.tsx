import type { Proposal } from '@loci/contract/proposals'
import { Link } from '@tanstack/react-router'
import { countOf } from '../../lib/format.ts'
import { VisibleText } from '../../ui/visible-text.tsx'
import { firstFactOf } from './conversations.rules.ts'
import classes from './led-to.module.css'
import { WaitingBeside } from './waiting-beside.tsx'

type ProposalProps = { proposal: Proposal; isActive: boolean; onEnter: () => void; onLeave: () => void }

/** What an agent proposed in the conversation; it is decided on in the inbox, beside what is known already. */
export function ProposalBeside({ proposal, isActive, onEnter, onLeave }: ProposalProps) {
  const { name, type, content } = firstFactOf(proposal)
  const more = proposal.changesCount - 1
  return (
    <WaitingBeside
      id={proposal.id}
      entity={{ name, type }}
      kind="Proposal"
      isActive={isActive}
      onEnter={onEnter}
      onLeave={onLeave}
    >
      <div className={classes.factText} dir="auto">
        <VisibleText text={content} />
      </div>
      {more > 0 && <div className={classes.factFoot}>and {countOf(more, 'more change', 'more changes')}</div>}
      <div className={classes.decide}>
        <Link to="/inbox" className={classes.inbox} data-led={proposal.id}>
          Decide in Inbox
        </Link>
      </div>
    </WaitingBeside>
  )
}
