import type { AnalyticsSummary } from '@loci/contract/analytics'
import { Button, CloseButton, Group, Text } from '@mantine/core'
import { IconFileImport, IconPlus, IconSparkles } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAgentSeen } from '../../features/agents/agents.queries.ts'
import { EntryPlan } from '../../features/memory/entry-plan.tsx'
import { useFirstMemory } from '../../features/memory/use-first-memory.ts'
import { useSampleMemory } from '../../features/memory/use-sample-memory.ts'
import { useMay } from '../../lib/rights.ts'
import { Frame } from '../../ui/frame.tsx'
import { writerOf } from '../../ui/writer-name.ts'
import { ConnectSteps } from './connect-steps.tsx'
import { FirstMemory } from './first-memory.tsx'
import classes from './first-run.module.css'
import { useMemoryNow } from './use-memory-now.ts'

const closedKey = 'first_run_closed'
/** From this many entities on, the guide is no longer needed. */
const entitiesAtFirst = 10

/** Whether to show the guide, and how to dismiss it. */
export function useFirstRun(accountId: string | undefined, summary: AnalyticsSummary) {
  const [closedFor, setClosedFor] = useState(() => localStorage.getItem(closedKey))
  const sample = useSampleMemory(accountId ?? '')
  const isUnderWay = summary.totalEntities >= entitiesAtFirst && !sample.isLoaded
  return {
    isShown: accountId !== undefined && closedFor !== accountId && !isUnderWay,
    sample,
    close: () => {
      localStorage.setItem(closedKey, accountId ?? '')
      setClosedFor(accountId ?? null)
    },
  }
}

/** The first screen for a new user: how to connect an agent, and the first memory as it arrives. */
export function FirstRun({
  summary,
  guide: { sample, close },
}: {
  summary: AnalyticsSummary
  guide: ReturnType<typeof useFirstRun>
}) {
  const memory = useFirstMemory()
  const mayWrite = useMay('memory:write')
  const first = memory?.[0]
  const now = useMemoryNow(memory)
  const arrival =
    first && now && !now.entity.isGone
      ? { agent: writerOf(first.actor), name: now.entity.name, type: now.entity.type }
      : undefined
  return (
    <section className={classes.outer} aria-labelledby="first-run">
      <Frame className={classes.frame}>
        <div className={classes.guide}>
          {first && now ? <FirstMemory change={first} now={now} /> : <ConnectSteps />}
          <CloseButton className={classes.close} aria-label="Hide this guide" onClick={close} />
        </div>
        <div className={classes.plan}>
          <EntryPlan types={summary.entityTypeStats} named={summary.recentEntities} arrival={arrival} />
          <Text className={classes.caption}>
            <b>Your memory</b>{' '}
            <span className={classes.dim}>
              {summary.totalEntities === 0
                ? 'Empty. Each type of entity will have a room here.'
                : 'A room for each type, a dot for each entity.'}
            </span>
          </Text>
        </div>
      </Frame>
      {mayWrite && memory === undefined && <OtherWays sample={sample} />}
      {mayWrite && memory !== undefined && sample.isLoaded && (
        <Group gap="xs" className={classes.others}>
          <SampleButton sample={sample} />
        </Group>
      )}
    </section>
  )
}

type SampleProps = { sample: ReturnType<typeof useSampleMemory> }

/** Ways to start before an agent has stored anything. */
function OtherWays({ sample }: SampleProps) {
  const { data: seen = false } = useAgentSeen()
  return (
    <Group gap="xs" className={classes.others}>
      <Text c="dimmed">{seen ? 'Or start from what you already have' : 'No agent at hand?'}</Text>
      <Button
        renderRoot={(props) => <Link {...props} to="/settings" hash="memory" />}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconFileImport size={16} />}
      >
        Import a memory file
      </Button>
      <SampleButton sample={sample} />
      <Button
        renderRoot={(props) => <Link {...props} to="/entities" search={{ create: 'true' }} />}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={16} />}
      >
        Create an entity
      </Button>
    </Group>
  )
}

function SampleButton({ sample }: SampleProps) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconSparkles size={16} />}
      loading={sample.isPending}
      onClick={sample.isLoaded ? sample.remove : sample.load}
    >
      {sample.isLoaded ? 'Remove the sample memory' : 'Load a sample memory'}
    </Button>
  )
}
