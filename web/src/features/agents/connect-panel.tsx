import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { AgentCheck } from './agent-check.tsx'
import classes from './connect-panel.module.css'
import { Snippet } from './snippet.tsx'
import { agentClients } from './snippets.ts'

/** Per client, the text to paste and where, with the address and the key of the memory on screen filled in. */
export function ConnectPanel() {
  const [clientId, setClientId] = useState(agentClients[0]!.id)
  const client = agentClients.find(({ id }) => id === clientId) ?? agentClients[0]!
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
        className={classes.shown}
        role="tabpanel"
        id="connect-snippet"
        aria-labelledby={`connect-${client.id}`}
      >
        <Snippet client={client} />
        <AgentCheck />
      </div>
    </div>
  )
}
