import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './error-alert.module.css'

/** A red alert that says what failed and offers a retry. */
export function ErrorAlert({ message, onRetry }: { message: ReactNode; onRetry?: () => void }) {
  return (
    <Alert color="red" role="alert">
      <Group justify="space-between" gap="xs">
        <div className={classes.message}>
          <IconAlertTriangle size={18} className={classes.icon} aria-hidden />
          <span>{message}</span>
        </div>
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  )
}
