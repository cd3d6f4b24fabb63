import { oldSecretHours } from '@loci/contract/webhooks'
import { Alert, Button, Code, Group, Stack } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { CopyButton } from '../../ui/copy-button.tsx'
import classes from './webhooks.module.css'

type SecretBannerProps = { title: string; secret: string; isRolled?: boolean; onDismiss: () => void }

/** The one time that a signing secret is shown. */
export function SecretBanner({ title, secret, isRolled = false, onDismiss }: SecretBannerProps) {
  return (
    <Alert color="green" icon={<IconCheck size={18} />} title={title} role="status">
      <Stack gap="sm" align="flex-start">
        <Code block w="100%" className={classes.wrapped}>
          {secret}
        </Code>
        <span>
          Save this signing secret now - you won't be able to see it again!
          {isRolled && ` For ${oldSecretHours} hours the old one signs beside it.`}
        </span>
        <Group gap="xs">
          <CopyButton value={secret} label="Copy secret" />
          <Button variant="default" size="xs" onClick={onDismiss}>
            Dismiss
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
