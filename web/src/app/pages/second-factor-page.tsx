import { Anchor, Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SecondFactorsPanel } from '../../features/security/second-factors-panel.tsx'
import { takeDestination } from '../../lib/destination.ts'
import { logOut, useUser } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

/** Members whose account requires a second factor set it up here before anything else. */
export function SecondFactorPage() {
  const router = useRouter()
  const user = useUser()
  const [hadNone] = useState(user?.secondFactor === false)
  const isDone = user?.secondFactor === true
  const goOn = () => router.history.replace(takeDestination(user?.id))
  useEffect(() => {
    if (isDone && !hadNone) router.history.replace(takeDestination(user?.id))
  }, [isDone, hadNone, router, user?.id])
  return (
    <AuthFrame
      title={isDone ? 'Your second factor is set up' : 'Set up a second factor'}
      subtitle={
        isDone ? 'You will be asked for it when you sign in.' : 'This account asks every member for one.'
      }
      footer={
        <Anchor component="button" onClick={() => void logOut()}>
          Sign out
        </Anchor>
      }
    >
      <SecondFactorsPanel flush={false} />
      {isDone && (
        <Button fullWidth mt="md" onClick={goOn}>
          Continue to Loci
        </Button>
      )}
    </AuthFrame>
  )
}
