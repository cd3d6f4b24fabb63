import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { type ListPath, lastList } from '../last-list.ts'

type BackProps = { to?: ListPath; label?: string }

/** Links to a list as it was left, with its filters, and its scroll position if the user came from there. */
export function BackButton({ to = '/entities', label = 'Back' }: BackProps) {
  const router = useRouter()
  const { search, index } = lastList(to)
  function goBack(event: MouseEvent) {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey)
    if (!isPlain || index === undefined || router.history.location.state.__TSR_index !== index + 1) return
    event.preventDefault()
    router.history.back()
  }
  return (
    <Button
      renderRoot={(props) => <Link {...props} to={to} search={search} onClick={goBack} />}
      variant="subtle"
      size="compact-sm"
      ml={-8}
      leftSection={<IconArrowLeft size={15} />}
    >
      {label}
    </Button>
  )
}
