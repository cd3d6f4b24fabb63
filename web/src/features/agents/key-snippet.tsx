import { useState } from 'react'
import { ClientChoice } from './client-choice.tsx'
import classes from './snippet.module.css'
import { Snippet } from './snippet.tsx'
import { type Address, agentClients } from './snippets.ts'
import type { FreshKey } from './use-memory.ts'

/** What to paste into a client so that it uses a fresh key, or calls an address with its key. */
export function KeySnippet(source: { fresh: FreshKey } | { at: Address }) {
  const [clientId, setClientId] = useState(agentClients[0]!.id)
  const client = agentClients.find(({ id }) => id === clientId) ?? agentClients[0]!
  return (
    <div className={classes.choice}>
      <ClientChoice value={clientId} onChange={setClientId} />
      <Snippet client={client} {...source} />
    </div>
  )
}
