import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/section.tsx'
import { verifySnippets } from './verify-snippets.ts'
import classes from './webhooks.module.css'

/** Code with which a receiver verifies that an event is ours. */
export function VerifyHint() {
  const [id, setId] = useState<string>(verifySnippets[0].id)
  const { code } = verifySnippets.find((snippet) => snippet.id === id) ?? verifySnippets[0]
  return (
    <Section
      title="Verify signatures"
      description="Anyone can send a request to your URL. The signature proves that it came from this server."
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Language"
            value={id}
            onChange={setId}
            data={verifySnippets.map((snippet) => ({ value: snippet.id, label: snippet.name }))}
          />
          <CopyButton value={code} label="Copy code" />
        </Group>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre className={classes.code} tabIndex={0}>
          {code}
        </pre>
        <Text c="dimmed">
          Set WEBHOOK_SECRET to the signing secret. Any library for Standard Webhooks verifies the same way.
        </Text>
      </Stack>
    </Section>
  )
}
