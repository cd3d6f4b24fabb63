import { previewOfKey } from '@loci/contract/keys'
import { NativeSelect, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { AgentCheck } from './agent-check.tsx'
import classes from './connect-panel.module.css'
import { addressOf, agentClients } from './snippets.ts'

/** What to paste where, for each client, with the user's own address and key in it. */
export function ConnectPanel({ apiKey }: { apiKey: string }) {
  const [clientId, setClientId] = useState(agentClients[0]!.id)
  const client = agentClients.find(({ id }) => id === clientId) ?? agentClients[0]!
  const { origin } = window.location
  const text = client.text(addressOf(origin, apiKey))
  const shown = client.text(addressOf(origin, previewOfKey(apiKey)))
  return (
    <div className={classes.panel}>
      <div className={classes.clients} role="tablist" aria-label="Client" aria-orientation="vertical">
        {agentClients.map(({ id, name }, index) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`connect-${id}`}
            aria-selected={id === clientId}
            aria-controls="connect-snippet"
            tabIndex={id === clientId ? 0 : -1}
            className={classes.client}
            onClick={() => setClientId(id)}
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
              if (!step) return
              event.preventDefault()
              const next = agentClients.at((index + step) % agentClients.length)!
              setClientId(next.id)
              document.getElementById(`connect-${next.id}`)?.focus()
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <NativeSelect
        className={classes.select}
        aria-label="Client"
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
        data={agentClients.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <div
        className={classes.snippet}
        role="tabpanel"
        id="connect-snippet"
        aria-labelledby={`connect-${client.id}`}
      >
        <div className={classes.head}>
          <Text size="xs" c="dimmed">
            {client.where}
          </Text>
          <CopyButton value={text} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre className={classes.code} tabIndex={0}>
          {withWholeOptions(shown)}
        </pre>
        {client.hint && (
          <Text size="xs" c="dimmed">
            {client.hint}
          </Text>
        )}
        <AgentCheck />
      </div>
    </div>
  )
}

/** A line may end before an option of a command, not between its dashes and its name. */
function withWholeOptions(text: string): ReactNode[] {
  return text.split(/(--\S+)/).map((part) =>
    part.startsWith('--') ? (
      <span key={part} className={classes.option}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}
