import { Button, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { DecidedList } from '../../features/inbox/decided-list.tsx'
import { useDecidedToday, useInboxItems } from '../../features/inbox/inbox.queries.ts'
import { InboxCard } from '../../features/inbox/inbox-card.tsx'
import { InboxList } from '../../features/inbox/inbox-list.tsx'
import { RulesButton } from '../../features/inbox/rules-button.tsx'
import { useDecisions } from '../../features/inbox/use-decisions.ts'
import { useInbox } from '../../features/inbox/use-inbox.ts'
import { countOf, formatNumber } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { Page } from '../../ui/page.tsx'
import classes from './inbox-page.module.css'

const route = getRouteApi('/app/inbox')

/** What agents want to remember, for a person to decide. */
export function InboxPage() {
  const { show } = route.useSearch()
  const navigate = useNavigate({ from: '/inbox' })
  const list = useInboxItems('open')
  const shown = show === 'accepted' || show === 'rejected' ? show : 'open'
  const [leftPlace, setLeftPlace] = useState<HTMLElement | null>(null)
  const none = (text: string) => <EmptyState title="Nothing yet" text={text} />
  return (
    <Page
      title="Inbox"
      subtitle="What agents want to remember. Nothing here is told to anybody until you accept it."
    >
      <div className={classes.head}>
        <SegmentedControl
          className={classes.tabs}
          aria-label="What to show"
          value={shown}
          onChange={(value) =>
            void navigate({ search: (was) => ({ ...was, show: value === 'open' ? undefined : value }) })
          }
          data={[
            { value: 'open', label: `To decide ${list.isLoaded ? formatNumber(list.open) : ''}`.trim() },
            { value: 'accepted', label: 'Accepted' },
            { value: 'rejected', label: 'Rejected' },
          ]}
        />
        {shown === 'open' && list.draftsThisWeek > 0 && (
          <span className={classes.week}>
            {countOf(list.draftsThisWeek, 'draft', 'drafts')} from this week
          </span>
        )}
        <p ref={setLeftPlace} className={classes.left} />
        {list.mayDecideProposals && <RulesButton />}
      </div>
      {shown === 'open' ? (
        <ToDecide list={list} leftPlace={leftPlace} />
      ) : (
        <DecidedList
          key={shown}
          status={shown}
          none={none(`What is ${shown} appears here, with who decided and when.`)}
        />
      )}
    </Page>
  )
}

type ToDecideProps = {
  list: ReturnType<typeof useInboxItems>
  /** Where it says how many are left. */
  leftPlace: HTMLElement | null
}

function ToDecide({ list, leftPlace }: ToDecideProps) {
  const { items, open, next, mayDecide, mayDecideAny } = list
  const decisions = useDecisions()
  const inbox = useInbox(items, decisions, mayDecide)
  const isPhone = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  const [wantsList, setWantsList] = useState(false)
  const waiting = [...decisions.gone].filter((id) => items.some((item) => item.id === id)).length
  const left = Math.max(inbox.ordered.length, open - waiting)
  const isAllDecided = inbox.ordered.length === 0 && !next.hasNextPage
  const mayDecideAll = inbox.ordered.every(mayDecide)
  if (list.error) return <ErrorAlert message="Could not load the inbox." onRetry={list.refetch} />
  if (!list.isLoaded) return <LoadingText shape={<ListSkeleton />}>Loading the inbox...</LoadingText>
  if (isAllDecided) return <AllDecided mayDecide={mayDecideAny} />
  const isCard = isPhone && mayDecideAll && !wantsList
  return (
    <>
      {isPhone &&
        mayDecideAll &&
        leftPlace &&
        createPortal(
          <>
            {formatNumber(left)} left
            <Button variant="subtle" size="compact-sm" onClick={() => setWantsList(!wantsList)}>
              {wantsList ? 'One by one' : 'List'}
            </Button>
          </>,
          leftPlace,
        )}
      {isCard ? (
        <InboxCard inbox={inbox} decisions={decisions} total={left} />
      ) : (
        <InboxList inbox={inbox} decisions={decisions} />
      )}
      {(!isCard || inbox.ordered.length === 0) && (
        <NextPage query={next} failure="Could not load more to decide.">
          Show more
        </NextPage>
      )}
    </>
  )
}

function AllDecided({ mayDecide }: { mayDecide: boolean }) {
  const { data: today } = useDecidedToday(mayDecide)
  if (!mayDecide)
    return (
      <EmptyState
        title="Nothing waits."
        text="What you and your agents propose here appears until it is decided."
      />
    )
  return (
    <EmptyState
      title={today ? `All decided. ${formatNumber(today)} today.` : 'All decided.'}
      text="Agents whose key, app or space has to propose appear here with what they want to remember."
    />
  )
}
