import type { Change } from '@loci/contract/changes'
import { Button, Group, Text, Title } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { writerOf } from '../../ui/writer-name.ts'
import classes from './first-run.module.css'
import type { MemoryNow } from './use-memory-now.ts'

/** The tools that agents call most. */
const tools = [
  { name: 'recall', use: 'Finds observations that answer a question' },
  { name: 'add_observations', use: 'Adds observations to an existing entity' },
  { name: 'create_relations', use: 'Connects entities' },
  { name: 'update_observation', use: 'Corrects an observation' },
]

const ToolsToTry = () => (
  <dl className={classes.tools} aria-label="Tools to try">
    {tools.map(({ name, use }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{use}</dd>
      </div>
    ))}
  </dl>
)

type FirstMemoryProps = { change: Change; now: MemoryNow }

/** What is left of the first memory that an agent stored, and how to check that the agent finds it again. */
export function FirstMemory({ change: { actor, at }, now: { entity, facts } }: FirstMemoryProps) {
  const isGone = facts.every((fact) => fact.isGone)
  return (
    <>
      <div className={classes.content} role="status">
        <Title order={2} id="first-run" className={classes.hero}>
          {isGone ? 'The first memory was deleted' : 'The first memory is in'}
        </Title>
        <Text c="dimmed" className={classes.lead}>
          {isGone
            ? 'Your agent wrote this. No agent finds it any more; History keeps it.'
            : 'Your agent wrote this. It will find it again in every session, and so will every other agent you connect.'}
        </Text>
        <div className={classes.connected}>
          <span className={classes.light} data-seen aria-hidden />
          <b>{writerOf(actor)} is connected</b>
        </div>
        <div className={classes.memory}>
          <div className={classes.memoryHead}>
            <TypeDot type={entity.type} />
            <b className={classes.memoryName} dir="auto">
              {entity.name}
            </b>
            <WriterBadge by={actor} />
            <Text size="xs" c="dimmed" span>
              <TimeText iso={at} />
            </Text>
          </div>
          {facts.map((fact) => (
            <p key={fact.id} className={classes.fact} dir="auto">
              {fact.isGone ? <del>{fact.text}</del> : fact.text}
            </p>
          ))}
        </div>
        <Group gap="xs">
          {entity.isGone ? (
            <Button renderRoot={(props) => <Link {...props} to="/history" />}>Open History</Button>
          ) : (
            <Button
              renderRoot={(props) => (
                <Link {...props} to="/entities/$entityId" params={{ entityId: entity.id }} />
              )}
            >
              Open it
            </Button>
          )}
          <Button renderRoot={(props) => <Link {...props} to="/graph" />} variant="default">
            View Graph
          </Button>
        </Group>
        <ToolsToTry />
      </div>
      {!isGone && (
        <div className={classes.next}>
          <IconMessageQuestion size={20} aria-hidden />
          <div>
            <b>
              Try it: open a new session and ask “What do you know about <bdi>{entity.name}</bdi>?”
            </b>
            <Text size="xs" c="dimmed">
              The answer comes from this memory.
            </Text>
          </div>
        </div>
      )}
    </>
  )
}
