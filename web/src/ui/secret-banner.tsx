import { Alert, Button, Code, Group, Stack } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './secret-banner.module.css'

type SecretBannerProps = {
  title: string
  secret: string
  copyLabel: string
  /** What the user should do with the secret. */
  children: ReactNode
  onDismiss: () => void
}

/** Shows a whole secret, for the only time. */
export function SecretBanner({ title, secret, copyLabel, children, onDismiss }: SecretBannerProps) {
  return (
    <Alert color="green" icon={<IconCheck size={18} />} title={title} role="status">
      <Stack gap="sm" align="flex-start">
        <Code block w="100%" className={classes.whole}>
          {secret}
        </Code>
        <span>{children}</span>
        <Group gap="xs">
          <CopyButton value={secret} label={copyLabel} />
          <Button variant="default" size="xs" onClick={onDismiss}>
            Dismiss
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
