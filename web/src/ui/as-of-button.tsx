import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useAsOf } from '../lib/as-of.ts'

const dayMs = 86_400_000

/** Turns a screen to its state of a day ago; the bar that comes up then takes any other moment. */
export function AsOfButton() {
  const asOf = useAsOf()
  const navigate = useNavigate()
  if (asOf !== undefined) return null
  const moment = () => new Date(Math.floor((Date.now() - dayMs) / 60_000) * 60_000).toISOString()
  return (
    <Button
      variant="default"
      leftSection={<IconHistory size={16} />}
      onClick={() => void navigate({ to: '.', search: (now) => ({ ...now, asOf: moment() }) })}
    >
      Earlier State
    </Button>
  )
}
