import type { Change } from '@loci/contract/changes'
import { Button, Group, Text, Title } from '@mantine/core'
import { IconMessageQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { contentOf } from '../../features/memory/learned-lately.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { writerOf } from '../../ui/writer-name.ts'
import classes from './first-run.module.css'

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

/** The first memory that an agent stored, and how to check that the agent finds it again. */
export function FirstMemory({ changes }: { changes: Change[] }) {
  const { subject, actor, at } = changes[0]!
  const { entityId = '', entityName = '', entityType = '' } = subject
  return (
    <>
      <div className={classes.content} role="status">
        <Title order={2} id="first-run" className={classes.hero}>
          The first memory is in
        </Title>
        <Text c="dimmed" className={classes.lead}>
          Your agent wrote this. It will find it again in every session, and so will every other agent you
          connect.
        </Text>
        <div className={classes.connected}>
          <span className={classes.light} data-seen aria-hidden />
          <b>{writerOf(actor)} is connected</b>
        </div>
        <div className={classes.memory}>
          <div className={classes.memoryHead}>
            <TypeDot type={entityType} />
            <b className={classes.memoryName} dir="auto">
              {entityName}
            </b>
            <WriterBadge by={actor} />
            <Text size="xs" c="dimmed" span>
              <TimeText iso={at} />
            </Text>
          </div>
          {changes.map(({ seq, after }) => (
            <p key={seq} className={classes.fact} dir="auto">
              {contentOf(after)}
            </p>
          ))}
        </div>
        <Group gap="xs">
          <Button
            renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId }} />}
            className={classes.open}
          >
            Open {entityName}
          </Button>
          <Button renderRoot={(props) => <Link {...props} to="/graph" />} variant="default">
            View Graph
          </Button>
        </Group>
        <ToolsToTry />
      </div>
      <div className={classes.next}>
        <IconMessageQuestion size={20} aria-hidden />
        <div>
          <b>
            Try it: open a new session and ask “What do you know about <bdi>{entityName}</bdi>?”
          </b>
          <Text size="xs" c="dimmed">
            The answer comes from this memory.
          </Text>
        </div>
      </div>
    </>
  )
}
