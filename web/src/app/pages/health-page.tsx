import { healthKinds } from '@loci/contract/health'
import { Button } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemoryHealth } from '../../features/health/health.queries.ts'
import { HealthView, totalOf } from '../../features/health/health-view.tsx'
import { countOf, formatNumber } from '../../lib/format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'

const route = getRouteApi('/app/health')

/** What may be wrong with the memory, to mend where it stands. */
export function HealthPage() {
  const { kind: given } = route.useSearch()
  const kind = healthKinds.find((one) => one === given)
  const navigate = useNavigate({ from: '/health' })
  const client = useQueryClient()
  const { data, isFetching } = useMemoryHealth(kind)
  const first = data?.pages[0]
  return (
    <Page
      title="Memory health"
      subtitle={first?.checkedAt ? subtitleOf(totalOf(first.counts), first.checked.observations) : what}
      actions={
        <>
          <RefreshButton
            loading={isFetching && data === undefined}
            onClick={() => void client.resetQueries({ queryKey: queryKeys.health() })}
          />
          <Button
            variant="default"
            leftSection={<IconArrowMerge size={16} />}
            renderRoot={(props) => <Link {...props} to="/duplicates" />}
          >
            Compare duplicates
          </Button>
        </>
      }
    >
      <HealthView
        kind={kind}
        onChoose={(chosen) => void navigate({ search: chosen === undefined ? {} : { kind: chosen } })}
        none={(checked) => (
          <EmptyState
            title={`Nothing to mend. ${countOf(checked, 'observation', 'observations')} checked.`}
            text="Duplicates, facts that may not both hold, stale ones and secrets are listed here with their cures."
          />
        )}
      />
    </Page>
  )
}

const what = 'What may be wrong with this memory, and how to mend it.'

function subtitleOf(total: number, observations: number): string {
  if (total === 0) return what
  const things = total === 1 ? 'One thing' : `${formatNumber(total)} things`
  return `${things} to look at among ${countOf(observations, 'observation', 'observations')}. Each says why it is here. Everything can be undone, except removing a secret.`
}
