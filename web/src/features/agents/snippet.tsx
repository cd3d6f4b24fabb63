import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import classes from './snippet.module.css'
import { type AgentClient, addressOf } from './snippets.ts'

type SnippetProps = {
  client: AgentClient
  apiKey: string
  /** In place of where it goes. */
  title?: ReactNode
}

/** What to paste for a client, whole: what is selected by hand works like what is copied. */
export function Snippet({ client, apiKey, title }: SnippetProps) {
  const text = client.text(addressOf(window.location.origin, apiKey))
  return (
    <div className={classes.snippet}>
      <div className={classes.head}>
        {title ?? (
          <Text size="xs" c="dimmed">
            {client.where}
          </Text>
        )}
        <CopyButton value={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre className={classes.code} tabIndex={0}>
        {withWholeOptions(text)}
      </pre>
      {client.hint && (
        <Text size="xs" c="dimmed">
          {client.hint}
        </Text>
      )}
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
