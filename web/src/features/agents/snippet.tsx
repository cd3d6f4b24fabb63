import { Alert, Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CreateMemoryKey } from './create-memory-key.tsx'
import classes from './snippet.module.css'
import { type Address, type AgentClient, isReachableByChats } from './snippets.ts'
import { type FreshKey, useAddress, useMemoryKey } from './use-memory.ts'

type SnippetProps = {
  client: AgentClient
  /** The key to use instead of the user's own. */
  fresh?: FreshKey
  /** Where to call, instead of the memory on screen. */
  at?: Address
}

/** The text to paste for a client, in full: selecting it by hand gives the same as the copy button. */
export function Snippet({ client, fresh, at }: SnippetProps) {
  const shown = useAddress(fresh)
  const address = at ?? shown
  if (address === undefined) return null
  const { key } = address
  return (
    <div className={classes.snippet}>
      {client.link && (
        <div className={classes.install}>
          <Button component="a" href={client.link(address)} leftSection={<IconDownload size={16} />}>
            Add to {client.name}
          </Button>
          <Text size="xs" c="dimmed">
            Opens {client.name}, which signs in here through your browser. Or paste:
          </Text>
        </div>
      )}
      {client.isChat && <Block client={client} address={{ ...address, key: '' }} />}
      {!client.isChat && key === undefined && <CreateMemoryKey />}
      {!client.isChat && key !== undefined && <Block client={client} address={{ ...address, key }} />}
      {client.isChat && !isReachableByChats(window.location.origin) && (
        <Alert color="yellow" title="This server has no public address">
          {client.name} calls from the internet and over https only, so it cannot reach {window.location.host}
          . Give the server a public address with https and set LOCI_PUBLIC_URL to it.
        </Alert>
      )}
      {(client.isChat || key !== undefined) && (
        <Text size="xs" c="dimmed">
          {client.hint}
        </Text>
      )}
      {!client.isChat && !fresh && !at && <KeyShownOnce />}
    </div>
  )
}

function Block({ client, address }: { client: AgentClient; address: Address & { key: string } }) {
  const text = client.text(address)
  return (
    <div className={classes.block}>
      <div className={classes.head}>
        <span className={classes.where}>
          {client.where === 'Run in a terminal' ? 'Terminal' : client.where}
        </span>
        <CopyButton value={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre className={classes.code} tabIndex={0}>
        {colored(text)}
      </pre>
    </div>
  )
}

/** The key created for this memory, which some clients ask for. */
function KeyShownOnce() {
  const { data: created } = useMemoryKey()
  if (!created) return null
  return (
    <div className={classes.once} role="status">
      <Text size="xs">Save this key now - you won't be able to see it again!</Text>
      <CopyButton value={created} label="Copy key" />
    </div>
  )
}

/** Highlights strings. Lines may break before a command's option, but not between its dashes and its name. */
function colored(text: string): ReactNode[] {
  return text.split(/("[^"]*"|--\S+)/).map((part, index) => {
    if (!/^("|--)/.test(part)) return part
    return (
      <span key={index} className={part.startsWith('"') ? classes.string : classes.option}>
        {part}
      </span>
    )
  })
}
