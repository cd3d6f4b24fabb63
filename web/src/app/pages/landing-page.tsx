import { Anchor, Stack, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Wordmark } from '../../ui/logo.tsx'

export function LandingPage() {
  return (
    <Stack component="main" p="xl" align="flex-start">
      <Wordmark />
      <Title order={1}>Persistent Memory for AI Agents</Title>
      <Anchor component={Link} to="/login">
        Sign In
      </Anchor>
    </Stack>
  )
}
