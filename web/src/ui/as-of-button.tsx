import { ActionIcon, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { momentADayAgo, useAsOf } from '../lib/as-of.ts'

/** Switches a screen to its state of a day ago; the bar that then appears accepts any other moment. */
export function AsOfButton() {
  const asOf = useAsOf()
  const navigate = useNavigate()
  if (asOf !== undefined) return null
  return (
    <Tooltip label="Earlier state">
      <ActionIcon
        variant="default"
        size={32}
        aria-label="Earlier state"
        onClick={() => void navigate({ to: '.', search: (now) => ({ ...now, asOf: momentADayAgo() }) })}
      >
        <IconHistory size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
