import { Alert, Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { programPath } from '../../lib/server-facts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import classes from './snippet.module.css'
import { type AgentClient, addressOf, isReachableByChats } from './snippets.ts'

/** The text to paste for a client, in full: selecting it by hand gives the same as the copy button. */
export function Snippet({ client, apiKey }: { client: AgentClient; apiKey: string }) {
  const address = addressOf(window.location.origin, apiKey, programPath)
  const text = client.text(address)
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
      {client.isChat && !isReachableByChats(window.location.origin) && (
        <Alert color="yellow" title="This server has no public address">
          {client.name} calls from the internet and over https only, so it cannot reach {window.location.host}
          . Give the server a public address with https and set LOCI_PUBLIC_URL to it.
        </Alert>
      )}
      <Text size="xs" c="dimmed">
        {client.hint(address)}
      </Text>
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
