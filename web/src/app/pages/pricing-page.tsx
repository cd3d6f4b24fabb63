import { Anchor, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Wordmark } from '../../ui/logo.tsx'

export function PricingPage() {
  return (
    <Stack component="main" p="xl" align="flex-start">
      <Wordmark />
      <Title order={1}>Pricing</Title>
      <Anchor component={Link} to="/login">
        Sign In
      </Anchor>
    </Stack>
  )
}
