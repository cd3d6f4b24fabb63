import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

export function BackButton() {
  return (
    <Button
      component={Link}
      to="/entities"
      variant="subtle"
      size="compact-sm"
      leftSection={<IconArrowLeft size={15} />}
    >
      Back
    </Button>
  )
}
