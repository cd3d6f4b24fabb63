import { Alert, Button, Code, Group, Stack } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { CopyButton } from '../../ui/copy-button.tsx'
import classes from './new-key-banner.module.css'

type NewKeyBannerProps = { title: string; apiKey: string; onDismiss: () => void }

/** The one time that a whole key is shown. */
export function NewKeyBanner({ title, apiKey, onDismiss }: NewKeyBannerProps) {
  return (
    <Alert color="green" icon={<IconCheck size={18} />} title={title} role="status">
      <Stack gap="sm" align="flex-start">
        <Code block w="100%" className={classes.whole}>
          {apiKey}
        </Code>
        <span>Save this key now - you won't be able to see it again!</span>
        <Group gap="xs">
          <CopyButton value={apiKey} label="Copy key" />
          <Button variant="default" size="xs" onClick={onDismiss}>
            Dismiss
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
