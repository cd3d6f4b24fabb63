import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from '../lib/use-copy.ts'

type CopyProps = { value: string; label?: string }

/** A copy icon; its accessible name says what it copies. */
export function CopyIcon({ value, label = 'Copy' }: CopyProps) {
  const { copied, copy } = useCopy(value)
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon onClick={copy} aria-label={label}>
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    </Tooltip>
  )
}

export function CopyButton({ value, label = 'Copy' }: CopyProps) {
  const { copied, copy } = useCopy(value)
  return (
    <Button
      variant="default"
      size="xs"
      onClick={copy}
      leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    >
      {copied ? 'Copied' : label}
    </Button>
  )
}
