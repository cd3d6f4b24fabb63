import { Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useAgentSeen } from '../../features/agents/agents.queries.ts'
import { ClientChoice } from '../../features/agents/client-choice.tsx'
import { MemoryName } from '../../features/agents/memory-name.tsx'
import { Snippet } from '../../features/agents/snippet.tsx'
import { agentClients } from '../../features/agents/snippets.ts'
import classes from './first-run.module.css'

/** Three steps to connect an agent, and whether an agent has called yet. */
export function ConnectSteps() {
  const [clientId, setClientId] = useState(agentClients[0]!.id)
  const client = agentClients.find(({ id }) => id === clientId) ?? agentClients[0]!
  return (
    <>
      <div className={classes.content}>
        <Title order={2} id="first-run" className={classes.hero}>
          Connect your agent
        </Title>
        <Text c="dimmed" className={classes.lead}>
          Paste one line. What your agent learns from then on is kept in <MemoryName />, for every session and
          every agent.
        </Text>
        <ol className={classes.steps}>
          <li>
            <div className={classes.step}>Choose your client</div>
            <ClientChoice value={clientId} onChange={setClientId} />
          </li>
          <li>
            <div className={classes.step}>{stepOf(client.where)}</div>
            <Snippet client={client} />
          </li>
          <li>
            <div className={classes.step}>Say something worth keeping</div>
            <blockquote className={classes.quote}>
              Remember that we deploy from the release branch, never from main.
            </blockquote>
          </li>
        </ol>
      </div>
      <Waiting />
    </>
  )
}

const stepOf = (where: string) =>
  where === 'Run in a terminal' ? 'Run this once in a terminal' : `Add this to ${where}`

/** Waits for an agent's first call. */
function Waiting() {
  const { data: seen = false } = useAgentSeen()
  return (
    <div className={classes.arrival} data-seen={seen} role="status">
      <span className={classes.light} aria-hidden />
      <div>
        <b>{seen ? 'Your agent is connected' : 'Waiting for the first call'}</b>
        <Text size="xs" c="dimmed">
          {seen
            ? 'Tell it something worth keeping. It will appear here.'
            : 'This page updates when your agent connects.'}
        </Text>
      </div>
    </div>
  )
}
