import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { momentADayAgo, useAsOf } from '../lib/as-of.ts'

/** Turns a screen to its state of a day ago; the bar that comes up then takes any other moment. */
export function AsOfButton() {
  const asOf = useAsOf()
  const navigate = useNavigate()
  if (asOf !== undefined) return null
  return (
    <Button
      variant="default"
      leftSection={<IconHistory size={16} />}
      onClick={() => void navigate({ to: '.', search: (now) => ({ ...now, asOf: momentADayAgo() }) })}
    >
      Earlier State
    </Button>
  )
}
