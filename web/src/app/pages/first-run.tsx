import type { AnalyticsSummary } from '@loci/contract/analytics'
import type { Change } from '@loci/contract/changes'
import { Button, Chip, CloseButton, Group, Text, Title } from '@mantine/core'
import { IconFileImport, IconPlus, IconSparkles } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useAgentSeen } from '../../features/agents/agents.queries.ts'
import { Snippet } from '../../features/agents/snippet.tsx'
import { agentClients } from '../../features/agents/snippets.ts'
import { contentOf, writerOf } from '../../features/memory/learned-lately.tsx'
import { useLearnedLately } from '../../features/memory/memory.queries.ts'
import { MemoryPlan } from '../../features/memory/memory-plan.tsx'
import { useSampleMemory } from '../../features/memory/use-sample-memory.ts'
import classes from './first-run.module.css'

const closedKey = 'first_run_closed'
/** From so many entities on a memory is under way. */
const entitiesAtFirst = 10

type FirstRunProps = { apiKey: string; accountId: string; summary: AnalyticsSummary }

/** The first thing a new person sees: how to connect an agent, and the first memory as it arrives. */
export function FirstRun({ apiKey, accountId, summary }: FirstRunProps) {
  const [isClosed, setClosed] = useState(() => localStorage.getItem(closedKey) === accountId)
  const [clientId, setClientId] = useState(agentClients[0]!.id)
  const client = agentClients.find(({ id }) => id === clientId) ?? agentClients[0]!
  const sample = useSampleMemory(accountId)
  const isUnderWay = summary.totalEntities >= entitiesAtFirst && !sample.isLoaded
  if (isClosed || isUnderWay) return null
  function close() {
    localStorage.setItem(closedKey, accountId)
    setClosed(true)
  }
  return (
    <section className={classes.outer} aria-labelledby="first-run">
      <div className={classes.frame}>
        <div className={classes.guide}>
          <Group justify="space-between" wrap="nowrap" align="start">
            <div>
              <Title order={2} size="h4" id="first-run">
                Connect your agent
              </Title>
              <Text c="dimmed">
                What it learns from then on is kept here, for every session and every agent.
              </Text>
            </div>
            <CloseButton aria-label="Hide this guide" onClick={close} />
          </Group>
          <ol className={classes.steps}>
            <li>
              <div className={classes.step}>Choose your client</div>
              <Chip.Group value={clientId} onChange={setClientId}>
                <Group gap={6} role="radiogroup" aria-label="Client">
                  {agentClients.map(({ id, name }) => (
                    <Chip key={id} value={id} size="sm" radius="md" variant="filled" color="ink">
                      {name}
                    </Chip>
                  ))}
                </Group>
              </Chip.Group>
            </li>
            <li>
              <Snippet
                client={client}
                apiKey={apiKey}
                title={<span className={classes.step}>{stepOf(client.where)}</span>}
              />
            </li>
            <li>
              <div className={classes.step}>Say something worth keeping</div>
              <blockquote className={classes.quote}>
                Remember that we deploy from the release branch, never from main.
              </blockquote>
            </li>
          </ol>
          <Arrival />
        </div>
        <div className={classes.plan}>
          <MemoryPlan types={summary.entityTypeStats} />
          <Text mt="sm">
            <b>Your memory</b>{' '}
            <Text span c="dimmed">
              {summary.totalEntities === 0
                ? 'Empty. Each type of entity will have a room here.'
                : 'A room for each type, a dot for each entity.'}
            </Text>
          </Text>
        </div>
      </div>
      <Group gap="xs" className={classes.others}>
        <Text c="dimmed">No agent at hand?</Text>
        <Button
          component={Link}
          to="/settings"
          hash="memory"
          variant="subtle"
          size="compact-sm"
          leftSection={<IconFileImport size={16} />}
        >
          Import a memory file
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconSparkles size={16} />}
          loading={sample.isPending}
          onClick={sample.isLoaded ? sample.remove : sample.load}
        >
          {sample.isLoaded ? 'Remove the sample memory' : 'Load a sample memory'}
        </Button>
        <Button
          renderRoot={(props) => <Link {...props} to="/entities" search={{ create: 'true' }} />}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} />}
        >
          Create an entity
        </Button>
      </Group>
    </section>
  )
}

const stepOf = (where: string) =>
  where === 'Run in a terminal' ? 'Run this once in a terminal' : `Add this to ${where}`

/** Waits for the first call of an agent, then shows what it stored. */
function Arrival() {
  const { data: seen = false } = useAgentSeen()
  const { data: changes = [] } = useLearnedLately()
  const kept = useRef<Change>(undefined)
  kept.current ??= changes.find(({ actor, after }) => actor.kind !== 'session' && after !== null)
  const first = kept.current
  return (
    <div className={classes.arrival} data-seen={seen || first !== undefined} role="status">
      <span className={classes.light} aria-hidden />
      {first !== undefined ? (
        <div className={classes.said}>
          <b>{writerOf(first.actor)} remembered something</b>
          <Text dir="auto" lineClamp={3}>
            {first.subject.entityName}: {contentOf(first.after)}
          </Text>
          <Text c="dimmed">Now start a new session and ask about it: the answer comes from here.</Text>
        </div>
      ) : (
        <div className={classes.said}>
          <b>{seen ? 'Your agent is connected' : 'Waiting for the first call'}</b>
          <Text c="dimmed">
            {seen
              ? 'Tell it something worth keeping: it will appear here.'
              : 'This page changes by itself when your agent connects.'}
          </Text>
        </div>
      )}
    </div>
  )
}
