import { SegmentedControl } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { RecallList } from '../../features/recalls/recall-list.tsx'
import { useRecalls } from '../../features/recalls/recalls.queries.ts'
import { KeepRecalls } from '../../features/spaces/keep-recalls.tsx'
import { messageOf } from '../../lib/errors.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Frame } from '../../ui/frame.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { Page } from '../../ui/page.tsx'

const route = getRouteApi('/app/recalls')

export function RecallsPage() {
  const { found } = route.useSearch()
  const navigate = useNavigate({ from: '/recalls' })
  const onlyNone = found === 'false'
  const recalls = useRecalls(onlyNone ? 'false' : undefined)
  const rows = recalls.data?.pages.flatMap((page) => page.recalls) ?? []
  const days = recalls.data?.pages[0]?.keptDays
  return (
    <Page
      title="Recalls"
      subtitle={
        days === undefined || days === 0
          ? 'What agents asked this memory, and what they were told.'
          : `What agents asked this memory, and what they were told. Kept for ${days === 1 ? 'a day' : `${days} days`}.`
      }
      actions={days !== 0 && <KeepRecalls />}
    >
      <SegmentedControl
        aria-label="Which recalls"
        value={onlyNone ? 'none' : 'all'}
        data={[
          { value: 'all', label: 'All' },
          { value: 'none', label: 'Nothing found' },
        ]}
        onChange={(value) =>
          void navigate({ search: { found: value === 'none' ? 'false' : undefined }, replace: true })
        }
        style={{ alignSelf: 'flex-start' }}
      />
      {recalls.error && !recalls.isFetchNextPageError && (
        <ErrorAlert
          message={messageOf(recalls.error, 'Failed to load recalls')}
          onRetry={() => void recalls.refetch()}
        />
      )}
      {recalls.isPending && <LoadingText shape={<ListSkeleton />}>Loading recalls...</LoadingText>}
      {recalls.data && rows.length === 0 && <NoRecalls isOff={days === 0} onlyNone={onlyNone} />}
      {rows.length > 0 && (
        <Frame>
          <RecallList recalls={rows} />
        </Frame>
      )}
      <NextPage query={recalls} failure="Failed to load older recalls">
        Show older recalls
      </NextPage>
    </Page>
  )
}

function NoRecalls({ isOff, onlyNone }: { isOff: boolean; onlyNone: boolean }) {
  if (isOff) return <EmptyState title="Recalls are not kept" text="This server is set up to keep none." />
  if (onlyNone)
    return <EmptyState title="Every question was answered" text="Nothing was asked that found nothing." />
  return (
    <EmptyState
      title="No recalls yet"
      text="When an agent asks this memory, its question appears here with what it was told."
      action={
        <Link to="/settings" hash="connect">
          Connect an agent
        </Link>
      }
    />
  )
}
