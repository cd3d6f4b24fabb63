import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import classes from './refresh-button.module.css'

type RefreshButtonProps = { loading?: boolean; onClick: () => void }

/** Loads a page's data again. On phones it shows only its icon, so that the main action stays on the same line. */
export function RefreshButton({ loading = false, onClick }: RefreshButtonProps) {
  return (
    <Button
      className={classes.button}
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={loading}
      onClick={onClick}
    >
      <span className={classes.text}>Refresh</span>
    </Button>
  )
}
